/** Reads documents from disk and, if the user allows it, from the network. */
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { MAX_CHARACTERS } from "../read/limits.ts";
import { isUrl } from "../read/pointers.ts";
import { linkedLists } from "../sdk/api_md.ts";
import type { ReadFile } from "../read/read.ts";

/** A file that cannot be read. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** The seconds that fetching a file may take. */
const FETCH_SECONDS = 30;

/**
 * Reads a file as text. Devices and pipes are refused, because they may never end.
 *
 * @returns The text; undefined if the file does not exist
 * @throws {InputError} If it is not a file, too large, or must not be read
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFile()) throw new InputError(`${path} is not a file`);
    if (status.size > 4 * MAX_CHARACTERS) throw new InputError(`${path} is too large`);
    return decode(await readFile(path));
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (error instanceof InputError) throw error;
    throw new InputError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Reads a file that must exist.
 *
 * @throws {InputError} If it does not exist, or cannot be read
 */
export async function requiredText(path: string): Promise<string> {
  const text = await readText(path);
  if (text === undefined) throw new InputError(`${path} does not exist`);
  return text;
}

/** Reads a file that must exist if it is named. */
export async function namedText(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : await requiredText(path);
}

/** Reads an `api.md` with the lists that it links to, as large SDKs have them. */
export async function apiListText(path: string | undefined): Promise<string | undefined> {
  const text = await namedText(path);
  if (path === undefined || text === undefined) return undefined;
  const lists = await Promise.all(
    linkedLists(text).map((linked) => readText(join(dirname(path), linked))),
  );
  return [text, ...lists].join("\n");
}

/** Decodes UTF-8, or UTF-16 that begins with a byte order mark. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Returns a function that reads the files to which a document refers. Only those in a folder can be
 * read, also through symbolic links: a document of others must not take secrets into the output.
 *
 * @param document The path of the document; `-` for the standard input
 * @param root The folder with all files. Default: that of the document
 * @throws {InputError} If the folder does not exist, or the document is not in it
 */
export async function readerBeside(document: string, root?: string): Promise<ReadFile> {
  const folder = document === "-" ? "." : dirname(document);
  const [start, limit] = await Promise.all([realPath(folder), realPath(root ?? folder)]);
  if (limit === undefined) throw new InputError(`the folder ${root ?? folder} does not exist`);
  if (start === undefined || !isInside(limit, start)) {
    throw new InputError(`${document} must be in the folder ${root}, which limits its references`);
  }
  return async (path) => {
    if (isUrl(path)) return await fetchText(path);
    // Outside of the folder, nothing is asked for, not even if a file exists.
    const file = join(start, path);
    const real = isInside(limit, file) ? await realPath(file) : file;
    if (real === undefined) return undefined;
    if (isInside(limit, real)) return await readText(real);
    throw new InputError(
      root === undefined
        ? "it is outside of the folder of the document; --root FOLDER allows all files in FOLDER"
        : `it is outside of the folder ${root}, which --root allows`,
    );
  };
}

/** Returns a path without symbolic links; undefined if there is nothing. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new InputError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Reports if a path is that of a folder, or of something in it. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_SECONDS * 1000) });
  if (!response.ok) {
    response.body?.cancel().catch(() => {});
    throw new InputError(`the server answered ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  // Not `for await`, which would wait until the body is cancelled: if a mock server has cloned the
  // response, the wait may never end.
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > MAX_CHARACTERS) {
      reader?.cancel().catch(() => {});
      throw new InputError("the response is too large");
    }
    parts.push(read.value);
  }
  return decode(new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
}
