import { assert, assertEquals, describe, it } from "#test";
import { describeValue, UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";

class Vault {
  readonly secret = "hunter2";
  toString(): string {
    return this.secret;
  }
  toJSON(): string {
    return this.secret;
  }
}

describe("the error for an unexpected value", () => {
  it("names the option, what was expected, and the actual value or its kind", () => {
    const error = new UnexpectedValueError("retries", "a whole number of at least 0", -1);
    assertEquals(error.message, '"retries" must be a whole number of at least 0, but is -1');
    assertEquals([error.option, error.expected], ["retries", "a whole number of at least 0"]);
  });

  const cases: readonly (readonly [unknown, string])[] = [
    ["", "an empty string"],
    ["hunter2", "a string of 7 characters"],
    [-1, "-1"],
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    [7n, "the bigint 7"],
    [10n ** 200n, `the bigint 1${"0".repeat(99)}…`],
    [true, "true"],
    [undefined, "undefined"],
    [null, "null"],
    [["hunter2", "x"], "an array of 2 elements"],
    [{ password: "hunter2" }, "an object"],
    [Object.create(null), "an object"],
    [Object.create({ constructor: undefined }), "an object"],
    [new Map([["hunter2", 1]]), "an instance of Map"],
    [new Vault(), "an instance of Vault"],
    [new Error("hunter2"), "an instance of Error"],
    [function hunter2() {}, "a function"],
    [Vault, "the class Vault"],
    [class {}, "a class"],
    [Object.defineProperty(class {}, "name", { value: ["hunter2"] }), "a class"],
    [() => "hunter2", "a function"],
    [Symbol("hunter2"), "a symbol"],
  ];
  for (const [index, [value, text]] of cases.entries()) {
    it(`describes a value without showing a string that may be a secret: ${index + 1}, ${text}`, () => {
      assertEquals(describeValue(value), text);
      assert(!new UnexpectedValueError("url", "a URL", value).message.includes("hunter2"));
    });
  }
});
