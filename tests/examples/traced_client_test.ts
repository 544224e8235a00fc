import { after, assertEquals, before, describe, it } from "#test";
import { SpanKind, trace } from "@opentelemetry/api";
import { TracedLibrary } from "../../examples/traced_client.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../../src/testing/mod.ts";
import { type RecordedTelemetry, recordTelemetry } from "../support/recorded_telemetry.ts";

describe("the traced client of the examples", () => {
  let recorded: RecordedTelemetry;
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  function start(routes: Parameters<typeof mockTransport>[0]) {
    const fetch = mockTransport(routes);
    const clock = fakeClock({ autoAdvance: true });
    return { books: new TracedLibrary({ fetch, clock, logger: silentLogger }).books, fetch };
  }

  it("has a span for each request, in that of the program", async () => {
    const { books } = start({ "GET /v1/books/:id": replies(503, { id: 7, title: "Indigo" }) });
    await trace.getTracer("program").startActiveSpan("read a book", async (span) => {
      assertEquals((await books.get(7)).title, "Indigo");
      span.end();
    });
    const spans = recorded.spans();
    const [first, second, own] = spans;
    assertEquals(spans.map(({ name }) => name), [
      "GET /v1/books/{}",
      "GET /v1/books/{}",
      "read a book",
    ]);
    assertEquals(second!.attributes["http.request.resend_count"], 1);
    assertEquals([first, second].map((span) => span!.parentSpanContext?.spanId), [
      ...Array(2).fill(own!.spanContext().spanId),
    ]);
  });

  it("has a name for a search, and hides the text", async () => {
    const { books } = start({ "GET /v1/books/search": [] });
    await books.search("a secret wish");
    const [{ name, attributes }] = recorded.spans() as [ReturnType<typeof recorded.spans>[number]];
    assertEquals(name, "GET /v1/books/search");
    assertEquals(
      attributes["url.full"],
      "https://library.example.com/v1/books/search?text=REDACTED",
    );
  });

  it("does not send trace context to the server of the pictures", async () => {
    const location = "https://pictures.example.com/7.png?sig=abc";
    const { books, fetch } = start({
      "GET /v1/books/:id/cover": new Response(null, { status: 302, headers: { location } }),
      "GET https://pictures.example.com/7.png": new Response("a picture"),
    });
    const response = await books.cover(7);
    assertEquals(await response.text(), "a picture");
    const spans = recorded.spans();
    assertEquals(spans.map(({ name, kind }) => [name, kind]), [
      ["GET /v1/books/{}/cover", SpanKind.CLIENT],
      ["GET", SpanKind.CLIENT],
    ]);
    assertEquals(
      fetch.calls.map(({ headers }) => headers["traceparent"] !== undefined),
      [true, false],
    );
    assertEquals(spans[1]!.attributes["url.full"], location.replace("abc", "REDACTED"));
  });
});
