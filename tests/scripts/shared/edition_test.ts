/** Tests of the choice of the edition on Deno. */
import { assertEquals, describe, it } from "#test";
import { editionFromConditions, modulesLoaded } from "../../../scripts/shared/edition.ts";

describe("the edition", () => {
  const cases: [conditions: string | undefined, edition: string | undefined][] = [
    [undefined, undefined],
    ["npm-edition", "npm"],
    ["development, npm-edition", "npm"],
    ["development", "jsr"],
    ["", "jsr"],
  ];
  for (const [conditions, edition] of cases) {
    it(`is ${edition ?? "undefined"} if DENO_CONDITIONS is ${JSON.stringify(conditions)}`, () => {
      assertEquals(editionFromConditions(conditions), edition);
    });
  }

  it("can be JSR only if Deno could load every module", () => {
    assertEquals(modulesLoaded('{"modules":[{"specifier":"a"}]}'), true);
    assertEquals(modulesLoaded('{"modules":[{"specifier":"a"},{"error":"failed"}]}'), false);
    assertEquals(modulesLoaded('{"modules":[]}'), false);
    assertEquals(modulesLoaded(""), false);
  });
});
