/** Measures one call with V8's inspector and Node's async hooks. Runs on Node alone. */
import { createHook } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { console as inspectorConsole, type Runtime, type Session } from "node:inspector/promises";
import { setImmediate as turn } from "node:timers/promises";

/** A call to measure. */
export type Call = () => Promise<unknown>;

/** The frames of an error. */
export interface ErrorFrames {
  /** The frames in src/. */
  readonly frames: readonly string[];
  /** True if the stack reaches the line of the user's call. */
  readonly reachesCaller: boolean;
}

const SOURCES = new URL("../../src/", import.meta.url).href;
/** The folder of the user's call, which is in a script. */
const SCRIPTS = new URL("../", import.meta.url).href;

/** Called when the stub of fetch is called. */
let onFetch = (): void => {};

/** Replaces the global fetch by a stub that responds with JSON, and returns a function to undo it. */
export function stubFetch(body: unknown): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = () => {
    onFetch();
    return Promise.resolve(Response.json(body));
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

/**
 * Lists the functions in src/ that run from the start of the call until its result is there, each
 * once: `src/file.ts:line:column name`.
 *
 * A function is one that V8 reports. Arrow functions, getters, constructors and the initializers of
 * fields count, branches inside a function do not. Neither does the top level of a module, which runs
 * before a warm call.
 */
export async function functionsOf(call: Call, inspector: Session): Promise<string[]> {
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await call();
  await turn();
  // Each take resets the counters, so that the next one reports only what ran between the two.
  await inspector.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  await inspector.post("Profiler.disable");

  const functions = new Set<string>();
  for (const { url, functions: reported } of result) {
    if (!url.startsWith(SOURCES)) continue;
    const source = await readFile(new URL(url), "utf8");
    for (const { functionName, ranges } of reported) {
      // The first range is the whole function, the others are branches.
      const { startOffset, count } = ranges[0]!;
      const isTopLevel = functionName === "" && startOffset === 0;
      if (count === 0 || isTopLevel) continue;
      const lines = source.slice(0, startOffset).split("\n");
      functions.add(textOf(url, lines.length, lines.at(-1)!.length + 1, functionName));
    }
  }
  return [...functions].sort();
}

/**
 * Lists the calls in src/ that lead from the user's call to fetch, the last one first.
 *
 * The stack of an error does not show all of them. It ends at the function that an `await` resumed.
 * After it V8 shows only functions that wait in an `await`: one that has returned its promise is
 * missing, and a promise made by `new Promise` cuts the rest. The debugger's stack has all calls. Its
 * first part is the stack at fetch, down to the function that was resumed. The next part is the
 * stack at the first `await` of that function, and so on up to the user's call. V8 leaves the
 * resumed function out of the next part, so that no call is counted twice.
 *
 * @throws {Error} If the stack ends before the user's call: the count would be too low
 */
export async function callsToFetch(call: Call, inspector: Session): Promise<string[]> {
  await inspector.post("Runtime.enable");
  await inspector.post("Debugger.enable");
  await inspector.post("Debugger.setAsyncCallStackDepth", { maxDepth: 1000 });
  let reading: Promise<Runtime.CallFrame[]> | undefined;
  inspector.once("Runtime.consoleAPICalled", ({ params }) => {
    reading = framesOf(params.stackTrace, inspector);
  });
  await turn();
  // The inspector's console prints nothing. It only sends the event, with the stack.
  await whenFetchRuns(call, () => inspectorConsole.log("fetch"));
  const frames = await reading ?? [];
  await inspector.post("Runtime.discardConsoleEntries");
  await inspector.post("Debugger.disable");
  await inspector.post("Runtime.disable");

  const first = frames.findIndex(({ url }) => url.startsWith(SOURCES));
  const caller = frames.findIndex(({ url }, index) => index > first && url.startsWith(SCRIPTS));
  if (first < 0 || caller < 0) throw new Error("the stack at fetch does not reach the user's call");
  return frames.slice(first, caller).filter(({ url }) => url.startsWith(SOURCES))
    .map(({ url, lineNumber, columnNumber, functionName }) =>
      textOf(url, lineNumber + 1, columnNumber + 1, functionName)
    );
}

/** Lists the frames of the stack and of the stacks that it continues. */
async function framesOf(
  stack: Runtime.StackTrace | undefined,
  inspector: Session,
): Promise<Runtime.CallFrame[]> {
  const frames: Runtime.CallFrame[] = [];
  for (let part = stack; part !== undefined;) {
    frames.push(...part.callFrames);
    const { parent, parentId: stackTraceId } = part;
    part = parent ?? (stackTraceId &&
      (await inspector.post("Debugger.getStackTrace", { stackTraceId })).stackTrace);
  }
  return frames;
}

/** Lists the frames of an error that is created when the call reaches fetch. */
export async function errorFramesOf(call: Call): Promise<ErrorFrames> {
  let stack = "";
  await whenFetchRuns(call, () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = Infinity;
    stack = new Error().stack!;
    Error.stackTraceLimit = stackTraceLimit;
  });
  const lines = stack.split("\n").map((line) => line.trim());
  const isSource = (line: string): boolean => line.includes(SOURCES);
  const fromSource = lines.slice(lines.findIndex(isSource));
  return {
    frames: fromSource.filter(isSource).map((line) => line.replace(SOURCES, "src/")),
    reachesCaller: fromSource.some((line) => line.includes(SCRIPTS)),
  };
}

/**
 * Counts the promises that are made until the result of the call is there, those of the platform
 * included. While they are counted, V8 makes one more for each `await`.
 */
export async function promisesOf(call: Call): Promise<number> {
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "PROMISE") promises++;
    },
  });
  await turn();
  hook.enable();
  await call();
  hook.disable();
  return promises;
}

async function whenFetchRuns(call: Call, run: () => void): Promise<void> {
  onFetch = run;
  try {
    await call();
  } finally {
    onFetch = () => {};
  }
}

function textOf(url: string, line: number, column: number, name: string): string {
  return `${url.replace(SOURCES, "src/")}:${line}:${column} ${name || "(anonymous)"}`;
}
