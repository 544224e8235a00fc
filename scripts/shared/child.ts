/**
 * Runs child processes: captures their output, limits their time, and ends every process that they
 * started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { programOf } from "./npm_program.ts";
import { endGroup, groupLives } from "./process_group.ts";

/** Options for a child process. */
export interface ChildOptions {
  cwd?: string;
  /** Variables to add to the environment. A variable that is undefined is removed. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Seconds until the process is ended. Default: 600. */
  limit?: number;
  /** Seconds that the processes it started may run on after it has exited. Default: 2. */
  grace?: number;
}

/** The result of a child process that has ended. */
export interface ChildResult {
  /** The exit code. Undefined if the process could not be started or was ended by a signal. */
  code: number | undefined;
  stdout: string;
  /** stdout and stderr together, in order of arrival. At most the last 2,000,000 characters. */
  output: string;
  seconds: number;
  /** A problem other than the exit code, as the end of a sentence: "left a child process running". */
  trouble: string | undefined;
}

const OUTPUT_KEPT = 2_000_000;

const living = new Set<ChildProcess>();

/** Checks that a process exited with 0 and without trouble. */
export function succeeded(result: ChildResult): boolean {
  return result.code === 0 && result.trouble === undefined;
}

/** Runs a command without stdin and without a shell. Never rejects. */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<ChildResult> {
  const started = performance.now();
  const { limit = 600, grace = 2 } = options;
  const program = programOf(command, args);
  const child = spawn(program.command, [...program.args], {
    cwd: options.cwd,
    env: childEnv(options.env),
    stdio: ["ignore", "pipe", "pipe"],
    // The child leads its own process group, so that the processes it starts can be ended with it.
    // On Windows, which has no groups, it would have a window.
    detached: process.platform !== "win32",
  });
  living.add(child);

  let stdout = "";
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output = (output + text).slice(-OUTPUT_KEPT);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-OUTPUT_KEPT);
  });

  let trouble: string | undefined;
  const timer = setTimeout(() => {
    trouble = `took more than ${limit} seconds and was stopped`;
    if (child.pid !== undefined) endGroup(child.pid);
  }, limit * 1000);

  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const code = await new Promise<number | undefined>((resolve) => {
    child.on("error", (error) => {
      trouble ??= `could not be started: ${error.message}`;
      resolve(undefined);
    });
    child.on("exit", (exitCode, signal) => {
      if (signal !== null) trouble ??= `was stopped by the signal ${signal}`;
      resolve(exitCode ?? undefined);
    });
  });
  clearTimeout(timer);
  if (child.pid !== undefined) {
    if (!await groupEnds(child.pid, grace)) {
      trouble ??= "left a child process running";
      endGroup(child.pid);
      await groupEnds(child.pid, 2);
    }
    await within(2, closed);
  }
  living.delete(child);
  return { code, stdout, output, seconds: (performance.now() - started) / 1000, trouble };
}

/**
 * Ends all children when this process receives SIGINT or SIGTERM. Their groups do not receive
 * the signal by themselves.
 */
export function endChildrenWithUs(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      living.forEach((child) => child.pid !== undefined && endGroup(child.pid));
      process.exit(130);
    });
  }
}

/** Builds a child's environment. It turns colors off: escape codes would clutter the output. */
function childEnv(added: ChildOptions["env"] = {}): Record<string, string> {
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...added };
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Waits up to some seconds for the group to end, and reports if it did. */
async function groupEnds(leader: number, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (groupLives(leader)) {
    if (performance.now() > end) return false;
    await wait(50);
  }
  return true;
}

/**
 * Waits up to some seconds for the pipes to close. A process that has left the group may keep a
 * pipe open, and must not block this one.
 */
async function within(seconds: number, closed: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([closed, wait(seconds * 1000, undefined, { signal: timer.signal })]);
  timer.abort();
}
