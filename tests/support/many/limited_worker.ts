/**
 * One of many processes with a limit that they share. Its only argument is a `LimitedTask` as JSON. It
 * makes its calls, and prints the points that it got for them.
 */
import process from "node:process";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { APISession } from "../../../mod.ts";
import { rateLimit } from "../../../src/middleware/mod.ts";
import type { LimitedEvent, LimitedTask } from "./limited_task.ts";

const task: LimitedTask = JSON.parse(process.argv[2]!);
const print = (event: LimitedEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);
/** Prints an event, and returns the line that the test writes then. */
const ask = (event: LimitedEvent) =>
  new Promise<string>((resolve) => {
    process.stdin.once("data", (line) => resolve(String(line)));
    print(event);
  });

const storeClient = new Redis(task.redis);
const taken: number[] = [];
let requests = 0;
// The requests stay in this process, so that the limit is reached on a slow machine, too.
const adapter = () => {
  requests++;
  return Promise.resolve(Response.json({}));
};

/** Makes calls with a limit. */
async function makeCalls(calls: number, points: number, duration: number): Promise<void> {
  const keyPrefix = `limit-of-${points}`;
  const redisLimiter = new RateLimiterRedis({ storeClient, points, duration, keyPrefix });
  const limiter = {
    async consume(key: string) {
      taken.push((await redisLimiter.consume(key)).consumedPoints);
    },
  };
  const middleware = [rateLimit({ limiter })];
  const api = new APISession({ url: "https://api.example.com", adapter, middleware, logger: null });
  await Promise.all(Array.from({ length: calls }, () => api.get("call", { convJson: true })));
}

await storeClient.ping();
await ask({ event: "ready" });
await makeCalls(task.warmUp, 1e9, 60);
const duration = Number(await ask({ event: "warm" }));
taken.length = requests = 0;
await makeCalls(task.calls, task.points, duration);
print({ event: "end", requests, points: taken });
await storeClient.quit();
