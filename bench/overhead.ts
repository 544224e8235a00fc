// Measures the cost of a call above the transport. The same stub answers each way of calling. The
// ways run in turn, so that changes in the machine's speed affect all of them equally. Prints one
// JSON object per line: the median of the batches in nanoseconds per call, and the ratio to
// handwritten code around fetch.

import process from "node:process";
import { APISession, consoleLogger } from "../mod.ts";

const BATCH = 400;
const ROUNDS = 60;
const WARM_UP = 15;

const json = '{"id":7,"name":"Ada"}';
const headers = { "content-type": "application/json" };
const stub = (): Promise<Response> => Promise.resolve(new Response(json, { headers }));
const url = "https://api.example.com/v1";
const session = new APISession({ url, adapter: stub, logger: consoleLogger() });
const { signal } = new AbortController();

/** Calls the stub as handwritten code calls fetch: checks the status and parses the body. */
async function byHand(): Promise<unknown> {
  const response = await stub();
  if (!response.ok) throw new Error(`status ${response.status}`);
  return await response.json();
}

const benchmarks: readonly { readonly name: string; readonly call: () => Promise<unknown> }[] = [
  { name: "by hand: fetch, status, json()", call: byHand },
  { name: "get, convJson", call: () => session.get("users/7", { convJson: true }) },
  {
    name: "get with params and headers, convJson",
    call: () =>
      session.get("users", {
        params: { page: 2, size: 100 },
        headers: { "x-request": "7" },
        convJson: true,
      }),
  },
  {
    name: "post json, convJson",
    call: () => session.post("users", { json: { name: "Ada" }, convJson: true }),
  },
  {
    name: "get with timeout, convJson",
    call: () => session.get("users/7", { timeout: 30, convJson: true }),
  },
  {
    name: "get with signal, convJson",
    call: () => session.get("users/7", { signal, convJson: true }),
  },
];

const times = benchmarks.map((): number[] => []);
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  for (const [index, { call }] of benchmarks.entries()) {
    const start = performance.now();
    for (let each = 0; each < BATCH; each++) await call();
    const spent = (performance.now() - start) * 1e6 / BATCH;
    if (round >= WARM_UP) times[index]!.push(spent);
  }
}

const medians = times.map((each) => each.sort((one, other) => one - other)[ROUNDS >> 1]!);
for (const [index, { name }] of benchmarks.entries()) {
  const ns = Math.round(medians[index]!);
  const ratio = medians[index]! / medians[0]!;
  process.stdout.write(`${JSON.stringify({ name, ns, ratio: Number(ratio.toFixed(2)) })}\n`);
}
