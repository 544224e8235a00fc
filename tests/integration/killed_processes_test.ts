import process from "node:process";
import { createClient } from "@redis/client";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { redisStore } from "../../src/auth/stores/mod.ts";
import { CALLS_PER_TOKEN, Crowd, type CrowdOptions, LOCK_LIFETIME } from "../support/many/crowd.ts";
import { TokenServer, type TokenServerOptions } from "../support/many/token_server.ts";
import { type Redis, redisMissing, startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { WorkerPool } from "../support/many/worker_pool.ts";

/** The options of a test. */
interface Setting extends Partial<TokenServerOptions>, CrowdOptions {
  /** Default: 4 */
  readonly processes?: number;
}

/** A lifetime of the lock in seconds, which nobody waits for. */
const NO_VICTIM_HAS_THE_LOCK = 60;

const missing = process.platform === "win32"
  ? "Windows has no signal that pauses a process"
  : redisMissing();

describe("processes with one rotating token", () => {
  let redis: Redis;
  let client: ReturnType<typeof createClient>;
  const pool = new WorkerPool();
  before(async () => {
    if (missing !== undefined) return;
    redis = await startRedis();
    client = createClient({ url: redis.url });
    await client.connect();
  });
  after(async () => {
    if (missing !== undefined) return;
    await pool.close();
    await client.close();
    await redis.stop();
  });

  let crowds = 0;
  /** Gives processes a task, and takes them back after the test. */
  const test = (
    name: string,
    body: (crowd: Crowd) => Promise<void>,
    { processes = 4, lockLifetime, ...options }: Setting = {},
  ) =>
    it(name, async () => {
      const limits = { callsPerToken: CALLS_PER_TOKEN, delay: 20, ...options };
      const server = await new TokenServer(limits).start();
      const key = `tokens:${crowds++}`;
      const store = redisStore((...command) => client.sendCommand(command), { key });
      await store.save({ accessToken: "a-0", refreshToken: server.logIn() });
      const crowd = new Crowd(server, store, pool, { url: redis.url, key }, { lockLifetime });
      try {
        await crowd.begin(processes);
        await body(crowd);
      } finally {
        await crowd.close();
        await server.stop();
      }
    }, { ignore: missing });

  /** Checks that no newer token was overwritten, and that the survivors lost no call. */
  async function check(crowd: Crowd): Promise<void> {
    // One token alone has no order.
    await until(() => crowd.written.length > 1);
    const results = await crowd.end();
    assertEquals(crowd.written, crowd.written.toSorted((one, other) => one - other));
    for (const { id, errors, refused, longest } of results) {
      assertEquals([errors, refused], [[], 0], `process ${id}`);
      // A paused process measures its pause, too.
      if (crowd.victims.has(id)) continue;
      // Another token request comes on top of the lifetime, and the machine may be slow.
      assert(longest < LOCK_LIFETIME + 30, `process ${id} waited for ${longest} s`);
    }
    assertEquals(crowd.server.reuses, []);
  }

  test("lose no call if some of them are killed", async (crowd) => {
    for (let kills = 0; kills < 3; kills++) {
      await crowd.strikeAny("SIGKILL");
      crowd.add();
      await crowd.goOn();
    }
    await check(crowd);
  }, { processes: 8, lockLifetime: NO_VICTIM_HAS_THE_LOCK });

  test("lose no call if one is killed before its token request is processed", async (crowd) => {
    await crowd.strikeRequest("received", "SIGKILL");
    await crowd.goOn();
    await check(crowd);
  });

  test("lose no call if one is paused while it has no token request", async (crowd) => {
    await crowd.goOn();
    const paused = await crowd.strikeAny("SIGSTOP");
    await crowd.goOn();
    await crowd.goOn();
    crowd.resume(paused);
    await crowd.goOn();
    await check(crowd);
  }, { lockLifetime: NO_VICTIM_HAS_THE_LOCK });

  test("lose no call if one is paused before its token request fails, for longer than the lock lives", async (crowd) => {
    const paused = await crowd.strikeRequest("received", "SIGSTOP");
    await crowd.goOn();
    crowd.resume(paused);
    await crowd.goOn();
    await check(crowd);
  });

  test(
    "lose no call with a reuse interval if one is killed after its grant was used",
    async (crowd) => {
      await crowd.strikeRequest("processed", "SIGKILL");
      await crowd.goOn();
      assertEquals(crowd.server.repetitions, 1);
      await check(crowd);
    },
    { allowsReuse: true },
  );

  test(
    "keep the newer token with a reuse interval if one is paused with its grant in flight",
    async (crowd) => {
      // A process that goes on may be too slow to read its response in time, and then writes nothing.
      while (crowd.late.length === 0) {
        const paused = await crowd.strikeRequest("processed", "SIGSTOP");
        await crowd.goOn();
        crowd.resume(paused);
        await crowd.goOn();
      }
      await check(crowd);
    },
    { allowsReuse: true },
  );

  for (const name of ["SIGKILL", "SIGSTOP"] as const) {
    const verb = name === "SIGKILL" ? "killed" : "paused for longer than the lock lives";
    test(
      `all throw the same error if one is ${verb} after its grant was used, until there is a new login`,
      async (crowd) => {
        const victim = await crowd.strikeRequest("processed", name);
        const survivors = [...crowd.workers.values()].filter((each) => each !== victim);
        await until(() => survivors.every((each) => each.has("login required")));
        if (name === "SIGSTOP") crowd.resume(victim);
        // The login was lost by the victim's token, which the others had to try again.
        const { reuses } = crowd.server;
        assertEquals(reuses.map(({ first }) => crowd.victims.has(first)), reuses.map(() => true));
        assert(reuses.length > 0);
        if (name === "SIGSTOP") await until(() => victim.has("login required"));
        await crowd.store.save({ accessToken: "a-0", refreshToken: crowd.server.logIn() });
        await crowd.goOn();
        for (const { id, errors, refused } of await crowd.end()) {
          assertEquals(errors, [], `process ${id}`);
          assert(refused > 0, `process ${id}`);
        }
      },
    );
  }
});
