/** Tests of the functions that write the package's npm name into code. */
import { assertEquals, describe, it } from "#test";
import {
  importingPackage,
  withNpmName,
  withNpmNameInComments,
} from "../../../scripts/tarball/npm_names.ts";

const named = (text: string): string => withNpmName(text, "@acme/kit", "kit");

describe("the npm name", () => {
  it("replaces the JSR name in imports, including entry points", () => {
    assertEquals(named('import { a } from "@acme/kit";'), 'import { a } from "kit";');
    assertEquals(named("import('@acme/kit/models')"), "import('kit/models')");
  });

  it("does not replace similar names or jsr: specifiers", () => {
    for (const text of ['from "@acme/kitchen"', 'from "@acme-kit"', "deno add jsr:@acme/kit"]) {
      assertEquals(named(text), text);
    }
  });

  it("replaces the JSR name only in the comments of a compiled module", () => {
    const code = ' * import "@acme/kit";\nconst name = "@acme/kit";';
    assertEquals(
      withNpmNameInComments(code, "@acme/kit", "kit"),
      ' * import "kit";\nconst name = "@acme/kit";',
    );
  });
});

describe("a module that is changed to use the package", () => {
  const exports = { ".": "./mod.ts", "./models": "./src/models/mod.ts" };
  const changed = (code: string): string =>
    importingPackage(code, "tests/public/a_test.ts", exports, "kit");

  it("imports the entry points of the package by name", () => {
    assertEquals(changed('} from "../../mod.ts";'), '} from "kit";');
    assertEquals(changed('from "../../../src/models/mod.ts"'), 'from "kit/models"');
    assertEquals(changed('await import("../../mod.ts")'), 'await import("kit")');
  });

  it("keeps its other imports", () => {
    for (const code of ['from "../mod.ts"', 'from "#test"', 'from "../../../src/models/body.ts"']) {
      assertEquals(changed(code), code);
    }
  });
});
