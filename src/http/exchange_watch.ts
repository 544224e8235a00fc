import type { Clock } from "../clock.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { Cancellation } from "./cancellation.ts";
import { responseLike } from "./response.ts";

/** How often silence is looked at within one timeout: it is noticed after 1 to 1.25 timeouts. */
const LOOKS = 4;

/** What an exchange is watched for. */
export interface WatchOptions {
  /** Seconds without data after which it counts as stalled. */
  readonly timeout: number | undefined;
  /** The caller's signal and the deadline. */
  readonly cancellation: Cancellation | undefined;
  /** What silence is measured by. */
  readonly clock: Clock;
  /** Makes an error of the body's stream one that may be shown. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * Ends one exchange, from the request to the last byte of the response's body, when it goes silent
 * or the call is ended; also where the transport does not heed its signal.
 *
 * A chunk only sets a mark that a timer looks at: arming a timer anew for each chunk would cost a
 * hundred times as much. Time in which the caller does not read does not count.
 */
export class ExchangeWatch {
  readonly #options: WatchOptions;
  readonly #controller = new AbortController();
  #interrupt: ((reason: unknown) => void) | undefined;
  #cancelLook: (() => void) | undefined;
  #isWaiting = false;
  #hasHeard = false;
  #silentLooks = 0;

  /** @param options What the exchange is watched for */
  constructor(options: WatchOptions) {
    this.#options = options;
    options.cancellation?.interrupts((reason) => this.#end(reason));
  }

  /** Sends a request and gives the response with a body that is watched. */
  async exchange(send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    try {
      return this.#watched(await this.#headers(send));
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Waits for the headers. */
  #headers(send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      this.#interrupt = (reason) => {
        isOver = true;
        reject(reason);
      };
      this.#waitBegins();
      send(this.#controller.signal).then((response) => {
        this.#waitEnds();
        // A transport that did not heed the signal answers too late: nobody will read this body.
        if (isOver) response.body?.cancel().catch(() => {});
        resolve(response);
      }, reject);
    });
  }

  /** The response with a body that fails when the exchange is ended. */
  #watched(response: Response): Response {
    if (response.body === null) {
      this.#release();
      return response;
    }
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#interrupt = (reason) => {
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
          this.#release();
          controller.close();
        } catch (error) {
          this.#release();
          controller.error(this.#options.explain(error));
        }
      },
      cancel: (reason) => {
        this.#release();
        return reader.cancel(reason);
      },
    }, { highWaterMark: 0 });
    return responseLike(response, body);
  }

  #waitBegins(): void {
    this.#isWaiting = true;
    if (this.#cancelLook === undefined && this.#options.timeout !== undefined) {
      this.#silentLooks = 0;
      this.#lookLater(this.#options.timeout);
    }
  }

  #waitEnds(): void {
    this.#isWaiting = false;
    this.#hasHeard = true;
  }

  #lookLater(timeout: number): void {
    this.#cancelLook = this.#options.clock.after(timeout / LOOKS, () => {
      this.#cancelLook = undefined;
      const isSilent = this.#isWaiting && !this.#hasHeard;
      this.#hasHeard = false;
      this.#silentLooks = isSilent ? this.#silentLooks + 1 : 0;
      if (this.#silentLooks === LOOKS) {
        const silence = new TransportError(`no data for ${timeout} s`, { kind: "timeout" });
        this.#end(this.#options.explain(silence));
      } else if (this.#isWaiting) this.#lookLater(timeout);
    });
  }

  /** Ends the exchange from outside. */
  #end(reason: unknown): void {
    const interrupt = this.#interrupt;
    this.#release();
    this.#controller.abort(reason);
    interrupt?.(reason);
  }

  /** Lets go of the timer and of the call: nothing is under way any more. */
  #release(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#interrupt = undefined;
    this.#options.cancellation?.interrupts(undefined);
  }
}
