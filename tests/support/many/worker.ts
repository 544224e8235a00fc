/**
 * One of many processes: makes calls to an API with a token that it shares with the others. Each line of
 * its standard input is a `WorkerTask` as JSON, or the word `finish`, which ends the task of that time. It
 * prints `WorkerEvent`s as lines of JSON, and ends with its standard input.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { createClient } from "@redis/client";
import { Redis } from "ioredis";
import { APISession } from "../../../mod.ts";
import { LoginRequiredError, RefreshTokenAuth } from "../../../src/auth/oauth/mod.ts";
import {
  fileStore,
  redisStore,
  type SendRedisCommand,
  type TokenStore,
} from "../../../src/auth/stores/mod.ts";
import { turn } from "../until.ts";
import type { WorkerEvent, WorkerTask } from "./worker_task.ts";

const print = (event: WorkerEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);

/** Connects to Redis: half of the processes with one client, half with the other. */
async function connect(
  url: string,
  task: WorkerTask,
): Promise<[send: SendRedisCommand, close: () => unknown]> {
  if (Number(task.id) % 2 === 0) {
    const client = new Redis(url);
    return [(name, ...args) => client.call(name, ...args), () => client.quit()];
  }
  const client = createClient({ url });
  await client.connect();
  return [(...command) => client.sendCommand(command), () => client.close()];
}

async function openStore(task: WorkerTask): Promise<[store: TokenStore, close: () => unknown]> {
  const { place } = task;
  if ("folder" in place) return [fileStore(place.folder), () => {}];
  const [send, close] = await connect(place.url, task);
  const store = redisStore(send, { key: place.key });
  if (!task.isAlone) return [store, close];
  // The same store without protection, as the tests' counterexample.
  return [{ load: () => store.load(), save: (token) => store.save(token) }, close];
}

/** Makes the calls of a task, until they are made or `isFinished` returns true. */
async function run(task: WorkerTask, isFinished: () => boolean): Promise<void> {
  const [store, close] = await openStore(task);
  const api = new APISession({
    url: task.api,
    headers: { "x-worker": task.id },
    logger: null,
  });
  api.httpSession.auth = new RefreshTokenAuth(api, {
    tokenUrl: `${task.api}/token`,
    clientId: "worker",
    store,
    ...(!task.isAlone && { lockLifetime: task.lockLifetime }),
  });

  const result = { calls: 0, errors: [] as string[], refused: 0, longest: 0 };
  let left = task.calls;
  let isAsked = false;

  /** Makes calls, one after the other. */
  async function makeCalls(): Promise<void> {
    while (left-- > 0 && !isFinished()) {
      const start = performance.now();
      try {
        await api.get("call", { convJson: true });
        result.calls++;
        isAsked = false;
      } catch (error) {
        if (error instanceof LoginRequiredError) {
          result.refused++;
          if (!isAsked) print({ event: "login required" });
          isAsked = true;
          // Without protection, nobody logs in again.
          if (task.isAlone) left = 0;
          // So that the lock is free for processes that have not tried yet.
          else await turn(1000);
        } else result.errors.push(String(error));
      }
      result.longest = Math.max(result.longest, (performance.now() - start) / 1000);
      if (task.pause > 0) await turn(task.pause);
    }
  }

  print({ event: "ready" });
  await Promise.all(Array.from({ length: task.concurrency }, makeCalls));
  await close();
  await api.close();
  print({ event: "end", ...result });
}

let finish = (): void => {};
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "finish") return finish();
  let isFinished = false;
  finish = () => void (isFinished = true);
  void run(JSON.parse(line), () => isFinished);
});
