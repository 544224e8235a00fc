import { describe, it } from "#test";
import fc from "fast-check";
import { targets } from "./targets.ts";

/** The number of inputs for each target. `deno task fuzz` checks as many as there is time for. */
const INPUTS = 200;

/** A fixed seed: the tests have the same inputs in each run. */
const SEED = 20_261_123;

describe("the parsers of what servers send", () => {
  for (const { name, input, check } of targets) {
    it(`handle any input: ${name}`, async () => {
      const property = fc.asyncProperty(input, async (each) => await check(each));
      await fc.assert(property, { numRuns: INPUTS, seed: SEED });
    });
  }
});
