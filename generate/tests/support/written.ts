/** Writes output of the generator so that it imports the toolkit from its sources. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const root = new URL("../../../", import.meta.url);
const { name, exports } = JSON.parse(await readFile(new URL("deno.json", root), "utf8")) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
};

/** Returns a module with the toolkit's sources in place of its package. */
export function withSources(text: string): string {
  const specifier = new RegExp(`(?<=(?:from|import\\() ?)"${name}((?:/[\\w/]+)?)"`, "g");
  return text.replace(specifier, (_, entry: string) => {
    const path = exports[`.${entry}`];
    if (path === undefined) throw new Error(`the toolkit has no entry point ${entry}`);
    return JSON.stringify(new URL(path, root).href);
  });
}

/** Writes files into a folder, with the toolkit's sources in place of its package. */
export async function writeWithSources(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [path, text] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, withSources(text));
  }
}
