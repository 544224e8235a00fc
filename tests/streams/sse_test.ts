/** Tests of server-sent events (the HTML standard, section 9.2). */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { z } from "zod";
import {
  APISession,
  NotFoundError,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
  ValidationError,
} from "../../mod.ts";
import { DecodeError, ServiceUnavailableError } from "../../src/entries/errors.ts";
import { ItemTooLargeError } from "../../src/errors/mod.ts";
import { element, integer, model } from "../../src/models/mod.ts";
import { sse } from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { assertLinearGrowth, assertReadsWithin } from "../support/linear_time.ts";
import {
  bytesOf,
  countedBody,
  itemsOf,
  readAll,
  responseOf,
  sessionOf,
  splits,
} from "../support/streamed.ts";
import { turn } from "../support/until.ts";

/** Returns an event with its defaults. */
const event = (data: string, more: object = {}) => ({
  event: "message",
  data,
  id: "",
  retry: undefined,
  ...more,
});

/** The cases of the format, with their subjects as the web platform tests have them. */
const formats: readonly (readonly [string, string | Uint8Array, readonly object[]])[] = [
  ["line feeds", "data: a\n\ndata: b\n\n", [event("a"), event("b")]],
  ["carriage returns", "data: a\r\rdata: b\r\r", [event("a"), event("b")]],
  ["CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", [event("a\nb"), event("c")]],
  ["mixed line breaks", "data: a\rdata: b\ndata: c\r\n\ndata: d\n\r", [
    event("a\nb\nc"),
    event("d"),
  ]],
  ["a byte order mark", "\ufeffdata: a\n\ndata: b\n\n", [event("a"), event("b")]],
  ["a second byte order mark", "\ufeff\ufeffdata: a\n\ndata: b\n\n", [event("b")]],
  ["a byte order mark in the middle", "data: a\n\n\ufeffdata: b\n\ndata: c\n\n", [
    event("a"),
    event("c"),
  ]],
  ["no blank", "data:a\n\n", [event("a")]],
  ["two blanks, of which one is removed", "data:  a\n\n", [event(" a")]],
  ["a tab, which stays", "data:\ta\n\n", [event("\ta")]],
  ["a blank at the end, which stays", "data: a \n\n", [event("a ")]],
  ["a colon in the data", "data::a:b\n\n", [event(":a:b")]],
  ["a field without a colon", "data\n\ndata\ndata\n\ndata:a\n\n", [
    event(""),
    event("\n"),
    event("a"),
  ]],
  ["empty data lines", "data:\n\ndata: \ndata:\n\n", [event(""), event("\n")]],
  ["comments", ": a\n:\ndata: b\n: c\n\n:d\n\n", [event("b")]],
  ["unknown fields", "date: a\nDATA: b\n data: c\ndata : d\ndata: e\ntest\n\n", [event("e")]],
  ["a type", "event: tick\ndata: a\n\ndata: b\n\n", [event("a", { event: "tick" }), event("b")]],
  ["an empty type", "event: tick\nevent:\ndata: a\n\n", [event("a")]],
  ["a type without data", "event: tick\n\ndata: a\n\n", [event("a")]],
  ["ids", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", [
    event("a", { id: "1" }),
    event("b", { id: "1" }),
    event("c"),
  ]],
  ["an id without data", "id: 1\n\ndata: a\n\n", [event("a", { id: "1" })]],
  ["an id with NUL, which is ignored", "id: 1\ndata: a\n\nid: 2\u0000\ndata: b\n\n", [
    event("a", { id: "1" }),
    event("b", { id: "1" }),
  ]],
  ["NUL in data", "data: a\u0000b\n\n", [event("a\u0000b")]],
  ["a retry time", "retry: 1500\ndata: a\n\ndata: b\n\n", [event("a", { retry: 1.5 }), event("b")]],
  ["retry times that are not digits", "retry: 1.5\nretry: -1\nretry: 1s\nretry:\ndata: a\n\n", [
    event("a"),
  ]],
  ["an unfinished event", "data: a\n\ndata: b\n", [event("a")]],
  ["an unfinished line", "data: a\n\ndata: b", [event("a")]],
  ["characters beyond ASCII", "data: ä€😀\u2028\n\n", [event("ä€😀\u2028")]],
  [
    "invalid UTF-8",
    Uint8Array.of(...bytesOf("data: a"), 0xe2, 0x82, 0x62, 0xff, ...bytesOf("\n\n")),
    [
      event("a\ufffdb\ufffd"),
    ],
  ],
  ["nothing", "", []],
];

