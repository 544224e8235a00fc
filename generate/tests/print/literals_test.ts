import { assertEquals, describe, it } from "#test";
import { propertyOf } from "../../src/print/literals.ts";

describe("the code of a property", () => {
  it("has a dot or brackets, also of an expression that can be undefined", () => {
    assertEquals(propertyOf("pet", "name"), "pet.name");
    assertEquals(propertyOf("pet", "a[]"), 'pet["a[]"]');
    assertEquals(propertyOf("pet?", "name"), "pet?.name");
    assertEquals(propertyOf("pet?", "a[]"), 'pet?.["a[]"]');
  });
});
