/** The promise of a call in clients with resources. */
import type { CallContext } from "../call/call.ts";
import { callPromise } from "../call/api_promise.ts";
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
    new Stream(itemsIn(items as AsyncIterable<unknown>, toError, controller.signal), controller)
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

/** Iterates over the data of events, or the items of another format. */
async function* itemsIn(
  items: AsyncIterable<unknown>,
  toError: (error: unknown) => unknown,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  try {
    for await (const item of items) yield isEvent(item) ? item.data : item;
  } catch (error) {
    // A caller that ends the stream expects no error.
    if (signal.aborted && error === signal.reason) return;
    throw toError(error);
  }
}

/** Reports if an item is a server-sent event, whose data is the item. */
function isEvent(item: unknown): item is { readonly data: unknown } {
  const { event, id } = Object(item);
  return typeof event === "string" && typeof id === "string" && "retry" in Object(item);
}
