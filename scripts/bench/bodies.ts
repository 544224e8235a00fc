/** Measures transfers of large bodies beside code by hand: each in a process of its own, in turn. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comparison } from "./peer_report.ts";

/** The times that each transfer is made. */
const ROUNDS = 3;
const MEGABYTE = 2 ** 20;
const UPLOAD = 500 * MEGABYTE;
const CONTENDERS = ["fetch by hand", "restwright"] as const;

/** The line that `bench/peers/bodies.ts` prints. */
interface TransferRun {
  /** The number of bytes, items or events that arrived. */
  readonly count: number;
  /** Milliseconds. */
  readonly time: number;
  /** The most memory that the process had, in bytes. */
  readonly peak: number;
}

/**
 * Returns the time and the most memory of each transfer.
 *
 * @param node The path of the Node that runs the server
 * @param server The path of the server
 * @param run Runs `bench/peers/bodies.ts` with arguments, and returns what it prints
 */
export async function bodyComparisons(
  node: string,
  server: string,
  run: (args: readonly string[]) => Promise<string>,
): Promise<Comparison[]> {
  const folder = await mkdtemp(join(tmpdir(), "bodies-"));
  const child = spawn(node, [server], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [line] = await once(child.stdout, "data");
    const file = join(folder, "upload.bin");
    const handle = await open(file, "w");
    await handle.truncate(UPLOAD);
    await handle.close();
    const rows = JSON.parse(await run([])) as string[];
    const comparisons: Comparison[] = [];
    for (const row of rows) {
      const transfer = async (contender: string) =>
        JSON.parse(await run([row, contender, String(line).trim(), file])) as TransferRun;
      comparisons.push(...await compared(row, transfer));
    }
    return comparisons;
  } finally {
    await end(child);
    await rm(folder, { recursive: true });
  }
}

/** Makes the transfers of a row in turn, and compares their medians. */
async function compared(
  row: string,
  transfer: (contender: string) => Promise<TransferRun>,
): Promise<Comparison[]> {
  const runs = new Map(CONTENDERS.map((name): [string, TransferRun[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of CONTENDERS) runs.get(name)!.push(await transfer(name));
  }
  const counts = new Set([...runs.values()].flat().map(({ count }) => count));
  if (counts.size !== 1) throw new Error(`${row}: ${[...counts].join(", ")} arrived`);
  const median = (name: string, figure: "time" | "peak") =>
    runs.get(name)!.map((run) => run[figure]).sort((a, b) => a - b)[ROUNDS >> 1]!;
  return (["time", "peak"] as const).flatMap((figure) => {
    const first = median(CONTENDERS[0], figure);
    return CONTENDERS.map((contender): Comparison => {
      const value = median(contender, figure);
      const ratio = Number((value / first).toFixed(2));
      return figure === "time"
        ? { row, contender, ns: Math.round(value * 1e6), ratio }
        : { row: `most memory: ${row}`, contender, bytes: value, ratio };
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.stdin?.end();
  await exited;
}
