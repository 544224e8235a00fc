// Failures outside of tests: see tests/scripts/test/node_troubles_test.ts.
import { setTimeout as wait } from "node:timers/promises";
import { after, describe, it } from "#test";

describe("a group whose hook fails", () => {
  it("passes", () => {});
  after(() => {
    throw new Error("the server does not stop");
  });
});

it("leaves a promise behind", () => {
  void wait(1).then(() => {
    throw new Error("too late");
  });
});

it("waits until it is rejected", () => wait(100));
