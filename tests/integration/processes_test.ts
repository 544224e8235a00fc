import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { fileStore, redisStore, type SharedTokenStore } from "../../src/auth/stores/mod.ts";
import { TokenServer } from "../support/many/token_server.ts";
import { WorkerPool } from "../support/many/worker_pool.ts";
import type { WorkerTask } from "../support/many/worker_task.ts";
import { type Redis, redisMissing, startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const PROCESSES = 8;

/** The expiries, unless a process is so slow that a token has to wait for its first call. */
const EXPIRIES = 10;

/** A place of the token, and a store to begin with. */
interface Shared {
  readonly place: WorkerTask["place"];
  readonly store: SharedTokenStore;
  /** True to use the store without its lock and its versions. */
  readonly isAlone?: boolean;
}

interface Outcome {
  readonly calls: number;
  readonly errors: readonly string[];
  readonly refused: number;
  readonly reuses: number;
  readonly tokenRequests: number;
  /** The access tokens that ended before there was another one, the first of which nobody could use. */
  readonly expiries: number;
}

/** Runs 8 processes that make calls, while the token expires ten times. */
async function runProcesses(
  pool: WorkerPool,
  calls: number,
  { place, store, isAlone = false }: Shared,
): Promise<Outcome> {
  const server = await new TokenServer({ callsPerToken: calls / EXPIRIES }).start();
  try {
    await store.save({ accessToken: "a-0", refreshToken: server.logIn() });
    const processes = Array.from(
      { length: PROCESSES },
      (_, at) =>
        pool.begin({
          id: `${at}`,
          api: server.url,
          place,
          calls: calls / PROCESSES,
          concurrency: 2,
          pause: 0,
          lockLifetime: 60,
          isAlone,
        }),
    );
    await until(() => processes.every((each) => each.has("end")));
    processes.forEach((each) => pool.release(each));
    const results = processes.map((each) => each.last("end")!);
    return {
      calls: results.reduce((sum, { calls }) => sum + calls, 0),
      errors: results.flatMap(({ errors }) => errors),
      refused: results.reduce((sum, { refused }) => sum + refused, 0),
      reuses: server.reuses.length,
      tokenRequests: server.tokenRequests.length,
      expiries: server.ended.size,
    };
  } finally {
    await server.stop();
  }
}

const missing = redisMissing();

describe("8 processes with one rotating token", () => {
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
    await pool.close();
    if (missing !== undefined) return;
    await client.close();
    await redis.stop();
  });
  const inRedis = (key: string): Shared => ({
    place: { url: redis.url, key },
    store: redisStore((...command) => client.sendCommand(command), { key }),
  });
  /** Checks that each expiry led to one token request, and that no call failed. */
  const check = ({ tokenRequests, expiries, ...outcome }: Outcome, calls: number) => {
    assertEquals(outcome, { calls, errors: [], refused: 0, reuses: 0 });
    assertEquals(tokenRequests, expiries);
    assert(expiries > EXPIRIES / 2 && expiries <= EXPIRIES, `${expiries} expiries`);
  };

  it("make one token request for each expiry in 2,000 calls, with a store in Redis", async () => {
    check(await runProcesses(pool, 2000, inRedis("tokens:one")), 2000);
  }, { ignore: missing });

  it("make one token request for each expiry, with a store in files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "restwright-processes-"));
    try {
      const shared = { place: { folder }, store: fileStore(folder) };
      check(await runProcesses(pool, 2000, shared), 2000);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("lose their login without the lock and the versions", async () => {
    const outcome = await runProcesses(pool, 800, { ...inRedis("tokens:two"), isAlone: true });
    assert(outcome.reuses > 0 && outcome.refused > 0, JSON.stringify(outcome));
  }, { ignore: missing });
});
