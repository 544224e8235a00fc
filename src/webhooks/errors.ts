/** The errors of webhooks that are not accepted. */
import { brand, RestwrightError, showInJson } from "../errors/base_error.ts";

/**
 * The base class of the errors of {@linkcode verifyWebhook}: the webhook is not accepted. Answer it with
 * a status such as 400. The errors have neither the secret nor a signature in them.
 *
 * @category Errors
 */
export class WebhookError extends RestwrightError {
  static {
    brand("WebhookError", this);
  }
}

/**
 * The error of a webhook without a header that its scheme requires, or with one that cannot be read.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookHeaderError } from "@restwright/restwright/webhooks";
 *
 * const request = new Request("https://example.com/hook", { method: "POST", body: "{}" });
 * const error = await verifyWebhook(request, "whsec_c2VjcmV0").catch((error: unknown) => error);
 * if (!(error instanceof WebhookHeaderError)) throw error;
 * console.log(error.header); // webhook-id
 * ```
 *
 * @category Errors
 */
export class WebhookHeaderError extends WebhookError {
  static {
    brand("WebhookHeaderError", this);
    showInJson(this, "header");
  }

  /** The name of the header. */
  readonly header: string;

  /**
   * Builds the error.
   *
   * @param header The name of the header
   * @param expected The value that it must have, as a noun phrase; undefined if the header is missing
   */
  constructor(header: string, expected?: string) {
    super(
      expected === undefined
        ? `the webhook has no header ${header}`
        : `the header ${header} of the webhook must be ${expected}`,
    );
    this.header = header;
  }
}

/**
 * The error of a webhook whose signature was not made with one of the secrets: somebody else sent it, its
 * body was changed, or the secret is the one of another endpoint.
 *
 * @category Errors
 */
export class WebhookSignatureError extends WebhookError {
  static {
    brand("WebhookSignatureError", this);
    showInJson(this, "header");
  }

  /** The name of the header with the signature. */
  readonly header: string;

  /**
   * Builds the error.
   *
   * @param header The name of the header with the signature
   */
  constructor(header: string) {
    super(
      `no signature in the header ${header} of the webhook was made with the secret; check that the ` +
        "secret is that of this endpoint, and that the body is the one that was sent, byte for byte",
    );
    this.header = header;
  }
}

/**
 * The error of a webhook that is authentic, but was sent too long ago: it may be a copy that somebody
 * sends again. It is also thrown if it comes from the future, which means that a clock is wrong, or if its
 * age cannot be computed.
 *
 * @category Errors
 */
export class WebhookTimestampError extends WebhookError {
  static {
    brand("WebhookTimestampError", this);
    showInJson(this, "sentAt", "age", "tolerance");
  }

  /** The time at which it was sent. */
  readonly sentAt: Date;
  /** The seconds since then; negative for a time in the future, NaN if it cannot be computed. */
  readonly age: number;
  /** The difference in seconds that is allowed. */
  readonly tolerance: number;

  /**
   * Builds the error.
   *
   * @param sentAt The time at which the webhook was sent
   * @param age The seconds since then
   * @param tolerance The difference in seconds that is allowed
   */
  constructor(sentAt: Date, age: number, tolerance: number) {
    const distance = `${Math.abs(Math.round(age))} seconds ${age < 0 ? "from now" : "ago"}`;
    super(
      Number.isNaN(age)
        ? "the age of the webhook is not a number: check the time of the scheme, and the clock"
        : `the webhook was sent ${distance}, but the tolerance is ${tolerance} seconds`,
    );
    this.sentAt = sentAt;
    this.age = age;
    this.tolerance = tolerance;
  }
}

/**
 * The error of a webhook whose body is longer than `maxBodyBytes`. Nothing after the limit is read. Answer
 * it with the status 413.
 *
 * @category Errors
 */
export class WebhookTooLargeError extends WebhookError {
  static {
    brand("WebhookTooLargeError", this);
    showInJson(this, "limit");
  }

  /** The limit in bytes. */
  readonly limit: number;

  /**
   * Builds the error.
   *
   * @param limit The limit in bytes
   */
  constructor(limit: number) {
    super(`the body of the webhook is longer than maxBodyBytes (${limit} bytes)`);
    this.limit = limit;
  }
}
