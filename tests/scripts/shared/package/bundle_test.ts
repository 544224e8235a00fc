/** Tests of the bundles for Node, Deno and Bun. */
import { assertEquals, describe, it } from "#test";
import { bundledModules } from "../../../../scripts/shared/package/build_npm.ts";
import { bundleName } from "../../../../scripts/shared/package/bundle.ts";
import { entryFiles } from "../../../../scripts/shared/package/package_description.ts";

describe("the bundles of a package", () => {
  it("are named after its entry points", () => {
    assertEquals([".", "./errors", "./testing/vcr"].map(bundleName), [
      "mod",
      "errors",
      "testing/vcr",
    ]);
  });

  it("are the files that the condition of Node selects", () => {
    assertEquals(entryFiles("./testing/vcr", "./esm/src/testing/vcr/mod.js"), {
      types: "./esm/src/testing/vcr/mod.d.ts",
      browser: "./esm/src/testing/vcr/mod.js",
      node: "./node/testing/vcr.js",
      default: "./esm/src/testing/vcr/mod.js",
    });
  });

  it("are made from the modules of its entry points", () => {
    const exports = {
      ".": entryFiles(".", "./esm/mod.js"),
      "./errors": entryFiles("./errors", "./esm/src/entries/errors.js"),
      "./package.json": "./package.json",
    };
    assertEquals(bundledModules({ exports, imports: {} }).entries, {
      mod: "./esm/mod.js",
      errors: "./esm/src/entries/errors.js",
    });
  });
});
