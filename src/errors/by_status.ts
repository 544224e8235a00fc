import { APIError, type APIErrorClass } from "./api_error.ts";
import { brand } from "./base_error.ts";

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

const classes: Record<number, APIErrorClass> = {};

/** The base error map: every status of the contract's table with its class. */
export const baseErrorMap: ErrorMap = classes;

/** Puts a class into the base error map, and keeps its name where a minifier shortens it. */
function raisedBy(name: string, made: APIErrorClass, ...statuses: number[]): void {
  brand(name, made);
  for (const status of statuses) classes[status] = made;
}

// The classes of the contract's table "Base status-to-error mapping", by status. Which of them are
// retried by themselves the contract leaves open: 420 and 429, 501, 502, 503 and 504 are, 500 is not.

/** 400: the request is malformed (RFC 9110 §15.5.1). */
export class BadRequestError extends APIError {
  static {
    raisedBy("BadRequestError", this, 400);
  }
}

/** 401: credentials are missing or not accepted (RFC 9110 §15.5.2). */
export class UnauthorizedError extends APIError {
  static {
    raisedBy("UnauthorizedError", this, 401);
  }
}

/** 403: the credentials do not allow it (RFC 9110 §15.5.4). */
export class ForbiddenError extends APIError {
  static {
    raisedBy("ForbiddenError", this, 403);
  }
}

/** 404: there is nothing at this path (RFC 9110 §15.5.5). */
export class NotFoundError extends APIError {
  static {
    raisedBy("NotFoundError", this, 404);
  }
}

/** 405: the resource does not know this method (RFC 9110 §15.5.6). */
export class InvalidMethodError extends APIError {
  static {
    raisedBy("InvalidMethodError", this, 405);
  }
}

/** 406: no representation fits the Accept headers (RFC 9110 §15.5.7). */
export class NotAcceptableError extends APIError {
  static {
    raisedBy("NotAcceptableError", this, 406);
  }
}

/** 407: the proxy asks for credentials (RFC 9110 §15.5.8). */
export class ProxyAuthenticationError extends APIError {
  static {
    raisedBy("ProxyAuthenticationError", this, 407);
  }
}

/** 408: the server waited too long for the request (RFC 9110 §15.5.9). */
export class RequestTimeoutError extends APIError {
  static {
    raisedBy("RequestTimeoutError", this, 408);
  }
}

/** 409: the request conflicts with the resource's state (RFC 9110 §15.5.10). */
export class RequestConflictError extends APIError {
  static {
    raisedBy("RequestConflictError", this, 409);
  }
}

/** 410: the resource is gone for good (RFC 9110 §15.5.11). */
export class NoLongerExistsError extends APIError {
  static {
    raisedBy("NoLongerExistsError", this, 410);
  }
}

/** 411: the server asks for a Content-Length (RFC 9110 §15.5.12). */
export class LengthRequiredError extends APIError {
  static {
    raisedBy("LengthRequiredError", this, 411);
  }
}

/** 412: a condition such as If-Match does not hold (RFC 9110 §15.5.13). */
export class PreconditionFailedError extends APIError {
  static {
    raisedBy("PreconditionFailedError", this, 412);
  }
}

/** 413: the request's body is too large (RFC 9110 §15.5.14). */
export class PayloadTooLargeError extends APIError {
  static {
    raisedBy("PayloadTooLargeError", this, 413);
  }
}

/** 414: the URL is too long (RFC 9110 §15.5.15). */
export class URITooLongError extends APIError {
  static {
    raisedBy("URITooLongError", this, 414);
  }
}

/** 415: the body's content type is not supported (RFC 9110 §15.5.16). */
export class UnsupportedMediaTypeError extends APIError {
  static {
    raisedBy("UnsupportedMediaTypeError", this, 415);
  }
}

/** 416: the range lies outside the resource (RFC 9110 §15.5.17). */
export class RangeNotSatisfiableError extends APIError {
  static {
    raisedBy("RangeNotSatisfiableError", this, 416);
  }
}

/** 417: the Expect header cannot be met (RFC 9110 §15.5.18). */
export class ExpectationFailedError extends APIError {
  static {
    raisedBy("ExpectationFailedError", this, 417);
  }
}

/** 418: the server is a teapot (RFC 2324 §2.3.2). */
export class TeapotResponseError extends APIError {
  static {
    raisedBy("TeapotResponseError", this, 418);
  }
}

/** 420 and 429: too many requests in a given time; retried by itself (RFC 6585 §4). */
export class TooManyRequestsError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy("TooManyRequestsError", this, 420, 429);
  }
}

/** 421: the server does not answer for this authority (RFC 9110 §15.5.20). */
export class MisdirectRequestError extends APIError {
  static {
    raisedBy("MisdirectRequestError", this, 421);
  }
}

/** 422: the content is well-formed, and cannot be processed (RFC 9110 §15.5.21). */
export class InvalidContentError extends APIError {
  static {
    raisedBy("InvalidContentError", this, 422);
  }
}

/** 425: the server will not risk a replayed request (RFC 8470 §5.2). */
export class TooEarlyError extends APIError {
  static {
    raisedBy("TooEarlyError", this, 425);
  }
}

/** 426: the server asks for another protocol (RFC 9110 §15.5.22). */
export class UpgradeRequiredError extends APIError {
  static {
    raisedBy("UpgradeRequiredError", this, 426);
  }
}

/** 428: the server asks for a conditional request (RFC 6585 §3). */
export class PreconditionRequiredError extends APIError {
  static {
    raisedBy("PreconditionRequiredError", this, 428);
  }
}

/** 431: the request's headers are too large (RFC 6585 §5). */
export class RequestHeaderFieldsTooLargeError extends APIError {
  static {
    raisedBy("RequestHeaderFieldsTooLargeError", this, 431);
  }
}

/** 451: the resource is withheld for legal reasons (RFC 7725 §3). */
export class UnavailableForLegalReasonsError extends APIError {
  static {
    raisedBy("UnavailableForLegalReasonsError", this, 451);
  }
}

/** 500: the server failed (RFC 9110 §15.6.1). */
export class ServerError extends APIError {
  static {
    raisedBy("ServerError", this, 500);
  }
}

/** 501: the server cannot do this; retried by itself (RFC 9110 §15.6.2). */
export class MethodNotImplementedError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy("MethodNotImplementedError", this, 501);
  }
}

/** 502: a gateway got an invalid response; retried by itself (RFC 9110 §15.6.3). */
export class BadGatewayError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy("BadGatewayError", this, 502);
  }
}

/** 503: the service is down or overloaded for now; retried by itself (RFC 9110 §15.6.4). */
export class ServiceUnavailableError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy("ServiceUnavailableError", this, 503);
  }
}

/** 504: a gateway got no response in time; retried by itself (RFC 9110 §15.6.5). */
export class GatewayTimeoutError extends APIError {
  /** Whether a request that led to this error is sent again: yes. */
  static override readonly retryable: boolean = true;

  static {
    raisedBy("GatewayTimeoutError", this, 504);
  }
}

/** 510: the server asks for an extension (RFC 2774 §7). */
export class NotExtendedError extends APIError {
  static {
    raisedBy("NotExtendedError", this, 510);
  }
}

/** 511: the network asks for a login (RFC 6585 §6). */
export class NetworkAuthenticationRequiredError extends APIError {
  static {
    raisedBy("NetworkAuthenticationRequiredError", this, 511);
  }
}
