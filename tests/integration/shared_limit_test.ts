import { after, assert, assertEquals, before, describe, it } from "#test";
import { TestProcess } from "../support/many/child_process.ts";
import type { LimitedEvent, LimitedTask } from "../support/many/limited_task.ts";
import { type Redis, redisMissing, startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const PROCESSES = 8;
const CALLS = 500;
const POINTS = 800;
const DURATION = 2;

/** Counts the requests of each window. Windows end at least a duration apart. */
function windowsOf(ends: readonly number[]): number[] {
  const sorted = ends.toSorted((one, other) => one - other);
  const counts: number[] = [];
  for (const [at, end] of sorted.entries()) {
    const isNext = at === 0 || end - sorted[at - 1]! > DURATION * 500;
    if (isNext) counts.push(0);
    counts[counts.length - 1]!++;
  }
  return counts;
}

const missing = redisMissing();

describe("8 processes with a limit that they share", () => {
  let redis: Redis;
  before(async () => {
    if (missing === undefined) redis = await startRedis();
  });
  after(async () => {
    if (missing === undefined) await redis.stop();
  });

  it("never send more than the limit in a window, and use at least 90 % of it", async () => {
    const task: LimitedTask = {
      redis: redis.url,
      calls: CALLS,
      points: POINTS,
      duration: DURATION,
    };
    const processes = Array.from(
      { length: PROCESSES },
      () => new TestProcess<LimitedEvent>("limited_worker.ts", task),
    );
    await until(() => processes.every((each) => each.has("ready")));
    for (const each of processes) each.start();
    const codes = await Promise.all(processes.map(({ ended }) => ended));
    assertEquals(codes, processes.map(() => 0));
    const results = processes.map((each) => each.last("end")!);
    // Each request had its point.
    assertEquals(results.map(({ requests }) => requests), processes.map(() => CALLS));
    const ends = results.flatMap((each) => each.ends);
    assertEquals(ends.length, PROCESSES * CALLS);
    const windows = windowsOf(ends);
    assert(windows.every((count) => count <= POINTS), `${windows}`);
    assert(windows.slice(0, -1).every((count) => count >= 0.9 * POINTS), `${windows}`);
  }, { ignore: missing });
});
