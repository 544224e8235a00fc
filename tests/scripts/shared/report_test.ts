/** Tests of the lines that tasks print about their checks. */
import { assertEquals, describe, it } from "#test";
import { notJudgedLine } from "../../../scripts/shared/report.ts";

describe("notJudgedLine", () => {
  it("does not report that anything passed", () => {
    const line = notJudgedLine("in Chromium", "there is none");
    assertEquals(line.replace(/ +/g, " "), " in Chromium NOT JUDGED: there is none");
  });
});
