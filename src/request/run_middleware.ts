import { followRedirects } from "#redirects";
import { checkedSignal } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders } from "../http/headers.ts";
import { noBody, type RequestBody, uploadBodyOf } from "../http/request_body.ts";
import { discard } from "../http/response.ts";
import type { Attempt } from "../http/send.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { splitUrl } from "../http/url.ts";
import { prepareContent } from "./body.ts";
import { checkedMethod } from "./build.ts";
import { identityOf } from "./identity.ts";
import type { Middleware, MiddlewareRequest, RequestContext } from "./middleware.ts";

/**
 * Runs functions around another one. The first one is outermost.
 *
 * @param option The option with the functions, for errors
 * @param list The functions
 * @param last The innermost function
 * @param input The input of the first one
 * @throws {UnexpectedValueError} If a function calls `next` twice
 */
export function compose<I extends object, O>(
  option: string,
  list: readonly ((input: I, next: (input: I) => Promise<O>) => Promise<O>)[],
  last: (input: I) => Promise<O>,
  input: I,
): Promise<O> {
  const run = async (index: number, current: I): Promise<O> => {
    const middleware = list[index];
    if (middleware === undefined) return await last(current);
    let isCalled = false;
    const next = async (following: I): Promise<O> => {
      const name = `${option}[${index}]`;
      if (isCalled) {
        const expected =
          "a function that calls next() once at most; use the retry options to retry";
        throw new UnexpectedValueError(name, expected, middleware);
      }
      isCalled = true;
      if (typeof following === "object" && following !== null) {
        return await run(index + 1, following);
      }
      const expected = "a function that passes its first parameter to next(), or one like it";
      throw new UnexpectedValueError(name, expected, following);
    };
    return await middleware(current, next);
  };
  return run(0, input);
}

/**
 * Sends the request of an attempt through the middleware.
 *
 * @param attempt The attempt
 * @param list The middleware
 * @param context The values of the call
 * @param retries The number of retries so far
 * @throws {UnexpectedValueError} If a middleware calls `next` twice, does not return a response, or
 * changes the request to one that is not valid
 */
export async function attemptThroughMiddleware(
  attempt: Attempt,
  list: readonly Middleware[],
  context: RequestContext,
  retries: number,
): Promise<Response> {
  const { call, signal } = attempt;
  const body = contentOf(call.body);
  let sent: Response | undefined;
  const request: MiddlewareRequest = {
    method: call.method,
    url: call.url,
    headers: { ...call.headers },
    body,
    signal,
    context,
    attempt: retries + 1,
    get identity() {
      return identityOf(attempt);
    },
  };
  const transport = async (changed: MiddlewareRequest): Promise<Response> => {
    const own = attemptOf(attempt, changed, body);
    try {
      return sent = await followRedirects(own);
    } catch (error) {
      if (own.upload?.failure !== undefined) throw own.upload.failure.error;
      throw toTransportError(error, { request: call.summary, retries });
    } finally {
      // Errors hide the secrets that were sent.
      const { sentUrl, sentHeaders } = own.call;
      Object.assign(call, { sentUrl, sentHeaders });
    }
  };
  const checked = list.map((middleware, index): Middleware => async (changed, next) => {
    const response: unknown = await middleware(changed, next);
    // If another middleware throws, the last response is discarded, which may wrap the others.
    if (response instanceof Response) return sent = response;
    throw new UnexpectedValueError(
      `middleware[${index}]`,
      "a function that returns a Response, such as that of next()",
      response,
    );
  });
  try {
    return await compose("middleware", checked, transport, request);
  } catch (error) {
    if (sent !== undefined) discard(sent);
    throw error;
  }
}

/** Returns the body of a call for middleware. */
function contentOf(body: RequestBody): MiddlewareRequest["body"] {
  if (body.kind === "none") return undefined;
  return body.kind === "opened" ? body.open : body.content;
}

/**
 * Returns the attempt with the request that the middleware passed on.
 *
 * @throws {UnexpectedValueError} If a part of it is not valid
 */
function attemptOf(
  attempt: Attempt,
  { method, url, headers, body, signal }: MiddlewareRequest,
  before: MiddlewareRequest["body"],
): Attempt {
  const { call } = attempt;
  const changed = {
    ...call,
    method: checkedMethod(method),
    url: url === call.url ? url : checkedUrl(url),
    headers: checkedHeaders(headers, "request.headers"),
    body: body === before ? call.body : preparedBody(body),
  };
  return {
    ...attempt,
    call: changed,
    upload: body === before ? attempt.upload : uploadBodyOf(changed.body),
    sentSignal: joinedSignal(attempt.signal, checkedSignal("request.signal", signal)),
  };
}

function checkedUrl(url: string): string {
  const split = splitUrl(url, "request.url");
  if (split.authorization === undefined) return split.url;
  const expected = "a URL without a user name and a password; set the header authorization";
  throw new UnexpectedValueError("request.url", expected, url);
}

function preparedBody(body: MiddlewareRequest["body"]): RequestBody {
  if (body === undefined) return noBody;
  if (body instanceof FormData || body instanceof URLSearchParams) {
    return { kind: "whole", content: body };
  }
  return prepareContent(body, "request.body");
}

/** Returns a signal for the transport that aborts with the attempt and with the middleware. */
function joinedSignal(
  signal: AbortSignal | undefined,
  changed: AbortSignal | undefined,
): AbortSignal | undefined {
  if (signal === undefined || changed === undefined || changed === signal) return signal ?? changed;
  return AbortSignal.any([signal, changed]);
}
