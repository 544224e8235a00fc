/** Ends a call by a signal, its deadline or its idle timeout, and waits before retries. */
import { idleTimerFor, readerOf } from "#transport";
import { checkedSeconds, checkedSignal } from "../base/checks.ts";
import type { Clock } from "../base/clock.ts";
import { DeadlineExceededError } from "../errors/deadline_exceeded_error.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { ChunkReader, IdlePlace, IdleTimer } from "./idle_timer.ts";
import { type BodyFailure, discardBody, responseLike, withBodyError } from "./response.ts";
import { transportErrorKind } from "./transport_failure.ts";

/**
 * Ends a call before it is done: by a signal of the caller or the client, by the deadline, or, for
 * one attempt, by the idle timeout. It also ends operations that ignore their signal.
 *
 * A call that has none of these has no scope. The scope listens to the signals until the call is
 * over and the body of its response has been read. The signals are not passed to fetch, because
 * some runtimes keep the listeners of fetch on them until the next garbage collection.
 *
 * Every wait is a `Promise.race` in an async function, so that the stack trace of an error reaches
 * the line of the caller. With `new Promise` and `then`, Bun cuts it.
 */
export class AbortScope {
  /** Seconds that the call may take; undefined for no limit. */
  readonly deadline: number | undefined;
  /** The signal of the current attempt. */
  signal: AbortSignal;
  /** The reason why the attempt has ended: the call has been aborted, or there was no data. */
  ended: { readonly reason: unknown } | undefined;
  /** The timer of the current attempt, if it has an idle timeout. */
  idleTimer: IdleTimer | undefined;
  /** Used by the timer. */
  idlePlace: IdlePlace | undefined;
  readonly #clock: Clock;
  readonly #signals: readonly AbortSignal[];
  /** The time of the deadline, in milliseconds since 1970. */
  readonly #endAt: number | undefined;
  readonly #cancelDeadline: (() => void) | undefined;
  #onSignal: AbortListener | undefined;
  /** The reason why the call has been aborted. */
  #aborted: { readonly reason: unknown } | undefined;
  #controller = new AbortController();
  #timeout: number | undefined;
  #explain: (error: unknown) => unknown = (error) => error;
  /** Interrupts the attempt: the wait for its headers, or the body that is being read. */
  #interrupt: ((reason: unknown) => void) | undefined;
  /** Interrupts `waitFor`. A hook may read the body at the same time. */
  #interruptWait: ((reason: unknown) => void) | undefined;
  #isSettled = false;

