/** The modules by which programs import parts of an SDK that another one takes the place of. */

import type { SdkModel } from "../../model/mod.ts";

/** The module of an SDK with a function that makes a client of some resources. */
const TREE_SHAKABLE = "tree-shakable";

/**
 * Returns the texts of modules by their paths.
 *
 * @param own The paths of the other files
 */
export function printModules(
  { client, modules = [] }: SdkModel,
  own: Iterable<string>,
): Map<string, string> {
  const known = new Set(own);
  const texts = new Map<string, string>();
  for (const path of modules) {
    const file = `${path}.ts`;
    if (known.has(file) || file === "mod.ts") continue;
    const root = "../".repeat(path.split("/").length - 1) || "./";
    const all = `export * from "${root}mod.ts";\n`;
    const isIndex = path === "index";
    texts.set(
      file,
      path === TREE_SHAKABLE
        ? all + treeShakable(client.className)
        : isIndex
        ? `${all}export { default } from "./mod.ts";\n`
        : all,
    );
  }
  return texts;
}

/** Returns the function that makes a client of some resources. It returns one with all of them. */
function treeShakable(className: string): string {
  return `import { ${className} } from "./client.ts";

/** The client: it has all resources, also those that were not named. */
export type Partial${className}<_Resources = unknown> = ${className};

/** Makes a client. It has all resources: a bundler cannot leave the others out. */
export function createClient(
  { resources: _, ...options }: ConstructorParameters<typeof ${className}>[0] & {
    readonly resources: readonly unknown[];
  },
): ${className} {
  return new ${className}(options);
}
`;
}
