import { after, assert, assertEquals, before, describe, it } from "#test";
import { TestProcess } from "../support/many/child_process.ts";
import type { LimitedEvent, LimitedTask } from "../support/many/limited_task.ts";
import { type Redis, redisMissing, startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const PROCESSES = 8;
const CALLS = 200;
const WARM_UP = 100;
const POINTS = 400;

/** The seconds that the windows have at least, and those that this many points take without a limit. */
const SHORTEST = 2;
const TIMES_LONGER = 3;

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
      warmUp: WARM_UP,
      calls: CALLS,
      points: POINTS,
    };
    const processes = Array.from(
      { length: PROCESSES },
      () => new TestProcess<LimitedEvent>("limited_worker.ts", JSON.stringify(task)),
    );
    const all = (event: LimitedEvent["event"]) => until(() => processes.every((p) => p.has(event)));
    await all("ready");
    const start = performance.now();
    for (const each of processes) each.tell("start");
    await all("warm");
    // The windows are long enough for this machine: otherwise it could not use them.
    const seconds = (performance.now() - start) / 1000 * POINTS / (PROCESSES * WARM_UP);
    const duration = Math.max(SHORTEST, Math.ceil(TIMES_LONGER * seconds));
    for (const each of processes) each.tell(`${duration}`);
    await all("end");
    processes.forEach((each) => each.close());
    const codes = await Promise.all(processes.map(({ ended }) => ended));
    assertEquals(codes, processes.map(() => 0));

    const results = processes.map((each) => each.last("end")!);
    assertEquals(results.map(({ requests }) => requests), processes.map(() => CALLS));
    // Each request had its point.
    const points = results.flatMap((each) => each.points);
    assertEquals(points.length, PROCESSES * CALLS);
    /** The windows that gave this point: each gives it once. */
    const windows = (point: number) => points.filter((each) => each === point).length;
    const used = Array.from({ length: POINTS }, (_, at) => windows(at + 1));
    assert(points.every((point) => point >= 1 && point <= POINTS), `${Math.max(...points)}`);
    assert(used.every((count) => count <= used[0]!), `${used}`);
    // All but the last have at least 90 % of the limit.
    assert(windows(0.9 * POINTS) >= used[0]! - 1, `${used}`);
    assert(used[0]! >= PROCESSES * CALLS / POINTS);
  }, { ignore: missing });
});
