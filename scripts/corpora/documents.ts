/** The public documents from which SDKs are generated, and those of the generator's tests. */
import { readFile } from "node:fs/promises";
import { basename, dirname, join, posix, resolve } from "node:path";
import { hostileDocument } from "../../generate/tests/support/hostile_document.ts";
import { type ChildResult, runChild, succeeded } from "../shared/child.ts";
import { installInto } from "../shared/npm_packages.ts";
import { filesBelow } from "../shared/source_files.ts";

/** A document. */
export interface CorpusDocument {
  /** Its name, which is also that of the folder of its output. */
  readonly name: string;
  /** Its path, relative to the folder of all files that it refers to. */
  readonly path: string;
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
async function documentsOf(
  root: string,
  sets: readonly CorpusSet[],
): Promise<CorpusDocument[]> {
  const found: CorpusDocument[] = [{
    name: "hostile",
    path: "hostile.yaml",
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
        path,
        text,
        read: readerBeside(`${root}/${folder}/${path}`),
      });
    }
  }
  return found;
}

/** A public document in a repository of GitHub: a row of `sources.json`. */
interface DocumentSource {
  readonly name: string;
  readonly repo: string;
  readonly commit: string;
  readonly path: string;
}

/** The documents of `sources.json` that a folder has, and the names of the others. */
export interface FoundSources {
  readonly documents: readonly CorpusDocument[];
  readonly missing: readonly string[];
}

/**
 * Returns the documents of `sources.json` out of clones of their repositories, as they were at their
 * commits. The clone of `acme/specs` is `acme/specs` in the folder, with or without a work tree.
 *
 * @param names The names of documents, or their beginnings; none for all
 */
export async function documentsFrom(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<FoundSources> {
  const list = await readFile(`${root}/scripts/corpora/sources.json`, "utf8");
  const sources = (JSON.parse(list) as readonly DocumentSource[]).filter(({ name }) =>
    names.length === 0 || names.some((each) => name.startsWith(each))
  );
  const documents: CorpusDocument[] = [];
  const missing: string[] = [];
  for (const { name, repo, commit, path } of sources) {
    const read = async (place: string): Promise<string | undefined> => {
      const args = ["-C", join(folder, repo), "show", `${commit}:${place}`];
      const result = await runChild("git", args, { cwd: root, limit: 60 });
      return succeeded(result) ? result.stdout : undefined;
    };
    const text = await read(path);
    if (text === undefined) missing.push(name);
    else {
      const beside = (place: string) => read(posix.join(posix.dirname(path), place));
      documents.push({ name: name.toLowerCase(), path, text, read: beside });
    }
  }
  return { documents, missing };
}

/** The arguments that choose documents. */
export interface DocumentArguments {
  /** True to take the large documents, too. */
  readonly all?: boolean | undefined;
  /** The folder with the clones of `sources.json`. */
  readonly from?: string | undefined;
  /** Paths of documents to take instead; with `from`, names. */
  readonly names: readonly string[];
}

/** Returns the documents that arguments choose. */
export async function chosenDocuments(
  root: string,
  { all, from, names }: DocumentArguments,
): Promise<readonly CorpusDocument[]> {
  if (from !== undefined) {
    const { documents, missing } = await documentsFrom(root, from, names);
    if (missing.length > 0) console.log(`not in ${from}: ${missing.join(", ")}`);
    return documents;
  }
  return names.length > 0
    ? await Promise.all(names.map(documentAt))
    : await documentsOf(root, all === true ? ["examples", "more"] : ["examples"]);
}

/** Returns the document of a file. */
async function documentAt(path: string): Promise<CorpusDocument> {
  const file = resolve(path);
  return {
    name: nameOf(basename(dirname(file)), basename(file)),
    path: basename(file),
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
