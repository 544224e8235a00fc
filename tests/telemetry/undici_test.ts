/** Tests with the official instrumentation of Node's fetch. */
import { after, afterEach, assert, assertEquals, before, describe, it } from "#test";
import { metrics, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { IncomingHttpHeaders } from "node:http";
import { APISession, path } from "../../mod.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { telemetry, type TelemetryOptions } from "../../src/telemetry/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { type RecordedTelemetry, recordTelemetry } from "../support/recorded_telemetry.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** The fetch of other runtimes has no such instrumentation. */
const isNode = detectRuntime().name === "Node";

describe("the spans of Node's fetch", () => {
  let recorded: RecordedTelemetry;
  let server: TestServer;
  let other: TestServer;
  let statuses: number[] = [];
  let received: IncomingHttpHeaders[] = [];
  let disable = () => {};

  before(async () => {
    recorded = recordTelemetry();
    server = await startServer((request, response) => {
      received.push(request.headers);
      response.writeHead(statuses.shift() ?? 200, { location: `${other.url}/b` }).end("[7]");
    });
    other = await startServer((request, response) => {
      received.push(request.headers);
      response.end("[8]");
    });
  });
  afterEach(() => {
    disable();
    received = [];
    statuses = [];
  });
  after(async () => {
    await recorded.stop();
    await server.stop();
    await other.stop();
  });

  async function instrument(): Promise<void> {
    const { UndiciInstrumentation } = await import("@opentelemetry/instrumentation-undici");
    const instrumentation = new UndiciInstrumentation();
    instrumentation.setTracerProvider(trace.getTracerProvider());
    instrumentation.setMeterProvider(metrics.getMeterProvider());
    instrumentation.enable();
    disable = () => instrumentation.disable();
  }

  /** Makes a call, and returns its spans that have ended: first those that ended first. */
  async function spansOf(options: TelemetryOptions, first: number[]): Promise<ReadableSpan[]> {
    statuses = first;
    const session = new APISession({
      url: server.url,
      backoff: 0,
      logger: silentLogger,
      callMiddleware: [telemetry(options)],
    });
    await session.get(path`books/${7}`, { convJson: true });
    await session.close();
    return recorded.spans();
  }

  /** Returns the ids of the parents that the servers received. */
  function receivedParents(): (string | undefined)[] {
    return received.map(({ traceparent }) => String(traceparent).split("-")[2]);
  }

  for (const isInstrumented of [false, true]) {
    it(
      `are one CLIENT span for each attempt, ${
        isInstrumented ? "with" : "without"
      } the instrumentation`,
      async () => {
        if (isInstrumented) await instrument();
        const spans = await spansOf({}, [503, 503]);
        assertEquals(
          spans.map(({ name, kind }) => [name, kind]),
          Array(3).fill(["GET /books/{}", 2]),
        );
        assertEquals(spans.map(({ instrumentationScope }) => instrumentationScope.name), [
          ...Array(3).fill("restwright"),
        ]);
        assertEquals(receivedParents(), spans.map((span) => span.spanContext().spanId));
      },
    );

    it(
      `do not send trace context to other origins, ${
        isInstrumented ? "with" : "without"
      } the instrumentation`,
      async () => {
        if (isInstrumented) await instrument();
        const spans = await spansOf({}, [302]);
        assertEquals(spans.length, 2);
        assertEquals(receivedParents(), [spans[0]!.spanContext().spanId, undefined]);
      },
    );
  }

  it("are those of the instrumentation within a span of the call, if it is asked for", async () => {
    await instrument();
    const spans = await spansOf({ spans: "call" }, [503]);
    const call = spans.at(-1)!;
    assertEquals([call.name, call.attributes["http.request.resend_count"]], ["GET /books/{}", 1]);
    const clients = spans.slice(0, -1);
    assertEquals(
      clients.map(({ name, kind }) => [name, kind]),
      isNode ? [["GET", 2], ["GET", 2]] : [],
    );
    for (const { instrumentationScope, parentSpanContext } of clients) {
      assertEquals(instrumentationScope.name, "@opentelemetry/instrumentation-undici");
      assertEquals(parentSpanContext?.spanId, call.spanContext().spanId);
    }
    const sent = isNode ? clients.map((span) => span.spanContext().spanId) : [undefined, undefined];
    assertEquals(receivedParents(), sent);
  });

  it("do not send trace context to other origins with a span of the call either", async () => {
    await instrument();
    const spans = await spansOf({ spans: "call" }, [302]);
    assertEquals(spans.map(({ kind }) => kind), isNode ? [2, 0] : [0]);
    const sent = isNode ? spans[0]!.spanContext().spanId : undefined;
    assertEquals(receivedParents(), [sent, undefined]);
  });

  it(
    "leave the metric of the instrumentation as it is, which is why ours can be turned off",
    async () => {
      await instrument();
      await recorded.durations();
      await spansOf({}, []);
      const scopes = (await recorded.durations()).map(({ scope }) => scope);
      const others = isNode ? ["@opentelemetry/instrumentation-undici"] : [];
      assertEquals(scopes.sort(), [...others, "restwright"]);
      await spansOf({ metrics: false }, []);
      assert((await recorded.durations()).every(({ scope }) => scope !== "restwright"));
    },
  );
});
