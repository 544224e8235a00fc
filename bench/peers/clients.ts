// Measures the bytes that an idle client and a call that waits for its response keep on the JavaScript
// heap. The runtime must be started with --expose-gc. Prints one JSON object per line.

import process from "node:process";
import ky from "ky";
import { createFetch } from "ofetch";
import { OpenAI } from "openai";
import { APIClient } from "../../mod.ts";

const CLIENTS = 2_000;
const CALLS = 10_000;
const BASE = "https://api.example.com/v1";
const ITEM = `${BASE}/items/42`;

const { gc } = globalThis as { gc?: () => void };
if (gc === undefined) throw new Error("start the runtime with --expose-gc");

/** Returns the bytes on the heap that are in use. */
function heap(): number {
  for (let each = 0; each < 3; each++) gc!();
  return process.memoryUsage().heapUsed;
}

/** Makes a client, and returns the function that makes a call. The timeout is in seconds. */
type Make = (fetch: typeof globalThis.fetch, timeout?: number) => () => Promise<unknown>;

class Items extends APIClient {
  static override readonly baseUrl: string = BASE;

  item() {
    return this._get("/items/42");
  }
}

const CONTENDERS: Readonly<Record<string, Make>> = {
  restwright(fetch, timeout) {
    const client = new Items({ fetch, timeout });
    return () => client.item();
  },
  ofetch(fetch, timeout) {
    const call = createFetch({ fetch });
    const options = timeout === undefined ? {} : { timeout: timeout * 1000 };
    return () => call(ITEM, options);
  },
  ky(fetch, timeout) {
    const client = ky.create({ fetch, timeout: timeout === undefined ? false : timeout * 1000 });
    return () => client.get(ITEM).json();
  },
  // Each of its calls has a timeout, of ten minutes by default.
  "openai's core": (fetch, timeout = 600) => {
    const options = { apiKey: "x", baseURL: BASE, logLevel: "off" } as const;
    const client = new OpenAI({ ...options, fetch, timeout: timeout * 1000 });
    return () => client.get("/items/42");
  },
};

/** Returns the bytes that a client keeps which has made no call. */
function idleClient(make: Make): number {
  const fetch = () => Promise.resolve(new Response());
  const kept: unknown[] = [];
  // The first ones load what all others share. They do not count.
  for (let each = 0; each < 5; each++) kept.push(make(fetch));
  const before = heap();
  for (let each = 0; each < CLIENTS; each++) kept.push(make(fetch));
  const bytes = (heap() - before) / CLIENTS;
  // The clients are used here, so that they are still there when the heap is measured.
  if (kept.length < CLIENTS) throw new Error("a client is missing");
  return bytes;
}

/** Returns the bytes that a call keeps which waits for its response. */
async function waitingCall(make: Make, timeout?: number): Promise<number> {
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => answer = resolve);
  const call = make(async () => {
    await answered;
    return Response.json({ id: 42 });
  }, timeout);
  const calls = [call()];
  const sent = () => new Promise((resolve) => setTimeout(resolve, 200));
  await sent();
  const before = heap();
  for (let each = 0; each < CALLS; each++) calls.push(call());
  await sent();
  const bytes = (heap() - before) / CALLS;
  answer();
  await Promise.all(calls);
  return bytes;
}

const ROWS: Readonly<Record<string, (make: Make) => number | Promise<number>>> = {
  "an idle client": idleClient,
  "a call that waits": (make) => waitingCall(make),
  "a call that waits, with a timeout": (make) => waitingCall(make, 30),
};
for (const [row, measure] of Object.entries(ROWS)) {
  let first: number | undefined;
  for (const [contender, make] of Object.entries(CONTENDERS)) {
    const bytes = await measure(make);
    first ??= bytes;
    const line = { row, contender, bytes: Math.round(bytes) };
    const ratio = Number((bytes / first).toFixed(2));
    process.stdout.write(`${JSON.stringify({ ...line, ratio })}\n`);
  }
}
process.exit(0);