describe("the format of server-sent events", () => {
  for (const [name, text, expected] of formats) {
    it(`allows any split of the chunks: ${name}`, async () => {
      for (const chunks of splits(text)) {
        const { items, error } = await itemsOf(sse(), chunks);
        assertEquals(error, undefined);
        assertEquals<readonly object[]>(items, expected);
      }
    });
  }

  it("delivers an event that ends with a carriage return before the next byte arrives", async () => {
    const session = sessionOf(() => responseOf(["data: a\r\r"], undefined, "stay"));
    const stream = await session.get("x", { format: sse() });
    for await (const { data } of stream) {
      assertEquals(data, "a");
      break;
    }
  });

  it("takes linear time for an event of 8 MB in small chunks", async () => {
    const run = (count: number) =>
      itemsOf(sse(), ["data: ", ...Array<string>(count).fill("x".repeat(1000)), "\n\n"]);
    assertEquals((await run(8000)).items[0]?.data.length, 8e6);
    await assertLinearGrowth(run, 200, 4000);
  });

  it("takes linear time for many lines in a chunk, with each line break", async () => {
    for (const lineBreak of ["\n", "\r", "\r\n"]) {
      const run = (count: number) =>
        itemsOf(sse(), [`data: a${lineBreak}`.repeat(count) + lineBreak]);
      await assertLinearGrowth(run, 1000, 20_000);
    }
  });

  it("takes no longer for lines that are not fields than for events", async () => {
    const reading = (unit: string) => () => itemsOf(sse(), [unit.repeat(5000)]);
    await assertReadsWithin(4, reading("data: x\n\n"), reading("]\n"));
    await assertReadsWithin(4, reading("data: x\n\n"), reading("retry: x\n"));
  });
});

