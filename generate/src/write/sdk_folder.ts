/** Reads the folder of a frozen SDK from disk: its sources, and the document in its `scripts/mock`. */
import { opendir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { documentIn, hasDocument, readSdk, type SdkFile } from "../frozen/mod.ts";
import { MAX_CHARACTERS } from "../read/limits.ts";
import { InputError, readText, requiredText } from "./input.ts";

/** The most sources of an SDK. Cloudflare's has 1,900. */
const MAX_SOURCES = 20_000;

/** The script that starts a mock server, which carries the document of some SDKs. */
const MOCK = join("scripts", "mock");

/**
 * Returns what an SDK says, as the option `sdk` has it.
 *
 * @param path The folder of its repository, or a file that was made of one
 * @throws {InputError} If there is neither
 * @throws {ShapeError} If it is not the folder of an SDK
 */
export async function sdkText(path: string): Promise<string> {
  if (!await isFolder(path)) return await requiredText(path);
  return await readSdk(await sdkFiles(path), path);
}

/** Returns the path of the script of an SDK that may carry its document. */
export function mockDocumentOf(sdk: string): string {
  return join(sdk, MOCK);
}

/**
 * Reads a document, which can be in the script of an SDK. The script is not run.
 *
 * @throws {InputError} If it does not exist, or is a script without a document
 */
export async function documentText(path: string): Promise<string> {
  const isScript = path.endsWith(MOCK);
  const text = isScript ? await readText(path) : await requiredText(path);
  if (text !== undefined && hasDocument(text)) return await documentIn(text, path);
  if (!isScript) return text!;
  const stats = await readText(path.slice(0, -MOCK.length) + ".stats.yml");
  const url = /^openapi_spec_url: *(https?:\/\/[!-~]{1,2000})$/m.exec(stats ?? "")?.[1];
  const place = url === undefined ? "" : `; its .stats.yml names ${url}, which you can fetch`;
  throw new InputError(`the SDK has no document in scripts/mock: pass DOCUMENT${place}`);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Reads `package.json` and the sources of an SDK. Links are not followed. */
async function sdkFiles(folder: string): Promise<SdkFile[]> {
  const files: SdkFile[] = [];
  let characters = 0;
  const add = async (path: string): Promise<void> => {
    const text = await readText(path);
    if (text === undefined) return;
    characters += text.length;
    if (files.length >= MAX_SOURCES || characters > MAX_CHARACTERS) {
      throw new InputError(`${folder} has too many sources`);
    }
    files.push({ file: relative(folder, path).split(sep).join("/"), text });
  };
  await add(join(folder, "package.json"));
  const waiting = [join(folder, "src")];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!await isFolder(next)) continue;
    const names: string[] = [];
    for await (const entry of await opendir(next)) {
      if (entry.isDirectory() && entry.name !== "node_modules") {
        waiting.push(join(next, entry.name));
      }
      if (entry.isFile() && /\.ts$/.test(entry.name)) names.push(entry.name);
    }
    for (const name of names.sort()) await add(join(next, name));
  }
  return files.sort((a, b) => a.file < b.file ? -1 : 1);
}
