import { assert, assertEquals, describe, it } from "#test";
import { expectedOf } from "../support/faults/expected.ts";
import { allFaults, nameOf, pairwiseCases, runtime } from "../support/faults/matrix.ts";
import { differencesOf } from "../support/faults/describe_faults.ts";

/** Faults that are retried in each way: as a connection, after a timeout, and as a status. */
const retried = allFaults.filter(({ name }) =>
  [
    "resets the connection before the response",
    "closes the connection within the body",
    "stays silent between two chunks",
    "is busy",
    "is busy for 2.5 seconds",
  ].includes(name)
);

describe("the fault matrix", () => {
  const cases = pairwiseCases(retried, ["direct"]).filter(({ meets }) => meets === "always");
  const exhausted = cases.filter((each) => expectedOf(each, runtime).attempts > 1).map(nameOf);

  it("accepts a session with the contract's number of retries", async () => {
    assertEquals(await differencesOf(cases, { retries: 3 }), {});
    assert(exhausted.length >= 10, `${exhausted.length} cases are too few`);
  });

  for (const [title, retries] of [["more", 4], ["less", 2]] as const) {
    it(`fails in each case with retries if a session makes one retry ${title}`, async () => {
      const failed = await differencesOf(cases, { retries });
      assertEquals(Object.keys(failed), exhausted);
      for (const differences of Object.values(failed)) {
        const names = differences.map((each) => each.replace(/:[^]*/, ""));
        assertEquals(names, ["attempts", "waits", "requests"]);
      }
    });
  }
});
