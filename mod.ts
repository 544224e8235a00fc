/**
 * A toolkit for building API client libraries on web-standard `fetch`.
 *
 * Derive a class from {@linkcode APIClient}, declare {@linkcode APIEndpoint} classes, and get retries,
 * typed errors and redacted logs on Deno, Node, Bun and in browsers.
 *
 * @example
 * ```ts
 * import { APIClient, APIEndpoint, NotFoundError, path } from "@restwright/restwright";
 *
 * class Books extends APIEndpoint<Library> {
 *   protected override readonly _path: string = "/books";
 *   override readonly _convJson = true; // parse responses as JSON
 *
 *   get(id: number): Promise<{ title: string }> {
 *     return this._get(path`/${id}`); // GET https://api.example.com/v1/books/7
 *   }
 * }
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com/v1";
 *   readonly books: Books = new Books(this);
 * }
 *
 * // An API in memory. Leave `fetch` out to send requests to the network.
 * const fetch = (url: string) =>
 *   Promise.resolve(
 *     url.endsWith("/7") ? Response.json({ title: "Emma" }) : new Response("no such book", { status: 404 }),
 *   );
 * const { books } = new Library({ fetch });
 * console.log((await books.get(7)).title); // Emma
 * try {
 *   await books.get(8);
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log(error.status, error.body); // 404 no such book
 * }
 * ```
 *
 * @module
 */

export { APIClient, type ClientDefaults, type ClientOptions } from "./src/client/client.ts";
export { type ServerList, ServerUrls } from "./src/client/server_urls.ts";
export { APISession, type SessionOptions } from "./src/client/session.ts";
export { ClientBase } from "./src/client/client_base.ts";
export { type AnyClient, RequestBase, type UrlOptions } from "./src/client/request_base.ts";
export { type Clock, systemClock } from "./src/base/clock.ts";
export { APIEndpoint } from "./src/client/endpoint.ts";
export { readEnv } from "./src/base/environment.ts";
export type { BodyOptions, Content, FileInput } from "./src/content/body.ts";
export {
  mergeParams,
  type Params,
  type ParamsStyle,
  type ParamValue,
} from "./src/content/params.ts";
export type { NotSpreadable } from "./src/base/not_spreadable.ts";
export type { FailedAttempt } from "./src/call/retry/hooks.ts";
export type {
  ClientBaseOptions,
  OptionChanges,
  ResultOptions,
} from "./src/options/client_options.ts";
export type {
  CallOptions,
  FetchOptions,
  RequestOptions,
  RetryOptions,
} from "./src/options/request_options.ts";
export type { SharedOptions } from "./src/options/shared_options.ts";
export {
  bytesFormat,
  type FormatByStatus,
  formatByStatus,
  jsonFormat,
  type ModelFormat,
  type ResponseFormat,
  type ResultFormat,
  textFormat,
  voidFormat,
  xmlFormat,
} from "./src/content/response_format.ts";
export type { ModelOutput, ResponseModel } from "./src/content/decode.ts";
export type { Method } from "./src/call/call.ts";
export { commonSecretFields } from "./src/call/redact.ts";
export type { Path } from "./src/http/url.ts";
export { APIError } from "./src/errors/api_error.ts";
export { RestwrightError } from "./src/errors/base_error.ts";
export { type HeadersInput, mergeHeaders } from "./src/http/headers.ts";
export * from "./src/log/mod.ts";
export { path } from "./src/content/path.ts";
export type { LoginRequests } from "./src/client/lifecycle.ts";
export type { APIPromise } from "./src/call/api_promise.ts";
export type {
  Boxed,
  PathlessMethod,
  RequestMethod,
  Result,
  Results,
  TypedResponse,
} from "./src/call/request_method.ts";
export {
  DeadlineExceededError,
  NotFoundError,
  ServerError,
  TooManyRequestsError,
  TransportError,
  UnauthorizedError,
  UnexpectedValueError,
  ValidationError,
} from "./src/errors/mod.ts";
