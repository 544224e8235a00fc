/** Tests of streams with independent clients and servers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { assert, assertEquals, assertInstanceOf, describe, it } from "#test";
import { createSession } from "better-sse";
import { EventSource } from "eventsource";
import { APISession, TransportError } from "../../mod.ts";
import { ndjson, sse } from "../../src/streams/mod.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { readAll } from "../support/streamed.ts";
import { until } from "../support/until.ts";

/** The events of the test server: the text that it sends, and what a client reads. */
const sent =
  "\ufeff: comment\r\nid: 1\r\nevent: tick\r\ndata:  a\r\ndata: b\r\n\r\nretry: 10\ndata\n\n" +
  "id: 2\rdata: €\r\rid: 3\u0000\ndata:c\n\ndata: lost";
const expected = [
  ["tick", " a\nb", "1"],
  ["message", "", "1"],
  ["message", "€", "2"],
  ["message", "c", "2"],
];

/** Runs a test with a server. */
async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  test: (session: APISession, server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(answer);
  try {
    await test(
      new APISession({ url: server.url, logger: null, retries: 0, finalWait: false }),
      server,
    );
  } finally {
    await server.stop();
  }
}

describe("server-sent events over a connection", () => {
  /** Sends the events byte by byte, and ends the second connection with a 204. */
  function sendBytes(ids: (string | undefined)[]) {
    return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      ids.push(request.headers["last-event-id"] as string | undefined);
      if (ids.length > 1) return void response.writeHead(204).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of new TextEncoder().encode(sent)) {
        await new Promise((resolve) => response.write(Uint8Array.of(byte), resolve));
      }
      response.end();
    };
  }

  it("are read and reconnected in the same way as by the package eventsource", async () => {
    const theirIds: (string | undefined)[] = [];
    const theirs: string[][] = [];
    await withServer(sendBytes(theirIds), async (_, { url }) => {
      const source = new EventSource(url);
      const add = ({ type, data, lastEventId }: MessageEvent) =>
        void theirs.push([type, data, lastEventId]);
      source.addEventListener("message", add);
      source.addEventListener("tick", add);
      await until(() => theirIds.length === 2);
      source.close();
    });
    const ourIds: (string | undefined)[] = [];
    await withServer(sendBytes(ourIds), async (session) => {
      const { items, error } = await readAll(
        await session.get("x", { format: sse({ reconnect: true }) }),
      );
      assertEquals(error, undefined);
      assertEquals(items.map(({ event, data, id }) => [event, data, id]), expected);
      assertEquals(items.map(({ retry }) => retry), [undefined, 0.01, undefined, undefined]);
    });
    assertEquals(theirs, expected);
    assertEquals(ourIds, theirIds);
  });

  it("are read from the server of the package better-sse", async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const session = await createSession(request, response, { retry: 1500 });
      session.push({ text: "a\nb" }, "tick", "1");
      session.push("€\r\nc", "message", "2");
      session.push("last", "end", "3");
    };
    await withServer((request, response) => void answer(request, response), async (session) => {
      const events: unknown[] = [];
      for await (const { event, data, id, retry } of await session.get("x", { format: sse() })) {
        events.push([event, JSON.parse(data), id, retry]);
        if (event === "end") break;
      }
      assertEquals(events, [
        ["tick", { text: "a\nb" }, "1", 1.5],
        ["message", "€\r\nc", "2", undefined],
        ["end", "last", "3", undefined],
      ]);
    });
  });

  it("free the connection after break", async () => {
    await withServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: a\n\n");
    }, async (session, server) => {
      for await (const { data } of await session.get("x", { format: sse() })) {
        assertEquals(data, "a");
        break;
      }
      await until(async () => await server.connections() === 0);
    });
  });

  it("end with a TransportError if the server closes the connection", async () => {
    await withServer((_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson", "content-length": "100" });
      response.write("1\n2\n3", () => response.destroy());
    }, async (session) => {
      const { items, error } = await readAll(await session.get("x", { format: ndjson() }));
      assert(items.length <= 2);
      assertInstanceOf(error, TransportError);
    });
  });
});
