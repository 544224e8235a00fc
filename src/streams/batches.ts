/** Hands on items one by one that arrive in batches. */

/** The body that batches are read from. */
export interface BatchSource {
  /** True if the consumer needs no more items. */
  readonly isCancelled: boolean;
  /** The number of items that have been handed on. */
  count: number;
  /** Ends the body. It may have ended already. */
  cancel(): void;
}

/**
 * The items that have arrived together. Each one is converted when it is handed on, so that an error
 * is thrown after the items before it.
 */
export type ItemBatch<T> = Iterator<T | Promise<T>, void, undefined>;

/**
 * Iterates over the items of batches.
 *
 * A chunk often has hundreds of items. An async generator would take three promises for each of them;
 * this takes one, unless the batch ends or the item itself is a promise.
 */
export class BatchItems<T> implements AsyncIterableIterator<T, void, undefined> {
  readonly #batches: AsyncGenerator<ItemBatch<T>, void, undefined>;
  readonly #source: BatchSource;
  #batch: ItemBatch<T> | undefined;
  /** The last call that waits. Calls that follow it wait for their turn. */
  #waiting: Promise<unknown> | undefined;

  /**
   * @param batches The batches. The next one is read when the last one has no more items
   * @param source The body that they are read from
   */
  constructor(batches: AsyncGenerator<ItemBatch<T>, void, undefined>, source: BatchSource) {
    this.#batches = batches;
    this.#source = source;
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#waiting === undefined && this.#batch !== undefined && !this.#source.isCancelled) {
      try {
        const next = this.#batch.next();
        if (next.done !== true) {
          if (next.value instanceof Promise) return this.#inTurn(() => this.#deliver(next.value));
          this.#source.count++;
          return Promise.resolve(next as IteratorYieldResult<T>);
        }
        this.#batch = undefined;
      } catch (error) {
        return this.#inTurn(() => this.#fail(error));
      }
    }
    return this.#inTurn(() => this.#read());
  }

  return(): Promise<IteratorResult<T, void>> {
    return this.#inTurn(() => this.#end());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Starts a call that waits, after the one before it. */
  #inTurn<R>(start: () => Promise<R>): Promise<R> {
    const result = this.#waiting === undefined ? start() : this.#waiting.then(start, start);
    this.#waiting = result;
    const settle = () => {
      if (this.#waiting === result) this.#waiting = undefined;
    };
    result.then(settle, settle);
    return result;
  }

  /** Returns the next item, of the next batch if need be. */
  async #read(): Promise<IteratorResult<T, void>> {
    try {
      while (!this.#source.isCancelled) {
        const next = this.#batch?.next();
        if (next !== undefined && next.done !== true) return await this.#deliver(next.value);
        const { done, value } = await this.#batches.next();
        if (done) return { done, value };
        this.#batch = value;
      }
      return await this.#end();
    } catch (error) {
      return await this.#fail(error);
    }
  }

  async #deliver(item: T | Promise<T>): Promise<IteratorResult<T, void>> {
    try {
      const value = await item;
      this.#source.count++;
      return { done: false, value };
    } catch (error) {
      return await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<never> {
    await this.#end();
    throw error;
  }

  async #end(): Promise<IteratorReturnResult<void>> {
    this.#source.cancel();
    this.#batch = undefined;
    await this.#batches.return();
    return { done: true, value: undefined };
  }
}
