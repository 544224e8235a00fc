import { SessionStateError } from "./errors/session_state_error.ts";
import type { RequestOptions } from "./options/types.ts";
import { CALL_CONTEXT, type CallContext } from "./request/call.ts";
import { responseLike } from "./http/response.ts";

/**
 * The promise of a call's result. It is a promise like any other, with one method more.
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
}

/**
 * Makes a call whose response can be asked for.
 *
 * The call leaves it in a context that goes along with the keywords. A call that does not ask pays for
 * the copy of its keywords and for two properties of its promise, 0.2 to 0.4 µs on Deno and on Bun;
 * a method of its own for each promise would be 1 µs more on V8, and a subclass of Promise as much.
 *
 * @param call Makes the call
 * @param options The keywords
 */
export function withResponse(
  call: (options: RequestOptions) => Promise<unknown>,
  options: RequestOptions | undefined,
): APIPromise<unknown> {
  const context: CallContext = { response: undefined, body: undefined };
  let promise = call(
    { ...options, [CALL_CONTEXT]: context } as RequestOptions,
  ) as PromiseWithContext;
  // An override may give one promise to several calls; each has a context of its own.
  if (promise[CALL_CONTEXT] !== undefined) {
    promise = promise.then((value) => value) as PromiseWithContext;
  }
  promise[CALL_CONTEXT] = context;
  promise.withResponse = dataWithResponse;
  return promise;
}

/** A promise and the context of its call. */
interface PromiseWithContext extends APIPromise<unknown> {
  [CALL_CONTEXT]?: CallContext;
}

/** The method of every such promise; one for all. */
async function dataWithResponse(
  this: PromiseWithContext,
): ReturnType<APIPromise<unknown>["withResponse"]> {
  const data = await this;
  const { response, body } = this[CALL_CONTEXT] ?? {};
  if (response === undefined) {
    throw new SessionStateError(
      "there is no response: an override of _req must pass the options that it receives to super._req",
    );
  }
  return { data, response: body === undefined ? response : responseLike(response, body) };
}
