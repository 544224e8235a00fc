/** Tests of the files that `deno publish` includes, which "publish" in deno.json lists. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { jsrModules, modulesBelow } from "../support/import_graph.ts";

const root = sourceRoot();
const { exports, publish } = JSON.parse(readFileSync(new URL("deno.json", root), "utf8")) as {
  readonly exports: Readonly<Record<string, string>>;
  readonly publish: { readonly include: readonly string[]; readonly exclude: readonly string[] };
};

describe("the package on JSR", () => {
  it("has the modules that its users can reach, and no others", () => {
    const entries = Object.values(exports).map((path) => path.replace("./", ""));
    const reachable = jsrModules(root, entries);
    const included = publish.include.flatMap((path) =>
      statSync(new URL(path, root)).isDirectory() ? modulesBelow(root, path) : path
    );
    const modules = included.filter((path) =>
      path.endsWith(".ts") && !publish.exclude.includes(path)
    );

    assert(reachable.length > 150, `${reachable.length} modules`);
    assertEquals(modules.sort(), reachable);
  });

  it("excludes only files that exist", () => {
    assertEquals(publish.exclude.filter((path) => !existsSync(new URL(path, root))), []);
  });

  it("has three documents besides the modules, and no package.json", () => {
    const others = publish.include.filter((path) => !/\.ts$|\/$/.test(path));

    assertEquals([...others].sort(), ["CHANGELOG.md", "LICENSE", "README.md"]);
  });
});
