import { assertEquals, describe, it } from "#test";
import { importingPackage } from "../../../scripts/npm/importing_package.ts";

describe("a module that is changed to use the package", () => {
  const deno = {
    name: "@acme/kit",
    exports: { ".": "./mod.ts", "./models": "./src/models/mod.ts" },
  };
  const changed = (code: string): string => importingPackage(code, "tests/public/a_test.ts", deno);

  it("imports the entry points of the package by name", () => {
    assertEquals(changed('} from "../../mod.ts";'), '} from "@acme/kit";');
    assertEquals(changed('from "../../../src/models/mod.ts"'), 'from "@acme/kit/models"');
    assertEquals(changed('await import("../../mod.ts")'), 'await import("@acme/kit")');
  });

  it("keeps its other imports", () => {
    for (const code of ['from "../mod.ts"', 'from "#test"', 'from "../../../src/models/body.ts"']) {
      assertEquals(changed(code), code);
    }
  });
});
