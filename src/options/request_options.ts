/** The options of one request, and the types of middleware around a whole call. */
import type { BoxAttrs } from "../box/mod.ts";
import type { Path } from "../http/url.ts";
import type { BodyOptions } from "../content/body.ts";
import type { ResponseModel } from "../content/decode.ts";
import type { RequestContext } from "./middleware.ts";
import type { ResultFormat } from "../content/response_format.ts";
import type { SharedOptions } from "./shared_options.ts";

/**
 * Options that are passed to fetch as they are, if the runtime supports them. The types of fetch in
 * the program decide which ones exist (those of Node 22 have no `cache`).
 *
 * @category Requests
 */
export type FetchOptions =
  & Pick<
    RequestInit,
    Extract<
      keyof RequestInit,
      "cache" | "credentials" | "integrity" | "keepalive" | "mode" | "referrer" | "referrerPolicy"
    >
  >
  & {
    /** The priority of the request in browsers. */
    readonly priority?: "high" | "low" | "auto" | undefined;
  };

/**
 * The options of one request.
 *
 * @category Requests
 */
export interface RequestOptions extends SharedOptions, BodyOptions, FetchOptions {
  /**
   * Statuses of the error map that are retried in addition to those whose class is retryable.
   * Default: none
   *
   * @example `{ retryOn: [409, 500] }`
   */
  readonly retryOn?: readonly number[] | undefined;
  /**
   * Statuses that count as a success of this request, in addition to those from 200 to 298: 299 is an
   * error, too. They take precedence over the error map. A redirect that is followed is not one of
   * them. Default: none
   *
   * @example `{ headers: { "If-None-Match": etag }, okStatuses: [304] }`
   */
  readonly okStatuses?: readonly number[] | undefined;
  /**
   * Values for the middleware of this call. Default: an empty context
   *
   * @example `{ context: new RequestContext().set(maxAge, 60) }`
   */
  readonly context?: RequestContext | undefined;
  /**
   * True if the session's base path is put between the base URL and the path.
   *
   * @default {true}
   */
  readonly useBase?: boolean | undefined;
  /**
   * The model that decodes the body of every success status: a model class, or a schema of any
   * library with the Standard Schema interface; put it in brackets for a list. Models read JSON or
   * XML, by the content type, or by `format: jsonFormat(…)` or `xmlFormat(…)` instead of this option;
   * schemas read JSON, and null for an empty body. It takes precedence over `box` and `convJson`.
   * Default: none
   *
   * @example `this._get("/users", { responseModel: [User] })`
   */
  readonly responseModel?: ResponseModel | undefined;
  /**
   * The format of the result. `textFormat`, `bytesFormat`, `voidFormat`, `jsonFormat(Model)`,
   * `xmlFormat(Model)` and `formatByStatus(…)` are made of the whole body; streams such as `sse()` and `ndjson()`, and
   * `saveTo(file)`, read it while it arrives. A format of your own is an object with a method `read`
   * or a method `stream`. It takes precedence over `box` and `convJson`; `responseModel` cannot be
   * combined with it. Default: none
   *
   * @example `const readme = await session.get("readme", { format: textFormat })`
   * @example `for await (const event of this._get("/events", { format: sse() }))`
   */
  readonly format?: ResultFormat<unknown> | undefined;
  /**
   * True if JSON is converted to a {@linkcode Box}: a response with the content type
   * `application/json` returns a box of its content, an empty body returns null, and any other
   * response is converted according to `convJson`. It takes precedence over `convJson`. Default: that of
   * the endpoint or session
   *
   * @example `const user = await session.get<User>("users/7", { box: true })`
   */
  readonly box?: boolean | undefined;
  /**
   * The settings of the box, instead of those of the endpoint or session.
   *
   * @example `{ box: true, boxAttrs: { frozen: true, camelCase: true } }`
   */
  readonly boxAttrs?: BoxAttrs | undefined;
  /**
   * True if the body is parsed as JSON, whatever its content type; an empty body returns null.
   * Default: that of the endpoint or session
   *
   * @example `const users = await session.get<User[]>("users", { convJson: true })`
   */
  readonly convJson?: boolean | undefined;
  /**
   * True if TLS is verified. With false, anyone on the network path can read and change the traffic.
   * Not supported in browsers. Default: `sslVerify` of the session
   */
  readonly verify?: boolean | undefined;
}

/**
 * The request options that a method of an SDK can accept from its caller: those that decide neither
 * the body nor the result, which belong to the method.
 *
 * @example
 * ```ts
 * import { APIEndpoint, APISession, type CallOptions, path } from "@restwright/restwright";
 *
 * interface Book {
 *   readonly id: number;
 * }
 * class Books extends APIEndpoint<Library> {
 *   protected override readonly _path: string = "books";
 *   get(id: number, options?: CallOptions): Promise<Book> {
 *     return this._get<Book>(path`${id}`, { ...options, convJson: true });
 *   }
 * }
 * class Library extends APISession {
 *   static override readonly url: string = "https://library.example.com";
 *   readonly books: Books = new Books(this);
 * }
 * const library = new Library({ adapter: () => Promise.resolve(Response.json({ id: 7 })) });
 * console.log((await library.books.get(7, { timeout: 5 })).id); // 7
 * ```
 *
 * @category Requests
 */
export interface CallOptions extends
  Omit<
    RequestOptions,
    | keyof BodyOptions
    | "box"
    | "boxAttrs"
    | "convJson"
    | "format"
    | "responseModel"
    | "okStatuses"
  > {}

/**
 * The request options that the hook `_retryRequest` gets: a copy.
 *
 * @category Requests
 */
export interface RetryOptions extends RequestOptions {
  /** The headers as a mapping, with names in lower case. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * A call, for the middleware around it.
 *
 * @category Requests
 */
export interface MiddlewareCall {
  /** The HTTP method, as the caller passed it. */
  method: string;
  /** The path, as the caller passed it, with the path of the endpoint. */
  path: Path;
  /** The request options. */
  options: RequestOptions;
  /** The values of this call. */
  readonly context: RequestContext;
}

/**
 * A function around a whole call, with all its attempts and the conversion of the response. It calls
 * `next` once, or not at all to return a result itself, which is not undefined. The deadline and the
 * signal of the call hold inside `next`.
 *
 * @param call The call, which it may change
 * @param next Makes the call, and returns its result
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { CallMiddleware } from "@restwright/restwright/middleware";
 *
 * let running = 0;
 * const counting: CallMiddleware = async (call, next) => {
 *   running++;
 *   try {
 *     return await next(call);
 *   } finally {
 *     running--;
 *   }
 * };
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const options = { url: "https://api.example.com", adapter, callMiddleware: [counting] };
 * await new APISession(options).get("status");
 * ```
 *
 * @category Requests
 */
export type CallMiddleware = (
  call: MiddlewareCall,
  next: (call: MiddlewareCall) => Promise<unknown>,
) => Promise<unknown>;
