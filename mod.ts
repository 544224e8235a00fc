/**
 * A toolkit for building API client libraries on web-standard `fetch`.
 *
 * Derive a class from {@linkcode APISession}, declare {@linkcode APIEndpoint} classes, and get
 * retries, typed errors and redacted logs on Deno, Node, Bun and in browsers.
 *
 * @example
 * ```ts
 * import { APISession, NotFoundError } from "@restwright/restwright";
 *
 * const adapter = () => Promise.resolve(new Response("nothing here", { status: 404 }));
 * const session = new APISession({ url: "https://api.example.com/v1", adapter });
 * try {
 *   await session.get("users/7");
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log(error.body); // nothing here
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
