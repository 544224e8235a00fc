/**
 * Starts workerd with a worker, sends it one request, and prints the result as JSON.
 *
 * Run it with Node: `node drive_workerd.ts <JSON of a WorkerdJob>`. workerd reports the port that
 * the system picked on an additional pipe, which Node can open.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { OpenedPage } from "./drive.ts";

/** The worker to start, and the request to send. */
export interface WorkerdJob {
  /** The path of the module of the npm package workerd, which exports the executable's path. */
  readonly workerd: string;
  /** The path of workerd's configuration file. */
  readonly config: string;
  /** The query of the request to the worker. */
  readonly query: string;
}

/** The maximum number of seconds that the worker may take. */
const LIMIT = 60;

async function main({ workerd, config, query }: WorkerdJob): Promise<void> {
  const { default: { default: executable } } = await import(pathToFileURL(workerd).href);
  // workerd writes the port to file descriptor 3.
  const child = spawn(executable, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  try {
    const shown: string[] = [];
    for (const stream of [child.stdout, child.stderr] as (Readable | null)[]) {
      stream?.setEncoding("utf8").on("data", (text: string) => shown.push(text.trimEnd()));
    }
    const signal = AbortSignal.timeout(LIMIT * 1000);
    const [message] = await once(child.stdio[3] as Readable, "data", { signal });
    const { port } = JSON.parse(String(message).split("\n")[0] ?? "") as { port: number };
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
