/**
 * The error class of each status, and the base error map. The option `errorMap` is merged over that map,
 * and an error status that neither has gets `APIError`. A class with a `static retryable` of true has its
 * status retried: 420, 429 and 501 to 504. `src/call/retry/statuses.ts` decides which statuses are errors.
 */
import { APIError, type APIErrorClass } from "./api_error.ts";
import { brand } from "./base_error.ts";

/**
 * The error classes by status.
 *
 * @example A class of its own for the 404 responses of one API
 * ```ts
 * import { APIError, APISession } from "@restwright/restwright";
 * import type { ErrorMap } from "@restwright/restwright/errors";
 *
 * class NoSuchScanError extends APIError {}
 *
 * class Scanner extends APISession {
 *   static override readonly url: string = "https://scanner.example.com";
 *   static override readonly errorMap: ErrorMap = { 404: NoSuchScanError };
 * }
 * new Scanner();
 * ```
 *
 * @category Errors
 */
export type ErrorMap = Readonly<Record<number, APIErrorClass>>;

// Rule decision-1 of the contract names the statuses whose classes are retryable.

/**
 * 400: the request is malformed (RFC 9110 §15.5.1).
 *
 * @category Errors
 */
export class BadRequestError extends APIError {}

/**
 * 401: credentials are missing or not accepted (RFC 9110 §15.5.2).
 *
 * @category Errors
 */
export class UnauthorizedError extends APIError {}

/**
 * 403: the credentials do not allow the request (RFC 9110 §15.5.4).
 *
 * @category Errors
 */
export class ForbiddenError extends APIError {}

/**
 * 404: the resource was not found (RFC 9110 §15.5.5).
 *
 * @category Errors
 */
export class NotFoundError extends APIError {}

/**
 * 405: the resource does not support this method (RFC 9110 §15.5.6).
 *
 * @category Errors
 */
export class InvalidMethodError extends APIError {}

/**
 * 406: no representation matches the Accept headers (RFC 9110 §15.5.7).
 *
 * @category Errors
 */
export class NotAcceptableError extends APIError {}

/**
 * 407: the proxy requires credentials (RFC 9110 §15.5.8).
 *
 * @category Errors
 */
export class ProxyAuthenticationError extends APIError {}

/**
 * 408: the server waited too long for the request (RFC 9110 §15.5.9).
 *
 * @category Errors
 */
export class RequestTimeoutError extends APIError {}

/**
 * 409: the request conflicts with the resource's state (RFC 9110 §15.5.10).
 *
 * @category Errors
 */
export class RequestConflictError extends APIError {}

/**
 * 410: the resource was removed permanently (RFC 9110 §15.5.11).
 *
 * @category Errors
 */
export class NoLongerExistsError extends APIError {}

/**
 * 411: the server requires a Content-Length (RFC 9110 §15.5.12).
 *
 * @category Errors
 */
export class LengthRequiredError extends APIError {}

/**
 * 412: a condition such as If-Match is not met (RFC 9110 §15.5.13).
 *
 * @category Errors
 */
export class PreconditionFailedError extends APIError {}

/**
 * 413: the request's body is too large (RFC 9110 §15.5.14).
 *
 * @category Errors
 */
export class PayloadTooLargeError extends APIError {}

/**
 * 414: the URL is too long (RFC 9110 §15.5.15).
 *
 * @category Errors
 */
export class URITooLongError extends APIError {}

/**
 * 415: the body's content type is not supported (RFC 9110 §15.5.16).
 *
 * @category Errors
 */
export class UnsupportedMediaTypeError extends APIError {}

/**
 * 416: the range is outside the resource (RFC 9110 §15.5.17).
 *
 * @category Errors
 */
export class RangeNotSatisfiableError extends APIError {}

/**
 * 417: the Expect header cannot be met (RFC 9110 §15.5.18).
 *
 * @category Errors
 */
export class ExpectationFailedError extends APIError {}

/**
 * 418: the server is a teapot (RFC 2324 §2.3.2).
 *
 * @category Errors
 */
export class TeapotResponseError extends APIError {}

/**
 * 420 and 429: too many requests in a given time; retried (RFC 6585 §4).
 *
 * @category Errors
 */
export class TooManyRequestsError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;
}

