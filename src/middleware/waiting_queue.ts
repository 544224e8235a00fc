/** The queue in which requests wait for a limit, and which aborted ones leave. */
import { listen, unlisten } from "../http/abort.ts";
import { discardBody } from "../http/response.ts";

interface Waiter<T> {
  readonly resolve: (turn: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Requests that wait for their turn, in order. Each gets a value when its wait ends. */
export class WaitingQueue<T = void> {
  readonly #waiters = new Set<Waiter<T>>();

  /** The number of requests that wait. */
  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Waits for the turn of a request.
   *
   * @param signal Aborts the request, which then leaves the queue
   * @throws The reason of the signal, or the error of `rejectAll`
   */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter = { resolve, reject };
    this.#waiters.add(waiter);
    // It leaves at once, so that it does not get a turn that nobody uses.
    const onAbort = (reason: unknown) => {
      this.#waiters.delete(waiter);
      reject(reason);
    };
    signal && listen(signal, onAbort);
    try {
      return await promise;
    } finally {
      signal && unlisten(signal, onAbort);
    }
  }

  /** Ends the wait of the first request. */
  releaseFirst(turn: T): void {
    const [first] = this.#waiters;
    if (first === undefined) return;
    this.#waiters.delete(first);
    first.resolve(turn);
  }

  /** Ends the wait of every request with an error of its own. */
  rejectAll(createError: () => Promise<Error>): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const { reject } of waiters) createError().then(reject, reject);
  }
}

/**
 * Awaits a result, but not for longer than the request lasts: some transports ignore their signal.
 *
 * @param work The result; a response that comes too late is discarded
 * @param signal Aborts the request
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (reason: unknown) => {
    reject(reason);
    work.then((late) => late instanceof Response && discardBody(late), () => {});
  };
  if (signal.aborted) onAbort(signal.reason);
  else listen(signal, onAbort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    unlisten(signal, onAbort);
  }
}
