import { assertEquals, describe, it } from "#test";
import type { FaultCase } from "./expected.ts";
import type { Fault } from "./fault.ts";
import { faultGroups, nameOf, pairwiseCases, runtime } from "./matrix.ts";
import { runCase } from "./run_case.ts";

/** Runs cases, and returns the differences to the contract by case. */
export async function differencesOf(
  cases: readonly FaultCase[],
  conditions: Omit<Parameters<typeof runCase>[1], "runtime"> = {},
): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const each of cases) {
    const differences = await runCase(each, { runtime, ...conditions });
    if (differences.length > 0) all[nameOf(each)] = differences;
  }
  return all;
}

/** Describes each fault of some groups, without an intermediary. */
export function describeFaults(...groups: readonly string[]): void {
  for (const group of groups) {
    describe(`a server with faulty ${group}`, () => {
      const faults = faultGroups[group]!;
      const cases = pairwiseCases(faults, ["direct"]);
      for (const fault of faults) {
        it(`that ${fault.name}: each call ends by the contract`, async () => {
          assertEquals(await differencesOf(casesOf(fault, cases)), {});
        });
      }
    });
  }
}

/** Returns the cases of a fault. */
export function casesOf(fault: Fault, cases: readonly FaultCase[]): FaultCase[] {
  return cases.filter((each) => each.fault === fault);
}
