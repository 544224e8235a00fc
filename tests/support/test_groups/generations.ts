import { describe, it } from "#test";
import { describeGenerations } from "../generations.ts";

describeGenerations("a group", () => {
  it("first", () => {});
  describe("inner", () => it("second", () => {}));
  it("last", () => {});
});
