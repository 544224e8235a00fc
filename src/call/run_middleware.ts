/** Runs the middleware around an attempt, and checks the request that it passes on. */
import { followRedirects } from "../http/follow_redirects.ts";
import { joinedSignal } from "../http/abort.ts";
import { checkedSignal } from "../base/checks.ts";
import { messageText } from "../errors/message_text.ts";
import {
  describedAs,
  describeValue,
  UnexpectedValueError,
} from "../errors/unexpected_value_error.ts";
import { keepsCallCredentials } from "../http/credentials.ts";
import { checkedHeaders, type HeaderOverrides } from "../http/headers.ts";
import { noBody, type RequestBody, uploadBodyOf, withTypeOf } from "../http/request_body.ts";
import { discardBody, isResponse, mapBodyError } from "../http/response.ts";
import type { Attempt, HttpCall, NetworkSend } from "../http/send.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { splitUrl } from "../http/url.ts";
import { prepareContent, prepareData } from "../content/body.ts";
import { checkedMethod } from "./build.ts";
import { refuseBody } from "../content/json_body.ts";
import type {
  Middleware,
  MiddlewareRequest,
  NetworkMiddleware,
  RequestContext,
} from "../options/middleware.ts";
import { type CallAttempt, isOwnNetwork, SentRequest } from "./sent_request.ts";

/** A kind of middleware. */
export interface MiddlewareKind<I, O> {
  /** The option with the functions, for errors. */
  readonly option: string;
  /** A description of a valid function, as a noun phrase. */
  readonly expected: string;
  /** Reports if a function may return this value. */
  readonly isOutput: (value: unknown) => value is O;
  /** Called with the input that a function passes on. */
  readonly onNext?: (following: I) => void;
  /** Frees the output of an inner function if an outer one throws. */
  readonly release?: (output: O) => void;
}

/**
 * Runs functions around another one. The first one is outermost.
 *
 * @param kind The kind of the functions
 * @param list The functions
 * @param last The innermost function
 * @param input The input of the first one
 * @throws {UnexpectedValueError} If a function calls `next` twice or without an input, even if it
 * catches the error of `next`, or if it returns a wrong value
 */
export function compose<I extends object, O>(
  { option, expected, isOutput, onNext, release = () => {} }: MiddlewareKind<I, O>,
  list: readonly ((input: I, next: (input: I) => Promise<O>) => Promise<O>)[],
  last: (input: I) => Promise<O>,
  input: I,
): Promise<O> {
  const run = async (index: number, current: I): Promise<O> => {
    const middleware = list[index];
    if (middleware === undefined) return await last(current);
    const wrong = (expected: string, found: string) => {
      const name = middleware.name === "" ? "a function" : `the function ${middleware.name}`;
      const actual = describedAs(messageText(`${name}, which ${found}`));
      return new UnexpectedValueError(`${option}[${index}]`, expected, actual);
    };
    let isCalled = false;
    let mistake: UnexpectedValueError | undefined;
    let inner: Promise<O> | undefined;
    const next = (following: I): Promise<O> => {
      if (isCalled) {
        const expected =
          "a function that calls next() once at most; to retry, use the retry options";
        mistake = wrong(expected, "called it twice");
      } else if (typeof following !== "object" || following === null) {
        const expected = "a function that passes its first parameter to next(), or one like it";
        mistake = wrong(expected, `passed ${describeValue(following)}`);
      }
      isCalled = true;
      if (mistake === undefined) onNext?.(following);
      const output = mistake === undefined ? run(index + 1, following) : Promise.reject(mistake);
      // If the function does not await it, its error must not be an unhandled rejection.
      output.catch(() => {});
      inner ??= output;
      return output;
    };
    try {
      const output: unknown = await middleware(current, next);
      if (isOutput(output) && mistake === undefined) return output;
      throw wrong(expected, `returned ${describeValue(output)}`);
    } catch (error) {
      inner?.then(release, () => {});
      throw mistake ?? error;
    }
  };
  return run(0, input);
}

