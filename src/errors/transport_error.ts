import { brand, RestwrightError, withNote } from "./base_error.ts";
import type { RequestSummary } from "./request_summary.ts";

/**
 * What went wrong between the two ends.
 *
 * `dns`: the name was not found. `refused`: nobody listens. `reset`: the connection was lost.
 * `tls`: no secure connection. `timeout`: no data for too long. `proxy`: the proxy failed.
 * `other`: anything else that is not a response.
 */
export type TransportErrorKind =
  | "dns"
  | "refused"
  | "reset"
  | "tls"
  | "timeout"
  | "proxy"
  | "other";

/** What a {@linkcode TransportError} is made of. */
export interface TransportErrorDetails {
  /** What went wrong. Default: "other" */
  readonly kind?: TransportErrorKind | undefined;
  /** The retries made so far. Default: 0 */
  readonly retries?: number | undefined;
  /** The request's method and URL, credentials removed. */
  readonly request?: RequestSummary | undefined;
  /** Why the request was not sent again although it should be; ends the message. */
  readonly note?: string | undefined;
  /** The error that the transport gave, free of secrets. */
  readonly cause?: unknown;
}

/**
 * No whole response arrived: the connection failed, broke off, or went silent for too long.
 *
 * It is logged as an error and the request is sent again after one second; when the attempts run
 * out, the last one is raised (contract, Errors, rule 5). An adapter may raise it to say the same.
 *
 * @example
 * ```ts
 * import { APISession, TransportError } from "@restwright/restwright";
 *
 * const session = new APISession({ url: "http://127.0.0.1:2", retries: 0, finalWait: false });
 * try {
 *   await session.get("status");
 * } catch (error) {
 *   if (!(error instanceof TransportError)) throw error;
 *   console.log(error.kind); // refused
 * }
 * ```
 */
export class TransportError extends RestwrightError {
  static {
    brand("TransportError", this);
  }

  /** Whether a request that led to this error is sent again: always. */
  static readonly retryable: boolean = true;

  /** What went wrong. */
  readonly kind: TransportErrorKind;
  /** The retries made before this error was raised. */
  readonly retries: number;
  /** The request's method and URL, credentials removed; absent on an error made by hand. */
  readonly request: RequestSummary | undefined;

  /**
   * Builds the error.
   *
   * @param message What happened
   * @param details What went wrong, the retries made so far, the request and the cause
   */
  constructor(message: string, details: TransportErrorDetails = {}) {
    super(withNote(message, details), details);
    this.kind = details.kind ?? "other";
    this.retries = details.retries ?? 0;
    this.request = details.request;
  }

  /** Whether a request that led to this error is sent again. */
  get retryable(): boolean {
    return (this.constructor as typeof TransportError).retryable;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      kind: this.kind,
      retries: this.retries,
      retryable: this.retryable,
      request: this.request,
    };
  }
}
