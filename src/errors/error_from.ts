/** The types of the hook that chooses the error of a response by its content. */
import type { APIError, APIErrorDetails } from "./api_error.ts";
import type { RequestSummary } from "./message_text.ts";

/**
 * The data that an {@linkcode ErrorFrom} receives in addition to the response. Pass it on to the
 * constructor of the error.
 *
 * @category Errors
 */
export interface ErrorFromDetails extends APIErrorDetails {
  /** The number of retries made so far: 0 if the first attempt failed. */
  readonly retries: number;
  /** The request's method and URL, without credentials. */
  readonly request: RequestSummary;
  /**
   * The body as text, at most the first MiB if the status is an error; for an item of a stream, the text
   * of the item.
   */
  readonly body: string;
  /**
   * The body, decoded by the model of the class of the status or of the {@linkcode ErrorFrom}; undefined
   * if it does not match. Without a model, it is the body as JSON, which is parsed when this property is
   * first read; undefined if it is not JSON.
   */
  readonly data: unknown;
  /** Replaces the secrets of the request in a text of the server. */
  readonly redact: (text: string) => string;
}

/**
 * A function that chooses the error of a response by its content. It is called for each failed attempt,
 * before the retry is decided; with `errorsInSuccess`, also for each success. The error that it returns
 * decides if the request is retried (`retryable`), and after which wait (`retryAfter`). For undefined, the
 * status chooses the class.
 *
 * For a table of codes, and for a model, use `errorsBy` of the entry point `errors`.
 *
 * @example
 * ```ts
 * import { APIClient, APIError } from "@restwright/restwright";
 * import type { ErrorFrom } from "@restwright/restwright/errors";
 *
 * class CardError extends APIError {}
 *
 * class Payments extends APIClient {
 *   static override readonly baseUrl: string = "https://payments.example.com";
 *   static override readonly errorFrom: ErrorFrom = (response, details) => {
 *     const { type } = Object(details.data);
 *     return type === "card_error" ? new CardError(response, details) : undefined;
 *   };
 * }
 * new Payments();
 * ```
 *
 * @category Errors
 */
export interface ErrorFrom {
  /** Returns the error; undefined if the status chooses its class. */
  (
    response: Response,
    details: ErrorFromDetails,
  ): APIError | undefined | Promise<APIError | undefined>;
  /**
   * The model, such as a Standard Schema, that decodes the body of each error to `data`. The model of an
   * error class takes precedence. Default: none
   */
  readonly model?: unknown;
}
