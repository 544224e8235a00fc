/** Builds the API reference with `deno doc --html`. */
import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { runChild, succeeded } from "../child.ts";
import { chooseEdition, editionEnv } from "../edition.ts";
import { exportedNames, INTERNAL } from "./exported_names.ts";
import { readDenoManifest, readNpmManifest } from "../manifest.ts";
import { checkDetails } from "../report.ts";
import { OVERVIEW_FILE, PUBLIC_FOLDER, REFERENCE_FOLDER } from "./folders.ts";
import {
  correctPage,
  entryPath,
  moduleSummary,
  namePath,
  REFERENCE_STYLE,
  type ReferenceEntry,
  referenceOverview,
} from "./reference.ts";
import { repositoryAddress } from "./repository_links.ts";
import { filesBelow } from "../source_files.ts";

/**
 * Builds the reference of every entry point, and its overview.
 *
 * @param overview The address of the overview, relative to the folder of the reference, if a site has it
 * @throws {Error} If Deno fails, or if a name has no page
 */
export async function buildDocs(root: string, overview?: string): Promise<void> {
  const { name: packageName, exports } = await readDenoManifest(root);
  const repository = repositoryAddress(await readNpmManifest(root));
  const { edition } = await chooseEdition(process.execPath);
  const folder = `${root}/${REFERENCE_FOLDER}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(`${root}/${PUBLIC_FOLDER}`, { recursive: true });
  const output = [`--name=Restwright`, `--output=${folder}`];
  const args = ["doc", "--quiet", "--html", ...output, ...Object.values(exports)];
  const doc = await runChild(process.execPath, args, { cwd: root, env: editionEnv(edition) });
  if (!succeeded(doc)) throw new Error(checkDetails("deno doc", doc));

  const place = {
    root: `${pathToFileURL(root).href}/`,
    repository,
    packageName,
    overview,
    entries: Object.keys(exports),
  };
  const pages = (await filesBelow(root, [REFERENCE_FOLDER])).filter((path) =>
    path.endsWith(".html")
  );
  for (const path of pages) {
    const page = await readFile(`${root}/${path}`, "utf8");
    await writeFile(`${root}/${path}`, correctPage(page, place));
  }

  await appendFile(`${folder}/page.css`, REFERENCE_STYLE);
  await replaceFile(
    `${root}/scripts/shared/pages/reference_theme.js`,
    `${folder}/darkmode_toggle.js`,
  );

  const entries: ReferenceEntry[] = [];
  for (const [entry, path] of Object.entries(exports)) {
    const exported = exportedNames(pathToFileURL(`${root}/`), path.replace("./", ""));
    const names = new Map([...exported].filter(([, category]) => category !== INTERNAL));
    entries.push({
      entry,
      names,
      summary: moduleSummary(await readFile(`${root}/${path}`, "utf8")),
    });
  }
  const missing = entries.flatMap((
    { entry, names },
  ) => [entryPath(entry), ...[...names.keys()].map((name) => namePath(entry, name))]).filter((
    path,
  ) => !existsSync(`${folder}/${path}`));
  if (missing.length > 0) throw new Error(`deno doc wrote no page ${missing.join(", ")}`);
  await writeFile(`${root}/${OVERVIEW_FILE}`, referenceOverview(packageName, entries, "./api/"));
}

/**
 * Replaces a file of `deno doc`.
 *
 * @throws {Error} If `deno doc` did not write it
 */
async function replaceFile(source: string, target: string): Promise<void> {
  if (!existsSync(target)) throw new Error(`deno doc wrote no ${target}`);
  await copyFile(source, target);
}
