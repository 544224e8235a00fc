/** Measures one HTTP request: ends its span and its metric when the body ends. */
import { type Attributes, type Context, type Span, SpanStatusCode } from "@opentelemetry/api";
import { isError, RestwrightError } from "../errors/base_error.ts";
import type { RequestSummary } from "../errors/message_text.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { watchBody } from "../middleware/watch_body.ts";
import { errorType } from "./attributes.ts";

/** The start of one HTTP request. It must not lead to the response, which would not be garbage then. */
export interface ExchangeStart {
  /** The time, in milliseconds since 1970. */
  readonly startTime: number;
  /** The span of the request; undefined if the runtime has its own. */
  readonly span: Span | undefined;
  /** The context with the span. */
  readonly context: Context;
  /** The attributes of the metric. */
  readonly attributes: Attributes;
  /** Records the duration in seconds; undefined for no metric. */
  readonly record:
    | ((seconds: number, attributes: Attributes, context: Context) => void)
    | undefined;
  /** The method and the URL without secrets, for errors. */
  readonly request: RequestSummary;
  /** The number of retries so far. */
  readonly retries: number;
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined;
  /** Abort the call, which then throws the reason as it is. */
  readonly callSignals: readonly AbortSignal[];
}

/** Ends the exchanges of responses that nobody can read any more. Some workers have no registry. */
const unread = typeof FinalizationRegistry === "undefined"
  ? undefined
  : /* @__PURE__ */ new FinalizationRegistry<Exchange>((exchange) => exchange.endUnread());

/**
 * One HTTP request with its response: its span, and its value of the metric. It ends with the body.
 *
 * A redirect ends when the next request begins, or with its attempt: only then it is known if it is
 * followed.
 */
export class Exchange {
  readonly #start: ExchangeStart;
  readonly #attributes: Attributes;
  readonly #startedAt = performance.now();
  /** The time of the last data, in milliseconds since the start. */
  #lastData = 0;
  #status = 0;
  #isHeld = false;
  #state: "open" | "body over" | "ended" = "open";

  constructor(start: ExchangeStart) {
    this.#start = start;
    this.#attributes = start.attributes;
  }

  /**
   * Returns a response that ends the exchange with its body.
   *
   * @param response The response
   */
  async respond(response: Response): Promise<Response> {
    const { status } = response;
    this.#status = status;
    this.#isHeld = status >= 300 && status < 400;
    this.#set({ "http.response.status_code": status });
    if (status >= 400) this.#setError(String(status));
    this.#touch();
    // On some runtimes, the response to a HEAD has an empty body, which nobody reads.
    if (this.#start.request.method === "HEAD") {
      this.#endBody();
      return response;
    }
    const watched = await watchBody(response, {
      onChunk: () => this.#touch(),
      onEnd: (isComplete, failure) => {
        const { signal } = this.#start;
        if (failure !== undefined) this.fail(failure.error);
        else if (!isComplete && signal?.aborted) this.fail(signal.reason);
        else this.#endBody();
      },
    });
    if (this.#state === "open") unread?.register(watched.body!, this, this);
    return watched;
  }

  /**
   * Ends the exchange with an error. An abort by the caller does not count.
   *
   * @param error The error, before it has been explained
   */
  fail(error: unknown): void {
    if (this.#state === "ended") return;
    const { request, retries, signal, callSignals, span } = this.#start;
    const reason = signal?.aborted ? signal.reason : error;
    if (!isCancelled(reason, signal)) {
      const isOfCaller = callSignals.some((each) => each.aborted && each.reason === reason);
      const shown = isOfCaller ? reason : toTransportError(reason, { request, retries });
      this.#setError(errorType(shown), isError(shown) ? shown.message : undefined);
      span?.recordException(isError(shown) ? shown : String(shown));
    }
    this.#end();
  }

  /** Ends a redirect that has been followed, or whose attempt is over. */
  release(): void {
    this.#isHeld = false;
    if (this.#state === "body over") this.#end();
  }

  /** Ends the exchange at the time of its last data, because nobody can read the rest. */
  endUnread(): void {
    this.#end(this.#lastData);
  }

  #endBody(): void {
    if (this.#state === "open") this.#state = "body over";
    if (!this.#isHeld) this.release();
  }

  #touch(): void {
    this.#lastData = performance.now() - this.#startedAt;
  }

  #set(attributes: Attributes): void {
    Object.assign(this.#attributes, attributes);
    this.#start.span?.setAttributes(attributes);
  }

  #setError(type: string, message?: string): void {
    this.#set({ "error.type": type });
    const code = SpanStatusCode.ERROR;
    this.#start.span?.setStatus(message === undefined ? { code } : { code, message });
  }

  #end(duration = performance.now() - this.#startedAt): void {
    this.#state = "ended";
    unread?.unregister(this);
    const { span, record, context, startTime } = this.#start;
    span?.end(startTime + duration);
    record?.(duration / 1000, this.#attributes, context);
  }
}

/**
 * Reports if an error is an abort by the caller, which does not count as a failure. Timeouts and
 * deadlines do.
 */
export function isCancelled(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted || error !== signal.reason) return false;
  return !(error instanceof RestwrightError) &&
    !(isError(error) && error.name === "TimeoutError");
}