describe("a response that has no events", () => {
  const headers = { "content-type": "text/event-stream; charset=utf-8" };

  it("is an empty stream with status 204", async () => {
    const session = sessionOf(() => new Response(null, { status: 204 }));
    assertEquals((await readAll(await session.get("x", { format: sse() }))).items, []);
  });

  it("is a DecodeError with any other content type or success status", async () => {
    const { body, seen } = countedBody(["{}"], "stay");
    const others = [
      new Response(body, { headers: { "content-type": "application/json" } }),
      new Response("data: a\n\n", { headers: { "content-type": "text/event-streams" } }),
      new Response(new Uint8Array(1)),
      new Response("data: a\n\n", { headers, status: 201 }),
    ];
    for (const response of others) {
      const session = sessionOf(() => response);
      const error = await assertRejects(() => session.get("x", { format: sse() }), DecodeError);
      assertEquals(error.request?.url, "https://api.example.com/x");
      assert(error.message.includes("expected status 200 and text/event-stream"), error.message);
    }
    assert(seen.isCancelled);
  });

  const wrongTypes = ["text/plain", "application/json; charset=utf-8", "nonsense", undefined];
  for (const type of wrongTypes) {
    it(`may have any content type if the format accepts it: ${type ?? "none"}`, async () => {
      const body = new TextEncoder().encode("data: a\n\n");
      const response = () => new Response(body, { headers: type ? { "content-type": type } : {} });
      const format = sse({ contentTypes: "any" });
      const stream = await sessionOf(response).get("x", { format });
      assertEquals((await readAll(stream)).items.length, 1);
      const error = await assertRejects(
        () => sessionOf(response).get("x", { format: sse() }),
        DecodeError,
        "; if its body is events, pass the option contentTypes",
      );
      assertEquals(error.status, 200);
    });
  }

  it("may have the content types that the format accepts, and its own", async () => {
    const format = sse({ contentTypes: ["Text/Plain"] });
    for (const type of ["text/plain;charset=utf-8", "text/event-stream"]) {
      const { items } = await itemsOf(format, ["data: a\n\n"], type);
      assertEquals(items.length, 1);
    }
    const session = sessionOf(() => Response.json({}));
    await assertRejects(
      () => session.get("x", { format }),
      DecodeError,
      "expected status 200 and text/event-stream or text/plain, but it has status 200 and",
    );
  });

  it("is a DecodeError with another status, whatever content types the format accepts", async () => {
    const headers = { "content-type": "text/plain" }; // Bun sets none
    const session = sessionOf(() => new Response("data: a\n\n", { status: 201, headers }));
    await assertRejects(
      () => session.get("x", { format: sse({ contentTypes: "any" }) }),
      DecodeError,
      "expected status 200, but it has status 201 and text/plain",
    );
  });

  it("is the error of its status", async () => {
    const session = sessionOf(() => new Response("data: a\n\n", { status: 404, headers }));
    await assertRejects(() => session.get("x", { format: sse() }), NotFoundError);
  });

  it("may have parameters in the content type", async () => {
    assertEquals((await itemsOf(sse(), ["data: a\n\n"], headers["content-type"])).items.length, 1);
    assertEquals((await itemsOf(sse(), ["data: a\n\n"], "Text/Event-Stream")).items.length, 1);
  });
});

describe("events with a model", () => {
  const schema = z.object({ n: z.number() });

  it("are decoded by a schema or a model class", async () => {
    class Count extends model("count", { n: element(integer) }) {}
    const text = 'id: 7\nevent: count\ndata: {"n":\ndata: 1}\n\n';
    const expected = [{ event: "count", data: { n: 1 }, id: "7", retry: undefined }];
    assertEquals((await itemsOf(sse(schema), [text])).items, expected);
    const { items } = await itemsOf(sse(Count), [text]);
    assertInstanceOf(items[0]?.data, Count);
    assertEquals((await itemsOf(sse([schema]), ['data: [{"n":1}]\n\n'])).items[0]?.data, [{
      n: 1,
    }]);
  });

  it("fail with a ValidationError or DecodeError after the events before them", async () => {
    const good = 'data: {"n":1}\n\n';
    const invalid = await itemsOf(sse(schema), [`${good}data: {"n":"secret"}\n\n${good}`]);
    assertEquals(invalid.items.length, 1);
    assertInstanceOf(invalid.error, ValidationError);
    assertEquals(invalid.error.issues[0]?.path, ["n"]);
    assertEquals(invalid.error.body, '{"n":"secret"}');
    assert(invalid.error.message.startsWith("item 2 of the response to GET https://api."));
    const broken = await itemsOf(sse(schema), [`${good}data: secret\n\n`]);
    assertEquals(broken.items.length, 1);
    assertInstanceOf(broken.error, DecodeError);
    assertEquals([broken.error.body, broken.error.message.includes("secret")], ["secret", false]);
  });

  it("end before the data of until, which is not decoded", async () => {
    const { body, seen } = countedBody(['data: {"n":1}\n\ndata: [DONE]\n\n', "data: no\n\n"]);
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const stream = await sessionOf(() => response)
      .get("x", { format: sse(schema, { until: "[DONE]" }) });
    assertEquals((await readAll(stream)).items.map(({ data }) => data.n), [1]);
    assertEquals([seen.pulls, seen.isCancelled], [1, true]);
  });
});

