/** The middleware that creates the span of a call, and traces its attempts. */
import {
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { APIError } from "../errors/api_error.ts";
import { isError } from "../errors/base_error.ts";
import type { CallMiddleware, MiddlewareCall } from "../options/request_options.ts";
import type { Middleware } from "../options/middleware.ts";
import { errorType, methodAttributes, spanName } from "./attributes.ts";
import { isCancelled } from "./exchange.ts";
import { currentTracer, isSuppressed } from "./instruments.ts";
import { checkedTelemetry, type TelemetryOptions, type TelemetrySettings } from "./options.ts";
import { keepTemplates, templateOf } from "./path_templates.ts";
import { templateOfUrl, urlTemplate } from "./template.ts";
import { type AttemptOwner, TracedAttempt } from "./traced_attempt.ts";

/**
 * Creates middleware that traces calls with OpenTelemetry, and measures their requests, by the semantic
 * conventions for HTTP clients. It requires the package `@opentelemetry/api`. Without an SDK that the
 * program has set up, nothing is recorded.
 *
 * Pass it as `callMiddleware`. A span ends with the body of its response. Secrets are removed from
 * URLs and messages as in the log. Trace context is sent only to origins that get the credentials of
 * the session.
 *
 * @param options The options
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { telemetry } from "@restwright/restwright/telemetry";
 *
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   fetch: () => Promise.resolve(Response.json([])),
 *   callMiddleware: [telemetry()],
 * });
 * console.log(await session.get("books", { convJson: true })); // []
 * ```
 *
 * @category Telemetry
 */
export function telemetry(options: TelemetryOptions = {}): CallMiddleware {
  const settings = checkedTelemetry(options);
  keepTemplates();
  return (call, next) => {
    const active = context.active();
    if (isSuppressed(active)) return next(call);
    const traced = new TracedCall(settings, call, active);
    return settings.spans === "call" ? traced.runInSpan(next) : next(traced.call);
  };
}

/** A call whose HTTP requests are traced. */
class TracedCall implements AttemptOwner {
  /** The call, with middleware around its attempts. */
  readonly call: MiddlewareCall;
  readonly settings: TelemetrySettings;
  context: Context;
  sent = 0;
  /** The signal of the latest attempt. */
  #signal: AbortSignal | undefined;
  /** Sets the template of the span of the call. The base URL is known at the first attempt. */
  #onTemplate: ((template: string) => void) | undefined;

  constructor(settings: TelemetrySettings, call: MiddlewareCall, active: Context) {
    this.settings = settings;
    this.context = active;
    const { path, options } = call;
    this.#signal = options.signal ?? undefined;
    const given = call.context.get(urlTemplate);
    const ofPath = templateOf(path);
    // Innermost, so that caches and queues are outside of the spans.
    const own: Middleware = (request, next) => {
      this.#signal = request.signal;
      const template = given ?? (ofPath && templateOfUrl(request.url, path, ofPath));
      if (template !== undefined) this.#onTemplate?.(template);
      return new TracedAttempt(this, request, template).run(next);
    };
    const { middleware = [] } = options;
    this.call = Array.isArray(middleware)
      ? { ...call, options: { ...options, middleware: [...middleware, own] } }
      : call; // the call rejects the option
  }

  /** Makes the call in a span. */
  async runInSpan(next: (call: MiddlewareCall) => Promise<unknown>): Promise<unknown> {
    const { call, settings: { knownMethods } } = this;
    // The toolkit sends the usual methods in upper case.
    const upper = String(call.method).toUpperCase();
    const method = methodAttributes(knownMethods.has(upper) ? upper : call.method, knownMethods);
    const span = currentTracer().startSpan(
      spanName(method),
      { kind: SpanKind.INTERNAL, attributes: method },
      this.context,
    );
    this.#onTemplate = (template) => {
      this.#onTemplate = undefined; // Deno would keep the attribute of each attempt
      span.updateName(spanName(method, template));
      span.setAttribute("url.template", template);
    };
    this.context = trace.setSpan(this.context, span);
    try {
      return await context.with(this.context, () => next(call));
    } catch (error) {
      if (!isCancelled(error, this.#signal)) failSpan(span, error);
      throw error;
    } finally {
      if (this.sent > 1) span.setAttribute("http.request.resend_count", this.sent - 1);
      span.end();
    }
  }
}

/** Sets the error of a call. The reason of an error status is the status. */
function failSpan(span: Span, error: unknown): void {
  const code = SpanStatusCode.ERROR;
  if (error instanceof APIError) {
    span.setAttribute("error.type", String(error.status));
    span.setStatus({ code });
    return;
  }
  span.setAttribute("error.type", errorType(error));
  span.recordException(isError(error) ? error : String(error));
  span.setStatus({ code, message: isError(error) ? error.message : String(error) });
}
