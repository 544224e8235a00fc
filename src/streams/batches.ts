/** Hands on items one by one that arrive in batches. */
import { isPromise } from "../base/checks.ts";

/** The body that batches are read from. */
export interface BatchSource {
  /** True if the consumer needs no more items. */
  readonly isCancelled: boolean;
  /** The number of items that have been handed on. */
  count: number;
  /** Ends the body, so that a read that waits returns. It may have ended already. */
  cancel(): void;
}

/**
 * The items that have arrived together. Each one is converted when it is handed on, so that an error
 * is thrown after the items before it.
 */
export type ItemBatch<T> = Iterator<T | PromiseLike<T>, void, undefined>;

/** An iterator that can have items which need no promise, because they have arrived already. */
export interface ReadyItems<T> extends AsyncIterator<T, void, undefined> {
  /**
   * Returns the next item if it is there. Otherwise, it returns undefined: then `next` has to be called,
   * which returns the item, the end or the error.
   */
  nextReady(): IteratorYieldResult<T> | undefined;
}

/**
 * Iterates over the items of batches.
 *
 * A chunk often has hundreds of items. An async generator would take three promises for each of them;
 * this takes one, unless the batch ends or the item itself is a promise.
 */
export class BatchItems<T> implements AsyncIterableIterator<T, void, undefined>, ReadyItems<T> {
  readonly #batches: AsyncGenerator<ItemBatch<T>, void, undefined>;
  readonly #source: BatchSource;
  #batch: ItemBatch<T> | undefined;
  /** The next item, or its error, if it is not there at once. */
  #awaited: PromiseLike<T> | undefined;
  /** True if `return` has ended the body. Calls before it still get the items that have arrived. */
  #isReturned = false;
  /** Fulfilled at the end of the last call that waits. Calls that follow it wait for their turn. */
  #lastCall: Promise<void> | undefined;

  /**
   * @param batches The batches. The next one is read when the last one has no more items
   * @param source The body that they are read from. It is cancelled after the last item
   */
  constructor(batches: AsyncGenerator<ItemBatch<T>, void, undefined>, source: BatchSource) {
    this.#batches = batches;
    this.#source = source;
  }

  next(): Promise<IteratorResult<T, void>> {
    const ready = this.nextReady();
    return ready === undefined ? this.#inTurn(() => this.#read()) : Promise.resolve(ready);
  }

  nextReady(): IteratorYieldResult<T> | undefined {
    return this.#lastCall === undefined ? this.#take() : undefined;
  }

  /**
   * Ends the body at once. Calls of `next` before it still get the items of the chunk that has been read.
   * Those that wait for another chunk return the end.
   */
  return(): Promise<IteratorResult<T, void>> {
    this.#isReturned ||= !this.#source.isCancelled;
    this.#source.cancel();
    return this.#inTurn(() => this.#end());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Starts a call that waits, after the one before it. The promise of each call is only the caller's, so
   * that the runtime reports an error that nobody handles.
   */
  async #inTurn<R>(start: () => Promise<R>): Promise<R> {
    const before = this.#lastCall;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastCall = promise;
    try {
      if (before !== undefined) await before;
      return await start();
    } finally {
      if (this.#lastCall === promise) this.#lastCall = undefined;
      resolve();
    }
  }

  /** True if the stream has been cancelled, so that nobody gets the items that have arrived. */
  get #isDropped(): boolean {
    return this.#source.isCancelled && !this.#isReturned;
  }

  /** Returns the next item of the batch; undefined if there is none, or if it has to be awaited. */
  #take(): IteratorYieldResult<T> | undefined {
    if (this.#batch === undefined || this.#awaited !== undefined || this.#isDropped) {
      return undefined;
    }
    try {
      const next = this.#batch.next();
      if (next.done === true) this.#batch = undefined;
      else if (isPromise(next.value)) this.#awaited = next.value as PromiseLike<T>;
      else {
        this.#source.count++;
        return next as IteratorYieldResult<T>;
      }
    } catch (error) {
      this.#awaited = Promise.reject(error);
    }
    return undefined;
  }

  /** Returns the next item, of the next batch if need be. */
  async #read(): Promise<IteratorResult<T, void>> {
    const source = this.#source;
    try {
      while (!this.#isDropped) {
        const ready = this.#take();
        if (ready !== undefined) return ready;
        if (this.#awaited !== undefined) {
          const value = await this.#awaited;
          this.#awaited = undefined;
          source.count++;
          return { done: false, value };
        }
        const { done, value } = await this.#batches.next();
        if (done) break;
        this.#batch = value;
      }
    } catch (error) {
      // An error after the consumer has ended the body is a consequence of that.
      if (!source.isCancelled) {
        await this.#end();
        throw error;
      }
    }
    return await this.#end();
  }

  async #end(): Promise<IteratorReturnResult<void>> {
    this.#source.cancel();
    this.#batch = this.#awaited = undefined;
    await this.#batches.return();
    return { done: true, value: undefined };
  }
}
