/** Repeats a call until its result is final, with the waits that the server asks for. */
import {
  checkedBound,
  checkedFlag,
  checkedFunction,
  checkedOptions,
  checkedSeconds,
  checkedSignal,
  hasMethods,
} from "../base/checks.ts";
import type { Clock } from "../base/clock.ts";
import type { APIPromise } from "../call/api_promise.ts";
import { CALL_CONTEXT, type CallContext } from "../call/call.ts";
import { whyWaitTooLong } from "../call/retry/wait.ts";
import { RestwrightError } from "../errors/base_error.ts";
import { DeadlineExceededError } from "../errors/deadline_exceeded_error.ts";
import { PollTimeoutError } from "../errors/poll_timeout_error.ts";
import { readRetryAfter } from "../errors/retry_after.ts";
import { UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import { AbortScope, delay } from "../http/abort.ts";
import { discardBody } from "../http/response.ts";

/**
 * One of the calls of `_poll`, for the function that makes it.
 *
 * @category Polling
 */
export interface PollCall {
  /** The number of calls before this one. */
  readonly calls: number;
  /** Aborts the call, by the signal or the deadline of `_poll`. Pass it as the option `signal`. */
  readonly signal: AbortSignal;
  /**
   * Returns the absolute URL of the operation: that of the last header `Operation-Location`,
   * `Azure-AsyncOperation` or `Location`, in this order, of the responses so far.
   *
   * @throws {RestwrightError} If no response had such a header
   */
  operationUrl(): string;
}

/**
 * The state of an operation that is not done, for `onProgress`.
 *
 * @typeParam T The type of the result
 *
 * @category Polling
 */
export interface PollProgress<T> {
  /** The result of the last call. */
  readonly result: T;
  /** The number of calls so far. */
  readonly calls: number;
  /** The seconds since the start of the first call. */
  readonly elapsed: number;
  /** The seconds until the next call. */
  readonly wait: number;
}

/**
 * The options of `_poll`.
 *
 * @typeParam T The type of the result
 * @typeParam D The type of a final result, if `until` narrows it
 *
 * @category Polling
 */
export interface PollOptions<T, D extends T = T> {
  /**
   * Returns true if a result is final. If the operation has failed, throw an error: `_poll` rejects with
   * it. The response has an unread body, or the body that you asked for.
   *
   * @example `{ until: (job) => job.status === "done" }`
   */
  readonly until:
    | ((result: T, response: Response) => result is D)
    | ((result: T, response: Response) => boolean);
  /**
   * The rule for the wait between two calls, if the server sends no Retry-After: `every(seconds)`,
   * `growing()` or a {@linkcode PollRule} of your own. A Retry-After of less than 0.5 seconds counts as
   * 0.5 seconds, or as the wait of the rule if that is shorter.
   *
   * @example `{ interval: every(5) }`
   */
  readonly interval: PollRule;
  /**
   * The seconds that all calls and waits may take; null for no limit.
   *
   * @default {null}
   */
  readonly deadline?: number | null | undefined;
  /**
   * The longest Retry-After in seconds; null for no limit. If the server asks for more, `_poll` rejects
   * at once. Default: that of the session or client
   */
  readonly maxRetryAfter?: number | null | undefined;
  /** Ends `_poll`, which rejects with its reason. Default: none */
  readonly signal?: AbortSignal | null | undefined;
  /** Called after each call whose result is not final. Default: none */
  readonly onProgress?: ((progress: PollProgress<T>) => void) | undefined;
}

/**
 * The settings of a session or client that polling follows.
 *
 * @internal
 */
export interface PollSettings {
  /** Measures waits and the deadline. */
  readonly clock: Clock;
  /** Ends `_poll`, like the option `signal`. */
  readonly signal: AbortSignal | undefined;
  /** The longest Retry-After in seconds; null for no limit. */
  readonly maxRetryAfter: number | null;
}

/**
 * A rule for the waits between the calls of `_poll`. The ready ones are {@linkcode every} and
 * {@linkcode growing}.
 *
 * @example `{ interval: new PollRule((calls) => calls < 10 ? 1 : 60) }`
 *
 * @category Polling
 */
export class PollRule {
  readonly #waitAfter: (calls: number) => number;

  /**
   * Creates a rule.
   *
   * @param waitAfter Returns the seconds to wait after this number of calls, at least 0
   * @throws {UnexpectedValueError} If it is not a function
   */
  constructor(waitAfter: (calls: number) => number) {
    this.#waitAfter = checkedFunction("waitAfter", waitAfter ?? null);
  }

  /**
   * Repeats a call until its result is final. `_poll` calls it, so that only programs with a rule contain
   * the code of polling.
   *
   * @param settings The clock, signal and limit of the session or client
   * @param call Makes a call
   * @param options The options
   */
  start<T, D extends T>(
    settings: PollSettings,
    call: (state: PollCall) => Pick<APIPromise<T>, "withResponse">,
    options: PollOptions<T, D>,
  ): Promise<D> {
    return poll(settings, call, options, this.#waitAfter);
  }
}

/** The headers with the URL of an operation. The first two are those of Azure. */
const urlHeaders = ["operation-location", "azure-asyncoperation", "location"];

/**
 * Repeats a call until its result is final.
 *
 * @param settings The settings of the session or client
 * @param call Makes a call
 * @param options The options
 * @param waitAfter Returns the seconds to wait after a number of calls
 */
async function poll<T, D extends T>(
  settings: PollSettings,
  call: (state: PollCall) => Pick<APIPromise<T>, "withResponse">,
  options: PollOptions<T, D>,
  waitAfter: (calls: number) => number,
): Promise<D> {
  checkedOptions(options, [
    "deadline",
    "interval",
    "maxRetryAfter",
    "onProgress",
    "signal",
    "until",
  ]);
  const { until, maxRetryAfter = settings.maxRetryAfter, onProgress } = options;
  checkedFunction("call", call ?? null);
  checkedFunction("until", until ?? null);
  checkedFunction("onProgress", onProgress);
  const deadline = checkedBound("deadline", options.deadline) ?? undefined;
  checkedBound("maxRetryAfter", maxRetryAfter);
  const signal = checkedSignal("signal", options.signal);
  const { clock } = settings;
  const signals = [signal, settings.signal].filter((each) => each !== undefined);
  const scope = new AbortScope(signals, deadline, clock);
  const start = clock.now();
  let calls = 0;
  let lastResult: T | undefined;
  let url: string | undefined;
  const operationUrl = () => {
    if (url !== undefined) return url;
    throw new RestwrightError(
      "the responses so far have no URL of the operation in Operation-Location or Location",
    );
  };
  const tooLate = (reason: string) => new PollTimeoutError(reason, { calls, deadline, lastResult });
  try {
    for (;;) {
      scope.throwIfAborted();
      const promise = call({ calls, signal: scope.signal, operationUrl });
      if (!hasMethods(promise, ["withResponse"])) throw notOfCall(promise);
      const { data, response } = await scope.waitFor(promise.withResponse());
      calls++;
      lastResult = data;
      if (checkedFlag("result of until", until(data, response))) return data as D;
      if (response === data) discardBody(response); // nobody reads its body
      url = urlIn(response, promise) ?? url;
      const retryAfter = readRetryAfter(response.headers.get("retry-after"), clock.now());
      const byRule = () => checkedSeconds(`interval after call ${calls}`, waitAfter(calls));
      const wait = waitOf(retryAfter, byRule);
      const limits = { maxRetryAfter, deadline, remaining: scope.remaining };
      const reason = whyWaitTooLong(wait, retryAfter, limits);
      if (reason !== undefined) throw tooLate(reason);
      onProgress?.({ result: data, calls, elapsed: (clock.now() - start) / 1000, wait });
      await delay(wait, clock, scope);
    }
  } catch (error) {
    const isLate = error instanceof DeadlineExceededError && error === scope.ended?.reason;
    throw isLate ? tooLate(`its deadline of ${deadline} s has passed`) : error;
  } finally {
    scope.settle();
  }
}

/** The shortest wait for which a server can ask, in seconds, unless the rule has a shorter one. */
const SHORTEST_RETRY_AFTER = 0.5;

/**
 * Returns the seconds to wait: those of Retry-After, or else of the rule. Some servers always send 0, or a
 * date in the past, and would be asked without a pause.
 *
 * @param retryAfter The seconds of Retry-After, if there is one
 * @param byRule Returns the seconds of the rule
 */
function waitOf(retryAfter: number | undefined, byRule: () => number): number {
  if (retryAfter === undefined) return byRule();
  if (retryAfter >= SHORTEST_RETRY_AFTER) return retryAfter;
  return Math.max(retryAfter, Math.min(byRule(), SHORTEST_RETRY_AFTER));
}

/** Returns the error for a function that returns something else than the promise of a call. */
function notOfCall(value: unknown): UnexpectedValueError {
  Promise.resolve(value).catch(() => {}); // the error below is the one to report
  const hint =
    "Its response is needed for Retry-After. Convert a result with .map(), and use no async";
  const expected = "what a request method returns";
  return new UnexpectedValueError("result of call", expected, withHint(value, hint));
}

/** Returns the absolute URL of an operation in the headers of a response. */
function urlIn(
  { headers, url }: Response,
  promise: object & { readonly [CALL_CONTEXT]?: CallContext },
): string | undefined {
  const found = urlHeaders.map((name) => headers.get(name)).find((each) => each);
  // The response of an adapter has no URL.
  const base = url || promise[CALL_CONTEXT]?.received?.url;
  return found ? URL.parse(found, base)?.href : undefined;
}
