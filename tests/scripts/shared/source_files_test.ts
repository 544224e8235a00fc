/** Tests of the selection of test files. */
import { assertEquals, describe, it } from "#test";
import { testFiles } from "../../../scripts/shared/source_files.ts";

describe("testFiles", () => {
  const paths = ["src/a_test.ts", "tests/a_test.ts", "tests/support/a.ts", "tests/x/b_test.ts"];
  it("selects the tests below tests/", () => {
    assertEquals(testFiles(paths), ["tests/a_test.ts", "tests/x/b_test.ts"]);
  });
  it("filters them by part of a path", () => {
    assertEquals(testFiles(paths, ["x/", "none"]), ["tests/x/b_test.ts"]);
  });
});
