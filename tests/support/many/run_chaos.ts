/**
 * Kills and pauses processes with one rotating token at random times, and prints the counts as JSON.
 * The first argument is the number of kills and pauses: `node tests/support/many/run_chaos.ts 100`. With
 * `reuse` as the second one, the token server has a reuse interval.
 */
import process from "node:process";
import { createClient } from "@redis/client";
import { redisStore } from "../../../src/auth/stores/mod.ts";
import { startRedis } from "../redis.ts";
import { turn, until } from "../until.ts";
import { CALLS_PER_TOKEN, Crowd, LOCK_LIFETIME } from "./crowd.ts";
import { TokenServer } from "./token_server.ts";
import { type Worker, WorkerPool } from "./worker_pool.ts";

const strikes = Number(process.argv[2] ?? 20);
const redis = await startRedis();
const client = createClient({ url: redis.url });
await client.connect();
const allowsReuse = process.argv[3] === "reuse";
const limits = { callsPerToken: CALLS_PER_TOKEN, delay: 20, allowsReuse };
const server = await new TokenServer(limits).start();
const key = "tokens";
const store = redisStore((...command) => client.sendCommand(command), { key });
await store.save({ accessToken: "a-0", refreshToken: server.logIn() });
const pool = new WorkerPool();
const crowd = new Crowd(server, store, pool, { url: redis.url, key });
await crowd.begin(8);

/** The logins that each process has asked for before the last one. */
const asked = new Map<string, number>();

/** Logs in again when each process has thrown that it needs a login. */
async function logInAgain(): Promise<void> {
  const all = [...crowd.workers];
  const count = ({ events }: Worker) => events.filter(({ event }) => event !== "ready").length;
  await until(() => all.every(([id, worker]) => count(worker) > (asked.get(id) ?? 0)));
  for (const [id, worker] of all) asked.set(id, count(worker));
  await store.save({ accessToken: "a-0", refreshToken: server.logIn() });
}

const counts = { strikes, kills: 0, pauses: 0, lostLogins: 0, lostByOthers: 0 };
for (let strike = 0; strike < strikes; strike++) {
  await turn(100 + Math.random() * 400);
  const name = Math.random() < 0.5 ? "SIGKILL" : "SIGSTOP";
  const ids = [...crowd.workers.keys()];
  const victim = crowd.strike(ids[Math.floor(Math.random() * ids.length)]!, name);
  if (name === "SIGKILL") {
    counts.kills++;
    crowd.add();
    await crowd.ready();
  } else {
    counts.pauses++;
    await turn(LOCK_LIFETIME * 1500);
    crowd.resume(victim);
  }
  const { accepted } = server;
  await until(() => server.accepted > accepted + CALLS_PER_TOKEN || server.isRevoked);
  if (!server.isRevoked) continue;
  counts.lostLogins++;
  if (!server.reuses.every(({ first }) => crowd.victims.has(first))) counts.lostByOthers++;
  await logInAgain();
}
const results = await crowd.end();
const survivors = results.filter(({ id }) => !crowd.victims.has(id));
console.log(JSON.stringify({
  ...counts,
  // Tokens that were written after a newer one, and those that a process tried to write.
  overwritten: crowd.written.filter((number, at) => number < (crowd.written[at - 1] ?? 0)).length,
  refusedWrites: crowd.late.length,
  calls: server.accepted,
  tokenRequests: server.tokenRequests.length,
  lostCalls: results.flatMap(({ errors }) => errors),
  survivors: survivors.length,
  longest: Math.max(...survivors.map(({ longest }) => longest)),
}));
client.destroy();
await crowd.close();
await pool.close();
await server.stop();
await redis.stop();