/** The middleware around each attempt. */
const aroundAttempts: MiddlewareKind<MiddlewareRequest, Response> = {
  option: "middleware",
  expected:
    "a function that returns a Response whose body has not been read, such as that of next()",
  isOutput: (value): value is Response => isResponse(value) && !value.bodyUsed,
  release: discardBody,
};

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
  attempt: CallAttempt,
  list: readonly Middleware[],
  context: RequestContext,
  retries: number,
): Promise<Response> {
  const { call, signal } = attempt;
  const body = contentOf(call.body);
  const explain = (error: unknown) => toTransportError(error, { request: call.summary, retries });
  const networks: NetworkMiddleware[] = [];
  const collect = (following: MiddlewareRequest) => {
    if (following.network === undefined) return;
    networks.push(following.network);
    following.network = undefined;
  };
  const send = async (changed: MiddlewareRequest): Promise<Response> => {
    const own = attemptOf(attempt, changed, body, networks);
    try {
      return mapBodyError(await followRedirects(own), explain);
    } catch (error) {
      throw own.upload?.failure === undefined ? explain(error) : own.upload.failure.error;
    }
  };
  return await compose({ ...aroundAttempts, onNext: collect }, list, send, {
    method: call.method,
    url: call.url,
    headers: { ...call.headers },
    body,
    signal,
    context,
    attempt: retries + 1,
  });
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
  attempt: CallAttempt,
  { method, url, headers, body, signal }: MiddlewareRequest,
  before: MiddlewareRequest["body"],
  networks: readonly NetworkMiddleware[],
): Attempt {
  const { call } = attempt;
  const isSameBody = body === before;
  const changed = {
    ...call,
    ...targetOf(call, url, checkedHeaders(headers, "request.headers")),
    method: checkedMethod(method, "request.method"),
    body: isSameBody ? call.body : preparedBody(body),
  };
  if (changed.body.kind !== "none") refuseBody("request.body", body, changed.method);
  if (!isSameBody) changed.headers = withTypeOfBody(changed.headers, changed.body, call);
  const own: CallAttempt = {
    ...attempt,
    call: changed,
    upload: isSameBody ? attempt.upload : uploadBodyOf(changed.body),
    sentSignal: joinedSignal(attempt.signal, checkedSignal("request.signal", signal)),
  };
  return networks.length === 0 ? own : { ...own, network: networkSend(networks, own) };
}

/** Returns the function that sends each request of an attempt through the middleware around it. */
function networkSend(networks: readonly NetworkMiddleware[], attempt: CallAttempt): NetworkSend {
  // A function of the program may add a user, whom the functions outside of it do not see.
  const innermost = networks.findLastIndex((network) => !isOwnNetwork(network));
  const run = (index: number, request: SentRequest): Promise<Response> => {
    const network = networks[index];
    if (network === undefined) return request.send();
    return network(request, (headers) => {
      const next = index + 1;
      return run(next, request.with(headers, next >= innermost));
    });
  };
  return (transport, url, init, isTrusted) =>
    run(0, new SentRequest(attempt, transport, url, init, isTrusted, innermost <= 0));
}

/**
 * Returns the target of a request, and its headers. If the middleware has changed the origin, the
 * credentials of the call are not sent, as after a redirect. Those that it set itself are.
 */
function targetOf(
  call: HttpCall,
  url: string,
  headers: HeaderOverrides,
): Pick<HttpCall, "url" | "headers" | "isAuthOwn"> {
  const { trust } = call.settings;
  const target = url === call.url ? url : checkedUrl(url);
  if (target === call.url || keepsCallCredentials(trust, call.url, target)) {
    return { url: target, headers, isAuthOwn: call.isAuthOwn };
  }
  const sent = Object.entries(headers).filter(([name, value]) =>
    value === null || value !== call.headers[name] || trust.isCrossOrigin(name)
  );
  return { url: target, headers: Object.fromEntries(sent), isAuthOwn: false };
}

function checkedUrl(url: unknown): string {
  const expected = "a full URL that begins with http:// or https://, without a user name and a " +
    "password; set the header authorization";
  const isText = typeof url === "string" && url !== "";
  const split = isText ? splitUrl(url, "request.url") : undefined;
  if (split !== undefined && split.authorization === undefined) return split.url;
  throw new UnexpectedValueError("request.url", expected, url);
}

function preparedBody(body: MiddlewareRequest["body"]): RequestBody {
  if (body === undefined) return noBody;
  if (body instanceof FormData || body instanceof URLSearchParams) return prepareData(body);
  return prepareContent(body, "request.body");
}

/** Returns headers with the type of the new body, if it has one, in place of that of the old body. */
function withTypeOfBody(
  headers: HeaderOverrides,
  body: RequestBody,
  call: HttpCall,
): HeaderOverrides {
  const { "content-type": type, ...others } = headers;
  if (type !== call.headers["content-type"]) return withTypeOf(body, headers);
  const typed = withTypeOf(body, others);
  const isTyped = typed !== others;
  // Null is the type of a form, which no other body has.
  return isTyped || body.kind === "none" || type === null ? typed : headers;
}
