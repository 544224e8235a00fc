/** Checks the files of a package. */
import { strangers } from "../package_description.ts";
import { SBOM_FILE } from "../sbom.ts";

/** A file of a package. Its path is relative to the package's root. */
export interface PackedFile {
  readonly path: string;
  readonly text: string;
}

/** The files that a package must have besides its modules. */
const DOCUMENTS: readonly string[] = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md"],
  SBOM_FILE,
];

/** A dynamic import of a non-literal, without the comment that makes webpack ignore it. */
const FOLLOWED_IMPORT = /\bimport\((?!\s*["'])(?![^)]*\/\* webpackIgnore: true \*\/)/;

/**
 * Returns a line for each fault in the files of a package: a test or an example, a missing
 * document, a module without declarations or source map, a source map without its source, an import
 * that webpack would warn about, a path of the machine that built the package.
 *
 * @param files All files of the package
 * @param machinePaths Folders of the machine that built the package
 */
export function faultsOfContents(
  files: readonly PackedFile[],
  machinePaths: readonly string[],
): string[] {
  const there = new Set(files.map(({ path }) => path));
  const faults = strangers([...there]).map((path) => `${path} must not be in the package`);
  const missing = (path: string): void => {
    if (!there.has(path)) faults.push(`${path} is missing`);
  };
  DOCUMENTS.forEach(missing);
  for (const { path, text } of files) {
    if (path.endsWith(".js")) {
      missing(path.replace(/\.js$/, ".d.ts"));
      missing(`${path}.map`);
      if (FOLLOWED_IMPORT.test(text)) {
        faults.push(`${path} has an import that webpack cannot follow`);
      }
    }
    if (path.endsWith(".js.map")) faults.push(...faultsOfMap(path, text));
    for (const folder of machinePaths.filter((each) => text.includes(each))) {
      faults.push(`${path} contains a path of this machine: ${folder}`);
    }
  }
  return faults;
}

function faultsOfMap(path: string, text: string): string[] {
  const { sources, sourcesContent } = JSON.parse(text) as {
    sources: string[];
    sourcesContent?: (string | null)[];
  };
  const faults = sources.filter((source) => /^(\/|[a-z]+:|[A-Z]:)/.test(source))
    .map((source) => `${path} has a source with an absolute path, ${source}`);
  if (sources.some((_, index) => typeof sourcesContent?.[index] !== "string")) {
    faults.push(`${path} lacks the text of a source`);
  }
  return faults;
}
