/** What counts as CI. */
import { assertEquals, describe, it } from "#test";
import { isCi } from "../../scripts/ci.ts";

describe("isCi", () => {
  it("is what is set and not a no", () => {
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
