import { assertEquals, assertRejects, describe, it } from "#test";
import { type Book, Streams } from "../../examples/streams_client.ts";
import { UnauthorizedError } from "../../mod.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../../src/testing/mod.ts";

const events = (text: string) =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });

describe("the client of streams of the examples", () => {
  function start(routes: Parameters<typeof mockTransport>[0]) {
    const fetch = mockTransport(routes);
    const clock = fakeClock({ autoAdvance: true });
    return { client: new Streams({ fetch, clock, logger: silentLogger }), fetch };
  }

  it("reads an answer after a retry, and stops at its end", async () => {
    const answer = events('data: {"text":"On "}\n\ndata: {"text":"Fetch"}\n\ndata: [DONE]\n\n');
    const { client, fetch } = start({ "POST /chat": replies(429, answer) });
    const parts: string[] = [];
    for await (const part of client.chat("Which book?")) parts.push(part);
    assertEquals(parts, ["On ", "Fetch"]);
    fetch.assertDone();
    fetch.assertCalled("POST /chat", {
      json: { question: "Which book?", stream: true },
      headers: { accept: "text/event-stream" },
      times: 2,
    });
  });

  it("reads events over two connections, until an error status", async () => {
    const routes = {
      "GET /events": replies(events("id: 1\ndata: a\n\n"), events("data: b\n\n"), 401),
    };
    const { client, fetch } = start(routes);
    const read: string[] = [];
    await assertRejects(async () => {
      for await (const { data } of await client.events()) read.push(data);
    }, UnauthorizedError);
    assertEquals(read, ["a", "b"]);
    fetch.assertCalled("GET /events", { headers: { "last-event-id": "1" }, times: 2 });
  });

  it("reads the same books as lines, as an array and as XML", async () => {
    const { client } = start({
      "GET /export": new Response('{"id":1,"title":"Indigo"}\n{"id":2,"title":"Amber"}'),
      "GET /search": { result: { books: [{ id: 1, title: "Indigo" }, { id: 2, title: "Amber" }] } },
      "GET /catalogue": new Response(
        '<books><book id="1"><title>Indigo</title></book><book id="2"><title>Amber</title></book></books>',
      ),
    });
    for (
      const stream of [await client.export(), await client.search("x"), await client.catalogue()]
    ) {
      const titles: Book["title"][] = [];
      for await (const { title } of stream) titles.push(title);
      assertEquals(titles, ["Indigo", "Amber"]);
    }
  });
});
