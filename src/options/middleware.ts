/**
 * The types of middleware around an attempt or an HTTP request, and the context that they share.
 */
import type { BodyStream } from "../http/request_body.ts";
import type { TransportInit } from "../http/transport.ts";

/**
 * The key of a value in a {@linkcode RequestContext}. It has the type of the value.
 *
 * @typeParam T The type of the value
 *
 * @category Requests
 */
export class ContextKey<T> {
  /** The name, for people who debug a program. */
  readonly name: string;
  /** The type of the value. Only the compiler sees this property. */
  declare readonly "~type": T;

  /**
   * Creates a key. Two keys are different, also with the same name.
   *
   * @param name The name, for people who debug a program
   */
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Values that a call and its middleware share. Each call has its own context, for all its attempts,
 * or the one of the request option `context`.
 *
 * @example A call limits the age of a response that its middleware may take from a cache
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ContextKey, type Middleware, RequestContext } from "@restwright/restwright/middleware";
 *
 * const maxAge = new ContextKey<number>("maxAge");
 * const cache: Middleware = (request, next) => {
 *   console.log(request.context.get(maxAge)); // 60
 *   return next(request);
 * };
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware: [cache] });
 * await session.get("status", { context: new RequestContext().set(maxAge, 60) });
 * ```
 *
 * @category Requests
 */
export class RequestContext {
  readonly #values = new Map<ContextKey<unknown>, unknown>();

  /** The name of the class. */
  get [Symbol.toStringTag](): string {
    return "RequestContext";
  }

  /** Returns the value of a key; undefined if it is not set. */
  get<T>(key: ContextKey<T>): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  /** Sets the value of a key, and returns the context. */
  set<T>(key: ContextKey<T>, value: NoInfer<T>): this {
    this.#values.set(key, value);
    return this;
  }
}

/**
 * The request of one attempt. Middleware may change it, or pass another one to `next`.
 *
 * @category Requests
 */
export interface MiddlewareRequest {
  /** The HTTP method. */
  method: string;
  /**
   * The full URL, with the parameters. Another origin that is not trusted does not get the credentials
   * of the session and of the call.
   */
  url: string;
  /**
   * The headers of the call: a record with names in lower case, not a `Headers` object. Those of the
   * session, cookies and authentication are added later. A header that is set here wins over them, and
   * null removes it.
   *
   * @example `request.headers["x-trace-id"] = crypto.randomUUID()`
   */
  headers: Record<string, string | null>;
  /**
   * The body; undefined for none. A function opens the stream of each request. If it is replaced by a
   * form or by undefined, the content type of the earlier body is not sent.
   */
  body: NonNullable<RequestInit["body"]> | BodyStream | (() => BodyStream) | undefined;
  /**
   * Aborts the request; undefined if nothing can. If it is replaced, the end of the call or of the
   * attempt still aborts the request.
   */
  signal: AbortSignal | undefined;
  /** The values of this call. */
  readonly context: RequestContext;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /**
   * Runs around each HTTP request of the attempt: the first one, and those after redirects and
   * challenges. That of an outer middleware runs around those of inner ones, and is not visible to
   * them. Default: undefined
   */
  network?: NetworkMiddleware | undefined;
}

/**
 * One HTTP request, as it is sent: with the headers of the session, cookies and authentication. It
 * may contain secrets.
 *
 * @category Requests
 */
export interface NetworkRequest {
  /** The full URL. */
  readonly url: string;
  /** The URL without credentials and without the values that the log hides. */
  readonly shownUrl: string;
  /** The second parameter of fetch: the method, headers, body and signal. */
  readonly init: TransportInit;
  /**
   * The signals that abort the call: those of the call and of the session. The signal in `init` also
   * ends with the attempt. If one of these is aborted, the call throws its reason.
   */
  readonly callSignals: readonly AbortSignal[];
  /** True if the request gets the credentials of the session. */
  readonly isTrusted: boolean;
  /**
   * Stands for everything that is sent: the method, the URL, the headers (except `traceparent`,
   * `tracestate`, `x-correlation-id` and `x-request-id`) and the options of fetch, and for the session,
   * the cookie storage and the transport. Only requests with the same text may share a response.
   * Undefined if the response must not be shared: the method is not GET or HEAD, the call is read as a
   * stream, or an inner middleware has set a `network` of the program, which may add headers to this
   * request.
   *
   * It is valid in this process only, and contains secrets: do not store or log it.
   */
  readonly identity: string | undefined;
}

/**
 * A function around each HTTP request of an attempt. In browsers, fetch follows redirects itself, so
 * that it is called once for all of them.
 *
 * @param request The request
 * @param next Sends the request, with headers to merge over its own: calls the function of the next
 * middleware, and at last the transport
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { Middleware } from "@restwright/restwright/middleware";
 *
 * const counting: Middleware = (request, next) => {
 *   request.network = async (sent, send) => {
 *     const response = await send();
 *     console.log(sent.init.method, sent.isTrusted, response.status); // GET true 200
 *     return response;
 *   };
 *   return next(request);
 * };
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware: [counting] });
 * await session.get("status");
 * ```
 *
 * @category Requests
 */
export type NetworkMiddleware = (
  request: NetworkRequest,
  next: (headers?: Readonly<Record<string, string>>) => Promise<Response>,
) => Promise<Response>;

/**
 * A function around each attempt of a call: it sends the request with `next`, and returns the
 * response. Redirects, authentication, cookies and proxies come after it.
 *
 * It calls `next` once, or not at all to respond itself. Its response is handled like one of the
 * server: by its status it may be retried. Its body must not have been read. A `TransportError`, also
 * one that `next` rejects with, is retried; any other error ends the call.
 *
 * @param request The request, which it may change
 * @param next Sends the request: calls the next middleware, and at last the transport
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { Middleware } from "@restwright/restwright/middleware";
 *
 * const timing: Middleware = async (request, next) => {
 *   const start = performance.now();
 *   const response = await next(request);
 *   console.log(request.method, response.status, performance.now() - start >= 0); // GET 200 true
 *   return response;
 * };
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware: [timing] });
 * await session.get("status");
 * ```
 *
 * @example Headers are a record with names in lower case; null leaves one out
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { Middleware } from "@restwright/restwright/middleware";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const tracing: Middleware = (request, next) => {
 *   const headers = { ...request.headers, "x-trace-id": `t-${request.attempt}`, "user-agent": null };
 *   return next({ ...request, headers });
 * };
 * const fetch = mockTransport({ "GET /status": 204 });
 * const session = new APISession({ url: "https://api.example.com", fetch, middleware: [tracing] });
 * await session.get("status");
 * const { headers } = fetch.calls[0]!;
 * console.log(headers["x-trace-id"], "user-agent" in headers); // t-1 false
 * ```
 *
 * @category Requests
 */
export type Middleware = (
  request: MiddlewareRequest,
  next: (request: MiddlewareRequest) => Promise<Response>,
) => Promise<Response>;
