import { APIError, type APIErrorClass } from "./api_error.ts";
import { brand } from "./base_error.ts";

// The classes of the contract's table "Base status-to-error mapping", by status. Which of them are
// retried by themselves the contract leaves open: 420 and 429, 501, 502, 503 and 504 are, 500 is not.

/** 400: the request is malformed (RFC 9110 §15.5.1). */
export class BadRequestError extends APIError {}

/** 401: credentials are missing or not accepted (RFC 9110 §15.5.2). */
export class UnauthorizedError extends APIError {}

/** 403: the credentials do not allow it (RFC 9110 §15.5.4). */
export class ForbiddenError extends APIError {}

/** 404: there is nothing at this path (RFC 9110 §15.5.5). */
export class NotFoundError extends APIError {}

/** 405: the resource does not know this method (RFC 9110 §15.5.6). */
export class InvalidMethodError extends APIError {}

/** 406: no representation fits the Accept headers (RFC 9110 §15.5.7). */
export class NotAcceptableError extends APIError {}

/** 407: the proxy asks for credentials (RFC 9110 §15.5.8). */
export class ProxyAuthenticationError extends APIError {}

/** 408: the server waited too long for the request (RFC 9110 §15.5.9). */
export class RequestTimeoutError extends APIError {}

/** 409: the request conflicts with the resource's state (RFC 9110 §15.5.10). */
export class RequestConflictError extends APIError {}

/** 410: the resource is gone for good (RFC 9110 §15.5.11). */
export class NoLongerExistsError extends APIError {}

/** 411: the server asks for a Content-Length (RFC 9110 §15.5.12). */
export class LengthRequiredError extends APIError {}

/** 412: a condition such as If-Match does not hold (RFC 9110 §15.5.13). */
export class PreconditionFailedError extends APIError {}

/** 413: the request's body is too large (RFC 9110 §15.5.14). */
export class PayloadTooLargeError extends APIError {}

/** 414: the URL is too long (RFC 9110 §15.5.15). */
export class URITooLongError extends APIError {}

/** 415: the body's content type is not supported (RFC 9110 §15.5.16). */
export class UnsupportedMediaTypeError extends APIError {}

/** 416: the range lies outside the resource (RFC 9110 §15.5.17). */
export class RangeNotSatisfiableError extends APIError {}

/** 417: the Expect header cannot be met (RFC 9110 §15.5.18). */
export class ExpectationFailedError extends APIError {}

/** 418: the server is a teapot (RFC 2324 §2.3.2). */
export class TeapotResponseError extends APIError {}

/** 420 and 429: too many requests in a given time; retried by itself (RFC 6585 §4). */
export class TooManyRequestsError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;
}

/** 421: the server does not answer for this authority (RFC 9110 §15.5.20). */
export class MisdirectRequestError extends APIError {}

/** 422: the content is well-formed, and cannot be processed (RFC 9110 §15.5.21). */
export class InvalidContentError extends APIError {}

/** 425: the server will not risk a replayed request (RFC 8470 §5.2). */
export class TooEarlyError extends APIError {}

/** 426: the server asks for another protocol (RFC 9110 §15.5.22). */
export class UpgradeRequiredError extends APIError {}

/** 428: the server asks for a conditional request (RFC 6585 §3). */
export class PreconditionRequiredError extends APIError {}

/** 431: the request's headers are too large (RFC 6585 §5). */
export class RequestHeaderFieldsTooLargeError extends APIError {}

/** 451: the resource is withheld for legal reasons (RFC 7725 §3). */
export class UnavailableForLegalReasonsError extends APIError {}

/** 500: the server failed (RFC 9110 §15.6.1). */
export class ServerError extends APIError {}

/** 501: the server cannot do this; retried by itself (RFC 9110 §15.6.2). */
export class MethodNotImplementedError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;
}

/** 502: a gateway got an invalid response; retried by itself (RFC 9110 §15.6.3). */
export class BadGatewayError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;
}

/** 503: the service is down or overloaded for now; retried by itself (RFC 9110 §15.6.4). */
export class ServiceUnavailableError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;
}

/** 504: a gateway got no response in time; retried by itself (RFC 9110 §15.6.5). */
export class GatewayTimeoutError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;
}

/** 510: the server asks for an extension (RFC 2774 §7). */
export class NotExtendedError extends APIError {}

/** 511: the network asks for a login (RFC 6585 §6). */
export class NetworkAuthenticationRequiredError extends APIError {}

brand({
  BadRequestError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  InvalidMethodError,
  NotAcceptableError,
  ProxyAuthenticationError,
  RequestTimeoutError,
  RequestConflictError,
  NoLongerExistsError,
  LengthRequiredError,
  PreconditionFailedError,
  PayloadTooLargeError,
  URITooLongError,
  UnsupportedMediaTypeError,
  RangeNotSatisfiableError,
  ExpectationFailedError,
  TeapotResponseError,
  TooManyRequestsError,
  MisdirectRequestError,
  InvalidContentError,
  TooEarlyError,
  UpgradeRequiredError,
  PreconditionRequiredError,
  RequestHeaderFieldsTooLargeError,
  UnavailableForLegalReasonsError,
  ServerError,
  MethodNotImplementedError,
  BadGatewayError,
  ServiceUnavailableError,
  GatewayTimeoutError,
  NotExtendedError,
  NetworkAuthenticationRequiredError,
});

/**
 * Which class of error a status raises.
 *
 * @example One entry of an API that answers 404 with a meaning of its own
 * ```ts
 * import { APIError, APISession, type ErrorMap } from "@restwright/restwright";
 *
 * class NoSuchScanError extends APIError {}
 *
 * class Scanner extends APISession {
 *   static override readonly url: string = "https://scanner.example.com";
 *   static override readonly errorMap: ErrorMap = { 404: NoSuchScanError };
 * }
 * new Scanner();
 * ```
 */
export type ErrorMap = Readonly<Record<number, APIErrorClass>>;

/** The base error map: every status of the contract's table with its class. */
export const baseErrorMap: ErrorMap = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: InvalidMethodError,
  406: NotAcceptableError,
  407: ProxyAuthenticationError,
  408: RequestTimeoutError,
  409: RequestConflictError,
  410: NoLongerExistsError,
  411: LengthRequiredError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  414: URITooLongError,
  415: UnsupportedMediaTypeError,
  416: RangeNotSatisfiableError,
  417: ExpectationFailedError,
  418: TeapotResponseError,
  420: TooManyRequestsError,
  421: MisdirectRequestError,
  422: InvalidContentError,
  425: TooEarlyError,
  426: UpgradeRequiredError,
  428: PreconditionRequiredError,
  429: TooManyRequestsError,
  431: RequestHeaderFieldsTooLargeError,
  451: UnavailableForLegalReasonsError,
  500: ServerError,
  501: MethodNotImplementedError,
  502: BadGatewayError,
  503: ServiceUnavailableError,
  504: GatewayTimeoutError,
  510: NotExtendedError,
  511: NetworkAuthenticationRequiredError,
};
