import { Buffer } from "node:buffer";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for the cassettes of a test. */
export interface CassetteFolder {
  /** Returns the path of a file. */
  file(name: string): string;
  /** Returns the names and the texts of all files. */
  texts(): Promise<Record<string, string>>;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** Creates a folder for cassettes. The caller has to remove it. */
export async function cassetteFolder(): Promise<CassetteFolder> {
  const folder = await mkdtemp(join(tmpdir(), "restwright-cassettes-"));
  return {
    file: (name) => join(folder, name),
    async texts() {
      const entries = await readdir(folder, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name).sort();
      const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
      return Object.fromEntries(await Promise.all(texts));
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/**
 * Returns the forms in which a secret may be found: as it is, percent-encoded, escaped for JSON and
 * XML, in hexadecimal digits, and in Base64 at each position.
 */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const encoded = [0, 1, 2].flatMap((before) => {
    // Only the characters that have no bits of the bytes around.
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const part = whole.slice(
      Math.ceil(before * 4 / 3),
      Math.floor((before + bytes.length) * 4 / 3),
    );
    return [part, part.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ "": secret }).toString().slice(1),
    hex,
    hex.toUpperCase(),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
    ...encoded,
  ];
}

/** Returns the forms of secrets that occur in a text, also in the Base64 that it contains. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  const contents = [text];
  for (const [run] of text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)) {
    contents.push(Buffer.from(run, "base64").toString("utf8"));
  }
  return Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).filter((form) => contents.some((content) => content.includes(form)))
      .map((form) => `${name}: ${form}`)
  );
}
