/**
 * Restores the names of ports in modules that dnt built. dnt does not support conditional imports.
 */
import { posix } from "node:path";
import type { ImportsTable } from "../manifest.ts";

/** A built module, and the source that it was built from. */
export interface BuiltModule {
  /** The path of the module, relative to the folder of the compiled modules. */
  readonly path: string;
  /** The built code. */
  readonly code: string;
  /** The code of the source. */
  readonly source: string;
}

/**
 * Replaces the paths that dnt wrote for ports by the names of the ports. Then each runtime, such as
 * a browser, resolves a port to its own file. A module whose source imports such a file by its path
 * is left as it is.
 *
 * @param module The module
 * @param ports The compiled files of each port, relative to the same folder as the module's path
 */
export function withPortNames({ path, code, source }: BuiltModule, ports: ImportsTable): string {
  let named = code;
  for (const [port, branches] of Object.entries(ports)) {
    if (!source.includes(`"${port}"`)) continue;
    const file = posix.relative(posix.dirname(path), branches["default"]!.replace(/^\.\//, ""));
    const specifier = file.startsWith(".") ? file : `./${file}`;
    named = named.replaceAll(`"${specifier}"`, `"${port}"`);
  }
  return named;
}
