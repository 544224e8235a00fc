/**
 * A user's program with telemetry, in a project that has the package of OpenTelemetry's API. It prints
 * the name of a span.
 */
import { trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { APISession, path } from "@restwright/restwright";
import { telemetry, type TelemetryOptions } from "@restwright/restwright/telemetry";

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);

const options: TelemetryOptions = { spans: "attempt", metrics: false };
const session = new APISession({
  url: "https://library.example.com/v1",
  fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  callMiddleware: [telemetry(options)],
});
await session.get(path`books/${7}`);
console.log(exporter.getFinishedSpans().map(({ name }) => name).join());
