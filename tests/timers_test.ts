/** Checks that no test depends on the speed of the machine. */
import { readdirSync, readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import { sourceRoot } from "./support/contract_page.ts";

/** Timers with a delay, and clocks that measure time. A timer of 0 only waits for a turn. */
const REAL_TIME =
  /\bsetTimeout\((?!.*, 0\))|\bsetInterval\(|timers\/promises|\bAbortSignal\.timeout\(|\bperformance\.now\(/;

/** The files that use them, and the reason why that cannot fail on a slow machine. */
const ALLOWED: Readonly<Record<string, string>> = {
  "entries/import_effects_test.ts": "only names the function",
  "integration/shared_limit_test.ts": "makes windows that are long enough for the machine",
  "scripts/shared/child_test.ts": "a child process that runs until it is killed",
  "support/faults/run_all.ts": "measures the time of the long form, and ends what hangs",
  "support/faults/run_case.ts": "waits for events; its limit only ends a case that hangs",
  "support/many/worker.ts":
    "measures calls of which one with a lock without end would last for ever",
  "support/soak/run_soak.ts": "the long form, which takes minutes and is not a test",
  "support/until.ts": "waits for events; its limit only ends a test that hangs",
};

describe("the tests", () => {
  it("use no real time, except in files that are listed with a reason", () => {
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
