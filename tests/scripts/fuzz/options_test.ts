/** Tests of the command line of the fuzzing script. */
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { readFuzzOptions } from "../../../scripts/fuzz/options.ts";

const known = ["json", "sse"];

describe("readFuzzOptions", () => {
  it("fuzzes every target for 10 seconds by default, with a random seed", () => {
    const { seed, ...others } = readFuzzOptions([], known);
    assertEquals(others, { seconds: 10, targets: [], path: undefined });
    assert(Number.isInteger(seed));
  });

  it("takes the time, several targets and a seed", () => {
    const args = ["--seconds", "0.5", "--target", "sse", "--target", "json", "--seed=-7"];
    assertEquals(readFuzzOptions(args, known), {
      seconds: 0.5,
      targets: ["sse", "json"],
      seed: -7,
      path: undefined,
    });
  });

  it("repeats one input of a target", () => {
    const args = ["--target", "sse", "--seed", "7", "--path", "41:0:2"];
    assertEquals(readFuzzOptions(args, known).path, "41:0:2");
  });

  const wrong: readonly (readonly [args: readonly string[], message: string])[] = [
    [["--target", "xml"], "unknown target xml; known: json, sse"],
    [["--seconds", "0"], "--seconds must be a number above 0"],
    [["--seconds", "soon"], "--seconds must be a number above 0"],
    [["--seed", "1.5"], "--seed must be a whole number"],
    [["--path", "1"], "--path requires --seed and one --target"],
    [["--path", "1", "--seed", "1"], "--path requires --seed and one --target"],
    [["--fast"], "--fast"],
  ];
  for (const [args, message] of wrong) {
    it(`throws for ${args.join(" ")}`, () => {
      assertThrows(() => readFuzzOptions(args, known), Error, message);
    });
  }
});
