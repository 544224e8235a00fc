/**
 * The error of a response whose status is not a success, with its body and the model of its data.
 */
import { brand, showInJson } from "./base_error.ts";
import {
  defaultErrorFunction,
  type ErrorFunction,
  type ErrorFunctionDetails,
  jsonOf,
  unchanged,
  urlOf,
} from "./error_function.ts";
import type { RequestSummary } from "./message_text.ts";
import { RequestError } from "./request_error.ts";
import { readWait } from "./retry_after.ts";

/**
 * The options of the {@linkcode APIError} constructor.
 *
 * @category Errors
 */
export interface APIErrorDetails {
  /** The number of retries made so far. Default: 0 */
  readonly retries?: number | undefined;
  /**
   * Returns the message. Default, also if it returns undefined: that of
   * {@linkcode defaultErrorFunction}
   */
  readonly func?: ErrorFunction | undefined;
  /** The request's method and URL, without credentials. */
  readonly request?: RequestSummary | undefined;
  /** The response's body as text, already cut to the limit. Default: empty */
  readonly body?: string | undefined;
  /**
   * The URL that answered, without credentials. Default: that of the response, without its query
   */
  readonly url?: string | undefined;
  /**
   * The value of `error.data`. If it is present, also as undefined, the body is not parsed. Default:
   * the body as JSON
   */
  readonly data?: unknown;
  /** Replaces the secrets of the request in a text of the server. Default: no secret is known */
  readonly redact?: ((text: string) => string) | undefined;
  /** The request id from the response's headers. Default: none */
  readonly requestId?: string | undefined;
  /** The seconds that the server asked to wait. Default: those of its header Retry-After */
  readonly retryAfter?: number | undefined;
  /** The error that caused this one, if any. */
  readonly cause?: unknown;
}

/**
 * An error class that can be used in an error map.
 *
 * @internal
 */
export interface APIErrorClass {
  /** True if a request that fails with this error is retried. */
  readonly retryable: boolean;
  /** The model that decodes the body to `error.data`. It replaces that of `errorFrom`. */
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
export class APIError extends RequestError {
  static {
    brand("APIError", this);
    showInJson(this, "status", "retries", "retryable", "url", "requestId", "retryAfter");
    // A subclass could not declare the type of `data` if this class declared it as a getter.
    Object.defineProperty(this.prototype, "data", {
      configurable: true,
      get(this: APIError) {
        return this.#data();
      },
      set(this: APIError, value: unknown) {
        Object.defineProperty(this, "data", { value, configurable: true, writable: true });
      },
    });
  }

  /** True if a request that fails with this error is retried. Default: false */
  static readonly retryable: boolean = false;
  /**
   * The model, such as a Standard Schema, that decodes the body to `data`. It takes precedence over
   * that of `errorFrom`. Default: none
   */
  declare static readonly errorModel: unknown;

  /** The response's status. */
  readonly status: number;
  /** The number of retries made before this error: 0 if the first attempt failed with it. */
  readonly retries: number;
  /**
   * The URL that answered, without credentials. It differs from that of `request` after redirects.
   * Secrets are redacted as in the log. Undefined if the error was created from a response without a
   * URL.
   */
  readonly url: string | undefined;
  /** The request id from the response header that the option `requestIdHeader` names. */
  readonly requestId: string | undefined;
  /**
   * The seconds that the server asked to wait in the header Retry-After, or else in `retry-after-ms` or
   * `x-ms-retry-after-ms`; undefined if these are missing or invalid. For an HTTP-date, it is the time
   * from the creation of the error to that date. In an `APIClient`, a 429 without these headers has the
   * time until the reset of its rate limit, if no requests remain.
   */
  readonly retryAfter: number | undefined;
  /**
   * The body, decoded by the model of the class or of `errorFrom`; undefined if it does not match. Without a model, the
   * body is parsed as JSON when this property is first read; undefined if it is not JSON, or was cut
   * after the first MiB. Printing the error does not show it.
   *
   * A subclass can declare the type: `declare readonly data: Problem | undefined`. Only a model
   * checks it.
   */
  declare readonly data: unknown;

  readonly #response: Response;
  readonly #body: string;
  readonly #data: () => unknown;

  /**
   * Builds the error.
   *
   * @param response The response with the error status
   * @param details The retries made so far, the error function, and other optional data
   */
  constructor(response: Response, details: APIErrorDetails = {}) {
    const { retries = 0, func, request, body = "", data: value, redact = unchanged } = details;
    const data = once("data" in details ? () => value : () => jsonOf(response, body));
    const shown: ErrorFunctionDetails = {
      retries,
      request,
      body,
      get data() {
        return data();
      },
      redact,
    };
    const message = func?.(response, shown) ?? defaultErrorFunction(response, shown);
    super(message, details);
    this.status = response.status;
    this.retries = retries;
    this.url = details.url ?? urlOf(response);
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter ?? readWait(response.headers, Date.now());
    this.#response = response;
    this.#body = body;
    this.#data = data;
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
}

/** Returns a function that calls another one only once, and returns its value each time. */
function once(read: () => unknown): () => unknown {
  let result: { readonly value: unknown } | undefined;
  return () => (result ??= { value: read() }).value;
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

/**
 * Reports if a caught value is the error of a response with one of these statuses. It types `data`
 * without a model: the type is that of your API's documentation, and nothing checks it at run time.
 *
 * `data` is undefined if the body is not JSON. To check it, too, use `errorsBy` with a model, and
 * `isErrorWith`.
 *
 * @typeParam T The type of `data`
 * @param error The caught value
 * @param statuses The statuses, at least one
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { isErrorStatus } from "@restwright/restwright/errors";
 *
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(Response.json({ hint: "try 8" }, { status: 404 })),
 * });
 * try {
 *   await session.get("users/7");
 * } catch (error) {
 *   if (!isErrorStatus<{ hint: string }>(error, 404)) throw error;
 *   console.log(error.data?.hint); // try 8
 * }
 * ```
 *
 * @category Errors
 */
export function isErrorStatus<T = unknown>(
  error: unknown,
  ...statuses: readonly [number, ...number[]]
): error is APIError & { readonly data: T | undefined } {
  return error instanceof APIError && statuses.includes(error.status);
}
