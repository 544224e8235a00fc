import { APIError, type APIErrorClass } from "./api_error.ts";
import { brand } from "./base_error.ts";

/**
 * The error classes by status.
 *
 * @example A class of its own for the 404 responses of one API
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
 *
 * @category Errors
 */
export type ErrorMap = Readonly<Record<number, APIErrorClass>>;

const classes: Record<number, APIErrorClass> = {};

/**
 * The base error map: the error class of each status in the contract's table.
 *
 * @category Errors
 */
export const baseErrorMap: ErrorMap = classes;

/** Adds a class to the base error map and brands it, so that minified code shows its real name. */
function raisedBy(status: number, name: string, made: APIErrorClass): void {
  brand(name, made);
  classes[status] = made;
}

// The classes of the contract's table "Base status-to-error mapping", by status. The contract does
// not say which of them are retried. Here 420, 429, 501, 502, 503 and 504 are retried, 500 is not.

/**
 * 400: the request is malformed (RFC 9110 §15.5.1).
 *
 * @category Errors
 */
export class BadRequestError extends APIError {
  static {
    raisedBy(400, "BadRequestError", this);
  }
}

/**
 * 401: credentials are missing or not accepted (RFC 9110 §15.5.2).
 *
 * @category Errors
 */
export class UnauthorizedError extends APIError {
  static {
    raisedBy(401, "UnauthorizedError", this);
  }
}

/**
 * 403: the credentials do not allow the request (RFC 9110 §15.5.4).
 *
 * @category Errors
 */
export class ForbiddenError extends APIError {
  static {
    raisedBy(403, "ForbiddenError", this);
  }
}

/**
 * 404: the resource was not found (RFC 9110 §15.5.5).
 *
 * @category Errors
 */
export class NotFoundError extends APIError {
  static {
    raisedBy(404, "NotFoundError", this);
  }
}

/**
 * 405: the resource does not support this method (RFC 9110 §15.5.6).
 *
 * @category Errors
 */
export class InvalidMethodError extends APIError {
  static {
    raisedBy(405, "InvalidMethodError", this);
  }
}

/**
 * 406: no representation matches the Accept headers (RFC 9110 §15.5.7).
 *
 * @category Errors
 */
export class NotAcceptableError extends APIError {
  static {
    raisedBy(406, "NotAcceptableError", this);
  }
}

/**
 * 407: the proxy requires credentials (RFC 9110 §15.5.8).
 *
 * @category Errors
 */
export class ProxyAuthenticationError extends APIError {
  static {
    raisedBy(407, "ProxyAuthenticationError", this);
  }
}

/**
 * 408: the server waited too long for the request (RFC 9110 §15.5.9).
 *
 * @category Errors
 */
export class RequestTimeoutError extends APIError {
  static {
    raisedBy(408, "RequestTimeoutError", this);
  }
}

/**
 * 409: the request conflicts with the resource's state (RFC 9110 §15.5.10).
 *
 * @category Errors
 */
export class RequestConflictError extends APIError {
  static {
    raisedBy(409, "RequestConflictError", this);
  }
}

/**
 * 410: the resource was removed permanently (RFC 9110 §15.5.11).
 *
 * @category Errors
 */
export class NoLongerExistsError extends APIError {
  static {
    raisedBy(410, "NoLongerExistsError", this);
  }
}

/**
 * 411: the server requires a Content-Length (RFC 9110 §15.5.12).
 *
 * @category Errors
 */
export class LengthRequiredError extends APIError {
  static {
    raisedBy(411, "LengthRequiredError", this);
  }
}

/**
 * 412: a condition such as If-Match is not met (RFC 9110 §15.5.13).
 *
 * @category Errors
 */
export class PreconditionFailedError extends APIError {
  static {
    raisedBy(412, "PreconditionFailedError", this);
  }
}

/**
 * 413: the request's body is too large (RFC 9110 §15.5.14).
 *
 * @category Errors
 */
export class PayloadTooLargeError extends APIError {
  static {
    raisedBy(413, "PayloadTooLargeError", this);
  }
}

/**
 * 414: the URL is too long (RFC 9110 §15.5.15).
 *
 * @category Errors
 */
export class URITooLongError extends APIError {
  static {
    raisedBy(414, "URITooLongError", this);
  }
}

/**
 * 415: the body's content type is not supported (RFC 9110 §15.5.16).
 *
 * @category Errors
 */
