import { brand, RestwrightError, withNote } from "./base_error.ts";
import { messageText } from "./message_text.ts";
import { type RequestSummary, requestText } from "./request_summary.ts";
import { readRetryAfter } from "./retry_after.ts";

/** What an {@linkcode ErrorFunction} is told beside the response. */
export interface ErrorFunctionDetails {
  /** The retries made so far: 0 where the first attempt failed. */
  readonly retries: number;
  /** The request's method and URL, credentials removed; absent on an error made by hand. */
  readonly request: RequestSummary | undefined;
  /** The response's body as text, capped. It is the server's word: it may repeat what was sent. */
  readonly body: string;
}

/**
 * Makes the message of an error built from a response (the contract's `error_func`).
 *
 * @example Show the server's own explanation
 * ```ts
 * import { APISession, type ErrorFunction } from "@restwright/restwright";
 *
 * const explain: ErrorFunction = (response, { body }) => `${response.status}: ${body.slice(0, 200)}`;
 * new APISession({ url: "https://api.example.com", errorFunc: explain });
 * ```
 */
export type ErrorFunction = (response: Response, details: ErrorFunctionDetails) => string;

/** What an error built from a response is given beside it. */
export interface APIErrorDetails {
  /** The retries made so far. Default: 0 */
  readonly retries?: number | undefined;
  /** Makes the message. Default: {@linkcode defaultErrorFunction} */
  readonly func?: ErrorFunction | undefined;
  /** The request's method and URL, credentials removed. */
  readonly request?: RequestSummary | undefined;
  /** The response's body as text, capped. Default: empty */
  readonly body?: string | undefined;
  /** What the body says, by a model. Default: undefined */
  readonly data?: unknown;
  /** The id that the response gave the request. Default: none */
  readonly requestId?: string | undefined;
  /** The seconds that the server asked to wait. Default: read from the response's Retry-After */
  readonly retryAfter?: number | undefined;
  /** Why the request was not retried although the error is retryable; ends the message. */
  readonly note?: string | undefined;
  /** The error beneath, if any. */
  readonly cause?: unknown;
}

/** A class of errors that can stand in an error map. */
export interface APIErrorClass {
  /** Whether a request that led to this error is sent again. */
  readonly retryable: boolean;
  /** What the body is decoded to, as `error.data`; in place of the `errorModel` of the call. */
  readonly errorModel?: unknown;
  /** Builds the error from the response, the retries made so far and the error function. */
  new (response: Response, details?: APIErrorDetails): APIError;
}

/**
 * The API answered with a status that is not a success.
 *
 * Statuses of the error map raise a class of their own, derived from this one; any other status
 * outside 200 to 298, 299 and all 3xx included, raises this class (contract, Errors, rule 4).
 *
 * `headers`, `response`, `body` and `data` are not shown when the error is printed, since a server may
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
 */
export class APIError extends RestwrightError {
  static {
    brand("APIError", this);
  }

  /** Whether a request that led to this error is sent again. Default: false */
  static readonly retryable: boolean = false;
  /**
   * What the body of such an error is decoded to, as `data`: a Standard Schema. It goes before the
   * `errorModel` of the call. Default: none
   */
  declare static readonly errorModel: unknown;

  /** The response's status. */
  readonly status: number;
  /** The retries made before this error was raised: 0 where the first attempt led to it. */
  readonly retries: number;
  /** The request's method and URL, credentials removed; absent on an error made by hand. */
  readonly request: RequestSummary | undefined;
  /** The id that the response gave the request, by the header `requestIdHeader`. */
  readonly requestId: string | undefined;
  /**
   * The seconds that the server asked to wait, by the header Retry-After; undefined without a
   * readable one. An HTTP-date counts from the moment when the error was built.
   */
  readonly retryAfter: number | undefined;
  /**
   * What the body says, as `errorModel` makes it; undefined where there is no model, or the body
   * does not match it. A class with a model of its own gives it a type:
   * `declare readonly data: Problem | undefined`.
   */
  declare readonly data: unknown;

  readonly #response: Response;
  readonly #body: string;

  /**
   * Builds the error.
   *
   * @param response The response the error is built from
   * @param details The retries made so far, the error function, and what else is known
   */
  constructor(response: Response, details: APIErrorDetails = {}) {
    const { retries = 0, func = defaultErrorFunction, request, body = "", data } = details;
    super(withNote(func(response, { retries, request, body }), details), details);
    this.status = response.status;
    this.retries = retries;
    this.request = request;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter ??
      readRetryAfter(response.headers.get("retry-after"), Date.now());
    if (data !== undefined) {
      // Not shown when the error is printed.
      Object.defineProperty(this, "data", { value: data, configurable: true, writable: true });
    }
    this.#response = response;
    this.#body = body;
  }

  /** Whether errors of this class are retried by themselves. */
  get retryable(): boolean {
    return (this.constructor as typeof APIError).retryable;
  }

  /** The response, its body still readable up to the cap. */
  get response(): Response {
    return this.#response;
  }

  /** The response's headers. */
  get headers(): Headers {
    return this.#response.headers;
  }

  /** The response's body as text: at most the first MiB of it. */
  get body(): string {
    return this.#body;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
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
 * The toolkit's default error function: status, reason phrase, method and URL.
 *
 * For a redirect that was not followed, it also names the target, without credentials and query. It
 * leaves out the body, since a server may repeat a secret in it; `error.body` has it.
 *
 * @param response The response the error is built from
 * @param details The retries made so far and the request
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

/** Returns where a redirect that was not followed leads, and how to follow it; else nothing. */
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
    if (!/^https?:$/.test(protocol)) return " (a redirect whose Location is no http or https URL)";
    target = ` to ${messageText(origin + pathname, 200)}${search && "?…"}`;
  } else if (base !== undefined) return " (a redirect whose Location is not a valid URL)";
  return ` (a redirect${target} was not followed: pass { followRedirects: true } to follow it)`;
}
