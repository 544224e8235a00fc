/** The package has a name on each registry; code that is pasted has to have the right one. */

/** Puts the npm name into every import of a text, entry points included. */
export function withNpmName(text: string, jsrName: string, npmName: string): string {
  return text.replaceAll(
    new RegExp(`(["'])${escaped(jsrName)}(/[^"']*)?\\1`, "g"),
    (_, quote: string, entry = "") => quote + npmName + entry + quote,
  );
}

/** The same for a compiled module: in its comments, which editors show, and nowhere else. */
export function withNpmNameInComments(code: string, jsrName: string, npmName: string): string {
  return code.split("\n")
    .map((line) => /^\s*\*/.test(line) ? withNpmName(line, jsrName, npmName) : line)
    .join("\n");
}

/**
 * Puts the package in place of the entry points that a module of this repository imports by their
 * paths, so that what was written against the sources runs against the package.
 *
 * @param code The module
 * @param path Its path from the root
 * @param exports The entry points, as deno.json has them
 * @param npmName The package
 */
export function importingPackage(
  code: string,
  path: string,
  exports: Readonly<Record<string, string>>,
  npmName: string,
): string {
  const entries = new Map(
    Object.entries(exports).map(([entry, file]) => [new URL(file, BASE).href, entry]),
  );
  return code.replaceAll(/(from |import\()"(\.[^"]*)"/g, (whole, before: string, to: string) => {
    const entry = entries.get(new URL(to, new URL(path, BASE)).href);
    return entry === undefined ? whole : `${before}"${npmName}${entry.slice(1)}"`;
  });
}

/** Any base will do for paths from the root. */
const BASE = "file:///";

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
