/** One child process: its output kept, its time limited, nothing of it left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { endGroup, groupLives } from "./process_group.ts";

/** What a child process may take. */
export interface ChildOptions {
  cwd?: string;
  /** Added to the environment; undefined takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Seconds until it is ended. Default: 600. */
  limit?: number;
  /** Seconds that what it started may outlive it. Default: 2. */
  grace?: number;
}

/** How a child process ended. */
export interface ChildResult {
  /** Undefined where it could not be started or was ended by a signal. */
  code: number | undefined;
  stdout: string;
  /** Both streams, in the order in which they came. */
  output: string;
  seconds: number;
  /** What went wrong apart from the exit code, as the rest of a sentence: "was ended by …". */
  trouble: string | undefined;
}

const OUTPUT_KEPT = 2_000_000;

const living = new Set<ChildProcess>();

/** Whether it ran to its end and exited with 0. */
export function succeeded(result: ChildResult): boolean {
  return result.code === 0 && result.trouble === undefined;
}

/** Runs a command without a shell and without stdin. Never rejects. */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<ChildResult> {
  const started = performance.now();
  const { limit = 600, grace = 2 } = options;
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: childEnv(options.env),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that what it started in turn can be found and ended with it.
    detached: process.platform !== "win32",
    // Only through a shell can Windows run npm, which is a batch file there.
    shell: process.platform === "win32" && !command.endsWith(".exe"),
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
    trouble = `took more than ${limit} seconds and was ended`;
    if (child.pid !== undefined) endGroup(child.pid);
  }, limit * 1000);

  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const code = await new Promise<number | undefined>((resolve) => {
    child.on("error", (error) => {
      trouble ??= `could not be started: ${error.message}`;
      resolve(undefined);
    });
    child.on("exit", (exitCode, signal) => {
      if (signal !== null) trouble ??= `was ended by ${signal}`;
      resolve(exitCode ?? undefined);
    });
  });
  clearTimeout(timer);
  if (child.pid !== undefined) {
    if (!await groupEnds(child.pid, grace)) {
      trouble ??= "left a process of its own running";
      endGroup(child.pid);
      await groupEnds(child.pid, 2);
    }
    await within(2, closed);
  }
  living.delete(child);
  return { code, stdout, output, seconds: (performance.now() - started) / 1000, trouble };
}

/** Ends the children when this process is told to end, since they are in groups of their own. */
export function endChildrenWithUs(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      living.forEach((child) => child.pid !== undefined && endGroup(child.pid));
      process.exit(130);
    });
  }
}

/** The environment of a child: ours without colour, which would stand in captured output. */
function childEnv(added: ChildOptions["env"] = {}): Record<string, string> {
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...added };
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Whether the group ends by itself within some seconds. */
async function groupEnds(leader: number, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (groupLives(leader)) {
    if (performance.now() > end) return false;
    await wait(50);
  }
  return true;
}

/**
 * Waits for the pipes to close, but not for long: a process that left the group and holds one must
 * not keep us.
 */
async function within(seconds: number, closed: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([closed, wait(seconds * 1000, undefined, { signal: timer.signal })]);
  timer.abort();
}
