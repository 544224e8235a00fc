/**
 * Counts what one warm call passes between the method that the user calls and fetch: files,
 * functions, calls on the stack, promises. Run it with Node:
 *
 *     node scripts/call_path/main.ts             # the counts
 *     node scripts/call_path/main.ts --verbose   # also the lists behind them
 *     node scripts/call_path/main.ts --json      # the counts alone, for the test
 *
 * Each count is taken five times. The script fails if two rounds differ. The promises are those on
 * Node 24 and 26. On Node 22 the bare `json()` makes more.
 */
import { Session } from "node:inspector/promises";
import process from "node:process";
import { APIEndpoint, APISession } from "../../mod.ts";
import {
  type Call,
  callsToFetch,
  type ErrorFrames,
  errorFramesOf,
  functionsOf,
  promisesOf,
  stubFetch,
} from "./measures.ts";

/** The counts of a call. */
export interface CallCounts {
  /** Files in src/ with a function that runs during the call. */
  readonly files: number;
  /** Functions in src/ that run during the call, each counted once. */
  readonly functions: number;
  /** Calls in src/ that lead from the user's call to fetch. */
  readonly depth: number;
  /** Promises that the call makes, less those of `await (await fetch(url)).json()`. */
  readonly promises: number;
}

/** The lists and numbers from which the counts are taken. */
export interface CallPath {
  readonly functions: readonly string[];
  /** The calls that lead to fetch, the last one first. */
  readonly calls: readonly string[];
  /** The stack of an error that fetch creates. */
  readonly error: ErrorFrames;
  /** All promises of the call. */
  readonly promises: number;
  /** The promises of `await (await fetch(url)).json()`, answered by the same stub. */
  readonly barePromises: number;
}

/** The calls that are measured: a GET with `params` and `convJson`, by an endpoint. */
export type CallName = "with timeout" | "without timeout";

const WARM_UP = 300;
const ROUNDS = 5;
const BASE_URL = "https://library.example.com/v1";

class Books extends APIEndpoint<Library> {
  protected override readonly _path: string = "books";
  override readonly _convJson = true;

  readonly calls: Readonly<Record<CallName, Call>> = {
    "with timeout": () => this._get(7, { params: { page: 2 }, timeout: 30 }),
    "without timeout": () => this._get(7, { params: { page: 2 } }),
  };
}

class Library extends APISession {
  static override readonly url: string = BASE_URL;
  readonly books: Books = new Books(this);
}

/** Returns the counts of a call. */
export function countsOf(path: CallPath): CallCounts {
  return {
    files: filesOf(path).length,
    functions: path.functions.length,
    depth: path.calls.length,
    promises: path.promises - path.barePromises,
  };
}

/**
 * Returns the result of all rounds.
 *
 * @throws {Error} If two rounds differ
 */
export function sameInAllRounds<T>(rounds: readonly T[]): T {
  const [first, ...others] = rounds.map((round) => JSON.stringify(round, undefined, 1));
  const other = others.find((text) => text !== first);
  if (other !== undefined) throw new Error(`two rounds differ:\n${first}\n${other}`);
  return rounds[0]!;
}

/** Measures the calls on Node. Replaces the global fetch while it runs. */
export async function measureCalls(): Promise<Record<CallName, CallPath>> {
  const restoreFetch = stubFetch({ id: 7, title: "Emma" });
  const session = new Library();
  const inspector = new Session();
  inspector.connect();
  try {
    const { calls } = session.books;
    return {
      "with timeout": await measure(calls["with timeout"], inspector),
      "without timeout": await measure(calls["without timeout"], inspector),
    };
  } finally {
    inspector.disconnect();
    await session.close();
    restoreFetch();
  }
}

async function measure(call: Call, inspector: Session): Promise<CallPath> {
  const bareCall = async () => await (await fetch(BASE_URL)).json();
  for (let each = 0; each < WARM_UP; each++) {
    await call();
    await bareCall();
  }
  const rounds: CallPath[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      functions: await functionsOf(call, inspector),
      calls: await callsToFetch(call, inspector),
      error: await errorFramesOf(call),
      promises: await promisesOf(call),
      barePromises: await promisesOf(bareCall),
    });
  }
  return sameInAllRounds(rounds);
}

function filesOf({ functions }: CallPath): string[] {
  return [...new Set(functions.map((text) => text.slice(0, text.indexOf(":"))))];
}

function report(name: CallName, path: CallPath, isVerbose: boolean): string {
  const { files, functions, depth, promises } = countsOf(path);
  const { frames, reachesCaller } = path.error;
  const asyncFrames = frames.filter((frame) => frame.startsWith("at async")).length;
  const list = (lines: readonly string[]): string[] =>
    isVerbose ? lines.map((line) => `    ${line}`) : [];
  return [
    `A call ${name}:`,
    `  files      ${files}`,
    ...list(filesOf(path)),
    `  functions  ${functions}`,
    ...list(path.functions),
    `  depth      ${depth}`,
    ...list(path.calls),
    `  promises   ${promises}: ${path.promises}, less ${path.barePromises} of fetch and json()`,
    `  An error's stack at fetch has ${frames.length - asyncFrames} frames, ${asyncFrames} async ` +
    `frames, and ${reachesCaller ? "reaches" : "does not reach"} the user's call.`,
    ...list(frames),
  ].join("\n");
}

async function main(args: readonly string[]): Promise<void> {
  const paths = Object.entries(await measureCalls()) as [CallName, CallPath][];
  if (args.includes("--json")) {
    const counts = paths.map(([name, path]) => [name, countsOf(path)]);
    console.log(JSON.stringify(Object.fromEntries(counts)));
    return;
  }
  for (const [name, path] of paths) {
    console.log(report(name, path, args.includes("--verbose")));
  }
}

if (import.meta.main) await main(process.argv.slice(2));
