/** Tests of the description of the npm package. */
import { assertEquals, describe, it } from "#test";
import type { DenoManifest, NpmManifest } from "../../../../scripts/shared/manifest.ts";
import {
  describePackage,
  npmImportMap,
  portFiles,
  strangers,
} from "../../../../scripts/shared/package/package_description.ts";

const NPM: NpmManifest = {
  name: "restwright",
  imports: {
    "#log": {
      "browser": "./src/log/none.ts",
      "deno": "./src/log/std.ts",
      "default": "./src/log/npm.ts",
    },
    "#test": { "deno": "./tests/support/b.ts", "default": "./tests/support/a.ts" },
  },
  engines: { node: ">=22.18" },
  dependencies: { saxes: "^6.0.0" },
  peerDependencies: { undici: "^7.16.0" },
  peerDependenciesMeta: { undici: { optional: true } },
};

const DENO: DenoManifest = {
  name: "@restwright/restwright",
  version: "1.2.3",
  exports: { ".": "./mod.ts", "./log": "./src/log/mod.ts" },
  imports: {},
  compilerOptions: { strict: true },
};

describe("the npm package", () => {
  it("has a description from the two manifests", () => {
    const { name, version, exports, imports, engines, dependencies } = describePackage(DENO, NPM);
    assertEquals({ name, version, engines, dependencies }, {
      name: "restwright",
      version: "1.2.3",
      engines: { node: ">=22.18" },
      dependencies: { saxes: "^6.0.0" },
    });
    assertEquals(exports, {
      ".": {
        types: "./esm/mod.d.ts",
        browser: "./esm/mod.js",
        node: "./node/mod.js",
        default: "./esm/mod.js",
      },
      "./log": {
        types: "./esm/src/log/mod.d.ts",
        browser: "./esm/src/log/mod.js",
        node: "./node/log.js",
        default: "./esm/src/log/mod.js",
      },
      "./package.json": "./package.json",
    });
    assertEquals(imports, {
      "#log": { "browser": "./esm/src/log/none.js", "default": "./esm/src/log/npm.js" },
    });
  });

  it("has programs that npm runs by name, and that are not entry points", () => {
    const exports = { ...DENO.exports, "./cli": "./src/entries/cli.ts" };
    const npm = { ...NPM, bin: { restwright: "./src/entries/cli.ts" } };
    const description = describePackage({ ...DENO, exports }, npm);

    assertEquals(description.bin, { restwright: "esm/src/entries/cli.js" });
    assertEquals(description.exports, describePackage(DENO, NPM).exports);
  });

  it("lists the conditions in the order in which tools read them", () => {
    const entry = Object(describePackage(DENO, NPM).exports["."]);
    assertEquals(Object.keys(entry), ["types", "browser", "node", "default"]);
  });

  it("exports its package.json", () => {
    assertEquals(describePackage(DENO, NPM).exports["./package.json"], "./package.json");
  });

  it("names its optional peer dependencies", () => {
    const { peerDependencies, peerDependenciesMeta } = describePackage(DENO, NPM);
    assertEquals(peerDependencies, { undici: "^7.16.0" });
    assertEquals(peerDependenciesMeta, { undici: { optional: true } });
  });

  it("names the repository if the manifest does", () => {
    const repository = { type: "git", url: "git+https://git.example.com/restwright.git" };
    assertEquals(describePackage(DENO, { ...NPM, repository }).repository, repository);
    assertEquals("repository" in describePackage(DENO, NPM), false);
  });

  it("has the modules of each branch of its ports", () => {
    assertEquals(portFiles(NPM), ["src/log/none.ts", "src/log/npm.ts"]);
  });

  it("has an import map for dnt", () => {
    assertEquals(npmImportMap(NPM, "file:///a/b/").imports["#log"], "file:///a/b/src/log/npm.ts");
    assertEquals(npmImportMap(NPM, "file:///a/b/").imports["saxes"], "npm:saxes@^6.0.0");
    assertEquals(npmImportMap(NPM, "file:///a/b/").imports["undici"], "npm:undici@^7.16.0");
    assertEquals(npmImportMap(NPM, "file:///a/b/").imports["saxes/"], "npm:/saxes@^6.0.0/");
    assertEquals(npmImportMap(NPM, "file:///a/b/").imports["undici"], "npm:undici@^7.16.0");
  });

  it("contains no tests and no examples", () => {
    assertEquals(
      strangers([
        "esm/mod.js",
        "esm/src/latest/examples.js",
        "esm/src/plan/tests/mod.js",
        "esm/tests/support/a.js",
        "examples/demo.ts",
        "esm/src/a_test.js",
        "esm/src/node_modules/a.js",
      ]),
      [
        "esm/tests/support/a.js",
        "examples/demo.ts",
        "esm/src/a_test.js",
        "esm/src/node_modules/a.js",
      ],
    );
  });

  it("contains no polyfills of a build tool and only one package.json", () => {
    const within = ["esm/_dnt.polyfills.js", "esm/package.json"];
    assertEquals(strangers(["package.json", "esm/src/package.js", ...within]), within);
  });
});
