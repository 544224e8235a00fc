import { brand, RestwrightError } from "./base_error.ts";
import { messageText, type RequestSummary, requestText } from "./message_text.ts";
import { readRetryAfter } from "./retry_after.ts";

/** The data that an {@linkcode ErrorFunction} receives in addition to the response. */
export interface ErrorFunctionDetails {
  /** The number of retries made so far: 0 if the first attempt failed. */
  readonly retries: number;
  /** The request's method and URL, without credentials. Undefined if none was passed. */
  readonly request: RequestSummary | undefined;
  /**
   * The response's body as text, at most the first MiB. The server controls it: it may repeat a
   * secret that was in the request.
   */
  readonly body: string;
}

/**
 * A function that returns the message of an error built from a response (the contract's
 * `error_func`).
 *
 * @example Show the server's own explanation
 * ```ts
 * import { APISession, type ErrorFunction } from "@restwright/restwright";
 *
 * const explain: ErrorFunction = (response, { body }) => `${response.status}: ${body.slice(0, 200)}`;
 * new APISession({ url: "https://api.example.com", errorFunc: explain });
 * ```
 *
 * @category Errors
 */
export type ErrorFunction = (response: Response, details: ErrorFunctionDetails) => string;

/** The options of the {@linkcode APIError} constructor. */
export interface APIErrorDetails {
  /** The number of retries made so far. Default: 0 */
  readonly retries?: number | undefined;
  /** Returns the message. Default: {@linkcode defaultErrorFunction} */
  readonly func?: ErrorFunction | undefined;
  /** The request's method and URL, without credentials. */
  readonly request?: RequestSummary | undefined;
  /** The response's body as text, already cut to the limit. Default: empty */
  readonly body?: string | undefined;
  /** The body, decoded by the error model. Default: undefined */
  readonly data?: unknown;
  /** The request id from the response's headers. Default: none */
  readonly requestId?: string | undefined;
  /** The seconds that the server asked to wait. Default: read from the response's Retry-After */
  readonly retryAfter?: number | undefined;
  /** The error that caused this one, if any. */
  readonly cause?: unknown;
}

/** An error class that can be used in an error map. */
export interface APIErrorClass {
  /** True if a request that fails with this error is retried. */
  readonly retryable: boolean;
  /** The model that decodes the body to `error.data`. It replaces the `errorModel` of the call. */
  readonly errorModel?: unknown;
  /** Builds the error from the response and the details. */
  new (response: Response, details?: APIErrorDetails): APIError;
}

/**
 * The error for a response whose status is not a success.
 *
 * If the status is in the error map, the error is of the class that the map names for it, which is
 * derived from this one. For any other status outside 200 to 298, which includes 299 and all 3xx,
 * it is of this class (contract, Errors, rule 4).
 *
 * Printing the error does not show `headers`, `response`, `body` and `data`, because a server may
 * repeat a secret in them.
 *
 * @example
 * ```ts
 * import { APIError, APISession } from "@restwright/restwright";
 *
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(new Response("no such user", { status: 404 })),
 * });
 * try {
 *   await session.get("users/7");
 * } catch (error) {
 *   if (!(error instanceof APIError)) throw error;
 *   console.log(error.status, error.body); // 404 no such user
 * }
 * ```
 *
 * @category Errors
 */
export class APIError extends RestwrightError {
  static {
    brand("APIError", this);
  }

  /** True if a request that fails with this error is retried. Default: false */
  static readonly retryable: boolean = false;
  /**
   * The model, such as a Standard Schema, that decodes the body to `data`. It takes precedence over
   * the `errorModel` of the call. Default: none
   */
  declare static readonly errorModel: unknown;

  /** The response's status. */
  readonly status: number;
  /** The number of retries made before this error: 0 if the first attempt failed with it. */
  readonly retries: number;
  /** The request's method and URL, without credentials. Undefined if none was passed. */
  readonly request: RequestSummary | undefined;
  /** The request id from the response header that the option `requestIdHeader` names. */
  readonly requestId: string | undefined;
  /**
   * The seconds that the server asked to wait in the header Retry-After; undefined if the header is
   * missing or invalid. For an HTTP-date, it is the time from the creation of the error to that
   * date.
   */
  readonly retryAfter: number | undefined;
  /**
   * The body, decoded by `errorModel`; undefined if there is no model or the body does not match
   * it. A subclass with its own model can declare the type:
   * `declare readonly data: Problem | undefined`.
   */
  declare readonly data: unknown;

