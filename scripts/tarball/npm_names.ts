/**
 * Replaces names in imports. The package's names on JSR and npm differ, and code that npm users
 * paste must contain the npm name.
 */

/** Replaces the JSR name by the npm name in every import of a text, including entry points. */
export function withNpmName(text: string, jsrName: string, npmName: string): string {
  return text.replaceAll(
    new RegExp(`(["'])${escaped(jsrName)}(/[^"']*)?\\1`, "g"),
    (_, quote: string, entry = "") => quote + npmName + entry + quote,
  );
}

/** Replaces the name in the doc comments of a compiled module, which editors show. */
export function withNpmNameInComments(code: string, jsrName: string, npmName: string): string {
  return code.split("\n")
    .map((line) => /^\s*\*/.test(line) ? withNpmName(line, jsrName, npmName) : line)
    .join("\n");
}

/**
 * Replaces the paths of entry points in a module's imports by the package's name. Then code that
 * was written against the sources runs against the package.
 *
 * @param code The code of the module
 * @param path The path of the module, relative to the root
 * @param exports The "exports" of deno.json
 * @param npmName The name of the package on npm
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

/** An arbitrary base URL, to resolve paths that are relative to the root. */
const BASE = "file:///";

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
