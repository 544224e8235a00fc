/**
 * Compares the output with a folder, and writes it there. Files without the generator's first line
 * are never touched, nor is anything outside of the folder.
 */
import { lstat, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isOwnFile } from "../base/first_line.ts";
import { hasMarkedPart, MarkError, withMarkedPart } from "../base/marked_part.ts";
import type { OutputKind } from "../outputs/output.ts";
import { outputKinds } from "./outputs.ts";
import { isSafePath } from "../names/file_names.ts";

/** A folder that cannot take the output. */
export class FolderError extends Error {
  override readonly name = "FolderError";
  /** The lines to write into a file of the user; empty if none is missing. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

/** The differences between the output and a folder. Paths are relative to it, with `/`. */
export interface Changes {
  /** The folder without links, if it exists. */
  readonly folder: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  /** Files of an earlier run that are not made any more. */
  readonly stale: readonly string[];
}

/** The folders, relative to that of an SDK, that hold its files: a run deletes its old ones there. */
export const SDK_FOLDERS: readonly string[] = ["", "core", "endpoints", "resources"];

/**
 * Returns files as they are written: of those that have a part between two comments, the user's text
 * around it stays.
 *
 * @throws {FolderError} If a file of the user has no place for the part
 */
export async function withUserTexts(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const merged = new Map<string, string>();
  for (const [path, text] of files) {
    const target = join(folder, path);
    const isThere = hasMarkedPart(text) && await statusOf(target) !== undefined;
    merged.set(path, isThere ? await withUserText(target, text) : text);
  }
  return merged;
}

async function withUserText(path: string, written: string): Promise<string> {
  if (!(await stat(path)).isFile()) throw new FolderError(`${path} is not a file`);
  try {
    return withMarkedPart(path, await readFile(path, "utf8"), written);
  } catch (error) {
    throw error instanceof MarkError ? new FolderError(error.message, error.lines) : error;
  }
}

/**
 * Compares files with a folder, and changes nothing.
 *
 * @param folder The folder, which may be missing
 * @param files The texts by their paths relative to the folder
 * @param kind The output whose files they are, if it is another one than the SDK
 * @throws {FolderError} If a file of somebody else has the path of an output file, or a link leads
 * out of the folder
 */
export async function compareFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  kind?: Pick<OutputKind, "ending" | "folders">,
): Promise<Changes> {
  const root = await rootOf(folder);
  const added: string[] = [];
  const changed: string[] = [];
  const unchanged: string[] = [];
  for (const [path, text] of files) {
    const isUsers = hasMarkedPart(text);
    if (!isUsers && !isSafePath(path)) {
      throw new FolderError(`${path} is not a safe name of a file`);
    }
    const earlier = isUsers
      ? await textIfThere(join(folder, path))
      : root === undefined
      ? undefined
      : await ownFile(root, path);
    if (earlier === undefined) added.push(path);
    else (earlier === text ? unchanged : changed).push(path);
  }
  const stale = root === undefined ? [] : await staleFiles(root, files, kind);
  return { folder: root ?? folder, added, changed, unchanged, stale };
}

/** Writes the files that differ, and deletes those of earlier runs. */
export async function writeFolder(
  { folder, added, changed, stale }: Changes,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  for (const path of [...added, ...changed]) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, files.get(path)!);
  }
  for (const path of stale) await rm(join(folder, path));
}

/** Returns the folder without links; undefined if it is missing. */
async function rootOf(folder: string): Promise<string | undefined> {
  const status = await statusOf(folder);
  if (status === undefined) return undefined;
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined || !(await lstat(root)).isDirectory()) {
    throw new FolderError(`${folder} is not a folder`);
  }
  return root;
}

/**
 * Returns the text of a file of an earlier run; undefined if there is none.
 *
 * @throws {FolderError} If there is another file, or a link that leads out of the folder
 */
async function ownFile(root: string, path: string): Promise<string | undefined> {
  const target = join(root, path);
  for (const part of [dirname(target), target]) {
    const status = await statusOf(part);
    if (status === undefined) return undefined;
    if (status.isSymbolicLink() && !isBelow(root, await realpath(part).catch(() => undefined))) {
      throw new FolderError(`${relative(root, part)} is a link that leads out of the folder`);
    }
  }
  const place = await lstat(await realpath(target));
  if (!place.isFile()) throw new FolderError(`${path} exists and is not a file`);
  const text = await readFile(target, "utf8");
  if (isOwnFile(text)) return text;
  throw new FolderError(
    `${path} exists and does not begin with the generator's first line; move or delete it`,
  );
}

/** Lists the generator's own files, of the SDK or of another output, that this run does not make. */
async function staleFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  kind: Pick<OutputKind, "ending" | "folders"> | undefined,
): Promise<string[]> {
  const found: string[] = [];
  const { ending, folders = [] } = kind ?? {};
  for (const folder of ending === undefined ? SDK_FOLDERS : ["", ...folders]) {
    const path = join(root, folder);
    if ((await statusOf(path))?.isDirectory() !== true) continue;
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isFile() || files.has(name)) continue;
      // The SDK and its tests may share a folder, and a run may leave either alone.
      const isOfOther = outputKinds.some((each) => name.endsWith(each.ending));
      const isOwn = ending === undefined
        ? name.endsWith(".ts") && !isOfOther
        : name.endsWith(ending);
      if (!isOwn) continue;
      if (isOwnFile(await readFile(join(root, name), "utf8"))) found.push(name);
    }
  }
  return found.sort();
}

/** Returns the text of a file; undefined if there is none. */
async function textIfThere(path: string): Promise<string | undefined> {
  return await statusOf(path) === undefined ? undefined : await readFile(path, "utf8");
}

async function statusOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

function isBelow(root: string, path: string | undefined): boolean {
  return path !== undefined && (path === root || path.startsWith(`${root}${sep}`));
}
