import { assertEquals, describe, it } from "#test";
import { castComparisons } from "../../../../scripts/test/checks/cast_comparisons.ts";

describe("a cast before a comparison", () => {
  const rows: [code: string, found: string | undefined][] = [
    ["isFinite(a) && a as number >= 0", "a as number >= 0"],
    ["a as number > 0 || b", "a as number > 0"],
    ["a as number < 0", "a as number < 0"],
    ["a as number\n  <= 0", "a as number\n  <= 0"],
    ["a satisfies number > b", "a satisfies number > b"],
    ["(a as number) >= 0", undefined],
    ["0 <= a", undefined],
    ["a as number === 0", undefined],
    ["0 < (a as number)", undefined],
    ["a as Array<number>", undefined],
    ['"a as number >= 0" // a as number >= 0', undefined],
  ];
  for (const [code, found] of rows) {
    it(`is ${found === undefined ? "not found" : "found"} in: ${label(code)}`, () => {
      assertEquals(
        castComparisons(`const x = ${code};`).map((each) => each.code),
        found ? [found] : [],
      );
    });
  }

  it("is reported with its line", () => {
    assertEquals(castComparisons("const a = 1;\nconst b = (c: unknown) => c as number > 1;\n"), [
      { line: 2, code: "c as number > 1" },
    ]);
  });
});

/** Returns code without the characters that the name of a test must not have. */
function label(code: string): string {
  return code.replace(/\s+/g, " ").replaceAll("<=", "at most").replaceAll(">=", "at least")
    .replaceAll("<", "below").replaceAll(">", "above")
    .replaceAll('"', "'").replaceAll("&&", "and");
}
