import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import {
  AggregationTemporality,
  type Histogram,
  MeterProvider,
  MetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

/** One value of a histogram, with its attributes. */
export interface RecordedDurations {
  /** The name of the library that recorded it. */
  readonly scope: string;
  /** The unit of the metric. */
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: Histogram;
}

/** The official SDK, which keeps everything in memory. */
export interface RecordedTelemetry {
  /** Returns the spans that have ended since the last call. */
  spans(): ReadableSpan[];
  /** Returns the values of `http.client.request.duration` since the last call. */
  durations(): Promise<RecordedDurations[]>;
  /** Removes the SDK. */
  stop(): Promise<void>;
}

/** A reader that collects when a test asks for it. */
class ManualReader extends MetricReader {
  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Registers the SDK for the whole process. The test has to stop it.
 *
 * @param sampler Decides which spans are recorded. Default: all
 */
export function recordTelemetry(sampler?: Sampler): RecordedTelemetry {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler !== undefined && { sampler }),
  });
  // Each collection has the values since the one before it.
  const reader = new ManualReader({
    aggregationTemporalitySelector: () => AggregationTemporality.DELTA,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  return {
    spans() {
      const spans = exporter.getFinishedSpans();
      exporter.reset();
      return [...spans];
    },
    async durations() {
      const { resourceMetrics } = await reader.collect();
      return resourceMetrics.scopeMetrics.flatMap(({ scope, metrics }) =>
        metrics.filter(({ descriptor }) => descriptor.name === "http.client.request.duration")
          .flatMap(({ descriptor, dataPoints }) =>
            dataPoints.map(({ attributes, value }) => ({
              scope: scope.name,
              unit: descriptor.unit,
              attributes: { ...attributes },
              value: value as Histogram,
            }))
          )
      );
    },
    async stop() {
      context.disable();
      trace.disable();
      metrics.disable();
      propagation.disable();
      // The exporter reports each span in a timer. Shutting down does not wait for it.
      await tracerProvider.forceFlush();
      await tracerProvider.shutdown();
      await meterProvider.shutdown();
    },
  };
}
