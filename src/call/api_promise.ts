/** Makes the promise of a call: one with the response, and for a stream one with its items. */
import type { ItemStream } from "../content/stream_format.ts";
import { SessionStateError } from "../errors/session_state_error.ts";
import { responseLike } from "../http/response.ts";
import { CALL_CONTEXT, type CallContext } from "./call.ts";

/**
 * The promise of a call's result. It is a promise like any other, with three more methods.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 *
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(Response.json([1, 2], { headers: { "x-total": "9" } })),
 * });
 * const call = session.get<number[]>("numbers", { convJson: true });
 * const { data, response } = await call.withResponse();
 * console.log(data.length, response.headers.get("x-total")); // 2 9
 * ```
 *
 * @category Responses
 */
export interface APIPromise<T> extends Promise<T> {
  /**
   * Returns the result and the response that it came with. If the toolkit has read the body, the
   * response still has an unread copy of it.
   */
  withResponse(): Promise<{ readonly data: T; readonly response: Response }>;
  /**
   * Returns the response as soon as its headers are there, instead of the result. Its body is not read
   * and not converted. Call it at once, and do not also await the promise itself: that one rejects with
   * a `SessionStateError`.
   *
   * An error status is thrown as usual. If the body has been read already, the response has a copy.
   *
   * @example `const response = await client.export(7).asResponse()`
   */
  asResponse(): Promise<Response>;
  /**
   * Returns the promise of a converted result. Unlike `then`, it keeps `withResponse()`.
   *
   * @param convert Converts the result. If it throws, the promise rejects
   *
   * @example `return this._get<Page>(path, { convJson: true }).map((page) => page.items)`
   */
  map<U>(convert: (data: T) => U | PromiseLike<U>): APIPromise<U>;
}

/**
 * The promise of a stream. Read the items from it directly, or `await` the stream for its `cancel()`.
 *
 * If the call fails, so does the loop. Leaving the loop cancels the stream. The items can be read once.
 *
 * @typeParam T An item
 * @typeParam S The stream, which is the result of the call
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { ndjson, type StreamPromise } from "@restwright/restwright/streams";
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://library.example.com";
 *   titles(): StreamPromise<string> {
 *     return this._get("/titles", { format: ndjson<string>() });
 *   }
 * }
 * const fetch = () => Promise.resolve(new Response('"Emma"\n"Kim"\n'));
 * for await (const title of new Library({ fetch }).titles()) console.log(title); // Emma, then Kim
 * ```
 *
 * @category Responses
 */
export interface StreamPromise<T, S = ItemStream<T>> extends APIPromise<S>, AsyncIterable<T> {}

/**
 * The promise of a result that a format decides. Only that of a stream is async iterable.
 *
 * @internal
 */
export type FormatPromise<R> = [R] extends [AsyncIterable<infer T>] ? StreamPromise<T, R>
  : APIPromise<R>;

/**
 * Adds the methods of {@linkcode APIPromise} to the promise of a call.
 *
 * The call puts its response into a context, which is one of its options. This costs 0.2 to 0.4 µs on
 * Deno and Bun; a method for each promise would cost 1 µs more on V8, and so would a subclass of
 * Promise.
 *
 * @param promise The promise of the call
 * @param context The context that the call received
 * @param isStream True if the promise is async iterable. Default: false
 */
export function callPromise(
  promise: Promise<unknown> & { [CALL_CONTEXT]?: CallContext },
  context: CallContext,
  isStream = false,
): APIPromise<unknown> {
  // An override may return the same promise for several calls. Each has its own context.
  const own = promise[CALL_CONTEXT] === undefined ? promise : promise.then((value) => value);
  // Object.assign() takes 0.1 µs more on Node and Deno, and 0.4 µs on Bun.
  const extended = own as APIPromise<unknown> & { [CALL_CONTEXT]: CallContext };
  extended[CALL_CONTEXT] = context;
  extended.withResponse = dataWithResponse;
  extended.asResponse = takeResponse;
  extended.map = mapData;
  if (isStream) Object.assign(extended, { [Symbol.asyncIterator]: itemsOf });
  return extended;
}

/** The method `[Symbol.asyncIterator]` of the promises of streams. */
function itemsOf(this: Promise<unknown>): AsyncIterator<unknown> {
  this.catch(() => {}); // The first `next()` may be called after the call has failed, and throws then.
  return new PromisedItems(this as Promise<AsyncIterable<unknown>>);
}

/** The items of a stream that is promised. An async generator would take two more promises for each. */
class PromisedItems implements AsyncIterableIterator<unknown> {
  readonly #stream: Promise<AsyncIterable<unknown>>;
  #starting: Promise<AsyncIterator<unknown>> | undefined;
  /** The items, once there is a stream. */
  #items: AsyncIterator<unknown> | undefined;

  constructor(stream: Promise<AsyncIterable<unknown>>) {
    this.#stream = stream;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#items !== undefined) return this.#items.next();
    return this.#start().then((items) => {
      this.#items = items;
      return items.next();
    }, (error) => {
      // If the call fails, there are no items after its error.
      this.#items = noItems;
      throw error;
    });
  }

  return(): Promise<IteratorResult<unknown>> {
    if (this.#items === undefined && this.#starting === undefined) {
      this.#items = noItems;
      // Nobody reads the response, so it ends as soon as there is one.
      this.#stream.then((stream) => stream[Symbol.asyncIterator]().return?.()).catch(() => {});
    }
    const end = async (items: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> =>
      await items.return?.() ?? { done: true, value: undefined };
    if (this.#items !== undefined) return end(this.#items);
    // The calls of next before this one throw the error of the call.
    return this.#start().then(end, () => end(noItems));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits for the stream. All calls that wait go on in their order, before any later one. */
  #start(): Promise<AsyncIterator<unknown>> {
    return this.#starting ??= this.#stream.then((stream) => stream[Symbol.asyncIterator]());
  }
}

const noItems: AsyncIterator<unknown> = {
  next: () => Promise.resolve({ done: true, value: undefined }),
};

/** The method `map` of all these promises. */
function mapData<U>(
  this: Promise<unknown> & { readonly [CALL_CONTEXT]: CallContext },
  convert: (data: unknown) => U | PromiseLike<U>,
): APIPromise<U> {
  return callPromise(this.then(convert), this[CALL_CONTEXT]) as APIPromise<U>;
}

/** The method `asResponse` of all these promises. */
async function takeResponse(
  this: Promise<unknown> & { readonly [CALL_CONTEXT]: CallContext },
): Promise<Response> {
  const context = this[CALL_CONTEXT];
  const { promise, resolve } = Promise.withResolvers<Response>();
  context.takeResponse = resolve;
  // The call may have ended, or the conversion may have read the body already.
  const late = this.then(async () => (await dataWithResponse.call(this)).response);
  return await Promise.race([promise, late]);
}

/** The method `withResponse` of all these promises. */
async function dataWithResponse(
  this: Promise<unknown> & { readonly [CALL_CONTEXT]: CallContext },
): ReturnType<APIPromise<unknown>["withResponse"]> {
  const data = await this;
  const { received } = this[CALL_CONTEXT];
  if (received === undefined) {
    throw new SessionStateError(
      "there is no response: an override of _req must pass the options that it receives to super._req, " +
        "and callMiddleware must call next()",
    );
  }
  const { response, body } = received;
  return { data, response: body === undefined ? response : responseLike(response, body) };
}
