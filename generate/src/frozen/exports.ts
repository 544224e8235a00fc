/** The exports of the package of a frozen SDK. */

import type { FrozenExports } from "./frozen_sdk.ts";
import { exportedName, type Sources } from "./sources.ts";
import { declarationOf, nameOf, nodeAt, nodesAt } from "./syntax.ts";

/** The modules at the root that programs import by their paths. */
const ROOT_MODULES =
  /^src\/((?:resources|core|shims)\/.+|(?:api-promise|error|index|pagination|resource|resources|streaming|tree-shakable|uploads|version))\.ts$/;

/** Reads `package.json`, and the exports of `index.ts`. */
export function readExports(sources: Sources): FrozenExports {
  const manifest = manifestOf(sources.textOf("package.json"));
  const names = new Set<string>();
  for (const statement of sources.get("src/index.ts")?.body ?? []) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const own = nameOf(nodeAt(declarationOf(statement), "id"));
    if (own !== undefined) names.add(own);
    for (const each of nodesAt(statement, "specifiers")) {
      const name = exportedName(each);
      if (name !== undefined && name !== "default") names.add(name);
    }
  }
  const modules = sources.files.flatMap((file) => ROOT_MODULES.exec(file)?.[1] ?? [])
    .filter((each) => !each.endsWith(".d"));
  return { ...manifest, names: [...names], modules: modules.toSorted() };
}

function manifestOf(
  text: string | undefined,
): Pick<FrozenExports, "packageName" | "version"> {
  try {
    const { name, version } = JSON.parse(text ?? "{}") as Readonly<Record<string, unknown>>;
    return {
      packageName: typeof name === "string" ? name : undefined,
      version: typeof version === "string" ? version : undefined,
    };
  } catch {
    return {};
  }
}
