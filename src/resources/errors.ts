/** The errors of clients with resources: a class for each usual status, and for lost connections. */
import { APIError as ResponseError } from "../errors/api_error.ts";
import { RestwrightError, showInJson } from "../errors/base_error.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import { TransportError } from "../errors/transport_error.ts";

/**
 * The base class of the errors that a client with resources throws: a response with an error status, or
 * no complete response.
 *
 * @category Resources
 */
export class APIError extends RestwrightError {
  static {
    showInJson(this, "status", "requestID");
  }

  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** The id of the request, from the header `x-request-id`; null or undefined if there is none. */
  readonly requestID: string | null | undefined;
  readonly #headers: Headers | undefined;
  readonly #error: object | undefined;

  /**
   * Builds the error.
   *
   * @param status The status of the response; undefined if there was none
   * @param error The body as JSON
   * @param message The message, if the body has none
   * @param headers The headers of the response
   * @param options The cause. If it is an error of the toolkit, this error has its message
   */
  constructor(
    status: number | undefined,
    error: object | undefined,
    message: string | undefined,
    headers: Headers | undefined,
    options: { readonly cause?: unknown } = {},
  ) {
    const { cause } = options;
    const isWhole = cause instanceof ResponseError && message === undefined;
    super(isWhole ? cause.message : messageOf(status, error, message), { cause });
    this.status = status;
    this.requestID = headers?.get("x-request-id");
    this.#headers = headers;
    this.#error = error;
  }

  /** The headers of the response; undefined if there was none. Printing the error does not show them. */
  get headers(): Headers | undefined {
    return this.#headers;
  }

  /**
   * The body of the response, parsed as JSON; undefined if it is neither an object nor an array. Printing
   * the error does not show it, because a server may repeat a secret in it.
   */
  get error(): object | undefined {
    return this.#error;
  }

  /**
   * Returns the error for a status.
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
  ): APIError {
    if (status === undefined) return new APIConnectionError({ message, ...options });
    const Class = classes[status] ?? (status >= 500 ? InternalServerError : APIError);
    return new Class(status, error, message, headers, options);
  }
}

/**
 * The error for a call that its caller has aborted by a signal.
 *
 * @category Resources
 */
export class APIUserAbortError extends APIError {
  /** Builds the error. */
  constructor(
    { message, ...options }: {
      readonly message?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(undefined, undefined, message ?? "Request was aborted.", undefined, options);
  }
}

/**
 * The error for a request without a complete response. The cause is the error of the transport.
 *
 * @category Resources
 */
export class APIConnectionError extends APIError {
  /** Builds the error. */
  constructor(
    { message, ...options }: {
      readonly message?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(undefined, undefined, message ?? "Connection error.", undefined, options);
  }
}

/**
 * The error for a request that took longer than its `timeout`.
 *
 * @category Resources
 */
export class APIConnectionTimeoutError extends APIConnectionError {
  /** Builds the error. */
  constructor(
    { message, ...options }: {
      readonly message?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super({ message: message ?? "Request timed out.", ...options });
  }
}

/**
 * 400: the request is not valid.
 *
 * @category Resources
 */
export class BadRequestError extends APIError {}

/**
 * 401: credentials are missing or not accepted.
 *
 * @category Resources
 */
export class AuthenticationError extends APIError {}

/**
 * 403: the credentials do not allow the request.
 *
 * @category Resources
 */
export class PermissionDeniedError extends APIError {}

/**
 * 404: there is no such resource.
 *
 * @category Resources
 */
export class NotFoundError extends APIError {}

/**
 * 409: the request conflicts with the state of the resource. It is retried.
 *
 * @category Resources
 */
export class ConflictError extends APIError {}

/**
 * 422: the content of the request cannot be processed.
 *
 * @category Resources
 */
export class UnprocessableEntityError extends APIError {}

/**
 * 429: too many requests. It is retried.
 *
 * @category Resources
 */
export class RateLimitError extends APIError {}

/**
 * 500 and above: the server has failed. It is retried.
 *
 * @category Resources
 */
export class InternalServerError extends APIError {}

const classes: Readonly<Record<number, typeof APIError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

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
 * those of wrong arguments, are returned as they are.
 *
 * @param error The error of the toolkit
 * @param signals The signals of the caller
 */
export function resourceError(
  error: unknown,
  ...signals: readonly (AbortSignal | null | undefined)[]
): unknown {
  if (error instanceof APIError) return error;
  if (error instanceof ResponseError) {
    const { status, data, headers } = error;
    return APIError.generate(status, objectOf(data), undefined, headers, { cause: error });
  }
  if (signals.some((signal) => signal?.aborted && signal.reason === error)) {
    return new APIUserAbortError({ cause: error });
  }
  if (!(error instanceof TransportError)) return error;
  return error.kind === "timeout"
    ? new APIConnectionTimeoutError({ cause: error })
    : new APIConnectionError({ cause: error });
}

function objectOf(value: unknown): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}
