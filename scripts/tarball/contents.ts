/** What is in a package, and what should not be. */
import { strangers } from "../package_description.ts";

/** A file of a package, by its path from the package's root. */
export interface PackedFile {
  readonly path: string;
  readonly text: string;
}

/** What a package has beside its modules. */
const DOCUMENTS: readonly string[] = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"];

/** An import of what is no literal, without the comment by which webpack leaves it to the runtime. */
const FOLLOWED_IMPORT = /\bimport\((?!\s*["'])(?![^)]*\/\* webpackIgnore: true \*\/)/;

/**
 * What is wrong with the files of a package, a line each: a test or an example, a document that is
 * missing, a module without its declarations or its source map, a source map that does not bring
 * its source along, an import that webpack would warn of, the path of a machine.
 *
 * @param files All of its files
 * @param machinePaths Folders of the machine that built it
 */
export function faultsOfContents(
  files: readonly PackedFile[],
  machinePaths: readonly string[],
): string[] {
  const there = new Set(files.map(({ path }) => path));
  const faults = strangers([...there]).map((path) => `${path} has no business in it`);
  const missing = (path: string): void => {
    if (!there.has(path)) faults.push(`${path} is missing`);
  };
  DOCUMENTS.forEach(missing);
  for (const { path, text } of files) {
    if (path.endsWith(".js")) {
      missing(path.replace(/\.js$/, ".d.ts"));
      missing(`${path}.map`);
      if (FOLLOWED_IMPORT.test(text)) faults.push(`${path} imports what webpack cannot follow`);
    }
    if (path.endsWith(".js.map")) faults.push(...faultsOfMap(path, text));
    for (const folder of machinePaths.filter((each) => text.includes(each))) {
      faults.push(`${path} names the folder ${folder} of this machine`);
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
