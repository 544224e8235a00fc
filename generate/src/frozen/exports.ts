/** The exports of the package of a frozen SDK. */

import type { FrozenExports } from "./frozen_sdk.ts";
import type { Sources } from "./sources.ts";

/** The modules at the root that programs import by their paths. */
const ROOT_MODULES =
  /^src\/((?:resources|core|shims)\/.+|(?:api-promise|error|index|pagination|resource|resources|streaming|tree-shakable|uploads|version))\.ts$/;

/** Reads the version in `package.json`, and the modules. */
export function readExports(sources: Sources): FrozenExports {
  const modules = sources.files.flatMap((file) => ROOT_MODULES.exec(file)?.[1] ?? [])
    .filter((each) => !each.endsWith(".d"));
  return { version: versionIn(sources.textOf("package.json")), modules: modules.toSorted() };
}

function versionIn(manifest: string | undefined): string | undefined {
  try {
    const { version } = JSON.parse(manifest ?? "{}") as Readonly<Record<string, unknown>>;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
