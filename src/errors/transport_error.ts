/** The error of a request without a complete response. */
import { brand, showInJson } from "./base_error.ts";
import type { RequestSummary } from "./message_text.ts";
import { RequestError } from "./request_error.ts";

/**
 * The options of the {@linkcode TransportError} constructor.
 *
 * @category Errors
 */
export interface TransportErrorDetails {
  /** The kind of failure. Default: "other" */
  readonly kind?: TransportError["kind"] | undefined;
  /** The number of retries made so far. Default: 0 */
  readonly retries?: number | undefined;
  /** The request's method and URL, without credentials. */
  readonly request?: RequestSummary | undefined;
  /** The transport's error. It must not contain secrets. */
  readonly cause?: unknown;
}

/**
 * The error for a request without a complete response: the connection failed, was lost, or sent no
 * data for too long.
 *
 * It is logged as an error, and the request is retried after one second. If no attempts are left,
 * the error of the last one is thrown (contract, Errors, rule 5). An adapter may throw it to report
 * such a failure.
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
 *
 * @category Errors
 */
export class TransportError extends RequestError {
  static {
    brand("TransportError", this);
    showInJson(this, "kind", "retries", "retryable");
  }

  /** True: a request that fails with this error is retried. */
  static readonly retryable: boolean = true;

  /**
   * The kind of failure. `dns`: the host name was not found. `refused`: the server refused the
   * connection. `reset`: the connection was lost. `tls`: no secure connection was possible. `timeout`:
   * no data arrived for too long. `proxy`: the proxy failed. `other`: any other failure without a
   * complete response.
   */
  readonly kind: "dns" | "refused" | "reset" | "tls" | "timeout" | "proxy" | "other";
  /** The number of retries made before this error. */
  readonly retries: number;

  /**
   * Builds the error.
   *
   * @param message The message
   * @param details The kind of failure, the number of retries made so far, the request and the
   * cause
   */
  constructor(message: string, details: TransportErrorDetails = {}) {
    super(message, details);
    this.kind = details.kind ?? "other";
    this.retries = details.retries ?? 0;
  }

  /** True if a request that fails with an error of this class is retried. */
  get retryable(): boolean {
    return (this.constructor as typeof TransportError).retryable;
  }
}

/** The kind of a connection failure. */
export type TransportErrorKind = TransportError["kind"];
