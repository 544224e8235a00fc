import process from "node:process";
import type { APISession, RequestOptions } from "../../../mod.ts";
import { type RecordingLogger, recordingLogger } from "../../../src/testing/recording_logger.ts";
import { testedGenerations } from "../generations.ts";
import { LONGEST_WAIT, turn, until } from "../until.ts";
import { CallClock, DEADLINE, TIMEOUT } from "./call_clock.ts";
import { expectedOf, type FaultCase, outcomeOf } from "./expected.ts";
import type { Outcome, Result, RuntimeName } from "./fault.ts";
import { HostileServer } from "./hostile_server.ts";
import {
  bodies,
  book,
  describeResult,
  isExpected,
  LIMIT,
  optionsOf,
  readResult,
} from "./read_result.ts";

/** The addresses of the intermediaries. */
export interface Intermediaries {
  /** The URL of nginx, which forwards `/PORT/path` to a port. */
  readonly nginx?: string | undefined;
  /** The URL of squid. */
  readonly squid?: string | undefined;
}

/** The conditions under which cases run. */
export interface Conditions {
  /** The runtime of the program. */
  readonly runtime: RuntimeName;
  /** The intermediaries. Default: none */
  readonly intermediaries?: Intermediaries;
  /** The option `retries`. The matrix leaves it out; a test of the matrix changes it. */
  readonly retries?: number;
}

/** A session with public request methods of any name. */
type Caller = Record<string, (path: string, options: RequestOptions) => Promise<unknown>>;

/**
 * Runs a case, and compares its end with the contract.
 *
 * @returns The differences; none if it ended as it has to
 */
export async function runCase(tested: FaultCase, conditions: Conditions): Promise<string[]> {
  const { fault, method, kind, limits, meets, route } = tested;
  const outcome = outcomeOf(fault, route, conditions.runtime);
  const expected = expectedOf(tested, conditions.runtime);
  const first = fault.isKeptAlive ? 1 : 0;
  let isOver = false;
  const server = await new HostileServer((request) => {
    if (isOver) return { body: bodies.json };
    const isFaulty = request >= first && (meets === "always" || request === first);
    const isApart = tested.packets === "apart";
    return { body: bodies[kind], fault: isFaulty ? fault : undefined, isApart };
  }).start();
  const clock = new CallClock();
  const log = recordingLogger();
  const session = openSession(tested, conditions, server.port, { clock, log });
  const unhandled: string[] = [];
  const note = (reason: unknown) => void unhandled.push(String(reason));
  process.on("unhandledRejection", note);

  const differences: string[] = [];
  const check = (name: string, actual: unknown, wanted: unknown) => {
    const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (is !== shouldBe) differences.push(`${name}: ${is} instead of ${shouldBe}`);
  };
  const progress: Progress = { tested, outcome, server, clock, isReturned: false };
  try {
    if (first > 0) await settled(session.get("first").then((each) => each.text()), progress);
    const attemptsBefore = log.messages("debug").length;
    const start = clock.now();
    let endOfCall = Infinity;
    const call = async (): Promise<Result | Error> => {
      const upload = /^P/.test(method) ? { json: { title: "new" } } : {};
      const send = (session as unknown as Caller)[method.toLowerCase()]!.bind(session);
      try {
        const value = await send("books", { ...optionsOf(kind), ...upload })
          .finally(() => endOfCall = clock.now());
        progress.isReturned = true;
        return await readResult(value, kind, expected.result === "left");
      } catch (error) {
        return error as Error;
      }
    };
    const result = await settled(call(), progress);
    const attempts = log.messages("debug").length - attemptsBefore;
    if (!isExpected(result, expected.result)) {
      check("result", describeResult(result), describeResult(expected.result));
    }
    check("attempts", attempts, expected.attempts);
    check("retries", Object(result).retries ?? attempts - 1, attempts - 1);
    check("waits", clock.waits, expected.waits);
    if (route === "direct" && fault.at !== "connected") {
      check("requests", server.requests - first, expected.requests);
    }
    if (limits === "all") check("ends in time", endOfCall - start <= DEADLINE * 1000, true);

    // The session works again, and never returns the rest of a faulty response.
    isOver = true;
    const next = session.get("next", { convJson: true }).catch(String);
    check("result of the next call", await settled(next, progress), book);
    const isRead = method === "HEAD" && outcome.part !== "head";
    if (outcome.closes && !isRead) await until(() => server.faulty === 0);
    check("running timers", clock.pending, 0);
  } finally {
    await session.close();
    await server.stop();
    process.off("unhandledRejection", note);
  }
  check("unhandled rejections", unhandled, []);
  return differences;
}

