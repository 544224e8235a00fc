import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { NotFoundError, type SessionOptions, TransportError } from "../../mod.ts";
import { ndjson } from "../../src/streams/mod.ts";
import { telemetry } from "../../src/telemetry/mod.ts";
import { garbageCollector } from "../support/garbage.ts";
import { type RecordedTelemetry, recordTelemetry } from "../support/recorded_telemetry.ts";
import { startServer } from "../support/server.ts";
import type { Answer } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";
import { countedBody } from "../support/streamed.ts";
import { until } from "../support/until.ts";

let recorded: RecordedTelemetry;

function start(answers: readonly Answer[], options: SessionOptions = {}) {
  const callMiddleware = [telemetry({ spans: "attempt" })];
  return startSession(answers, { callMiddleware, ...options });
}

/** Returns an answer whose body stays open until the test writes or closes it. */
function openBody(status = 200) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
  return {
    answer: () => new Response(body, { status }),
    write: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    close: () => controller.close(),
    fail: (error: unknown) => controller.error(error),
  };
}

describe("the end of a span", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("is the end of a raw body", async () => {
    const { answer, write, close } = openBody();
    const response = await start([answer]).session.get("a");
    write("hello");
    const reader = response.body!.getReader();
    assertEquals((await reader.read()).value?.length, 5);
    assertEquals(recorded.spans(), []);

    close();
    assertEquals((await reader.read()).done, true);
    const [span] = recorded.spans();
    assertEquals([span!.status.code, span!.attributes["error.type"]], [0, undefined]);
  });

  it("is the cancellation of a raw body, without an error", async () => {
    const { answer } = openBody();
    const response = await start([answer]).session.get("a");
    assertEquals(recorded.spans(), []);
    await response.body!.cancel();
    assertEquals(recorded.spans().map(({ status }) => status.code), [0]);
  });

  it("is the failure of a raw body, with its error", async () => {
    const { answer, fail } = openBody();
    const response = await start([answer]).session.get("a");
    fail(Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } }));
    await assertRejects(() => response.text(), TransportError);

    const [{ status, attributes, events }] = recorded.spans() as [ReadableSpan];
    assertEquals(attributes["http.response.status_code"], 200);
    assertEquals(attributes["error.type"], "TransportError");
    assertEquals([status.code, events.length], [SpanStatusCode.ERROR, 1]);
  });

  it("is the abort of a call whose body is read, without an error", async () => {
    const { answer } = openBody();
    const controller = new AbortController();
    const response = await start([answer]).session.get("a", { signal: controller.signal });
    const text = response.text();
    controller.abort();
    await text.catch(() => {});
    const [{ status, attributes }] = recorded.spans() as [ReadableSpan];
    assertEquals([status.code, attributes["error.type"]], [0, undefined]);
  });

  it("is a timeout while the body is read", async () => {
    const { answer, write } = openBody();
    const { session } = start([answer], { timeout: 1, retries: 0, finalWait: false });
    write("hel");
    await assertRejects(() => session.get("a", { convJson: true }), TransportError);
    assertEquals(recorded.spans().map(({ attributes }) => attributes["error.type"]), [
      "TransportError",
    ]);
  });

  it("is the end of a conversion, of an error's body, and of a stream", async () => {
    const { session } = start([
      () => Response.json([7]),
      () => new Response("nothing here", { status: 404 }),
      () => new Response('{"id":1}\n{"id":2}\n'),
    ]);
    await session.get("a", { convJson: true });
    assertEquals(recorded.spans().length, 1);
    const error = await assertRejects(() => session.get("a"), NotFoundError);
    assertEquals([error.body, recorded.spans().length], ["nothing here", 1]);
    for await (const _ of await session.get("a", { format: ndjson() })) {
      assertEquals(recorded.spans().length, 0);
    }
    assertEquals(recorded.spans().length, 1);
  });

  it("is at once if there is no body", async () => {
    const { session } = start([204, () => new Response("")]);
    await session.get("a");
    assertEquals(recorded.spans().length, 1);
    await session.head("a");
    assertEquals(recorded.spans().length, 1);
  });

  it("is the end of a redirect's body, before the next request begins", async () => {
    const { body } = countedBody(["moved"], "stay");
    const redirect = () => new Response(body, { status: 307, headers: { location: "/v1/b" } });
    const { answer } = openBody();
    const response = await start([redirect, answer]).session.get("a");
    const [span, ...others] = recorded.spans();
    assertEquals([span!.attributes["http.response.status_code"], others], [307, []]);
    await response.body!.cancel();
    recorded.spans();
  });

  it("comes without reading ahead, and without a copy of the body", async () => {
    const { body, seen } = countedBody(["a", "b", "c"]);
    const response = await start([() => new Response(body)]).session.get("a");
    const pulls = seen.pulls;
    const reader = response.body!.getReader();
    await reader.read();
    assert(seen.pulls <= pulls + 1, `${seen.pulls} chunks`);
    await reader.cancel();
    assertEquals(seen.isCancelled, true);
    recorded.spans();
  });

  it("is the time of the headers if nobody reads the body, when it is garbage", async () => {
    const collect = garbageCollector();
    const server = await startServer((_request, response) => {
      response.write("a".repeat(1000));
    });
    try {
      const { session } = start([], { adapter: undefined, url: server.url });
      await (async () => {
        assertEquals((await session.get("a")).status, 200);
      })();
      const then = Date.now();
      let ended = recorded.spans();
      assertEquals(ended, []);
      await until(() => Date.now() > then + 5);
      await until(() => {
        collect();
        ended = recorded.spans();
        return ended.length > 0;
      });
      const [{ endTime: [seconds, nanoseconds], status }] = ended as [ReadableSpan];
      assert(seconds * 1000 + nanoseconds / 1e6 <= then + 1, "the time of the headers");
      assertEquals(status.code, 0);
    } finally {
      await server.stop();
    }
  });
});
