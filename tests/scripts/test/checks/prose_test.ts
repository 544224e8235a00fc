/** Tests of the check of plain English. */
import { assertEquals, describe, it } from "#test";
import { proseFaults } from "../../../../scripts/test/checks/prose.ts";

describe("a line of prose", () => {
  const faulty: readonly (readonly [string, string])[] = [
    ["/** Whether a value is a text. */", "Whether"],
    ["  // What is read late.", "What"],
    [" * Where it stands.", "Where"],
    [" * @param value Whether it is sent", "Whether"],
    [" * @returns What was read", "What"],
    [" * @throws {TypeError} Where it is none", "Where"],
    ["// options laid over others", "laid over"],
    ['throw new Error("It belongs into the list");', "belongs into"],
    ['throw new Error("the body is to be JSON");', "is to be"],
    ["throw new Error(`${name} is no name of an element`);", "is no "],
    ['throw new Error("a character that XML has not");', "has not"],
    ['check("a text", isText);', "a text"],
    ['check("a list of texts", isTextList);', "a list of texts"],
  ];
  for (const [index, [line, found]] of faulty.entries()) {
    it(`is reported with a word of the list: ${found}, case ${index}`, () => {
      assertEquals(proseFaults(`const a = 1;\n${line}`), [{ line: 2, found }]);
    });
  }

  it("passes in plain English", () => {
    const text = [
      "/** Returns true if a value is a text, whether it is empty or not. */",
      "// Undefined if there is no page, or if it is no longer needed.",
      "// The response tells how long to wait, and gives the reason.",
      " * The login has not started yet; nothing must be sent.",
      "const a = 1;",
    ];
    assertEquals(proseFaults(text.join("\n")), []);
  });
});