  readonly #response: Response;
  readonly #body: string;

  /**
   * Builds the error.
   *
   * @param response The response with the error status
   * @param details The retries made so far, the error function, and other optional data
   */
  constructor(response: Response, details: APIErrorDetails = {}) {
    const { retries = 0, func = defaultErrorFunction, request, body = "", data } = details;
    super(func(response, { retries, request, body }), details);
    this.status = response.status;
    this.retries = retries;
    this.request = request;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter ??
      readRetryAfter(response.headers.get("retry-after"), Date.now());
    if (data !== undefined) {
      // Not enumerable, so that printing the error does not show it.
      Object.defineProperty(this, "data", { value: data, configurable: true, writable: true });
    }
    this.#response = response;
    this.#body = body;
  }

  /** True if a request that fails with an error of this class is retried. */
  get retryable(): boolean {
    return (this.constructor as typeof APIError).retryable;
  }

  /** The response. Its body can still be read, up to the first MiB. */
  get response(): Response {
    return this.#response;
  }

  /** The response's headers. */
  get headers(): Headers {
    return this.#response.headers;
  }

  /** The response's body as text, at most the first MiB. */
  get body(): string {
    return this.#body;
  }

  /** Returns the fields for `JSON.stringify`: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      retries: this.retries,
      retryable: this.retryable,
      request: this.request,
      requestId: this.requestId,
      retryAfter: this.retryAfter,
    };
  }
}

/**
 * Returns the default message of an error: status, reason phrase, method and URL.
 *
 * For a redirect that was not followed, the message also names the target, without credentials and
 * query. It does not include the body, because a server may repeat a secret in it. Use `error.body`
 * to read it.
 *
 * @param response The response with the error status
 * @param details The number of retries made so far and the request
 * @returns The message, as in `404 Not Found: GET https://api.example.com/users/7`
 */
export function defaultErrorFunction(response: Response, details: ErrorFunctionDetails): string {
  const { status, statusText } = response;
  const { request, retries } = details;
  const reason = statusText && ` ${messageText(statusText)}`;
  const from = request === undefined ? "" : `: ${requestText(request)}`;
  const after = retries === 0 ? "" : ` (after ${retries} ${retries === 1 ? "retry" : "retries"})`;
  return `${status}${reason}${from}${after}${redirectHint(response, request)}`;
}

/**
 * Returns the target of a redirect that was not followed, and how to follow it. Returns an empty
 * string for any other response.
 */
function redirectHint(
  { status, headers }: Response,
  request: RequestSummary | undefined,
): string {
  const location = headers.get("location") ?? "";
  if (location === "" || ![301, 302, 303, 307, 308].includes(status)) return "";
  const base = request?.url;
  let target = "";
  if (URL.canParse(location, base)) {
    const { protocol, origin, pathname, search } = new URL(location, base);
    if (!/^https?:$/.test(protocol)) {
      return " (a redirect whose Location is not an http or https URL)";
    }
    target = ` to ${messageText(origin + pathname, 200)}${search && "?…"}`;
  } else if (base !== undefined) return " (a redirect whose Location is not a valid URL)";
  return ` (a redirect${target} was not followed: pass { followRedirects: true } to follow it)`;
}

/** The key of the model that decoded an error's `data`. All copies of the toolkit share it. */
const DATA_MODEL: unique symbol = Symbol.for("restwright.dataModel");

/**
 * Stores the model that decoded an error's `data`. Printing the error does not show it.
 *
 * @param error The error; a frozen one is not changed
 * @param model The model
 */
export function keepDataModel(error: object, model: unknown): void {
  Reflect.defineProperty(error, DATA_MODEL, { value: model });
}

/** Returns the model that decoded an error's `data`, if there is one. */
export function dataModelOf(error: object): unknown {
  return Reflect.get(error, DATA_MODEL);
}