  /**
   * @param signals The signals that abort the call
   * @param deadline Seconds that the call may take
   * @param clock Measures the deadline, delays and the idle timeout
   */
  constructor(signals: readonly AbortSignal[], deadline: number | undefined, clock: Clock) {
    this.#signals = signals;
    this.#clock = clock;
    this.deadline = deadline;
    this.signal = this.#controller.signal;
    if (signals.length > 0) this.#listen();
    if (deadline !== undefined) {
      this.#endAt = clock.now() + deadline * 1000;
      this.#cancelDeadline = clock.after(deadline, () => {
        this.#abort(new DeadlineExceededError(deadline));
      });
    }
  }

  /** Throws the reason if the call has been aborted. */
  throwIfAborted(): void {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
  }

  /** Seconds that are left until the deadline, below 0 if it has passed; undefined without one. */
  get remaining(): number | undefined {
    if (this.#endAt === undefined) return undefined;
    return (this.#endAt - this.#clock.now()) / 1000;
  }

  /** Returns the error that the call throws. A passed deadline has the last failure as its cause. */
  toAbortError(error: unknown, failed: Error | undefined): unknown {
    const isDeadline = error instanceof DeadlineExceededError && error === this.#aborted?.reason;
    return isDeadline ? new DeadlineExceededError(error.deadline, failed) : error;
  }

  /**
   * Awaits work that cannot be aborted, such as a login or a hook. If the call is aborted, this
   * rejects at once, and the work continues unobserved.
   */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    if (this.#aborted !== undefined) reject(this.#aborted.reason);
    this.#interruptWait = reject;
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.#interruptWait = undefined;
    }
  }

  /**
   * Begins an attempt, and returns the signal for its requests.
   *
   * @param timeout Seconds without data after which the attempt fails; undefined for no limit
   * @param explain Returns the error to throw for an error of the transport
   */
  startAttempt(timeout: number | undefined, explain: (error: unknown) => unknown): AbortSignal {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
    if (this.ended !== undefined) {
      // The last attempt had no data. Its requests, if it still sends any, keep the old signal.
      this.ended = undefined;
      this.#controller = new AbortController();
      this.signal = this.#controller.signal;
    }
    this.#timeout = timeout;
    this.#explain = explain;
    this.idleTimer = timeout === undefined ? undefined : idleTimerFor(timeout, this.#clock);
    return this.signal;
  }

  /**
   * Returns a promise that rejects when the attempt ends, for a race with the attempt.
   *
   * @param work The attempt. If it ends too late, its response is discarded
   */
  interruption(work: Promise<Response>): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#interrupt = (reason) => {
      reject(reason);
      work.then(discardBody, ignore);
    };
    if (this.ended !== undefined) this.#interrupt(this.ended.reason);
    return promise;
  }

  /** Begins to read a body. */
  startReading(reader: ChunkReader): void {
    // Makes a pending read return, even if the source of the stream ignores `cancel`.
    this.#interrupt = (reason) => void reader.cancel(reason).catch(ignore);
  }

  /** Reads a chunk of a body. It rejects when the call is aborted, or when there is no data. */
  async next(reader: ChunkReader): ReturnType<ChunkReader["read"]> {
    try {
      if (this.ended === undefined) {
        this.idleTimer?.start(this);
        const chunk = await reader.read();
        this.idleTimer?.stop(this);
        if (!this.signal.aborted) return chunk;
      }
    } catch (error) {
      this.idleTimer?.stop(this);
      if (this.ended === undefined) throw error;
    }
    throw this.ended!.reason;
  }

  /** Ends the attempt, or the reading of its body: there is nothing to interrupt any more. */
  release(): void {
    this.#interrupt = undefined;
    if (this.#isSettled && this.#onSignal !== undefined) this.#unlisten();
  }

  /** Returns a response for the caller to read. Its body fails when the call is aborted. */
  toResponse(response: Response): Response {
    if (this.ended !== undefined) {
      discardBody(response);
      throw this.ended.reason;
    }
    if (response.body === null) {
      this.release();
      return response;
    }
    const reader = readerOf(response, response.body);
    this.startReading(reader);
    const failure: BodyFailure = {};
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { done, value } = await this.next(reader);
          if (!done) return controller.enqueue(value!);
          this.release();
          controller.close();
        } catch (error) {
          this.release();
          failure.reason = { error: this.ended === undefined ? this.#explain(error) : error };
          controller.error(failure.reason.error);
        }
      },
      cancel: async (reason) => {
        this.release();
        try {
          await reader.cancel(reason);
        } catch (error) {
          // A connection that is lost already needs no cancelling.
          if (transportErrorKind(error) === undefined) throw error;
        }
      },
    }, { highWaterMark: 0 });
    return withBodyError(responseLike(response, body), failure);
  }

  /**
   * Ends the call. It cancels the deadline, because a body that is never read must not keep the
   * program alive. The signals still abort a body that the caller is reading.
   */
  settle(): void {
    this.#isSettled = true;
    this.#cancelDeadline?.();
    if (this.#interrupt === undefined && this.#onSignal !== undefined) this.#unlisten();
  }

  /** Called by the idle timer if there was no data for the timeout. */
  onIdle(): void {
    const error = new TransportError(`no data for ${this.#timeout} s`, { kind: "timeout" });
    this.#endAttempt(this.#explain(error));
  }

  #abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#cancelDeadline?.();
    this.#unlisten();
    this.#endAttempt(reason);
    this.#interruptWait?.(reason);
  }

  #endAttempt(reason: unknown): void {
    const interrupt = this.#interrupt;
    this.ended = { reason };
    this.idleTimer?.stop(this);
    this.release();
    this.#controller.abort(reason);
    interrupt?.(reason);
  }

  #listen(): void {
    const aborted = this.#signals.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      this.#aborted = this.ended = { reason: aborted.reason };
      return;
    }
    const onSignal = this.#onSignal = (reason: unknown) => this.#abort(reason);
    for (const signal of this.#signals) listen(signal, onSignal);
  }

  #unlisten(): void {
    const onSignal = this.#onSignal;
    if (onSignal === undefined) return;
    for (const signal of this.#signals) unlisten(signal, onSignal);
    this.#onSignal = undefined;
  }
}

