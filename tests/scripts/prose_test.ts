/** The check of plain English: what it finds, and what it leaves alone. */
import { assertEquals, describe, it } from "#test";
import { nameFaults, proseFaults } from "../../scripts/prose.ts";

describe("prose", () => {
  const faulty: readonly (readonly [string, string])[] = [
    ["/** Whether a value is a text. */", "Whether"],
    ["  // What is read late.", "What"],
    [" * Where it stands.", "Where"],
    [" * @param value Whether it is sent", "Whether"],
    [" * @returns What was read", "What"],
    [" * @throws {TypeError} Where it is none", "Where"],
    ["// options laid over others", "laid over"],
    ['throw new Error("It belongs into the list");', "belongs into"],
  ];
  for (const [index, [line, found]] of faulty.entries()) {
    it(`with a word of the list is found: ${found}, case ${index}`, () => {
      assertEquals(proseFaults(`const a = 1;\n${line}`), [{ line: 2, found }]);
    });
  }

  it("in plain English passes", () => {
    const text =
      "/** Returns true if a value is a text, whether it is empty or not. */\nconst a = 1;";
    assertEquals(proseFaults(text), []);
  });
});

describe("names", () => {
  for (const name of ["faceOf", "PATIENCE", "#life", "nextHop", "givePage", "layHeaders"]) {
    it(`that are not the field's own are found: ${name}`, () => {
      assertEquals(nameFaults(`x;\nthis.${name}();`), [{ line: 2, found: name.replace("#", "") }]);
    });
  }

  it("in comments and strings, and words that only contain such a word, pass", () => {
    const source =
      "// the face of it\nconst interface_ = `life` + 'x'; const layout = \"hop\";\n/* lay\n * it */ lifetime();";
    assertEquals(nameFaults(source), []);
  });
});
