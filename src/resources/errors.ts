/** The errors of clients with resources: those of the toolkit, with the fields that their callers know. */
import { APIError, type APIErrorDetails, dataModelOf, keepDataModel } from "../errors/api_error.ts";
import { ALSO_OF_CLASS, RestwrightError } from "../errors/base_error.ts";
import { baseErrorMap } from "../errors/status_errors.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import { TransportError, type TransportErrorDetails } from "../errors/transport_error.ts";

/** Sets the name of a class that callers know, which a minified bundle would not keep. */
function named(name: string, made: object): void {
  Object.defineProperty(made, "name", { value: name });
}

/**
 * Returns the base class of the errors of an SDK, such as `AcmeError`. All errors that the toolkit throws
 * are instances of it, too. Generated clients export it under its name.
 *
 * @param name The name of the class
 *
 * @example
 * ```ts
 * import { baseErrorClass, ResourceClient } from "@restwright/restwright/resources";
 *
 * const AcmeError = baseErrorClass("AcmeError");
 * const fetch = () => Promise.resolve(new Response(null, { status: 404 }));
 * const client = new ResourceClient({ baseURL: "https://api.example.com", fetch });
 * const error: unknown = await client.get("/pets/7").catch((reason: unknown) => reason);
 * console.log(error instanceof AcmeError, new AcmeError("no key").name); // true AcmeError
 * ```
 *
 * @category Resources
 */
