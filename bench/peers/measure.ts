// Measures the contenders on one runtime, in turn. Prints one JSON object per line.
//
// Options: --short (fewer rounds, the first rows only, the shortest time instead of the median)

import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Calls, CONTENDERS, ROWS } from "./contenders.ts";
import { stubFetch } from "./stub.ts";

const isShort = process.argv.includes("--short");
const ROUNDS = 30;
const WARM_UP = 8;
const BATCH = isShort ? 50 : 300;

/** A call that is measured, with its times in nanoseconds. */
interface Measured {
  readonly contender: string;
  readonly call: () => Promise<unknown>;
  readonly times: number[];
}

function print(row: string, measured: readonly Measured[]): void {
  // The short form takes the shortest time, which other programs on the machine change least.
  const middle = (times: number[]) => isShort ? 0 : times.length >> 1;
  const figures = measured.map(({ times }) => times.sort((a, b) => a - b)[middle(times)]!);
  for (const [index, { contender }] of measured.entries()) {
    const ns = Math.round(figures[index]!);
    const ratio = Number((figures[index]! / figures[0]!).toFixed(2));
    process.stdout.write(`${JSON.stringify({ row, contender, ns, ratio })}\n`);
  }
}

/** Measures one row. The contenders take turns, so that changes in speed affect all equally. */
async function measure(
  row: string,
  calls: readonly {
    readonly contender: string;
    readonly call: () => Promise<unknown>;
  }[],
  batch: (call: () => Promise<unknown>) => Promise<void>,
  size: number,
): Promise<void> {
  const measured = calls.map((each): Measured => ({ ...each, times: [] }));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const { call, times } of measured) {
      const start = performance.now();
      await batch(call);
      if (round >= WARM_UP) {
        times.push((performance.now() - start) * 1e6 / size);
      }
    }
  }
  print(row, measured);
}

/** Calls one after the other. */
async function inTurn(call: () => Promise<unknown>): Promise<void> {
  for (let each = 0; each < BATCH; each++) await call();
}

/** Keeps a number of calls in flight. */
function inFlight(count: number, total: number) {
  return async (call: () => Promise<unknown>): Promise<void> => {
    let left = total;
    const worker = async () => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: count }, worker));
  };
}

/** Fails if a call does not end in the expected data: a row must measure what its name promises. */
async function check(calls: Calls, contender: string): Promise<void> {
  for (const [row, call] of Object.entries(calls)) {
    const data = await call() as { id?: number; message?: string } | undefined;
    const isRight = row === "404 caught" ? data?.message === "not found" : data?.id === 7;
    if (!isRight) {
      throw new Error(`${contender}, ${row}: got ${JSON.stringify(data)}`);
    }
  }
}

async function onStub(): Promise<void> {
  const all = CONTENDERS.map(({ name, calls }) => ({
    name,
    calls: calls(stubFetch(), "https://api.example.com", new AbortController().signal),
  }));
  for (const { name, calls } of all) await check(calls, name);
  for (const row of isShort ? ROWS.slice(0, 4) : ROWS) {
    const calls = all.flatMap(({ name, calls }) =>
      calls[row] === undefined ? [] : [{ contender: name, call: calls[row] }]
    );
    await measure(row, calls, inTurn, BATCH);
  }
}

async function onLoopback(): Promise<void> {
  const file = fileURLToPath(new URL("server.ts", import.meta.url));
  const server = spawn(process.env["BENCH_NODE"] ?? "node", [file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [line] = await once(server.stdout, "data");
    const origin = String(line).trim();
    const all = CONTENDERS.map(({ name, calls }) => ({
      name,
      calls: calls(fetch, origin, new AbortController().signal),
    }));
    const rows = ["GET JSON", "POST JSON", "GET with a timeout"] as const;
    for (const count of [1, 64]) {
      for (const row of rows) {
        const calls = all.flatMap(({ name, calls }) =>
          calls[row] === undefined ? [] : [{ contender: name, call: calls[row] }]
        );
        if (row !== "GET with a timeout") {
          calls.push(...await undiciCall(origin, row));
        }
        const total = count === 1 ? 60 : 640;
        await measure(
          `loopback, ${count} in flight: ${row}`,
          calls,
          inFlight(count, total),
          total,
        );
      }
    }
  } finally {
    server.stdin.end();
    await once(server, "exit");
  }
}

/** Returns the call of `undici.request`, which has no fetch to replace, on Node only. */
async function undiciCall(
  origin: string,
  row: "GET JSON" | "POST JSON",
): Promise<{ contender: string; call: () => Promise<unknown> }[]> {
  if ("Deno" in globalThis || "Bun" in globalThis) return [];
  const { request } = await import("undici");
  const call = async () => {
    const { body } = row === "GET JSON"
      ? await request(`${origin}/users/7`)
      : await request(`${origin}/users`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"name":"Ada"}',
      });
    return await body.json();
  };
  return [{ contender: "undici.request", call }];
}

await onStub();
if (!isShort) await onLoopback();
