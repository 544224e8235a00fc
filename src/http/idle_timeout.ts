import type { Clock } from "../clock.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { Cancellation } from "./cancellation.ts";
import { type BodyFailure, withBodyError } from "./body_error.ts";
import { discard, responseLike } from "./response.ts";
import type { Transport, TransportInit } from "./transport.ts";

/** How often silence is looked at within one timeout: it is noticed after 1 to 1.25 timeouts. */
const CHECKS_PER_TIMEOUT = 4;

/** The call that an exchange belongs to. */
export interface WatchedCall {
  /** The caller's signal and the deadline. */
  readonly cancellation: Cancellation | undefined;
  /** Makes an error of the transport one that may be shown. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * Ends one exchange, from the request to the last byte of the response's body, when it goes silent
 * or the call is ended; also where the transport does not heed its signal.
 *
 * A chunk only sets a mark that a timer looks at: arming a timer anew for each chunk would cost a
 * hundred times as much. Time in which the caller does not read does not count.
 */
export class IdleTimeout {
  readonly #timeout: number | undefined;
  readonly #clock: Clock;
  readonly #call: WatchedCall;
  readonly #controller = new AbortController();
  #interrupt: ((reason: unknown) => void) | undefined;
  #cancelCheck: (() => void) | undefined;
  #isWaiting = false;
  #hasHeard = false;
  #silentChecks = 0;

  /**
   * @param timeout Seconds without data after which it counts as stalled
   * @param clock What silence is measured by
   * @param call The call that it belongs to
   */
  constructor(timeout: number | undefined, clock: Clock, call: WatchedCall) {
    this.#timeout = timeout;
    this.#clock = clock;
    this.#call = call;
    call.cancellation?.onAbort((reason) => this.#end(reason));
  }

  /** Sends by a transport, and waits for the headers. */
  send(transport: Transport, url: string, init: TransportInit): Promise<Response> {
    // An adapter may answer without a promise, and after everybody has gone.
    return this.wait(async (signal) => await transport(url, { ...init, signal }), discard);
  }

  /**
   * Waits for the next thing that the other end does: the headers, or a chunk of the body.
   *
   * @param work Begins it
   * @param late Clears away what comes when nobody waits any more
   */
  wait<T>(work: (signal: AbortSignal) => Promise<T>, late?: (result: T) => void): Promise<T> {
    const { signal } = this.#controller;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.#interrupt = reject;
      this.#waitBegins();
      work(signal).then((result) => {
        if (signal.aborted) late?.(result);
        this.#waitEnds();
        resolve(result);
      }, reject);
    });
  }

  /**
   * Goes on with something that is not the other end's, such as a scheme that looks up a token:
   * silence does not count, the end of the call does.
   *
   * @param work What goes on; the response of one that comes too late is let go
   */
  guard(work: Promise<Response>): Promise<Response> {
    const { signal } = this.#controller;
    return new Promise((resolve, reject) => {
      // The signal is this exchange's own, and goes with it.
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      work.then((response) => {
        if (signal.aborted) discard(response);
        resolve(response);
      }, reject);
    });
  }

  /** A response for the caller to read: its body fails when the exchange is ended. */
  toResponse(response: Response): Response {
    const { signal } = this.#controller;
    if (signal.aborted) {
      discard(response);
      throw signal.reason;
    }
    if (response.body === null) {
      this.release();
      return response;
    }
    // Until the caller begins to read nobody waits, and no timer keeps the program alive.
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
    const failure: BodyFailure = {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#interrupt = (reason) => {
          failure.reason = { error: reason };
          controller.error(reason);
          reader.cancel(reason).catch(() => {});
        };
      },
      pull: async (controller) => {
        this.#waitBegins();
        try {
          const { done, value } = await reader.read();
          this.#waitEnds();
          if (!done) return controller.enqueue(value);
          this.release();
          controller.close();
        } catch (error) {
          this.release();
          failure.reason ??= { error: this.#call.explain(error) };
          controller.error(failure.reason.error);
        }
      },
      cancel: (reason) => {
        this.release();
        return reader.cancel(reason);
      },
    }, { highWaterMark: 0 });
    return withBodyError(responseLike(response, body), failure);
  }

  /** The exchange is over: lets go of the timer and of the call. */
  release(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    this.#interrupt = undefined;
    this.#call.cancellation?.onAbort(undefined);
  }

  #waitBegins(): void {
    this.#isWaiting = true;
    if (this.#cancelCheck === undefined && this.#timeout !== undefined) {
      this.#silentChecks = 0;
      this.#checkLater(this.#timeout);
    }
  }

  #waitEnds(): void {
    this.#isWaiting = false;
    this.#hasHeard = true;
  }

  #checkLater(timeout: number): void {
    this.#cancelCheck = this.#clock.after(timeout / CHECKS_PER_TIMEOUT, () => {
      this.#cancelCheck = undefined;
      const isSilent = this.#isWaiting && !this.#hasHeard;
      this.#hasHeard = false;
      this.#silentChecks = isSilent ? this.#silentChecks + 1 : 0;
      if (this.#silentChecks === CHECKS_PER_TIMEOUT) {
        const silence = new TransportError(`no data for ${timeout} s`, { kind: "timeout" });
        this.#end(this.#call.explain(silence));
      } else if (this.#isWaiting) this.#checkLater(timeout);
    });
  }

  /** Ends the exchange from outside. */
  #end(reason: unknown): void {
    const interrupt = this.#interrupt;
    this.release();
    this.#controller.abort(reason);
    interrupt?.(reason);
  }
}