export function baseErrorClass(name: string): typeof RestwrightError {
  class BaseError extends RestwrightError {
    static {
      named(name, this);
    }

    /** Returns true for all errors of the toolkit; for a class that extends this one, for its own. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return this === BaseError
        ? value instanceof RestwrightError
        : super[Symbol.hasInstance](value);
    }
  }
  return BaseError;
}

/**
 * The class of all errors that a client with resources throws for a call: a response with an error
 * status ({@linkcode APIStatusError}), no complete response ({@linkcode APIConnectionError}), or a
 * call that was aborted ({@linkcode APIUserAbortError}). Generated clients export it as `APIError`.
 *
 * `instanceof` recognises all of them, although those of responses extend the `APIError` of the
 * toolkit, and those of connections its `TransportError`.
 *
 * @category Resources
 */
export abstract class ResourceError extends RestwrightError {
  static {
    named("APIError", this);
  }

  /** Returns true for instances of this class, and for errors of responses and connections. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return super[Symbol.hasInstance](value) || this === ResourceError &&
        (value instanceof APIStatusError || value instanceof APIConnectionError);
  }

  /** The status of the response; undefined if there was none. */
  declare readonly status: number | undefined;
  /** The headers of the response; undefined if there was none. Printing the error does not show them. */
  declare readonly headers: Headers | undefined;
  /**
   * The body of the response, parsed as JSON; undefined if it is neither an object nor an array. Printing
   * the error does not show it, because a server may repeat a secret in it.
   */
  declare readonly error: object | undefined;
  /** The text `code` of the body, or of the object `error` in it; undefined if there is none. */
  declare readonly code: string | undefined;
  /** The id of the request, from the header `x-request-id`; null or undefined if there is none. */
  declare readonly requestID: string | null | undefined;

  /**
   * Returns the error for a status, for example in a test.
   *
   * @param status The status; undefined for an {@linkcode APIConnectionError}
   * @param error The body as JSON
   * @param message The message, if the body has none
   * @param headers The headers of the response
   * @param options The cause
   */
  static generate(
    status: number | undefined,
    error: object | undefined,
    message: string | undefined,
    headers: Headers | undefined,
    options: { readonly cause?: unknown } = {},
  ): ResourceError {
    if (status === undefined) return new APIConnectionError({ message, ...options });
    const body = error === undefined ? "" : JSON.stringify(error);
    const response = new Response(body === "" ? null : body, { status, headers: headers ?? {} });
    const func = () => messageOf(status, error, message);
    return new (classOf(status))(response, { ...options, body, data: error, func });
  }
}

/**
 * The error for a response with an error status: an `APIError` of the toolkit, also an instance of the
 * toolkit's class for its status, with the fields that callers of SDKs by Stainless know. Error classes
 * of such an SDK extend it.
 *
 * @example
 * ```ts
 * import { APIError, NotFoundError } from "@restwright/restwright";
 * import { ResourceClient } from "@restwright/restwright/resources";
 *
 * const fetch = () => Promise.resolve(Response.json({ code: "no_pet" }, { status: 404 }));
 * const client = new ResourceClient({ baseURL: "https://api.example.com", fetch });
 * const error: unknown = await client.get("/pets/7").catch((reason: unknown) => reason);
 * console.log(error instanceof APIError && error instanceof NotFoundError); // true
 * console.log(error instanceof ResourceClient.NotFoundError && error.code); // no_pet
 * ```
 *
 * @category Resources
 */
export class APIStatusError extends APIError implements ResourceError {
  static {
    named("APIStatusError", this);
  }

  /** True for 408, 409, 429 and from 500, unless the header `x-should-retry` decides. */
  override get retryable(): boolean {
    return isRetried(this.response);
  }

  /**
   * The body of the response, parsed as JSON; undefined if it is neither an object nor an array. Printing
   * the error does not show it, because a server may repeat a secret in it.
   */
  get error(): object | undefined {
    return objectOf(this.data);
  }

  /** The text `code` of the body, or of the object `error` in it; undefined if there is none. */
  get code(): string | undefined {
    const { code, error } = Object(this.data);
    const found: unknown = code ?? Object(error).code;
    return typeof found === "string" ? found : undefined;
  }

  /** The id of the request, from the header `x-request-id`; null if there is none. */
  get requestID(): string | null {
    return this.headers.get("x-request-id");
  }

  /** The class of the toolkit for the status, so that `instanceof` recognises it, too. */
  get [ALSO_OF_CLASS](): unknown {
    return baseErrorMap[this.status];
  }
}

/**
 * The error for a call that its caller has aborted by a signal.
 *
 * @category Resources
 */
export class APIUserAbortError extends ResourceError {
  static {
    named("APIUserAbortError", this);
  }

  /** Builds the error. */
  constructor(
    { message, ...options }: {
      readonly message?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message ?? "Request was aborted.", options);
  }
}

/**
 * The error for a request without a complete response: a `TransportError` of the toolkit. The cause is
 * the error of the transport.
 *
 * @category Resources
 */
export class APIConnectionError extends TransportError implements ResourceError {
  static {
    named("APIConnectionError", this);
  }

  /** Undefined: there was no response. */
  declare readonly status: undefined;
  /** Undefined: there was no response. */
  declare readonly headers: undefined;
  /** Undefined: there was no response. */
  declare readonly error: undefined;
  /** Undefined: there was no response. */
  declare readonly code: undefined;
  /** Undefined: there was no response. */
  declare readonly requestID: undefined;

  /** Builds the error. */
  constructor(
    { message, ...details }:
      & { readonly message?: string | undefined }
      & TransportErrorDetails = {},
  ) {
    super(message ?? "Connection error.", details);
  }
}

/**
 * The error for a request that took longer than its `timeout`.
 *
 * @category Resources
 */
export class APIConnectionTimeoutError extends APIConnectionError {
  static {
    named("APIConnectionTimeoutError", this);
  }

  /** Builds the error. */
  constructor(
    { message, ...details }:
      & { readonly message?: string | undefined }
      & TransportErrorDetails = {},
  ) {
    super({ message: message ?? "Request timed out.", kind: "timeout", ...details });
  }
}

/**
 * 400: the request is not valid. Generated clients export it as `BadRequestError`.
 *
 * @category Resources
 */
export class ResourceBadRequestError extends APIStatusError {
  static {
    named("BadRequestError", this);
  }
}

/**
 * 401: credentials are missing or not accepted.
 *
 * @category Resources
 */
export class AuthenticationError extends APIStatusError {
  static {
    named("AuthenticationError", this);
  }
}

/**
 * 403: the credentials do not allow the request.
 *
 * @category Resources
 */
export class PermissionDeniedError extends APIStatusError {
  static {
    named("PermissionDeniedError", this);
  }
}

/**
 * 404: there is no such resource. Generated clients export it as `NotFoundError`.
 *
 * @category Resources
 */
export class ResourceNotFoundError extends APIStatusError {
  static {
    named("NotFoundError", this);
  }
}

/**
 * 409: the request conflicts with the state of the resource. It is retried.
 *
 * @category Resources
 */
export class ConflictError extends APIStatusError {
  static {
    named("ConflictError", this);
  }
}

/**
 * 422: the content of the request cannot be processed.
 *
 * @category Resources
 */
export class UnprocessableEntityError extends APIStatusError {
  static {
    named("UnprocessableEntityError", this);
  }
}

/**
 * 429: too many requests. It is retried.
 *
 * @category Resources
 */
export class RateLimitError extends APIStatusError {
  static {
    named("RateLimitError", this);
  }
}

/**
 * 500 and above: the server has failed. It is retried.
 *
 * @category Resources
 */
export class InternalServerError extends APIStatusError {
  static {
    named("InternalServerError", this);
  }
}

const classes: Readonly<Record<number, typeof APIStatusError>> = {
  400: ResourceBadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: ResourceNotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** Returns the class of the errors of a status. */
function classOf(status: number): typeof APIStatusError {
  return classes[status] ?? (status >= 500 ? InternalServerError : APIStatusError);
}

/**
 * Reports if a failed response is retried: 408, 409, 429 and all statuses from 500, unless its header
 * `x-should-retry` decides.
 */
export function isRetried({ status, headers }: Response): boolean {
  const stated = headers.get("x-should-retry");
  if (stated === "true" || stated === "false") return stated === "true";
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Returns the message of an error: its status, and the message in the body or the body itself. */
function messageOf(
  status: number | undefined,
  error: object | undefined,
  message: string | undefined,
): string {
  const stated: unknown = Reflect.get(error ?? {}, "message");
  const text = stated === undefined || stated === null || stated === ""
    ? error === undefined ? message : JSON.stringify(error)
    : typeof stated === "string"
    ? stated
    : JSON.stringify(stated);
  if (status === undefined) return text || "(no status code or body)";
  return text ? `${status} ${text}` : `${status} status code (no body)`;
}

/** The option `errorFunc` of clients with resources: the status, and the message of the body. */
export const statusMessage: ErrorFunction = ({ status }, { data, body, redact }) =>
  redact(messageOf(status, objectOf(data), body === "" ? undefined : body));

/**
 * Returns the error that a client with resources throws for an error of the toolkit. Others, such as
 * those of wrong arguments and those of the SDK's own classes, are returned as they are.
 *
 * @param error The error of the toolkit
 * @param signals The signals of the caller
 */
export function resourceError(
  error: unknown,
  ...signals: readonly (AbortSignal | null | undefined)[]
): unknown {
  if (error instanceof ResourceError) return error;
  if (error instanceof APIError) {
    const isOwn = error.constructor !== APIError &&
      error.constructor !== baseErrorMap[error.status];
    if (isOwn) return error;
    const made = new (classOf(error.status))(error.response, detailsOf(error));
    const model = dataModelOf(error);
    if (model !== undefined) keepDataModel(made, model);
    return made;
  }
  if (signals.some((signal) => signal?.aborted && signal.reason === error)) {
    return new APIUserAbortError({ cause: error });
  }
  if (!(error instanceof TransportError)) return error;
  const { kind, retries, request } = error;
  const details = { kind, retries, request, cause: error };
  return kind === "timeout"
    ? new APIConnectionTimeoutError(details)
    : new APIConnectionError(details);
}

/** Returns the details with which an error equals another one. */
function detailsOf(error: APIError): APIErrorDetails {
  const { retries, request, body, url, data, requestId, retryAfter, cause } = error;
  const func = () => error.message;
  return { retries, request, body, url, data, requestId, retryAfter, cause, func };
}

function objectOf(value: unknown): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}
