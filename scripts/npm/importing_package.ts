/** Changes modules of the repository so that they use the package. */
import type { DenoManifest } from "../shared/manifest.ts";

/** An arbitrary base URL, to resolve paths that are relative to the root. */
const BASE = "file:///";

/**
 * Replaces the paths of entry points in a module's imports by the package's name. Then code that
 * was written against the sources runs against the package.
 *
 * @param code The code of the module
 * @param path The path of the module, relative to the root
 * @param deno The deno.json
 */
export function importingPackage(
  code: string,
  path: string,
  { name, exports }: Pick<DenoManifest, "name" | "exports">,
): string {
  const entries = new Map(
    Object.entries(exports).map(([entry, file]) => [new URL(file, BASE).href, entry]),
  );
  return code.replaceAll(/(from |import\()"(\.[^"]*)"/g, (whole, before: string, to: string) => {
    const entry = entries.get(new URL(to, new URL(path, BASE)).href);
    return entry === undefined ? whole : `${before}"${name}${entry.slice(1)}"`;
  });
}
