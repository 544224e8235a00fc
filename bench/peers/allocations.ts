// Measures the bytes that a call allocates on the JavaScript heap, on a stub. The runtime must be
// started with --expose-gc and a new generation that is large enough to hold all calls of a sample:
// the growth of the heap is then what was allocated. Bun has no such setting.

import process from "node:process";
import { CONTENDERS } from "./contenders.ts";
import { stubFetch } from "./stub.ts";

const CALLS = 200;
const SAMPLES = 15;
const ROWS = ["GET JSON", "POST JSON", "GET with a timeout"] as const;

const { gc } = globalThis as { gc?: () => void };
if (gc === undefined) throw new Error("start the runtime with --expose-gc");

for (const row of ROWS) {
  const bytes: { readonly contender: string; readonly perCall: number }[] = [];
  for (const { name, calls } of CONTENDERS) {
    const call = calls(stubFetch(), "https://api.example.com", new AbortController().signal)[row];
    if (call === undefined) continue;
    for (let each = 0; each < 3000; each++) await call();
    const samples: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      gc();
      const before = process.memoryUsage().heapUsed;
      for (let each = 0; each < CALLS; each++) await call();
      samples.push((process.memoryUsage().heapUsed - before) / CALLS);
    }
    bytes.push({
      contender: name,
      perCall: samples.sort((a, b) => a - b)[SAMPLES >> 1]!,
    });
  }
  for (const { contender, perCall } of bytes) {
    const ratio = Number((perCall / bytes[0]!.perCall).toFixed(2));
    const line = {
      row: `bytes allocated: ${row}`,
      contender,
      bytes: Math.round(perCall),
      ratio,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}