function openSession(
  { fault, generation, limits, route }: FaultCase,
  { runtime, intermediaries = {}, retries }: Conditions,
  port: number,
  { clock, log }: { readonly clock: CallClock; readonly log: RecordingLogger },
): APISession {
  const { needs } = outcomeOf(fault, route, runtime);
  const { Session } = testedGenerations[generation - 1]!;
  return new Session({
    url: route === "nginx" ? `${intermediaries.nginx}/${port}` : `http://127.0.0.1:${port}`,
    ...(route === "squid" && { proxies: { http: intermediaries.squid! } }),
    ...((limits === "all" || needs === "timeout") && { timeout: TIMEOUT }),
    ...((limits === "all" || needs === "deadline") && { deadline: DEADLINE }),
    ...(retries !== undefined && { retries }),
    maxResponseBytes: LIMIT,
    clock,
    logger: log,
  });
}

/** The state of a case that runs. */
interface Progress {
  readonly tested: FaultCase;
  readonly outcome: Outcome;
  readonly server: HostileServer;
  readonly clock: CallClock;
  /** True if the call has returned, and its body is being read. */
  isReturned: boolean;
}

/** Waits until a promise settles. Moves the clock and the server if nothing else can happen. */
async function settled<T>(work: Promise<T>, progress: Progress): Promise<T> {
  let isSettled = false;
  const mark = () => void (isSettled = true);
  work.then(mark, mark);
  const { tested, server } = progress;
  const step = stepper(progress);
  const end = performance.now() + LONGEST_WAIT * 1000;
  while (!isSettled) {
    if (performance.now() > end) throw new Error(`the case does not end: ${server.state}`);
    // Without an intermediary, nothing happens outside of this process.
    if (tested.route === "direct") await new Promise<void>((resolve) => setImmediate(resolve));
    else await turn(1);
    if (!isSettled) await step();
  }
  return await work;
}

/** Seconds between the parts of a slow response. */
const PAUSE = 6;

/** The number of turns after which an intermediary is considered to hold the headers back. */
const PATIENCE = 50;

/** Returns a function that does the next step of a case, if it is time for one. */
function stepper(progress: Progress): () => Promise<void> {
  const { tested: { fault, kind, meets, route }, outcome, server, clock } = progress;
  const reads = outcome.part === "head" && outcome.retry === "connection" ? 1 : 2;
  // Node opens the connection of the next attempt ahead of time.
  const isRepeated = fault.at === "connected" && meets === "always";
  let turns = 0;
  let requests = -1;
  let lastReads = -1;
  const isCallOver = outcome.part === "body" && (kind === "raw" || kind === "stream");

  clock.onWait = () => void (requests = server.requests);
  return async () => {
    if (clock.wait !== undefined) return await clock.advance(clock.wait);
    // The request of the next attempt is on its way.
    if (server.requests === requests && !isRepeated) return;
    turns++;
    // A connection that ends together with the headers can end the call before it returns.
    const isPatient = route === "direct" || turns % PATIENCE > 0;
    const isReady = !isCallOver || progress.isReturned || !isPatient;
    switch (server.state) {
      case "waiting":
        if (isReady) server.proceed();
        break;
      case "slow":
        // The next part follows when the client has read the last one, unless it is never read.
        if (clock.isReading && outcome.part !== "head" && clock.reads === lastReads) break;
        await clock.advance(PAUSE);
        // A read that began meanwhile has waited for some of that time.
        lastReads = clock.reads;
        server.proceed();
        break;
      case "silent":
      case "flooding":
        // Otherwise, time would run out before the headers have arrived.
        if (outcome.needs !== "timeout" || !clock.isReading || clock.readsOfAttempt < reads) break;
        await clock.advance(TIMEOUT);
        break;
      case "done":
        break;
    }
  };
}
