/** Compares the packages that dnt and the TypeScript compiler build from the same sources. */
import { BUNDLED_FOLDER } from "../shared/package/bundle.ts";
import type { PackedFile } from "../shared/package/contents.ts";

/** A difference that is expected, and why. */
interface ExpectedDifference {
  readonly reason: string;
  /** The files in which it occurs. */
  readonly files: RegExp;
  /** Returns the text without the difference, for the output of either builder. */
  normalize(text: string): string;
}

const EXPECTED: readonly ExpectedDifference[] = [
  {
    reason:
      "the compiler keeps the names of sources in declarations, which resolves the same files",
    files: /\.d\.ts$/,
    normalize: (text) => text.replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'),
  },
  {
    reason: "the compiler rewrites a path that is imported dynamically, in case it ends in .ts",
    files: /\/http\/transport\/undici\.js$/,
    normalize: (text) =>
      text.replace(/^var __rewriteRelativeImportExtension = [^]*?^};\n/m, "")
        .replace(/__rewriteRelativeImportExtension\(([^()]*)\)/g, "$1"),
  },
  {
    reason:
      "the compiler drops the sentence at the beginning of some modules whose first import it drops",
    files: /\.(?:js|d\.ts)$/,
    normalize: (text) =>
      text.replace(/^\/\*\*(?:(?!\*\/|@module)[^])*\*\/\n\n?(?=\/\*\*|import |export [*{])/, ""),
  },
];

/**
 * Returns a line for each file that only one builder writes, or whose text differs in an unexpected
 * way, and for each expected difference that has gone. The texts of bundles are not compared, because
 * they follow from those of the modules.
 *
 * @param byDnt The files that dnt built, which are published
 * @param byCompiler The files that the TypeScript compiler built
 * @param isWhole False for a package in which an expected difference may be missing
 */
export function buildDifferences(
  byDnt: readonly PackedFile[],
  byCompiler: readonly PackedFile[],
  isWhole: boolean = true,
): string[] {
  const faults: string[] = [];
  const unused = new Set(EXPECTED);
  const compiled = new Map(byCompiler.map(({ path, text }) => [path, text]));
  for (const { path, text } of byDnt) {
    const other = compiled.get(path);
    compiled.delete(path);
    if (other === undefined) faults.push(`only dnt writes ${path}`);
    if (other === undefined || other === text || path.startsWith(`${BUNDLED_FOLDER}/`)) continue;
    let [left, right] = [text, other];
    for (const difference of EXPECTED.filter(({ files }) => files.test(path))) {
      const [ours, theirs] = [difference.normalize(left), difference.normalize(right)];
      if ((ours === left) !== (theirs === right)) unused.delete(difference);
      [left, right] = [ours, theirs];
    }
    if (left !== right) faults.push(`${path} differs\n${firstDifference(left, right)}`);
  }
  for (const path of compiled.keys()) faults.push(`only the TypeScript compiler writes ${path}`);
  for (const { files, reason } of isWhole ? unused : []) {
    faults.push(`no file like ${files} differs any more, so remove this reason: ${reason}`);
  }
  return faults;
}

/** Returns the first line that differs, of each text. */
function firstDifference(byDnt: string, byCompiler: string): string {
  const [ours, theirs] = [byDnt.split("\n"), byCompiler.split("\n")];
  const line = ours.findIndex((text, index) => text !== theirs[index]);
  const at = line === -1 ? ours.length : line;
  const shown = (text: string | undefined) => text === undefined ? "(the end)" : text.slice(0, 200);
  return `  line ${at + 1} by dnt: ${shown(ours[at])}\n  by the compiler: ${shown(theirs[at])}`;
}
