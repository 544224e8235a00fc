/** The tracer and the metric of the registered provider, and the switch that turns tracing off. */
import {
  type Attributes,
  type Context,
  createContextKey,
  type Histogram,
  type MeterProvider,
  metrics,
  trace,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "../base/version.ts";

/**
 * The key that turns off tracing in a context. It is that of `suppressTracing` in
 * `@opentelemetry/core`: keys with the same name are the same symbol. The SDK's tracers and
 * propagators look at it, and with them all instrumentations that use them.
 */
const SUPPRESS_TRACING = /* @__PURE__ */ createContextKey(
  "OpenTelemetry SDK Context Key SUPPRESS_TRACING",
);

/** Returns a context in which the SDK creates no spans and sends no trace context. */
export function suppressed(context: Context): Context {
  return context.setValue(SUPPRESS_TRACING, true);
}

/** Reports if tracing is turned off in a context, as it is for the requests of an exporter. */
export function isSuppressed(context: Context): boolean {
  return context.getValue(SUPPRESS_TRACING) === true;
}

/** The buckets of the durations in seconds, by the semantic conventions. */
const boundaries: readonly number[] = [
  ...[0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
];

/** The tracer of a provider. */
let tracer: readonly [provider: TracerProvider, tracer: Tracer] | undefined;

/** The metric of a provider. */
let duration: readonly [provider: MeterProvider, duration: Histogram] | undefined;

/** Returns the tracer of the provider that is registered now: a program may set it up late. */
export function currentTracer(): Tracer {
  const provider = trace.getTracerProvider();
  if (tracer?.[0] !== provider) {
    tracer = [provider, provider.getTracer(TOOLKIT_NAME, TOOLKIT_VERSION)];
  }
  return tracer[1];
}

/** Records the duration of a request in seconds, with the provider that is registered now. */
export function recordDuration(seconds: number, attributes: Attributes, context: Context): void {
  const provider = metrics.getMeterProvider();
  if (duration?.[0] !== provider) {
    const meter = provider.getMeter(TOOLKIT_NAME, TOOLKIT_VERSION);
    const histogram = meter.createHistogram("http.client.request.duration", {
      description: "Duration of HTTP client requests.",
      unit: "s",
      advice: { explicitBucketBoundaries: [...boundaries] },
    });
    duration = [provider, histogram];
  }
  duration[1].record(seconds, attributes, context);
}