/**
 * Waits before a retry.
 *
 * @param seconds The delay
 * @param clock Measures it
 * @param scope Aborts the call, if anything can
 */
export async function delay(
  seconds: number,
  clock: Clock,
  scope: AbortScope | undefined,
): Promise<void> {
  if (seconds === 0) return;
  let cancel: (() => void) | undefined;
  const elapsed = new Promise<void>((resolve) => void (cancel = clock.after(seconds, resolve)));
  try {
    await (scope?.waitFor(elapsed) ?? elapsed);
  } finally {
    cancel?.();
  }
}

/**
 * Waits outside of a call.
 *
 * @param seconds The seconds
 * @param clock Measures them
 * @param signals End the wait, which then rejects with the reason
 * @throws {UnexpectedValueError} If the seconds or a signal are not valid
 */
export async function sleep(
  seconds: number,
  clock: Clock,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  checkedSeconds("seconds", seconds);
  const given = signals.map((each) => checkedSignal("signal", each));
  const scope = new AbortScope(given.filter((each) => each !== undefined), undefined, clock);
  try {
    scope.throwIfAborted();
    await delay(seconds, clock, scope);
  } finally {
    scope.settle();
  }
}

/**
 * Returns a signal that aborts with any of these signals, of which undefined and null are none. They may
 * be of another realm or a package.
 *
 * @throws {UnexpectedValueError} If one is not a signal
 */
export function joinedSignal(
  ...signals: readonly (AbortSignal | null | undefined)[]
): AbortSignal | undefined {
  const own = new Set(signals.map((each) => checkedSignal("signal", each)));
  own.delete(undefined);
  const [first, ...others] = own as Set<AbortSignal>;
  return others.length === 0 ? first : AbortSignal.any([first!, ...others]);
}

function ignore(): void {}

/** Called with the reason of an aborted signal. */
type AbortListener = (reason: unknown) => void;

/** The listeners of each signal. The signal itself has one event listener for all of them. */
const listeners = new WeakMap<AbortSignal, Set<AbortListener>>();

/**
 * Adds a listener to a signal, which many calls may share: Node warns of a leak if a signal has more
 * than ten event listeners.
 *
 * @param signal A signal that is not aborted
 * @param listener Called once
 */
export function listen(signal: AbortSignal, listener: AbortListener): void {
  const all = listeners.get(signal);
  if (all !== undefined) {
    all.add(listener);
    return;
  }
  listeners.set(signal, new Set([listener]));
  signal.addEventListener("abort", notify);
}

/** Removes a listener from a signal. */
export function unlisten(signal: AbortSignal, listener: AbortListener): void {
  const all = listeners.get(signal);
  all?.delete(listener);
  if (all?.size !== 0) return;
  listeners.delete(signal);
  signal.removeEventListener("abort", notify);
}

function notify({ target }: Event): void {
  const signal = target as AbortSignal;
  const failures: unknown[] = [];
  // Listeners remove themselves when they are called.
  for (const listener of [...listeners.get(signal) ?? []]) {
    try {
      listener(signal.reason);
    } catch (error) {
      failures.push(error); // the other listeners must be called, too
    }
  }
  if (failures.length > 0) throw failures[0];
}
