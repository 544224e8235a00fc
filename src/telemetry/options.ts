/** The options of telemetry, their checks and their defaults. */
import { trace } from "@opentelemetry/api";
import {
  type Check,
  check,
  checkedFlag,
  checkedOptions,
  isToken,
  listCheck,
} from "../base/checks.ts";

/**
 * The options of {@linkcode telemetry}.
 *
 * @category Telemetry
 */
export interface TelemetryOptions {
  /**
   * `"attempt"`: a CLIENT span for each HTTP request, also for those after retries, redirects and
   * challenges. Spans that the runtime's instrumentation would create for them are suppressed.
   * `"call"`: an INTERNAL span for each call; CLIENT spans and their trace context are left to the
   * runtime. Default: "attempt"; "call" on Deno with `OTEL_DENO=true`, which cannot be suppressed
   */
  readonly spans?: "attempt" | "call" | undefined;
  /**
   * True if the metric `http.client.request.duration` is recorded.
   *
   * @default {true}
   */
  readonly metrics?: boolean | undefined;
  /**
   * True if trace context is sent to origins that get the credentials of the session. Default: true; in
   * browsers only for the origin of the page, because others have to allow the headers (CORS)
   */
  readonly propagate?: boolean | undefined;
  /** Further attributes: `url.template` for the metric, the others for spans. Default: none */
  readonly optIn?:
    | readonly ("url.scheme" | "url.template" | "user_agent.original")[]
    | undefined;
  /**
   * The methods that are known, in their exact case. Any other is reported as `_OTHER`. Default: those
   * of RFC 9110, PATCH and QUERY
   */
  readonly knownMethods?: readonly string[] | undefined;
}

/** An attribute that telemetry adds only if it is asked for. */
export type OptInAttribute = NonNullable<TelemetryOptions["optIn"]>[number];

/** The methods of RFC 9110, PATCH (RFC 5789) and QUERY. */
const defaultMethods: readonly string[] = [
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE",
];

/** The options, checked and with their defaults. */
export interface TelemetrySettings {
  readonly spans: "attempt" | "call";
  readonly metrics: boolean;
  readonly propagate: boolean | undefined;
  readonly optIn: ReadonlySet<OptInAttribute>;
  readonly knownMethods: ReadonlySet<string>;
}

const optInAttributes: readonly OptInAttribute[] = [
  "url.scheme",
  "url.template",
  "user_agent.original",
];

const checkedSpans: Check<"attempt" | "call"> = /* @__PURE__ */ check(
  '"attempt" or "call"',
  (value) => value === "attempt" || value === "call",
);

const checkedOptIn: Check<readonly OptInAttribute[]> = /* @__PURE__ */ listCheck<OptInAttribute>(
  "a list of attributes",
  /* @__PURE__ */ check(
    `one of ${/* @__PURE__ */ optInAttributes.join(", ")}`,
    (value) => optInAttributes.includes(value as OptInAttribute),
  ),
);

const checkedMethods: Check<readonly string[]> = /* @__PURE__ */ listCheck<string>(
  "a list of HTTP methods",
  /* @__PURE__ */ check("an HTTP method such as GET", isToken),
);

/**
 * Checks the options, and adds their defaults.
 *
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function checkedTelemetry(options: TelemetryOptions): TelemetrySettings {
  const known = ["knownMethods", "metrics", "optIn", "propagate", "spans"];
  const { spans = defaultSpans(), metrics = true, propagate, optIn = [] } = checkedOptions(
    options,
    known,
  );
  const { knownMethods = defaultMethods } = options;
  return {
    spans: checkedSpans("spans", spans),
    metrics: checkedFlag("metrics", metrics),
    propagate: propagate === undefined ? undefined : checkedFlag("propagate", propagate),
    optIn: new Set(checkedOptIn("optIn", optIn)),
    knownMethods: new Set(checkedMethods("knownMethods", knownMethods)),
  };
}

/**
 * Returns the default of the option `spans`. Deno registers its own provider if it traces fetch, and
 * its span of fetch does not heed a context that turns off tracing.
 */
function defaultSpans(): "attempt" | "call" {
  const { Deno } = globalThis as {
    readonly Deno?: { readonly telemetry?: { readonly tracerProvider?: unknown } };
  };
  const provider = Deno?.telemetry?.tracerProvider;
  return provider !== undefined && trace.getTracerProvider() === provider ? "call" : "attempt";
}
