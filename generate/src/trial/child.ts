/** Runs the tools of an SDK as child processes. */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";

/** The result of a child process. */
export interface ChildResult {
  /** The exit code; null if it was stopped. */
  readonly code: number | null;
  /** The output, with that for errors. */
  readonly output: string;
}

/** The program that runs the tools: Node, also if another runtime runs the generator. */
const NODE = "deno" in process.versions || "bun" in process.versions ? "node" : process.execPath;

/** The most characters of output that are kept: the last ones. */
const MAX_OUTPUT = 50_000_000;

/**
 * Runs a program of Node to its end.
 *
 * @param args The file, and its arguments
 * @param env Environment variables that are added
 */
export async function runNode(
  args: readonly string[],
  { folder, env = {} }: {
    readonly folder: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<ChildResult> {
  const child = spawn(NODE, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collected(child);
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: output() }));
  });
}

/** Collects the output of a process. */
export function collected(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      text = (text + part).slice(-MAX_OUTPUT);
    });
  }
  return () => text;
}
