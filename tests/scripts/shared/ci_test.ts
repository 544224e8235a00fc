/** Tests of the detection of CI. */
import { assertEquals, describe, it } from "#test";
import { isCi } from "../../../scripts/shared/ci.ts";

describe("isCi", () => {
  it("returns true for any value except an empty one, 0 and false", () => {
    assertEquals(["true", "1", "yes"].map(isCi), [true, true, true]);
    assertEquals([undefined, "", "0", "false", "FALSE"].map(isCi), [
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
