/** Traces the HTTP requests of an attempt, and decides if they carry trace context. */
import { type Context, context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { isBrowser } from "../http/send.ts";
import { untilAborted } from "../middleware/waiting_queue.ts";
import { ownNetwork } from "../call/sent_request.ts";
import type {
  MiddlewareRequest,
  NetworkMiddleware,
  NetworkRequest,
} from "../options/middleware.ts";
import {
  agentAttributes,
  methodAttributes,
  serverAttributes,
  spanName,
  withoutQuery,
} from "./attributes.ts";
import { Exchange } from "./exchange.ts";
import { currentTracer, isSuppressed, recordDuration, suppressed } from "./instruments.ts";
import type { TelemetrySettings } from "./options.ts";

/** The call of an attempt. */
export interface AttemptOwner {
  /** The options. */
  readonly settings: TelemetrySettings;
  /** The context of the caller, or the one with the span of the call. */
  readonly context: Context;
  /** The number of HTTP requests so far. */
  sent: number;
}

/** An attempt whose HTTP requests are traced. */
export class TracedAttempt {
  readonly #owner: AttemptOwner;
  readonly #request: MiddlewareRequest;
  readonly #template: string | undefined;
  /** The latest HTTP request. */
  #exchange: Exchange | undefined;

  /**
   * @param owner The call
   * @param request The request of the attempt
   * @param template The template of its URL
   */
  constructor(owner: AttemptOwner, request: MiddlewareRequest, template: string | undefined) {
    this.#owner = owner;
    this.#request = request;
    this.#template = template;
  }

  /** Sends the request of the attempt. */
  async run(next: (request: MiddlewareRequest) => Promise<Response>): Promise<Response> {
    const request = this.#request;
    request.network = ownNetwork<NetworkMiddleware>((sent, send) => this.#send(sent, send));
    try {
      return await next(request);
    } catch (error) {
      // Such as too many redirects.
      this.#exchange?.fail(error);
      throw error;
    } finally {
      this.#exchange?.release();
    }
  }

  /** Sends one HTTP request. */
  async #send(
    sent: NetworkRequest,
    send: (headers?: Readonly<Record<string, string>>) => Promise<Response>,
  ): Promise<Response> {
    const active = context.active();
    if (isSuppressed(active)) return await send();
    this.#exchange?.release();
    // Not every runtime keeps the active span across an await.
    const parent = trace.getSpan(active) === undefined ? this.#owner.context : active;
    const { exchange, inside, headers } = this.#start(sent, parent);
    this.#exchange = exchange;
    try {
      const work = context.with(inside, () => send(headers));
      return await exchange.respond(await untilAborted(work, sent.init.signal ?? undefined));
    } catch (error) {
      exchange.fail(error);
      throw error;
    }
  }

  /** Starts an HTTP request: with the context in which it is sent, and the headers to add. */
  #start(
    sent: NetworkRequest,
    parent: Context,
  ): { exchange: Exchange; inside: Context; headers?: Record<string, string> } {
    const { settings: { spans, optIn, knownMethods, metrics, propagate } } = this.#owner;
    const startTime = Date.now();
    const url = sent.shownUrl;
    const resends = this.#owner.sent++;
    // A redirect leads to a URL that only the server knows.
    const isOwnUrl = withoutQuery(sent.url) === withoutQuery(this.#request.url);
    const template = isOwnUrl ? this.#template : undefined;
    const isShared = mayPropagate(sent, propagate);
    const method = methodAttributes(sent.init.method, knownMethods);
    const server = serverAttributes(sent.url, optIn);
    const start = {
      startTime,
      attributes: {
        "http.request.method": method["http.request.method"],
        ...server,
        ...(template !== undefined && optIn.has("url.template") && { "url.template": template }),
      },
      record: metrics ? recordDuration : undefined,
      request: { method: sent.init.method, url },
      retries: this.#request.attempt - 1,
      signal: sent.init.signal ?? undefined,
      callSignals: sent.callSignals,
    };
    if (spans === "call") {
      // The runtime sends trace context to every origin, unless its tracing is turned off.
      const inside = isShared ? parent : suppressed(parent);
      return { exchange: new Exchange({ ...start, span: undefined, context: parent }), inside };
    }
    const span = currentTracer().startSpan(
      spanName(method, template),
      {
        kind: SpanKind.CLIENT,
        startTime,
        attributes: {
          ...method,
          ...server,
          "url.full": url,
          ...agentAttributes(sent.init.headers, optIn),
          ...(template !== undefined && { "url.template": template }),
          ...(resends > 0 && { "http.request.resend_count": resends }),
        },
      },
      parent,
    );
    const own = trace.setSpan(parent, span);
    const headers: Record<string, string> = {};
    if (isShared) propagation.inject(own, headers, lowerCase);
    const exchange = new Exchange({ ...start, span, context: own });
    return { exchange, inside: suppressed(own), headers };
  }
}

/** Sets headers with names in lower case, as the toolkit's are. */
const lowerCase = {
  set(headers: Record<string, string>, name: string, value: string): void {
    headers[name.toLowerCase()] = value;
  },
};

/**
 * Reports if trace context may be sent with a request.
 *
 * @param request The request
 * @param propagate The option
 * @param page The origin of the page in a browser
 */
export function mayPropagate(
  { url, isTrusted }: Pick<NetworkRequest, "url" | "isTrusted">,
  propagate: boolean | undefined,
  page: string | undefined = isBrowser ? globalThis.location?.origin : undefined,
): boolean {
  if (!isTrusted || propagate === false) return false;
  return propagate === true || page === undefined || new URL(url).origin === page;
}
