/** The promise of a call in clients with resources. */
import type { CallContext } from "../call/call.ts";
import { callPromise } from "../call/api_promise.ts";
import type { ReadyItems } from "../streams/batches.ts";
import { Stream } from "./stream.ts";

/**
 * The promise of a call: await it for the result, or ask it for the response.
 *
 * @category Resources
 */
export interface ResourcePromise<T> extends Promise<T> {
  /**
   * Returns the response. Its body can be read, also if the promise is awaited, too. The response to a
   * stream has a body that nothing has read; then the promise itself must not be awaited.
   */
  asResponse(): Promise<Response>;
  /**
   * Returns the result, the response with an unread copy of its body, and the id of the request, from
   * the header `x-request-id`; null without it.
   */
  withResponse(): Promise<{
    readonly data: T;
    readonly response: Response;
    readonly request_id: string | null;
  }>;
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
  const sent = callPromise(call.promise, context);
  if (controller === undefined) {
    const { withResponse: receive } = sent;
    let response: Promise<Response> | undefined;
    const asResponse = () => response ??= receive.call(sent).then((both) => both.response);
    return withMethods(unwrap === undefined ? sent : sent.then(unwrap), asResponse);
  }
  const stream = sent.then((items) =>
    new Stream(
      new CallItems(items as AsyncIterable<unknown>, toError, controller.signal),
      controller,
    )
  );
  const { asResponse } = sent;
  return withMethods(stream, () => {
    stream.catch(() => {}); // `asResponse` takes the response, so that there is no stream
    return asResponse.call(sent);
  });
}

/** Adds the methods to a promise. */
export function withMethods<T>(
  promise: Promise<unknown>,
  asResponse: () => Promise<Response>,
): ResourcePromise<T> {
  const withBoth = async (): ReturnType<ResourcePromise<unknown>["withResponse"]> => {
    const data = await promise;
    const response = data instanceof Response ? data : await asResponse();
    return { data, response, request_id: response.headers.get("x-request-id") };
  };
  return Object.assign(promise, {
    asResponse,
    withResponse: withBoth,
  }) as unknown as ResourcePromise<T>;
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
