/** The package's name on npm in code that was written with its name on JSR, or without one. */
import { assertEquals, describe, it } from "#test";
import {
  importingPackage,
  withNpmName,
  withNpmNameInComments,
} from "../../../scripts/tarball/npm_names.ts";

const named = (text: string): string => withNpmName(text, "@acme/kit", "kit");

describe("the npm name", () => {
  it("stands in imports, entry points included", () => {
    assertEquals(named('import { a } from "@acme/kit";'), 'import { a } from "kit";');
    assertEquals(named("import('@acme/kit/models')"), "import('kit/models')");
  });

  it("leaves alone what is called alike, and what is said of JSR", () => {
    for (const text of ['from "@acme/kitchen"', 'from "@acme-kit"', "deno add jsr:@acme/kit"]) {
      assertEquals(named(text), text);
    }
  });

  it("stands in the comments of a compiled module alone", () => {
    const code = ' * import "@acme/kit";\nconst told = "@acme/kit";';
    assertEquals(
      withNpmNameInComments(code, "@acme/kit", "kit"),
      ' * import "kit";\nconst told = "@acme/kit";',
    );
  });
});

describe("a module that is to use the package", () => {
  const exports = { ".": "./mod.ts", "./models": "./src/models/mod.ts" };
  const changed = (code: string): string =>
    importingPackage(code, "tests/public/a_test.ts", exports, "kit");

  it("imports its entry points by its name", () => {
    assertEquals(changed('} from "../../mod.ts";'), '} from "kit";');
    assertEquals(changed('from "../../../src/models/mod.ts"'), 'from "kit/models"');
    assertEquals(changed('await import("../../mod.ts")'), 'await import("kit")');
  });

  it("imports all else as before", () => {
    for (const code of ['from "../mod.ts"', 'from "#test"', 'from "../../../src/models/date.ts"']) {
      assertEquals(changed(code), code);
    }
  });
});