describe("the limit for an event", () => {
  const limits: readonly (readonly [string, string])[] = [
    ["an event in one chunk", "data: 123456789\n\n"],
    ["several lines", "data: 12345\ndata: 6789\n\n"],
    ["a line without an end", `data: ${"1".repeat(100)}`],
    ["an event without an end", "data: 1\n".repeat(20)],
    ["an id without an end", `id: ${"1".repeat(100)}`],
  ];
  for (const [name, text] of limits) {
    it(`throws an ItemTooLargeError after the events before it: ${name}`, async () => {
      for (const chunks of splits(`data: 12345678\n\n${text}`)) {
        const session = sessionOf(() => responseOf(chunks, undefined, "stay"));
        const stream = await session.get("x", { format: sse({ maxItemLength: 8 }) });
        const { items, error } = await readAll(stream);
        assertEquals(items.map(({ data }) => data), ["12345678"]);
        assertInstanceOf(error, ItemTooLargeError);
        assertEquals([error.limit, error.index], [8, 1]);
      }
    });
  }

  it("does not apply to comments, which are not stored", async () => {
    const chunks = [": ", ..."x".repeat(100), "\ndata: 1\n\n"];
    assertEquals((await itemsOf(sse({ maxItemLength: 8 }), chunks)).items.length, 1);
  });

  it("is 16 Mi code units by default, and Infinity turns it off", async () => {
    const long = "x".repeat(2 ** 24);
    assertEquals((await itemsOf(sse(), [`data:${long}\n\n`])).items.length, 1);
    const { error } = await itemsOf(sse(), [`data:${long}x\n\n`]);
    assertInstanceOf(error, ItemTooLargeError);
    const { items } = await itemsOf(sse({ maxItemLength: Infinity }), [`data:${long}x\n\n`]);
    assertEquals(items.length, 1);
  });
});

