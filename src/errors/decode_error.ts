import { brand, RestwrightError } from "./base_error.ts";
import type { RequestSummary } from "./request_summary.ts";

/** What a {@linkcode DecodeError} is made of. */
export interface DecodeErrorDetails {
  /** The response whose body it was, still readable. */
  readonly response: Response;
  /** The body as text. */
  readonly body: string;
  /** The request's method and URL, credentials removed. */
  readonly request?: RequestSummary | undefined;
  /** The id that the response gave the request. */
  readonly requestId?: string | undefined;
  /** The parser's error. */
  readonly cause?: unknown;
}

/**
 * A successful response arrived whole, and its body is not what the conversion expects.
 *
 * It is not retried: the same bytes would come again.
 */
export class DecodeError extends RestwrightError {
  static {
    brand("DecodeError", this);
  }

  /** The response's status. */
  readonly status: number;
  /** The request's method and URL, credentials removed; absent on an error made by hand. */
  readonly request: RequestSummary | undefined;
  /** The id that the response gave the request, by the header `requestIdHeader`. */
  readonly requestId: string | undefined;

  readonly #response: Response;
  readonly #body: string;

  /**
   * Builds the error.
   *
   * @param message What was expected and what came
   * @param details The response, its body and the request
   */
  constructor(message: string, details: DecodeErrorDetails) {
    super(message, details);
    this.status = details.response.status;
    this.request = details.request;
    this.requestId = details.requestId;
    this.#response = details.response;
    this.#body = details.body;
  }

  /** The response, its body still readable. */
  get response(): Response {
    return this.#response;
  }

  /** The response's headers. */
  get headers(): Headers {
    return this.#response.headers;
  }

  /** The body as text. */
  get body(): string {
    return this.#body;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      request: this.request,
      requestId: this.requestId,
    };
  }
}
