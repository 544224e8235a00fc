/** Runs `npm pack`, and reads the packed files. */
import { mkdir, readFile } from "node:fs/promises";
import { type ChildResult, runChild, succeeded } from "../child.ts";
import type { PackedFile } from "./contents.ts";

/** A packed package. */
export interface Tarball {
  readonly path: string;
  /** The size of the tarball in bytes. */
  readonly size: number;
  /** The size of the unpacked files in bytes. */
  readonly unpackedSize: number;
  /** The paths of the packed files, relative to the package's root. */
  readonly paths: readonly string[];
}

/**
 * Packs a package.
 *
 * @param folder The folder of the package
 * @param into The folder for the tarball
 * @throws {Error} If npm fails
 */
export async function pack(folder: string, into: string): Promise<Tarball> {
  await mkdir(into, { recursive: true });
  const npm = await runChild("npm", ["pack", "--json", "--pack-destination", into], {
    cwd: folder,
  });
  if (!succeeded(npm)) throw new Error(`npm pack failed\n${npm.output}`);
  return { ...readPacked(npm), path: `${into}/${readPacked(npm).path}` };
}

function readPacked({ stdout }: ChildResult): Tarball {
  const [packed] = JSON.parse(stdout) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error("npm pack did not report a tarball");
  const { filename, size, unpackedSize, files } = packed;
  return { path: filename, size, unpackedSize, paths: files.map(({ path }) => path) };
}

/** Reads the files of a package from its folder, such as the one in which it is installed. */
export async function readFiles(
  folder: string,
  paths: readonly string[],
): Promise<PackedFile[]> {
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(`${folder}/${path}`, "utf8") })),
  );
}
