import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APISession,
  type RequestOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import type { Transport } from "../../src/http/mod.ts";
import { concurrencyLimit, dedupe, etagCache } from "../../src/middleware/mod.ts";
import { fakeClock, mockTransport, recordingLogger, silentLogger } from "../../src/testing/mod.ts";
import { ndjson } from "../../src/streams/mod.ts";
import { startServer } from "../support/server.ts";
import { turn, until } from "../support/until.ts";

const url = "https://api.example.com";

interface Flight {
  readonly signal: AbortSignal | null | undefined;
  respond(response: Response): void;
  fail(error: Error): void;
}

/** Creates a session with `dedupe`, and a list of its requests, which a test answers. */
function held(options: SessionOptions = {}): { session: APISession; flights: Flight[] } {
  const flights: Flight[] = [];
  const fetch: Transport = (_url, { signal }) => {
    const { promise, resolve: respond, reject: fail } = Promise.withResolvers<Response>();
    signal?.addEventListener("abort", () => fail(signal.reason));
    flights.push({ signal, respond, fail });
    return promise;
  };
  const middleware = [dedupe()];
  const session = new APISession({ url, fetch, middleware, logger: silentLogger, ...options });
  return { session, flights };
}

describe("identical requests in flight", () => {
  it("are sent once, and each call gets its own response", async () => {
    const { session, flights } = held();
    const calls = [session.get("a"), session.get("a"), session.get("a")];
    await turn();
    assertEquals(flights.length, 1);
    flights[0]!.respond(Response.json({ id: 7 }, { status: 203, headers: { "x-a": "b" } }));
    const responses = await Promise.all(calls);
    assertEquals(new Set(responses).size, 3);
    new Uint8Array(await responses[0]!.arrayBuffer()).fill(0);
    responses[1]!.headers.set("x-a", "changed");
    assertEquals(await responses[1]!.json(), { id: 7 });
    assertEquals([responses[2]!.status, responses[2]!.headers.get("x-a")], [203, "b"]);
    assertEquals(await responses[2]!.json(), { id: 7 });
  });

  it("convert the body for each call, so that results are never shared", async () => {
    const { session, flights } = held();
    const calls = [1, 2].map(() => session.get<{ id: number }>("a", { convJson: true }));
    await turn();
    flights[0]!.respond(Response.json({ id: 7 }));
    const [one, other] = await Promise.all(calls);
    one!.id = 8;
    assertEquals(other, { id: 7 });
  });

  const different: readonly (readonly [string, RequestOptions, RequestOptions])[] = [
    ["params", { params: { a: 1 } }, { params: { a: 2 } }],
    ["headers", { headers: { accept: "text/plain" } }, {}],
    ["a scheme", { auth: new BearerAuth("ada") }, { auth: new BearerAuth("ben") }],
    ["cookies", { cookies: { a: "b" } }, {}],
    ["options of fetch", { cache: "no-store" }, {}],
  ];
  for (const [name, one, other] of different) {
    it(`are not identical if they differ by ${name}`, async () => {
      const { session, flights } = held();
      const calls = [session.get("a", one), session.get("a", other)];
      await turn();
      assertEquals(flights.length, 2);
      flights.forEach(({ respond }) => respond(new Response(null, { status: 204 })));
      await Promise.all(calls);
    });
  }

  it("are identical in spite of the order of headers, and of options that are not sent", async () => {
    const { session, flights } = held();
    const calls = [
      session.get("a", { headers: { "x-a": "1", "x-b": "2" }, convJson: true }),
      session.get("a", { headers: { "X-B": "2", "X-A": "1" }, timeout: 60, convJson: true }),
    ];
    await turn();
    assertEquals(flights.length, 1);
    flights[0]!.respond(Response.json({}));
    await Promise.all(calls);
  });

  it("are never shared by two sessions, or by calls that change something", async () => {
    const middleware = [dedupe()];
    const one = held({ middleware });
    const other = held({ middleware });
    const calls = [one.session.get("a"), other.session.get("a")];
    calls.push(...[1, 2].map(() => one.session.post("a")));
    await turn();
    assertEquals([one.flights.length, other.flights.length], [3, 1]);
    [...one.flights, ...other.flights].forEach(({ respond }) => respond(new Response("ok")));
    await Promise.all(calls);
  });

  it("are sent again if the first one has its headers already", async () => {
    const { session, flights } = held();
    const first = session.get("a");
    await turn();
    flights[0]!.respond(new Response("one"));
    const response = await first;
    const second = session.get("a");
    await turn();
    assertEquals(flights.length, 2);
    flights[1]!.respond(new Response("two"));
    assertEquals([await response.text(), await (await second).text()], ["one", "two"]);
  });

  it("keep the others if one that waits is aborted", async () => {
    const { session, flights } = held();
    const controller = new AbortController();
    const first = session.get("a");
    const aborted = session.get("a", { signal: controller.signal });
    const third = session.get("a");
    await turn();
    controller.abort(new Error("enough"));
    await assertRejects(() => aborted, Error, "enough");
    flights[0]!.respond(new Response("text"));
    assertEquals([await (await first).text(), await (await third).text()], ["text", "text"]);
    assertEquals(flights.length, 1);
  });

  it("are sent once more for the others if the one that was sent is aborted", async () => {
    const { session, flights } = held();
    const controller = new AbortController();
    const aborted = session.get("a", { signal: controller.signal });
    const others = [session.get("a"), session.get("a")];
    await turn();
    controller.abort(new Error("enough"));
    await assertRejects(() => aborted, Error, "enough");
    await turn();
    assertEquals(flights.length, 2);
    assertEquals(flights[0]!.signal?.aborted, true);
    flights[1]!.respond(new Response("text"));
    for (const other of others) assertEquals(await (await other).text(), "text");
  });

  it("are sent once more if the one that was sent is aborted while its body is read", async () => {
    const { session, flights } = held();
    const controller = new AbortController();
    const aborted = session.get("a", { signal: controller.signal });
    const other = session.get("a");
    await turn();
    let isCancelled = false;
    const stalled = new ReadableStream({
      start: (body) => body.enqueue(new Uint8Array(3)),
      cancel: () => void (isCancelled = true),
    });
    flights[0]!.respond(new Response(stalled));
    await turn();
    controller.abort(new Error("enough"));
    await assertRejects(() => aborted, Error, "enough");
    await until(() => isCancelled && flights.length === 2);
    flights[1]!.respond(new Response("text"));
    assertEquals(await (await other).text(), "text");
  });

  it("are all aborted if every call is aborted, and the transport is, too", async () => {
    const { session, flights } = held();
    const controller = new AbortController();
    const calls = [1, 2].map(() => session.get("a", { signal: controller.signal }));
    await turn();
    controller.abort(new Error("enough"));
    for (const call of calls) await assertRejects(() => call, Error, "enough");
    await turn();
    assert(flights.every(({ signal }) => signal?.aborted));
    const next = session.get("a");
    await turn();
    flights.at(-1)!.respond(new Response("text"));
    assertEquals(await (await next).text(), "text");
  });

  it("fail together, with an error for each call, and are retried", async () => {
    let requests = 0;
    const fetch = mockTransport({
      "GET /a": () => {
        if (++requests === 1) throw new TransportError("lost", { kind: "reset" });
        return { id: 7 };
      },
      "GET /b": 404,
    });
    const logger = recordingLogger({ level: "warn" });
    const { session } = held({ fetch, clock: fakeClock({ autoAdvance: true }), logger });
    const calls = [1, 2, 3].map(() => session.get("a", { convJson: true }));
    assertEquals(await Promise.all(calls), [{ id: 7 }, { id: 7 }, { id: 7 }]);
    assertEquals(logger.json("warn").length, 3);
    const failed = [1, 2].map(() => session.get("b").catch((error: unknown) => error));
    const [one, other] = await Promise.all(failed);
    assert(one instanceof Error && other instanceof Error && one !== other);
    fetch.assertCalled("GET /b", { times: 1 });
  });

  it("send a request each if the body is too long, without losing a byte of the first", async () => {
    const { session, flights } = held({ middleware: [dedupe({ maxBodyBytes: 5 })] });
    const calls = [session.get("a"), session.get("a")];
    await turn();
    const chunks = new ReadableStream({
      start(controller) {
        for (const text of ["abc", "def", "ghi"]) {
          controller.enqueue(new TextEncoder().encode(text));
        }
        controller.close();
      },
    });
    flights[0]!.respond(new Response(chunks));
    assertEquals(await (await calls[0]!).text(), "abcdefghi");
    await turn();
    assertEquals(flights.length, 2);
    flights[1]!.respond(new Response("xyz"));
    assertEquals(await (await calls[1]!).text(), "xyz");
  });

  /** Returns a response with one record, whose body does not end. */
  const live = (type: string) =>
    new Response(
      new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"id":7}\n')) }),
      { headers: { "content-type": type } },
    );

  it("are sent for each call that is read as a stream", async () => {
    const { session, flights } = held();
    const calls = [1, 2].map(() => session.get("a", { format: ndjson<{ id: number }>() }));
    const raw = session.get("a");
    await turn();
    assertEquals(flights.length, 3);
    // The content type does not show that the body is a stream.
    flights.slice(0, 2).forEach(({ respond }) => respond(live("application/json")));
    for (const call of calls) {
      for await (const record of await call) {
        assertEquals(record, { id: 7 });
        break;
      }
    }
    flights[2]!.respond(new Response("text"));
    assertEquals(await (await raw).text(), "text");
  });

  const liveTypes = [
    "text/event-stream; charset=utf-8",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-seq",
    "application/stream+json",
    "application/x-json-stream",
    "multipart/x-mixed-replace; boundary=frame",
  ];
  for (const type of liveTypes) {
    it(`do not wait for the end of a body of the type ${type.split(";")[0]}`, async () => {
      const { session, flights } = held();
      const calls = [session.get("a"), session.get("a")];
      await turn();
      flights[0]!.respond(live(type));
      const first = await calls[0]!;
      flights[1]!.respond(live(type));
      const second = await calls[1]!;
      for (const { body } of [first, second]) await body?.cancel();
      assertEquals(flights.length, 2);
    });
  }

  it("obey the timeout of the call that was sent, while its body is read", async () => {
    const clock = fakeClock();
    const { session, flights } = held({ clock, retries: 0, finalWait: false });
    const first = session.get("a", { timeout: 5 }).catch((error: unknown) => error);
    const second = session.get("a");
    await turn();
    flights[0]!.respond(new Response(new ReadableStream()));
    await turn();
    await clock.advance(5);
    const error = await first;
    assert(error instanceof TransportError && error.kind === "timeout");
    await until(() => flights.length === 2);
    flights[1]!.respond(new Response("text"));
    assertEquals(await (await second).text(), "text");
    assertEquals(clock.pending, 0);
  });

  it("pass the error of a body on to every call", async () => {
    const { session, flights } = held({ retries: 0, finalWait: false });
    const calls = [1, 2].map(() => session.get("a", { convJson: true }));
    await turn();
    const broken = new ReadableStream({
      start: (body) => body.error(new TransportError("cut off", { kind: "reset" })),
    });
    flights[0]!.respond(new Response(broken));
    for (const call of calls) await assertRejects(() => call, TransportError, "cut off");
  });

  it("have responses without a body, also to HEAD", async () => {
    const { session, flights } = held();
    const calls = [session.head("a"), session.head("a"), session.get("b"), session.get("b")];
    await turn();
    assertEquals(flights.length, 2);
    flights[0]!.respond(new Response(null, { headers: { "content-length": "5" } }));
    flights[1]!.respond(new Response(null, { status: 204 }));
    const responses = await Promise.all(calls);
    assertEquals(responses.map(({ status, body }) => [status, body]), [
      ...[[200, null], [200, null], [204, null], [204, null]],
    ]);
  });

  it("are sent once to a server, together with a cache and a limit", async () => {
    let requests = 0;
    const server = await startServer((request, response) => {
      requests++;
      const headers = { etag: '"v1"', "content-type": "application/json" };
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end('{"id":7}');
    });
    try {
      const middleware = [dedupe(), etagCache(), concurrencyLimit(1)];
      const session = new APISession({ url: server.url, middleware });
      for (let round = 1; round <= 3; round++) {
        const calls = [1, 2, 3].map(() => session.get("a", { convJson: true }));
        assertEquals(await Promise.all(calls), [{ id: 7 }, { id: 7 }, { id: 7 }]);
        assertEquals(requests, round);
      }
      const [one, other] = await Promise.all([session.get("b"), session.get("b")]);
      assertEquals([one.url, other.url], [`${server.url}/b`, `${server.url}/b`]);
    } finally {
      await server.stop();
    }
  });

  it("reject a limit that is not valid", () => {
    for (const maxBodyBytes of [0, -1, 1.5, "1"]) {
      const error = assertThrows(
        () => dedupe({ maxBodyBytes: maxBodyBytes as number }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "maxBodyBytes");
    }
  });
});
