/**
 * Starts workerd with a worker, asks it once, and prints what became of it as JSON.
 *
 * `node drive_workerd.ts <JSON of a WorkerdJob>`. It is Node that can give workerd the pipe on which
 * it tells the port that the system picked.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { OpenedPage } from "./drive.ts";

/** What to start, and what to ask. */
export interface WorkerdJob {
  /** The module of the npm package workerd, which knows where the executable is. */
  readonly workerd: string;
  /** Its configuration. */
  readonly config: string;
  /** The query with which the worker is asked for what it played. */
  readonly query: string;
}

/** Seconds that the worker may take. */
const LIMIT = 60;

async function main({ workerd, config, query }: WorkerdJob): Promise<void> {
  const { default: { default: executable } } = await import(pathToFileURL(workerd).href);
  // The third pipe is for the port.
  const child = spawn(executable, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  try {
    const shown: string[] = [];
    for (const stream of [child.stdout, child.stderr] as (Readable | null)[]) {
      stream?.setEncoding("utf8").on("data", (text: string) => shown.push(text.trimEnd()));
    }
    const signal = AbortSignal.timeout(LIMIT * 1000);
    const [told] = await once(child.stdio[3] as Readable, "data", { signal });
    const { port } = JSON.parse(String(told).split("\n")[0] ?? "") as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/?${query}`, { signal });
    const body = await response.text();
    const outcome: OpenedPage = response.ok
      ? { played: JSON.parse(body), console: shown, errors: [] }
      : { played: undefined, console: shown, errors: [`${response.status} ${body}`] };
    console.log(JSON.stringify(outcome));
  } finally {
    child.kill("SIGKILL");
  }
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