export class UnsupportedMediaTypeError extends APIError {
  static {
    raisedBy(415, "UnsupportedMediaTypeError", this);
  }
}

/**
 * 416: the range is outside the resource (RFC 9110 §15.5.17).
 *
 * @category Errors
 */
export class RangeNotSatisfiableError extends APIError {
  static {
    raisedBy(416, "RangeNotSatisfiableError", this);
  }
}

/**
 * 417: the Expect header cannot be met (RFC 9110 §15.5.18).
 *
 * @category Errors
 */
export class ExpectationFailedError extends APIError {
  static {
    raisedBy(417, "ExpectationFailedError", this);
  }
}

/**
 * 418: the server is a teapot (RFC 2324 §2.3.2).
 *
 * @category Errors
 */
export class TeapotResponseError extends APIError {
  static {
    raisedBy(418, "TeapotResponseError", this);
  }
}

/**
 * 420 and 429: too many requests in a given time; retried (RFC 6585 §4).
 *
 * @category Errors
 */
export class TooManyRequestsError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy(420, "TooManyRequestsError", this);
    raisedBy(429, "TooManyRequestsError", this);
  }
}

/**
 * 421: the server is not responsible for the target URI (RFC 9110 §15.5.20).
 *
 * @category Errors
 */
export class MisdirectRequestError extends APIError {
  static {
    raisedBy(421, "MisdirectRequestError", this);
  }
}

/**
 * 422: the content is well-formed but cannot be processed (RFC 9110 §15.5.21).
 *
 * @category Errors
 */
export class InvalidContentError extends APIError {
  static {
    raisedBy(422, "InvalidContentError", this);
  }
}

/**
 * 425: the server refuses a request that might be replayed (RFC 8470 §5.2).
 *
 * @category Errors
 */
export class TooEarlyError extends APIError {
  static {
    raisedBy(425, "TooEarlyError", this);
  }
}

/**
 * 426: the server requires another protocol (RFC 9110 §15.5.22).
 *
 * @category Errors
 */
export class UpgradeRequiredError extends APIError {
  static {
    raisedBy(426, "UpgradeRequiredError", this);
  }
}

/**
 * 428: the server requires a conditional request (RFC 6585 §3).
 *
 * @category Errors
 */
export class PreconditionRequiredError extends APIError {
  static {
    raisedBy(428, "PreconditionRequiredError", this);
  }
}

/**
 * 431: the request's headers are too large (RFC 6585 §5).
 *
 * @category Errors
 */
export class RequestHeaderFieldsTooLargeError extends APIError {
  static {
    raisedBy(431, "RequestHeaderFieldsTooLargeError", this);
  }
}

/**
 * 451: the resource is withheld for legal reasons (RFC 7725 §3).
 *
 * @category Errors
 */
export class UnavailableForLegalReasonsError extends APIError {
  static {
    raisedBy(451, "UnavailableForLegalReasonsError", this);
  }
}

/**
 * 500: the server failed (RFC 9110 §15.6.1).
 *
 * @category Errors
 */
export class ServerError extends APIError {
  static {
    raisedBy(500, "ServerError", this);
  }
}

/**
 * 501: the server does not support this functionality; retried (RFC 9110 §15.6.2).
 *
 * @category Errors
 */
export class MethodNotImplementedError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy(501, "MethodNotImplementedError", this);
  }
}

/**
 * 502: a gateway received an invalid response; retried (RFC 9110 §15.6.3).
 *
 * @category Errors
 */
export class BadGatewayError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy(502, "BadGatewayError", this);
  }
}

/**
 * 503: the service is temporarily down or overloaded; retried (RFC 9110 §15.6.4).
 *
 * @category Errors
 */
export class ServiceUnavailableError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy(503, "ServiceUnavailableError", this);
  }
}

/**
 * 504: a gateway received no response in time; retried (RFC 9110 §15.6.5).
 *
 * @category Errors
 */
export class GatewayTimeoutError extends APIError {
  /** True: a request that fails with this error is retried. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy(504, "GatewayTimeoutError", this);
  }
}

/**
 * 510: the server requires an extension (RFC 2774 §7).
 *
 * @category Errors
 */
export class NotExtendedError extends APIError {
  static {
    raisedBy(510, "NotExtendedError", this);
  }
}

/**
 * 511: the network requires a login (RFC 6585 §6).
 *
 * @category Errors
 */
export class NetworkAuthenticationRequiredError extends APIError {
  static {
    raisedBy(511, "NetworkAuthenticationRequiredError", this);
  }
}
