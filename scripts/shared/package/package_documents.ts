/** Writes the documents of the npm package, so that people and coding agents can read them offline. */
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type NpmManifest, readDenoManifest } from "../manifest.ts";
import { DESCRIPTION, TITLE } from "./package_description.ts";
import { entryPoints, llmsList } from "../pages/llms.ts";
import { groupPages, pageName } from "../pages/pages.ts";
import { repositoryAddress, withRepositoryLinks } from "../pages/repository_links.ts";
import { filesBelow } from "../source_files.ts";

/** The documents in the root of the package, as they are named in the repository. */
export const ROOT_DOCUMENTS: readonly string[] = [
  ...["README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"],
];

/** The list of all pages, as llmstxt.org describes it. */
export const LLMS_FILE = "llms.txt";

/**
 * Writes the README, the pages of docs/ with their pictures, and llms.txt.
 *
 * @param root The root of the repository
 * @param out The folder of the package
 * @param npm The package.json of the repository
 */
export async function writeDocuments(
  root: string,
  out: string,
  npm: NpmManifest,
): Promise<void> {
  const docs = (await filesBelow(root, ["docs"])).filter((path) => /\.(md|svg)$/.test(path));
  const paths = [...ROOT_DOCUMENTS, ...docs];
  const packed = new Set(paths);
  const repository = repositoryAddress(npm);
  const pages = new Map<string, string>();
  for (const path of paths) {
    let text = await readFile(`${root}/${path}`, "utf8");
    if (path.endsWith(".md")) {
      text = withRepositoryLinks(path, text, (file) => packed.has(file), repository);
    }
    const page = pageName(path);
    if (page !== undefined) pages.set(page, text);
    await mkdir(dirname(`${out}/${path}`), { recursive: true });
    await writeFile(`${out}/${path}`, text);
  }
  const { exports } = await readDenoManifest(root);
  const entries = entryPoints(npm.name, exports, (path) => readFileSync(`${root}/${path}`, "utf8"));
  const list = llmsList(TITLE, `${DESCRIPTION}.`, entries, groupPages(pages), "docs/");
  await writeFile(`${out}/${LLMS_FILE}`, list);
}
