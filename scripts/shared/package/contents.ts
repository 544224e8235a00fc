/** Checks the files of a package. */
import { posix } from "node:path";
import { brokenLinks } from "../pages/markdown_links.ts";
import { LLMS_FILE, ROOT_DOCUMENTS } from "./package_documents.ts";
import { BUNDLED_FOLDER } from "./bundle.ts";
import { strangers } from "./package_description.ts";
import { SBOM_FILE } from "./sbom.ts";

/** A file of a package. Its path is relative to the package's root. */
export interface PackedFile {
  readonly path: string;
  readonly text: string;
}

/** The files that a package must have besides its modules. */
const DOCUMENTS: readonly string[] = ["package.json", ...ROOT_DOCUMENTS, LLMS_FILE, SBOM_FILE];

/** A dynamic import of a non-literal, without the comment that makes webpack ignore it. */
const FOLLOWED_IMPORT = /\bimport\((?!\s*["'])(?![^)]*\/\* webpackIgnore: true \*\/)/;

/**
 * Returns a line for each fault in the files of a package: a test or an example, a missing
 * document, a link to a file that is missing, a module without declarations, a source map that is
 * not needed, missing, or of a file that is missing, an import that webpack would warn about, a path
 * of the machine that built the package.
 *
 * The compiled modules are as readable as their sources, so that maps would only make the package
 * larger. Bundles have maps, which lead to these modules.
 *
 * @param files All files of the package
 * @param machinePaths Folders of the machine that built the package
 * @param documents The files that the package must have besides its modules
 */
export function faultsOfContents(
  files: readonly PackedFile[],
  machinePaths: readonly string[],
  documents: readonly string[] = DOCUMENTS,
): string[] {
  const there = new Set(files.map(({ path }) => path));
  const faults = strangers([...there]).map((path) => `${path} must not be in the package`);
  const missing = (path: string): void => {
    if (!there.has(path)) faults.push(`${path} is missing`);
  };
  documents.forEach(missing);
  for (const { path, text } of files) {
    const isBundled = path.startsWith(`${BUNDLED_FOLDER}/`);
    if (path.endsWith(".js")) {
      missing(isBundled ? `${path}.map` : path.replace(/\.js$/, ".d.ts"));
      if (FOLLOWED_IMPORT.test(text)) {
        faults.push(`${path} has an import that webpack cannot follow`);
      }
    }
    if (isBundled) {
      if (path.endsWith(".map")) mapped(path, text).forEach(missing);
    } else if (path.endsWith(".map") || /^\/\/# sourceMappingURL=/m.test(text)) {
      faults.push(`${path} is a source map, or refers to one`);
    }
    for (const folder of machinePaths.filter((each) => text.includes(each))) {
      faults.push(`${path} contains a path of this machine: ${folder}`);
    }
  }
  const pages = files.filter(({ path }) => /\.md$/.test(path) || path === LLMS_FILE);
  faults.push(
    ...brokenLinks(new Map(pages.map(({ path, text }) => [path, text])), (path) => there.has(path)),
  );
  return faults;
}

/** Returns the paths of the modules that a source map leads to. */
function mapped(path: string, text: string): string[] {
  const { sources } = JSON.parse(text) as { readonly sources: readonly string[] };
  return sources.map((source) => posix.join(posix.dirname(path), source));
}
