/** The names of ports in a package that a tool built which knows no conditional imports. */
import { posix } from "node:path";
import type { ImportsTable } from "./manifest.ts";

/** A module that was built, and what it was built of. */
export interface BuiltModule {
  /** Its path, from the folder of the compiled modules. */
  readonly path: string;
  /** Its code. */
  readonly code: string;
  /** The code of its source. */
  readonly source: string;
}

/**
 * Puts the names of ports back in the place of the paths that they were replaced by, so that browsers
 * take branches of their own from this package too. A module that imports such a file by its path does
 * so on purpose.
 *
 * @param module The module
 * @param ports The ports, with the files that their branches take, compiled, from the same folder
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
