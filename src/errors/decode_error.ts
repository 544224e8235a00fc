/** The error of a success whose body is not in the expected format, such as invalid JSON. */
import { brand, showInJson } from "./base_error.ts";
import type { RequestSummary } from "./message_text.ts";
import { RequestError } from "./request_error.ts";

/**
 * The options of the {@linkcode DecodeError} constructor.
 *
 * @category Errors
 */
export interface DecodeErrorDetails {
  /** The response. Its body can still be read. */
  readonly response: Response;
  /** The body as text. */
  readonly body: string;
  /** The request's method and URL, without credentials. */
  readonly request?: RequestSummary | undefined;
  /** The request id from the response's headers. */
  readonly requestId?: string | undefined;
  /** The parser's error. */
  readonly cause?: unknown;
}

/**
 * The error for a successful response whose body is not in the expected format, such as invalid
 * JSON.
 *
 * It is not retried, because the server would most likely send the same body again.
 *
 * @category Errors
 */
export class DecodeError extends RequestError {
  static {
    brand("DecodeError", this);
    showInJson(this, "status", "requestId");
  }

  /** The response's status. */
  readonly status: number;
  /** The request id from the response header that the option `requestIdHeader` names. */
  readonly requestId: string | undefined;

  readonly #response: Response;
  readonly #body: string;

  /**
   * Builds the error.
   *
   * @param message The message: what was expected and what was received
   * @param details The response, its body and the request
   */
  constructor(message: string, details: DecodeErrorDetails) {
    super(message, details);
    this.status = details.response.status;
    this.requestId = details.requestId;
    this.#response = details.response;
    this.#body = details.body;
  }

  /** The response. Its body can still be read. */
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
}