describe("the option reconnect", () => {
  /** Creates a session whose connections send these bodies in order, and then a 204. */
  function start(bodies: readonly (string | Error | Response)[], options: SessionOptions = {}) {
    const ids: (string | null)[] = [];
    const clock = fakeClock({ autoAdvance: true });
    const session = sessionOf((_, headers) => {
      ids.push(headers.get("last-event-id"));
      const body = bodies[ids.length - 1];
      if (body instanceof Response) return body;
      if (body instanceof Error) return responseOf(["data: cut"], undefined, body);
      return body === undefined ? new Response(null, { status: 204 }) : responseOf([body]);
    }, { clock, ...options });
    return { session, ids, clock };
  }

  it("makes the call again with the last id after the wait, until a 204", async () => {
    const { session, ids, clock } = start(["id: 1\ndata: a\n\nid: 2\ndata: cut", "data: b\n\n"]);
    const { items, error } = await readAll(
      await session.get("x", { format: sse({ reconnect: true }) }),
    );
    assertEquals(error, undefined);
    assertEquals(items.map(({ data, id }) => [data, id]), [["a", "1"], ["b", "1"]]);
    assertEquals(ids, [null, "1", "1"]);
    assertEquals(clock.waits, [3, 3]);
  });

  it("sends the headers of the call, and an id beyond ASCII as UTF-8", async () => {
    const seen: (string | null)[] = [];
    const session = sessionOf((_, headers) => {
      seen.push(headers.get("x-own"), headers.get("accept"), headers.get("last-event-id"));
      return seen.length > 3 ? new Response(null, { status: 204 }) : responseOf(["id: €\n\n"]);
    });
    const stream = await session.get("x", {
      format: sse({ reconnect: true }),
      headers: { "x-own": "1" },
    });
    await readAll(stream);
    const type = "text/event-stream";
    assertEquals(seen, ["1", type, null, "1", type, "\u00e2\u0082\u00ac"]);
  });

  it("sends the last id that a header can carry, and delivers the others as they are", async () => {
    const { session, ids } = start([
      "id: 1\ndata: a\n\nid: 2\u0001\ndata: b\n\n",
      "id: 3\u007f\ndata: c\n\n",
      "id: \u001b[31m\ndata: d\n\nid: 4\ndata: e\n\n",
      "id\ndata: f\n\n",
    ]);
    const { items, error } = await readAll(
      await session.get("x", { format: sse({ reconnect: true }) }),
    );
    assertEquals(error, undefined);
    assertEquals(items.map(({ id }) => id), ["1", "2\u0001", "3\u007f", "\u001b[31m", "4", ""]);
    assertEquals(ids, [null, "1", "1", "4", null]);
  });

  it("waits as long as the server asks for, and twice as long after each connection without an event", async () => {
    const { session, clock } = start([
      "retry: 500\ndata: a\n\n",
      "",
      ": b\n",
      "",
      "data: c\n\n",
      "",
    ]);
    await readAll(await session.get("x", { format: sse({ reconnect: true }) }));
    assertEquals(clock.waits, [0.5, 1, 2, 4, 0.5, 1]);
  });

  it("waits for at least half a second, even if the server asks for none", async () => {
    for (const retry of ["0", "1"]) {
      const { session, clock } = start(Array<string>(4).fill(`retry: ${retry}\ndata: a\n\n`));
      const { items } = await readAll(
        await session.get("x", { format: sse({ reconnect: true }) }),
      );
      assertEquals(items.map((item) => item.retry), Array<number>(4).fill(Number(retry) / 1000));
      assertEquals(clock.waits, [0.5, 0.5, 0.5, 0.5]);
    }
  });

  it("waits for at most a minute, or as long as the server asks for", async () => {
    const waits = async (retry: string) => {
      const { session, clock } = start([retry, ...Array<string>(8).fill("")]);
      await readAll(await session.get("x", { format: sse({ reconnect: true }) }));
      return clock.waits;
    };
    assertEquals(await waits("retry: 0\n\n"), [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assertEquals(await waits("retry: 90000\n\n"), Array<number>(9).fill(90));
  });

  it("waits for at most maxRetryAfter, but for at least half a second", async () => {
    const waits = async (maxRetryAfter: number | null, ...chunks: string[]) => {
      const { session, clock } = start(chunks, { maxRetryAfter });
      const { items } = await readAll(await session.get("x", { format: sse({ reconnect: true }) }));
      return [clock.waits, items[0]?.retry];
    };
    const asked = "retry: 7200000\ndata: a\n\n";
    assertEquals(await waits(3600, asked), [[3600], 7200]);
    assertEquals(await waits(10, asked, "", "", ""), [[10, 20, 40, 60], 7200]);
    assertEquals(await waits(0, asked), [[0.5], 7200]);
    assertEquals(await waits(null, asked), [[7200], 7200]);
    assertEquals(await waits(1, "data: a\n\n"), [[3], undefined]);
  });

  it("does not wait longer than a day", async () => {
    const { session, clock } = start(["retry: 99999999999999999999\ndata: a\n\n"]);
    await readAll(await session.get("x", { format: sse({ reconnect: true }) }));
    assertEquals(clock.waits, [86_400]);
  });

  it("also follows a connection that breaks, and loses or repeats no event", async () => {
    const lost = new TransportError("connection lost", { kind: "reset" });
    const { session } = start(["data: a\n\n", lost, "data: b\n\n"]);
    const { items } = await readAll(await session.get("x", { format: sse({ reconnect: true }) }));
    assertEquals(items.map(({ data }) => data), ["a", "b"]);
  });

  it("ends with the error of a status or another content type", async () => {
    const missing = start(["data: a\n\n", new Response(null, { status: 404 })]);
    const first = await readAll(
      await missing.session.get("x", { format: sse({ reconnect: true }) }),
    );
    assertEquals(first.items.length, 1);
    assertInstanceOf(first.error, NotFoundError);
    const other = start(["data: a\n\n", Response.json({})]);
    const second = await readAll(
      await other.session.get("x", { format: sse({ reconnect: true }) }),
    );
    assertInstanceOf(second.error, DecodeError);
  });

  it("ends with the error of a status whose Retry-After is longer than a year", async () => {
    const later = new Response(null, { status: 503, headers: { "retry-after": "1e9" } });
    const { session, clock } = start(["data: a\n\n", later]);
    const stream = await session.get("x", { format: sse({ reconnect: true }), retries: 3 });
    const { error } = await readAll(stream);
    assertInstanceOf(error, ServiceUnavailableError);
    assertEquals(clock.waits, [3]);
  });

  it("ends after until and after an event that does not match the model", async () => {
    const { session, ids } = start(["data: 1\n\ndata: [DONE]\n\n"]);
    const format = sse(z.number(), { reconnect: true, until: "[DONE]" });
    assertEquals((await readAll(await session.get("x", { format }))).items.length, 1);
    const wrong = start(["data: {}\n\n"]);
    const { error } = await readAll(await wrong.session.get("x", { format }));
    assertInstanceOf(error, ValidationError);
    assertEquals([ids.length, wrong.ids.length], [1, 1]);
  });

  it("ends when the signal is aborted during the wait, or the stream is cancelled", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const session = sessionOf(() => responseOf(["data: a\n\n"]), { clock });
    const options = { format: sse({ reconnect: true }), signal: controller.signal };
    const reading = readAll(await session.get("x", options));
    await turn();
    assertEquals(clock.pending, 1);
    controller.abort("enough");
    assertEquals((await reading).error, "enough");
    assertEquals(clock.pending, 0);

    const stream = await session.get("x", { format: sse({ reconnect: true }) });
    const all = readAll(stream);
    await turn();
    assertEquals(clock.pending, 1);
    stream.cancel();
    assertEquals(await all, { items: [event("a")], error: undefined });
    assertEquals(clock.pending, 0);
  });

  it("ends a request that is not answered when the stream is cancelled or its iterator returns", async () => {
    for (const how of ["cancel", "return"] as const) {
      const signals: (AbortSignal | null | undefined)[] = [];
      const session = new APISession({
        url: "https://api.example.com",
        logger: null,
        clock: fakeClock({ autoAdvance: true }),
        async fetch(_url, { signal }) {
          signals.push(signal);
          if (signals.length === 1) return responseOf(["data: a\n\n"]);
          return await new Promise(() => {});
        },
      });
      const stream = await session.get("x", { format: sse({ reconnect: true }) });
      const items = stream[Symbol.asyncIterator]();
      assertEquals((await items.next()).value, event("a"));
      const next = items.next();
      while (signals.length < 2) await turn();
      if (how === "cancel") stream.cancel();
      else assertEquals((await items.return!()).done, true);
      assertEquals((await next).done, true);
      assertEquals(signals[1]?.aborted, true);
    }
  });

  it("is not the default", async () => {
    const { session, ids } = start(["data: a\n\n"]);
    assertEquals((await readAll(await session.get("x", { format: sse() }))).items.length, 1);
    assertEquals(ids.length, 1);
  });
});

describe("the options of sse", () => {
  it("are checked when the format is created", () => {
    const wrong: readonly (() => unknown)[] = [
      () => sse({ until: 7 as never }),
      () => sse({ reconnect: "yes" as never }),
      () => sse({ maxItemLength: 0 }),
      () => sse("model" as never),
      () => sse(null as never),
      () => sse([] as never),
      () => sse({} as never, { until: "x" }),
    ];
    for (const create of wrong) assertThrows(create, UnexpectedValueError);
  });

  it("are those of one format for any number of calls", async () => {
    const format = sse();
    const session = new APISession({
      url: "https://api.example.com",
      fetch: () => Promise.resolve(responseOf(["data: a\n\n"])),
    });
    for (let count = 0; count < 2; count++) {
      assertEquals((await readAll(await session.get("x", { format }))).items.length, 1);
    }
  });
});
