// Failures outside of tests: see tests/scripts/test/node_junit_test.ts.
import { after, describe, it } from "#test";

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

describe("a group whose hook fails", () => {
  it("passes", () => {});
  after(() => {
    throw new Error("the server does not stop");
  });
});

it("leaves a promise behind", () => {
  void turn().then(() => {
    throw new Error("too late");
  });
});

it("waits until it is rejected", async () => {
  for (let turns = 0; turns < 5; turns++) await turn();
});
