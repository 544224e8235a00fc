import process from "node:process";
import fc from "fast-check";

/** The seed of the tests: a failure must come from a change, not from luck. */
const SEED = 20261122;

/**
 * Checks a property with generated values: the same ones in every run. `PROPERTY_SEED=random` takes
 * other ones. If the property fails, the message has the seed and the smallest values that were found;
 * `PROPERTY_SEED=…` repeats the run.
 *
 * @param property The property, from `fc.property` or `fc.asyncProperty`
 * @param runs The number of runs
 */
export async function holds<T>(
  property: fc.IRawProperty<T>,
  runs = 200,
): Promise<void> {
  const seed = process.env["PROPERTY_SEED"] ?? SEED;
  await fc.assert(property as fc.IAsyncProperty<T>, {
    numRuns: runs,
    ...(seed !== "random" && { seed: Number(seed) }),
  });
}

/** Any UTF-16 code unit. (The unit `binary` of fast-check takes a second to set up.) */
const codeUnit = fc.oneof(
  { arbitrary: fc.nat(0x7f), weight: 3 },
  { arbitrary: fc.nat(0xffff), weight: 1 },
).map((code) => String.fromCharCode(code));

/** Any string, with lone surrogates and control characters. */
export const anyString: fc.Arbitrary<string> = fc.string({ unit: codeUnit, maxLength: 12 });

/** Strings that consist of some parts, and of other characters now and then. */
export function stringOf(...parts: readonly string[]): fc.Arbitrary<string> {
  const part = fc.oneof(
    { arbitrary: fc.constantFrom(...parts), weight: 9 },
    { arbitrary: codeUnit, weight: 1 },
  );
  return fc.array(part, { maxLength: 8 }).map((all) => all.join(""));
}
