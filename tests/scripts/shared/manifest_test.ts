/** Tests of the functions that read the ports in package.json. */
import { assertEquals, assertThrows, describe, it } from "#test";
import { compiledImports, jsrOnlyFiles } from "../../../scripts/shared/manifest.ts";

const IMPORTS = {
  "#log": {
    "npm-edition": "./src/log/npm.ts",
    "deno": "./src/log/std.ts",
    "default": "./src/log/npm.ts",
  },
  "#test": {
    "npm-edition": "./tests/support/a.ts",
    "deno": "./tests/support/b.ts",
    "default": "./tests/support/a.ts",
  },
  "#same": { "browser": "./src/none.ts", "deno": "./src/one.ts", "default": "./src/one.ts" },
};

describe("the imports table", () => {
  it("has no branches for Deno in a compiled copy", () => {
    assertEquals(compiledImports(IMPORTS), {
      "#log": { "default": "./src/log/npm.js" },
      "#test": { "default": "./tests/support/a.js" },
      "#same": { "browser": "./src/none.js", "default": "./src/one.js" },
    });
    assertEquals(compiledImports({ "#x": { default: "./x.ts" } }, "./esm"), {
      "#x": { default: "./esm/x.js" },
    });
    assertThrows(() => compiledImports({ "#x": { deno: "./x.ts" } }), Error, '"#x"');
  });

  it("lists the files that only the JSR edition has", () => {
    assertEquals(jsrOnlyFiles(IMPORTS), ["src/log/std.ts", "tests/support/b.ts"]);
  });
});
