/** Reads and writes the file of a cassette. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { builtinModule } from "../../base/runtime.ts";

/** The part of `node:fs/promises` that is used. Deno and Bun have this module too. */
interface FileSystem {
  mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  writeFile(path: string, text: string): Promise<void>;
}

/** A file with a cassette. */
export interface CassetteFile {
  /** The path, for errors. */
  readonly name: string;
  /** Returns the text; undefined if there is no file. */
  read(): Promise<string | undefined>;
  /** Writes the text. Until it is complete, the old file stays as it is. */
  write(text: string): Promise<void>;
}

/**
 * Returns a file.
 *
 * @param place The path, or a URL such as `new URL("./books.json", import.meta.url)`
 * @throws {UnexpectedValueError} If the runtime has no files, or the URL is not one of a file
 */
export function cassetteFile(place: string | URL): CassetteFile {
  const fs = builtinModule<FileSystem>("node:fs/promises");
  if (fs === undefined) {
    const expected = "the content of a cassette, because this runtime has no files";
    throw new UnexpectedValueError("source", expected, place);
  }
  const name = pathOf(place);
  return {
    name,
    async read() {
      try {
        return await fs.readFile(name, "utf8");
      } catch (error) {
        if (Object(error).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async write(text) {
      const [folder] = /^.*[\\/]/.exec(name) ?? [];
      if (folder !== undefined) await fs.mkdir(folder, { recursive: true });
      // In the same folder, so that the file can be renamed.
      const temporary = `${name}.${crypto.randomUUID()}.tmp`;
      try {
        await fs.writeFile(temporary, text);
        await fs.rename(temporary, name);
      } catch (error) {
        await fs.rm(temporary, { force: true });
        throw error;
      }
    },
  };
}

function pathOf(place: string | URL): string {
  if (typeof place === "string") return place;
  const url = builtinModule<{ fileURLToPath(url: URL): string }>("node:url");
  if (url === undefined || place.protocol !== "file:") {
    throw new UnexpectedValueError("source", "a path, or a URL that begins with file:", place);
  }
  return url.fileURLToPath(place);
}
