/** The promise of a call in clients with resources. */
import type { CallContext } from "../call/call.ts";
import { type APIPromise, callPromise } from "../call/api_promise.ts";
import type { ReadyItems } from "../streams/batches.ts";
import { Stream } from "./stream.ts";

/** The arguments of `then`. */
type ThenArguments = Parameters<Promise<unknown>["then"]>;

/**
 * The parts of the promise of a call.
 *
 * @category Resources
 */
export interface CallParts<T> {
  /** Returns the promise of the result, the same one each time. */
  readonly result: () => Promise<T>;
  /** Returns the response. */
  readonly response: () => Promise<Response>;
}

/**
 * The promise of a call: await it for the result, or ask it for the response. Generated clients export
 * it as `APIPromise`.
 *
 * @category Resources
 */
export class ResourcePromise<T> extends Promise<T> {
  readonly #call: CallParts<T>;

  static {
    // It keeps the type of `then`, in which the reason is not unknown.
    const then = function (this: ResourcePromise<unknown>, ...functions: ThenArguments) {
      return this.#call.result().then(...functions);
    };
    Object.defineProperty(this.prototype, "then", {
      value: then,
      configurable: true,
      writable: true,
    });
  }

  /**
   * Builds the promise.
   *
   * @param call The result and the response
   */
  constructor(call: CallParts<T>) {
    // The result comes from `then`, so that a response nobody reads as a result is not parsed.
    super((resolve) => resolve(undefined as T));
    this.#call = call;
  }

  /** The class of the promises that `then`, `catch` and `finally` return. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The name of the class. */
  override get [Symbol.toStringTag](): string {
    return "ResourcePromise";
  }

  /**
   * Returns the response. Its body can be read, also if the promise is awaited, too. The response to a
   * stream has a body that nothing has read; then the promise itself must not be awaited.
   */
  asResponse(): Promise<Response> {
    return this.#call.response();
  }

  /**
   * Returns the result, the response with an unread copy of its body, and the id of the request, from
   * the header `x-request-id`; null without it.
   */
  async withResponse(): Promise<{
    readonly data: T;
    readonly response: Response;
    readonly request_id: string | null;
  }> {
    const data = await this;
    const response = data instanceof Response ? data : await this.asResponse();
    return { data, response, request_id: response.headers.get("x-request-id") };
  }

  /**
   * Returns the promise of a converted result, for methods that are written by hand. Unlike `then`, it
   * keeps `asResponse()` and `withResponse()`.
   *
   * @param convert Converts the result. If it throws, the promise rejects
   */
  _thenUnwrap<U>(
    convert: (data: T, props: { readonly response: Response }) => U | PromiseLike<U>,
  ): ResourcePromise<U> {
    return new ResourcePromise<U>({
      result: once(async () => {
        const { data, response } = await this.withResponse();
        return await convert(data, { response });
      }),
      response: () => this.asResponse(),
    });
  }
}

/** Returns a function that calls another one once, and keeps its result. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => made ??= make();
}

/** A call that was sent, and what its promise needs. */
export interface SentCall {
  /** The promise of the toolkit, with the context of the call. */
  readonly promise: Promise<unknown>;
  readonly context: CallContext;
  /** Ends a stream. */
  readonly controller: AbortController | undefined;
  /** Converts an error of a stream. */
  readonly toError: (error: unknown) => unknown;
  /** Takes the result out of the body; undefined if the body is the result. */
  readonly unwrap: ((body: unknown) => unknown) | undefined;
}

/** Returns the promise of a call. */
export function resourcePromise<T>(call: SentCall): ResourcePromise<T> {
  const { context, controller, toError, unwrap } = call;
  const sent = callPromise(call.promise, context) as APIPromise<T>;
  if (controller === undefined) {
    return new ResourcePromise<T>({
      result: unwrap === undefined
        ? () => sent
        : once(() => sent.then((body) => unwrap(body) as T)),
      response: once(async () => (await sent.withResponse()).response),
    });
  }
  return new ResourcePromise<T>({
    result: once(async () => {
      const items = new CallItems(await sent as AsyncIterable<unknown>, toError, controller.signal);
      return new Stream(items, controller) as T;
    }),
    response() {
      sent.catch(() => {}); // `asResponse` takes the response, so that there is no stream
      return sent.asResponse();
    },
  });
}

/** The data of events, or the items of another format. An async generator would take longer. */
class CallItems implements AsyncIterable<unknown>, ReadyItems<unknown> {
  readonly #items: AsyncIterator<unknown> & Partial<ReadyItems<unknown>>;
  readonly #toError: (error: unknown) => unknown;
  readonly #signal: AbortSignal;

  /**
   * @param items The items
   * @param toError Converts an error
   * @param signal The signal of the stream
   */
  constructor(
    items: AsyncIterable<unknown>,
    toError: (error: unknown) => unknown,
    signal: AbortSignal,
  ) {
    this.#items = items[Symbol.asyncIterator]();
    this.#toError = toError;
    this.#signal = signal;
  }

  nextReady(): IteratorYieldResult<unknown> | undefined {
    const ready = this.#items.nextReady?.();
    return ready && { done: false, value: dataOf(ready.value) };
  }

  async next(): Promise<IteratorResult<unknown, void>> {
    try {
      const { done, value } = await this.#items.next();
      return done ? end : { done: false, value: dataOf(value) };
    } catch (error) {
      // A caller that ends the stream expects no error.
      if (this.#signal.aborted && error === this.#signal.reason) return end;
      throw this.#toError(error);
    }
  }

  async return(): Promise<IteratorResult<unknown, void>> {
    await this.#items.return?.();
    return end;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const end: IteratorReturnResult<void> = { done: true, value: undefined };

/** Returns the data of an event, or any other item. */
function dataOf(item: unknown): unknown {
  return isEvent(item) ? item.data : item;
}

/** Reports if an item is a server-sent event, whose data is the item. */
function isEvent(item: unknown): item is { readonly data: unknown } {
  const { event, id } = Object(item);
  return typeof event === "string" && typeof id === "string" && "retry" in Object(item);
}
