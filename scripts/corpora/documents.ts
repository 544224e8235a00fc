/** The public documents from which SDKs are generated, and those of the generator's tests. */
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { hostileDocument } from "../../generate/tests/support/hostile_document.ts";
import type { ChildResult } from "../shared/child.ts";
import { installInto } from "../shared/npm_packages.ts";
import { filesBelow } from "../shared/source_files.ts";

/** A document. */
export interface CorpusDocument {
  /** Its name, which is also that of the folder of its output. */
  readonly name: string;
  readonly text: string;
  /** Reads files beside it, by their paths relative to it. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Packages with documents, in folders of their own because nothing else needs them. */
const SETS = {
  /** Small documents of all versions and features. */
  examples: ["@readme/oas-examples"],
  /** Documents of real and large APIs. */
  more: ["@directus/specs", "@figma/rest-api-spec", "@scalar/galaxy"],
} as const;

/** A set of packages: a folder in scripts/corpora/. */
export type CorpusSet = keyof typeof SETS;

/** The folder of documents in the generator's tests. */
const CORNER_CASES = "generate/tests/plan/schemas";

/** Installs the packages of a set. Returns the result of npm; undefined if there was nothing to do. */
export async function installSet(root: string, set: CorpusSet): Promise<ChildResult | undefined> {
  return await installInto(`${root}/scripts/corpora/${set}`, `${root}/${folderOf(set)}`);
}

/** Returns the documents of the generator's tests, and those of the sets. */
export async function documentsOf(
  root: string,
  sets: readonly CorpusSet[],
): Promise<CorpusDocument[]> {
  const found: CorpusDocument[] = [{
    name: "hostile",
    text: hostileDocument(),
    read: () => Promise.resolve(undefined),
  }];
  const folders = [
    CORNER_CASES,
    ...sets.flatMap((set) => SETS[set].map((name) => `${folderOf(set)}/node_modules/${name}`)),
  ];
  for (const folder of folders) {
    // `filesBelow` leaves out installed packages, unless it begins inside of one.
    for (const path of await filesBelow(`${root}/${folder}`, ["."])) {
      if (!/\.(?:json|ya?ml)$/.test(path) || /(?:^|\/)package(?:-lock)?\.json$/.test(path)) {
        continue;
      }
      const text = await readFile(`${root}/${folder}/${path}`, "utf8");
      // Some files are schemas for the tests of a package, or parts of documents.
      if (!/^\s*\{?\s*["']?(?:openapi|swagger)["']?\s*:/m.test(text)) continue;
      found.push({
        name: nameOf(folder, path),
        text,
        read: readerBeside(`${root}/${folder}/${path}`),
      });
    }
  }
  return found;
}

/** Returns the document of a file. */
export async function documentAt(path: string): Promise<CorpusDocument> {
  const file = resolve(path);
  return {
    name: nameOf(basename(dirname(file)), basename(file)),
    text: await readFile(file, "utf8"),
    read: readerBeside(file),
  };
}

function folderOf(set: CorpusSet): string {
  return `.tools/corpora_${set}`;
}

/** Returns a name of letters, digits and underscores. */
function nameOf(folder: string, path: string): string {
  const name = folder.split("/").at(-1)!;
  return `${name}/${path.replace(/^\.\//, "")}`.replace(/[^A-Za-z0-9]+/g, "_").toLowerCase();
}

function readerBeside(document: string): CorpusDocument["read"] {
  const folder = dirname(document);
  return (path) => readFile(join(folder, path), "utf8").catch(() => undefined);
}
