import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { browserModules, importGraph, importsOf, modulesBelow } from "../support/import_graph.ts";

const root = sourceRoot();

/** The modules of a program that only reads and writes JSON. Bundlers leave out the others. */
const forJson = [
  ...[
    "model",
    "inferred",
    "document",
    "field",
    "scalars",
    "dates",
    "structures",
    "union",
    "schema",
  ],
].map((name) => `src/models/${name}.ts`);

/** The modules for XML that such a program has too: the lazy import of the reader, and bytes. */
const allowed = ["src/models/xml/lazy.ts", "src/xml/byte_order_mark.ts"];

/** Returns the modules that are loaded together with a module. */
function loadedWith(path: string): string[] {
  return browserModules(root, [path], "static");
}

describe("the set of modules that is loaded with the models", () => {
  it("has no XML reader, and no parser of either edition", () => {
    const loaded = loadedWith("src/models/mod.ts");

    assert(loaded.includes("src/models/json_walker.ts"), loaded.join(", "));
    for (const name of ["models/xml/decode", "xml/reader", "xml/source", "xml/npm", "xml/std"]) {
      assert(!loaded.includes(`src/${name}.ts`), name);
    }
  });

  it("has them only through lazy imports", () => {
    const graph = importGraph(root, modulesBelow(root, "src/"));

    assert(graph.get("src/models/xml/lazy.ts")?.includes("src/models/xml/decode.ts"));
    assert(graph.get("src/models/xml/decode.ts")?.includes("src/xml/reader.ts"));
    assertEquals(graph.get("src/xml/reader.ts")?.filter((path) => /npm|std/.test(path)), [
      "src/xml/npm.ts",
      "src/xml/std.ts",
    ]);
  });

  for (const path of forJson) {
    it(`has no module that only XML needs for a program that uses only JSON: ${path}`, () => {
      const forXml = loadedWith(path).filter((each) => /xml/.test(each));

      assertEquals(forXml.filter((each) => !allowed.includes(each)), []);
    });
  }

  it("has the XML writer only with toXml, because that is a function and not a method", () => {
    const writing = "src/models/xml/encode.ts";

    assert(!loadedWith("src/models/model.ts").includes(writing));
    assert(loadedWith("src/models/mod.ts").includes(writing));
  });

  it("has no re-export of a lazily imported module, because bundlers would load it immediately", () => {
    const source = readFileSync(new URL("src/models/mod.ts", root), "utf8");
    const values = source.replace(/^export type [^;]*;$/gm, "");

    const exported = importsOf("src/models/mod.ts", values);
    assert(exported.includes("src/models/to_xml.ts"), exported.join(", "));
    for (const path of ["src/models/xml/decode.ts", "src/models/xml/encode.ts"]) {
      assert(!exported.includes(path), path);
    }
  });

  it("is determined from static imports, without those of types", () => {
    const source = 'import type { A } from "./a.ts";\nimport { b } from "./b.ts";';

    assertEquals(importsOf("src/c.ts", source), ["src/a.ts", "src/b.ts"]);
    assert(!loadedWith("src/models/xml/lazy.ts").includes("src/models/xml/target.ts"));
    assert(!loadedWith("src/models/xml/lazy.ts").includes("src/models/xml/decode.ts"));
  });
});
