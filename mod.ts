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

export {
  ApiKeyAuth,
  AuthSchemes,
  BasicAuth,
  BearerAuth,
  SessionTokenAuth,
} from "./src/auth/mod.ts";
export * from "./src/entries/client.ts";
export * from "./src/entries/session.ts";
export {
  BadGatewayError,
  BadRequestError,
  baseErrorMap,
  DeadlineExceededError,
  DecodeError,
  ForbiddenError,
  GatewayTimeoutError,
  InvalidContentError,
  ModelError,
  type ModelIssue,
  NotFoundError,
  PagingError,
  PollTimeoutError,
  ProxyAuthenticationError,
  RedirectError,
  RequestConflictError,
  ServerError,
  ServiceUnavailableError,
  SessionStateError,
  TooManyRequestsError,
  TransportError,
  type TransportErrorKind,
  UnauthorizedError,
  UnexpectedValueError,
  UnsupportedOptionError,
  ValidationError,
  type ValidationIssue,
  XmlError,
} from "./src/errors/mod.ts";
