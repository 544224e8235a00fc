/**
 * One of many processes with a limit that they share. Its only argument is a `LimitedTask` as JSON. It
 * makes its calls, and prints when the windows end in which it got a point for each.
 */
import process from "node:process";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { APISession } from "../../../mod.ts";
import { rateLimit } from "../../../src/middleware/mod.ts";
import type { LimitedEvent, LimitedTask } from "./limited_task.ts";

const task: LimitedTask = JSON.parse(process.argv[2]!);
const print = (event: LimitedEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);

const storeClient = new Redis(task.redis);
const { points, duration } = task;
const redisLimiter = new RateLimiterRedis({ storeClient, points, duration });
const ends: number[] = [];
const limiter = {
  async consume(key: string) {
    const asked = Date.now();
    const { msBeforeNext } = await redisLimiter.consume(key);
    ends.push(asked + msBeforeNext);
  },
};
let requests = 0;
// The requests stay in this process, so that the limit is reached on a slow machine, too.
const adapter = () => {
  requests++;
  return Promise.resolve(Response.json({}));
};
const middleware = [rateLimit({ limiter })];
const api = new APISession({ url: "https://api.example.com", adapter, middleware, logger: null });

await storeClient.ping();
print({ event: "ready" });
await new Promise((resolve) => process.stdin.once("data", resolve));
await Promise.all(
  Array.from({ length: task.calls }, () => api.get("call", { convJson: true })),
);
print({ event: "end", requests, ends });
await storeClient.quit();