/**
 * 421: the server is not responsible for the target URI (RFC 9110 §15.5.20).
 *
 * @category Errors
 */
export class MisdirectRequestError extends APIError {}

/**
 * 422: the content is well-formed but cannot be processed (RFC 9110 §15.5.21).
 *
 * @category Errors
 */
export class InvalidContentError extends APIError {}

/**
 * 425: the server refuses a request that might be replayed (RFC 8470 §5.2).
 *
 * @category Errors
 */
export class TooEarlyError extends APIError {}

/**
 * 426: the server requires another protocol (RFC 9110 §15.5.22).
 *
 * @category Errors
 */
export class UpgradeRequiredError extends APIError {}

/**
 * 428: the server requires a conditional request (RFC 6585 §3).
 *
 * @category Errors
 */
export class PreconditionRequiredError extends APIError {}

/**
 * 431: the request's headers are too large (RFC 6585 §5).
 *
 * @category Errors
 */
export class RequestHeaderFieldsTooLargeError extends APIError {}

/**
 * 451: the resource is withheld for legal reasons (RFC 7725 §3).
 *
 * @category Errors
 */
export class UnavailableForLegalReasonsError extends APIError {}

/**
 * 500: the server failed (RFC 9110 §15.6.1).
 *
 * @category Errors
 */
export class ServerError extends APIError {}

/**
 * 501: the server does not support this functionality; retried (RFC 9110 §15.6.2).
 *
 * @category Errors
 */
export class MethodNotImplementedError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;
}

/**
 * 502: a gateway received an invalid response; retried (RFC 9110 §15.6.3).
 *
 * @category Errors
 */
export class BadGatewayError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;
}

/**
 * 503: the service is temporarily down or overloaded; retried (RFC 9110 §15.6.4).
 *
 * @category Errors
 */
export class ServiceUnavailableError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;
}

/**
 * 504: a gateway received no response in time; retried (RFC 9110 §15.6.5).
 *
 * @category Errors
 */
export class GatewayTimeoutError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;
}

/**
 * 510: the server requires an extension (RFC 2774 §7).
 *
 * @category Errors
 */
export class NotExtendedError extends APIError {}

/**
 * 511: the network requires a login (RFC 6585 §6).
 *
 * @category Errors
 */
export class NetworkAuthenticationRequiredError extends APIError {}

/**
 * The base error map: the error class of each status in the contract's table.
 *
 * @category Errors
 */
export const baseErrorMap: ErrorMap = branded({
  400: { BadRequestError },
  401: { UnauthorizedError },
  403: { ForbiddenError },
  404: { NotFoundError },
  405: { InvalidMethodError },
  406: { NotAcceptableError },
  407: { ProxyAuthenticationError },
  408: { RequestTimeoutError },
  409: { RequestConflictError },
  410: { NoLongerExistsError },
  411: { LengthRequiredError },
  412: { PreconditionFailedError },
  413: { PayloadTooLargeError },
  414: { URITooLongError },
  415: { UnsupportedMediaTypeError },
  416: { RangeNotSatisfiableError },
  417: { ExpectationFailedError },
  418: { TeapotResponseError },
  420: { TooManyRequestsError },
  421: { MisdirectRequestError },
  422: { InvalidContentError },
  425: { TooEarlyError },
  426: { UpgradeRequiredError },
  428: { PreconditionRequiredError },
  429: { TooManyRequestsError },
  431: { RequestHeaderFieldsTooLargeError },
  451: { UnavailableForLegalReasonsError },
  500: { ServerError },
  501: { MethodNotImplementedError },
  502: { BadGatewayError },
  503: { ServiceUnavailableError },
  504: { GatewayTimeoutError },
  510: { NotExtendedError },
  511: { NetworkAuthenticationRequiredError },
});

/** Brands each class with the name of its property, because minifiers rename classes. */
function branded(
  table: Readonly<Record<number, Readonly<Record<string, APIErrorClass>>>>,
): ErrorMap {
  const classes: Record<number, APIErrorClass> = {};
  for (const [status, named] of Object.entries(table)) {
    for (const [name, made] of Object.entries(named)) {
      brand(name, made);
      classes[Number(status)] = made;
    }
  }
  return Object.freeze(classes);
}
