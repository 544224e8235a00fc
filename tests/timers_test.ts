/** No test may depend on the speed of the machine. */
import { readdirSync, readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import { sourceRoot } from "./support/contract_page.ts";

/** Timers that run for some time, and a clock to measure by. A timer of 0 is the next turn. */
const REAL_TIME =
  /\bsetTimeout\((?!.*, 0\))|\bsetInterval\(|timers\/promises|\bAbortSignal\.timeout\(|\bperformance\.now\(/;

/** The files that use them, and the reason why that cannot fail on a slow machine. */
const ALLOWED: Readonly<Record<string, string>> = {
  "scripts/child_test.ts": "a child that stays until it is ended",
  "support/linear_time.ts": "compares times of one run with each other",
  "support/until.ts": "waits for events; its limit only ends a test that hangs",
};

describe("the tests", () => {
  it("wait for events and move a clock of their own: no real time but with a reason", () => {
    const folder = new URL("tests/", sourceRoot());
    const files = readdirSync(folder, { recursive: true }).map((path) =>
      String(path).replaceAll("\\", "/")
    );
    const users = files.filter((path) =>
      path.endsWith(".ts") && REAL_TIME.test(readFileSync(new URL(path, folder), "utf8"))
    );
    assertEquals(users.sort(), Object.keys(ALLOWED));
  });
});
