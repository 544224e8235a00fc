/** Tests of the options of `sse` for JSON, types of events, errors and the end of the stream. */
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
  APIError,
  type CallOptions,
  type RequestOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
  ValidationError,
} from "../../mod.ts";
import { DecodeError, type ErrorFrom, errorsBy, isErrorWith } from "../../src/entries/errors.ts";
import { element, model, string } from "../../src/models/mod.ts";
import { jsonArray, ndjson, sse, type StreamFormat } from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { countedBody, itemsOf, readAll, responseOf, sessionOf } from "../support/streamed.ts";
import { turn } from "../support/until.ts";

class BusyError extends APIError {
  static override readonly retryable: boolean = true;
}
class BadPromptError extends APIError {}

const errorFrom = errorsBy("error.type", { overloaded: BusyError, bad_prompt: BadPromptError });
const errorText = (type: string) => `event: error\ndata: {"error":{"type":"${type}"}}\n\n`;

/** Returns a text as an event stream. */
const events = (text: string, headers: Record<string, string> = {}) => () =>
  new Response(text, { headers: { "content-type": "text/event-stream", ...headers } });

/** Reads the streams of a session with these answers; the last one is repeated. */
function reading<T>(
  format: StreamFormat<AsyncIterable<T>>,
  answers: readonly (() => Response)[],
  options: SessionOptions = {},
) {
  let calls = 0;
  const clock = fakeClock({ autoAdvance: true });
  const log = recordingLogger();
  const session = sessionOf(
    () => answers[Math.min(calls++, answers.length - 1)]!(),
    { clock, logger: log, retries: 3, errorFrom, ...options },
  );
  const read = async (call: CallOptions & Pick<RequestOptions, "content"> = {}) =>
    await readAll(await session.post("chat", { ...call, format }));
  return { session, read, clock, log, calls: () => calls };
}

describe("events whose data is JSON", () => {
  it("are parsed without a model", async () => {
    const { items } = await itemsOf(
      sse<{ n: number }>({ json: true }),
      ['data: {"n":1}\n\nevent: x\nid: 7\ndata: {"n":\ndata: 2}\n\n'],
    );
    assertEquals(items.map(({ event, data, id }) => [event, data.n, id]), [
      ["message", 1, ""],
      ["x", 2, "7"],
    ]);
  });

  it("end the loop with a DecodeError if one is not, without its text in the message", async () => {
    const { items, error } = await itemsOf(sse({ json: true }), ["data: 1\n\ndata: secret{\n\n"]);
    assertInstanceOf(error, DecodeError);
    assertEquals([items.length, error.body], [1, "secret{"]);
    assert(!`${error.message} ${error.cause}`.includes("secret"));
  });

  it("are text if json is false", async () => {
    const { items } = await itemsOf(sse({ json: false }), ["data: 1\n\n"]);
    assertEquals(items[0]?.data, "1");
  });
});

const several = 'event: start\ndata: {"id":1}\n\nevent: ping\ndata: -\n\n' +
  'data: none\n\nevent: delta\ndata: {"text":"a"}\n\n';

describe("the types of events", () => {
  it("select events, and others are skipped: a list, for text", async () => {
    const { items, error } = await itemsOf(sse({ events: ["delta", "start"] }), [several]);
    assertEquals(items.map(({ event, data }) => [event, data]), [
      ["start", '{"id":1}'],
      ["delta", '{"text":"a"}'],
    ]);
    assertEquals(error, undefined);
  });

  it("select events whose data is parsed: a list, for JSON", async () => {
    type Events = { start: { id: number }; delta: { text: string } };
    const stream = sse<Events>({ json: true, events: ["start", "delta"] });
    const { items } = await itemsOf(stream, [several]);
    const shown = items.map((item) => {
      switch (item.event) {
        case "start":
          return item.data.id;
        case "delta":
          return item.data.text;
      }
    });
    assertEquals(shown, [1, "a"]);
  });

  it("have models, which decode the data of each type", async () => {
    class Delta extends model("delta", { text: element(string) }) {}
    const stream = sse({ events: { start: z.object({ id: z.number() }), delta: Delta } });
    const { items } = await itemsOf(stream, [several]);
    assertEquals(items.length, 2);
    for (const item of items) {
      if (item.event === "start") assertEquals(item.data.id, 1);
      else assertInstanceOf(item.data, Delta);
    }
  });

  it("end the loop with a ValidationError if data does not match the model of its type", async () => {
    const stream = sse({ events: { start: z.object({ id: z.string() }) } });
    const { items, error } = await itemsOf(stream, [several]);
    assertInstanceOf(error, ValidationError);
    assertEquals([items.length, error.issues[0]?.path], [0, ["id"]]);
  });

  it("are no names of every object", async () => {
    const { items } = await itemsOf(sse({ events: { start: z.any() } }), [
      "event: constructor\ndata: 1\n\n",
    ]);
    assertEquals(items, []);
  });

  it("do not hide the end of the stream, nor errors", async () => {
    const stream = sse({ events: ["delta"], until: { event: "start" } });
    assertEquals((await itemsOf(stream, [several])).items, []);
    const { error } = await itemsOf(sse({ events: ["delta"], errorEvent: "start" }), [several]);
    assertInstanceOf(error, APIError);
  });
});

describe("the event of an error", () => {
  const delta = "event: delta\ndata: 1\n\n";
  const format = sse({ errorEvent: "error" });

  it("throws the error that errorFrom chooses, after the events before it", async () => {
    const { read, calls } = reading(format, [
      events(delta + errorText("bad_prompt") + delta, { "x-request-id": "r-1" }),
    ]);
    const { items, error } = await read();
    assertInstanceOf(error, BadPromptError);
    assertEquals([items.length, calls(), error.status, error.requestId], [1, 1, 200, "r-1"]);
    assertEquals(error.data, { error: { type: "bad_prompt" } });
    assertEquals(
      error.message,
      "200: POST https://api.example.com/chat: the stream reports an error",
    );
    assertEquals(await error.response.text(), error.body);
  });

  it("throws an APIError if errorFrom chooses none, or if there is none", async () => {
    for (const options of [{}, { errorFrom: undefined }]) {
      const { read } = reading(format, [events("event: error\ndata: no\n\n")], options);
      const { error } = await read();
      assertInstanceOf(error, APIError);
      assertEquals([error.name, error.body, error.data], ["APIError", "no", undefined]);
    }
  });

  it("repeats the call if the error is retryable and no event has been delivered", async () => {
    const { read, calls, clock, log } = reading(format, [
      events(": hello\n\n" + errorText("overloaded"), { "retry-after": "7" }),
      events(errorText("overloaded")),
      () => new Response(null, { status: 503 }),
      events(delta + delta),
    ]);
    const { items, error } = await read();
    assertEquals([items.length, error, calls()], [2, undefined, 4]);
    assertEquals(clock.waits, [7, 2, 3]);
    const waits = log.records.filter(({ message }) => message.includes("200 BusyError"));
    assertEquals(waits.length, 2);
  });

  it("is thrown when no attempt is left, with the number of retries", async () => {
    const { read, calls } = reading(format, [events(errorText("overloaded"))], { retries: 2 });
    const { error } = await read();
    assertInstanceOf(error, BusyError);
    assertEquals([error.retries, calls()], [2, 3]);
  });

  it("is not retried after an event has been delivered, and says so", async () => {
    const { read, calls } = reading(format, [events(delta + errorText("overloaded"))]);
    const { items, error } = await read();
    assertInstanceOf(error, BusyError);
    assertEquals([items.length, calls()], [1, 1]);
    assert(error.message.endsWith("(not retried: items of the stream have been delivered)"));
  });

  it("is retried after events that are skipped", async () => {
    const { read, calls } = reading(sse({ errorEvent: "error", events: ["delta"] }), [
      events("event: ping\ndata: 1\n\n" + errorText("overloaded")),
      events(delta),
    ]);
    assertEquals([(await read()).items.length, calls()], [1, 2]);
  });

  it("is not retried with a method that is not in retryMethods, or a body that can be read once", async () => {
    const { read, calls } = reading(format, [events(errorText("overloaded"))]);
    const one = await read({ retryMethods: ["GET"] });
    assertInstanceOf(one.error, BusyError);
    const two = await read({ content: new Blob(["x"]).stream() });
    assertInstanceOf(two.error, BusyError);
    assert(two.error.message.includes("not retried: the body is a stream"));
    assertEquals(calls(), 2);
  });

  it("frees the connection before the call is repeated, and forgets its ids", async () => {
    const first = countedBody([`id: 7\n${errorText("overloaded")}`], "stay");
    const { read } = reading(format, [
      () => new Response(first.body, { headers: { "content-type": "text/event-stream" } }),
      () => {
        assert(first.seen.isCancelled);
        return events(delta)();
      },
    ]);
    assertEquals((await read()).items.map(({ id }) => id), [""]);
  });

  it("asks the hooks of the SDK about the retry", async () => {
    const seen: unknown[] = [];
    const { session, calls } = reading(format, [events(errorText("overloaded")), events(delta)]);
    Object.assign(session, {
      _shouldRetry: async ({ response, attempt }: { response: Response; attempt: number }) =>
        void seen.push(attempt, await response.text()),
      _retryRequest: (_response: Response, retries: number) => void seen.push(retries),
    });
    const stream = await session.get("x", { format });
    assertEquals((await readAll(stream)).items.length, 1);
    assertEquals([seen, calls()], [[1, '{"error":{"type":"overloaded"}}', 1], 2]);
  });

  it("ends a wait for a retry by the signal, with its reason", async () => {
    const controller = new AbortController();
    const clock = fakeClock();
    const { session } = reading(format, [events(errorText("overloaded"))], { clock });
    const stream = await session.get("x", { format, signal: controller.signal });
    const end = readAll(stream);
    while (clock.pending === 0) await turn();
    controller.abort(new Error("enough"));
    assertEquals((await end).error, controller.signal.reason);
  });

  it("ends a wait for a retry when the stream is cancelled", async () => {
    const clock = fakeClock();
    const { session } = reading(format, [events(errorText("overloaded"))], { clock });
    const stream = await session.get("x", { format });
    const end = readAll(stream);
    while (clock.pending === 0) await turn();
    stream.cancel();
    assertEquals(await end, { items: [], error: undefined });
    assertEquals(clock.pending, 0);
  });

  it("does not apply the deadline of the call, which ended with its headers", async () => {
    const { read } = reading(format, [
      events(errorText("overloaded"), { "retry-after": "60" }),
      events(delta),
    ]);
    assertEquals((await read({ deadline: 5 })).items.length, 1);
  });

  it("passes the next response to the hook _respErrorCheck", async () => {
    const ids: (string | null)[] = [];
    const { session } = reading(format, [
      events(errorText("overloaded"), { "x-request-id": "r-1" }),
      events(delta, { "x-request-id": "r-2" }),
    ]);
    Object.assign(session, {
      _respErrorCheck: (response: Response) => {
        ids.push(response.headers.get("x-request-id"));
        return response;
      },
    });
    const stream = await session.get("x", { format });
    assertEquals(stream.requestId, "r-1");
    await readAll(stream);
    assertEquals([ids, stream.requestId], [["r-1", "r-2"], "r-2"]);
  });

  it("counts its retries in the errors of the next response, too", async () => {
    const cut = Object.assign(new Error("cut"), { code: "ECONNRESET" });
    const { read } = reading(format, [
      events(errorText("overloaded")),
      () => responseOf([delta], undefined, new TypeError("terminated", { cause: cut })),
    ]);
    const { items, error } = await read();
    assertInstanceOf(error, TransportError);
    assertEquals([items.length, error.retries], [1, 1]);
  });

  it("throws also in a stream that reconnects", async () => {
    const { read } = reading(sse({ errorEvent: "error", reconnect: true }), [
      events(delta),
      events(errorText("overloaded")),
    ]);
    const { items, error } = await read();
    assertInstanceOf(error, BusyError);
    assertEquals(items.length, 1);
  });

  it("hides the secrets of the request in the message, and its data when it is printed", async () => {
    const hook: ErrorFrom = (response, { redact, ...details }) =>
      new BadPromptError(response, {
        ...details,
        func: () => redact(Object(details.data).message),
      });
    const { read } = reading(
      format,
      [events('event: error\ndata: {"message":"bad key sk-12345678"}\n\n')],
      { errorFrom: hook, headers: { "x-api-key": "sk-12345678" } },
    );
    const { error } = await read();
    assertInstanceOf(error, BadPromptError);
    assertEquals(error.message, "bad key REDACTED");
    assert(!`${error.stack}${JSON.stringify(error)}`.includes("sk-12345678"));
  });

  it("is decoded by the model of errorFrom, so that isErrorWith finds it", async () => {
    const Problem = z.object({ error: z.object({ type: z.string() }) });
    class Fault extends model("fault", { error: element(string) }) {}
    const body = 'event: error\ndata: {"error":"no"}\n\n';
    const { read } = reading(format, [events(errorText("bad_prompt")), events(body)]);
    const { error } = await read({ errorFrom: errorsBy({ model: Problem }) });
    assert(isErrorWith(error, Problem));
    assertEquals(error.data.error.type, "bad_prompt");
    const other = await read({ errorFrom: errorsBy({ model: Fault }) });
    assert(isErrorWith(other.error, Fault));
    assertEquals(other.error.data.error, "no");
  });
});

describe("an error among the items of a stream, with errorsInSuccess", () => {
  const error = '{"error":{"type":"overloaded"}}';
  const formats: readonly (readonly [
    string,
    StreamFormat<AsyncIterable<unknown>>,
    (...items: string[]) => string,
  ])[] = [
    ["sse", sse({ json: true }), (...items) => items.map((each) => `data: ${each}\n\n`).join("")],
    ["sse of text", sse(), (...items) => items.map((each) => `data: ${each}\n\n`).join("")],
    ["ndjson", ndjson(), (...items) => items.join("\n")],
    ["jsonArray", jsonArray(""), (...items) => `[${items}]`],
  ];
  for (const [name, format, textOf] of formats) {
    it(`is retried as the first one, and thrown as a later one: ${name}`, async () => {
      const { read, calls } = reading(
        format,
        [events(textOf(error, '{"a":1}')), events(textOf('{"a":1}', error))],
        { errorsInSuccess: true },
      );
      const result = await read();
      assertInstanceOf(result.error, BusyError);
      assertEquals([result.items.length, calls(), result.error.retries], [1, 2, 1]);
    });

    it(`is an item like any other without the option: ${name}`, async () => {
      const { read } = reading(format, [events(textOf(error))]);
      assertEquals((await read()).items.length, 1);
    });
  }
});

describe("the end of a stream of events", () => {
  it("can be required: a stream that ends without it was cut off", async () => {
    const until = { data: "[DONE]", required: true } as const;
    const stream = sse({ until });
    const whole = await itemsOf(stream, ["data: a\n\ndata: [DONE]\n\ndata: b\n\n"]);
    assertEquals([whole.items.length, whole.error], [1, undefined]);
    const { items, error } = await itemsOf(stream, ["data: a\n\n"]);
    assertInstanceOf(error, TransportError);
    assertEquals([items.length, error.kind, error.request?.method], [1, "reset", "GET"]);
    assertEquals(
      error.message,
      'GET https://api.example.com/x failed: the stream ended without the data "[DONE]"',
    );
  });

  const lastLines = ["data: [DONE]", "data: [DONE]\n", "data: [DONE]\r", "data:[DONE]\r\n"];
  for (const line of lastLines) {
    it(`counts without a blank line: ${JSON.stringify(line).replaceAll('"', "")}`, async () => {
      const until = { data: "[DONE]", required: true } as const;
      for (const chunks of [[`data: a\n\n${line}`], ["data: a\n\n", ...line]]) {
        const { items, error } = await itemsOf(sse({ until }), chunks);
        assertEquals([items.length, error], [1, undefined]);
      }
      const format = sse({ until: "[DONE]", reconnect: true });
      const { read, calls } = reading(format, [events(`data: a\n\n${line}`)]);
      assertEquals([(await read()).items.length, calls()], [1, 1]);
    });
  }

  it("counts without a blank line if it is an event of a type", async () => {
    const until = { event: "end", required: true } as const;
    const { error } = await itemsOf(sse({ until }), ["data: a\n\nevent: end\ndata: {}"]);
    assertEquals(error, undefined);
  });

  it("is not another unfinished event, which is dropped with its id and its wait", async () => {
    const until = { data: "[DONE]", required: true } as const;
    const cut = await itemsOf(sse({ until }), ["data: a\n\ndata: [DON"]);
    assertInstanceOf(cut.error, TransportError);
    assertEquals(cut.items.length, 1);

    const ids: (string | null)[] = [];
    const answers = ["id: 1\ndata: a\n\nid: 2\ndata: b\nretry: 9000", "data: [DONE]\n\n"];
    const clock = fakeClock({ autoAdvance: true });
    const session = sessionOf((_url, headers) => {
      ids.push(headers.get("last-event-id"));
      return new Response(answers.shift(), { headers: { "content-type": "text/event-stream" } });
    }, { clock });
    const { items } = await readAll(
      await session.get("x", { format: sse({ until, reconnect: true }) }),
    );
    assertEquals([items.length, ids, clock.waits], [1, [null, "1"], [3]]);
  });

  it("can be left out if it is not required", async () => {
    for (const until of ["[DONE]", { data: "[DONE]" }, { data: "[DONE]", required: false }]) {
      const { items, error } = await itemsOf(sse({ until }), ["data: a\n\n"]);
      assertEquals([items.length, error], [1, undefined]);
    }
  });

  it("can be an event of a type, or of a type with data", async () => {
    const text = "event: stop\ndata: 1\n\nevent: stop\ndata: 2\n\ndata: 2\n\n";
    const count = async (until: { event?: string; data?: string; required?: boolean }) =>
      (await itemsOf(sse({ until }), [text])).items.length;
    assertEquals(await count({ event: "stop" }), 0);
    assertEquals(await count({ event: "stop", data: "2" }), 1);
    assertEquals(await count({ event: "message", data: "2" }), 2);
    const { error } = await itemsOf(sse({ until: { event: "end", data: "x", required: true } }), [
      text,
    ]);
    assert(String(error).endsWith('without the event "end" with the data "x"'));
  });

  it("is not required of a reader that leaves the loop or cancels the stream", async () => {
    const session = sessionOf(() => responseOf(["data: a\n\ndata: b\n\n"]));
    const format = sse({ until: { data: "c", required: true } });
    for await (const _ of await session.get("x", { format })) break;
    const stream = await session.get("x", { format });
    for await (const _ of stream) stream.cancel();
  });

  it("is required of a 204, which has no events, and of the last connection", async () => {
    const format = sse({ until: { data: "c", required: true }, reconnect: true });
    const { read, calls } = reading(format, [
      events("data: a\n\n"),
      () => new Response(null, { status: 204 }),
    ]);
    const { items, error } = await read();
    assertInstanceOf(error, TransportError);
    assertEquals([items.length, calls()], [1, 2]);
    const done = reading(format, [events("data: a\n\n"), events("data: c\n\n")]);
    assertEquals((await done.read()).error, undefined);
  });
});

describe("a stream", () => {
  it("has its response and its request id, before the first item", async () => {
    const headers = { "content-type": "text/event-stream", "x-request-id": "r-7", "x-more": "1" };
    const session = sessionOf(() => new Response("data: a\n\n", { headers }));
    const stream = await session.get("x", { format: sse() });
    assertEquals([stream.requestId, stream.response.status], ["r-7", 200]);
    assertEquals(stream.response.headers.get("x-more"), "1");
    assertEquals((await readAll(stream)).items.length, 1);
    const other = await session.get("x", { format: sse(), requestIdHeader: "x-more" });
    assertEquals(other.requestId, "1");
    await readAll(other);
  });
});

describe("the options of sse for events", () => {
  const bad: readonly (readonly [string, unknown[], string])[] = [
    ["json that is not a flag", [{ json: 1 }], "json"],
    ["json with a model", [z.number(), { json: true }], "json"],
    ["json with models", [{ json: true, events: { a: z.number() } }], "json"],
    ["events with a model", [z.number(), { events: ["a"] }], "events"],
    ["events that are text", [{ events: "a" }], "events"],
    ["a type that is not text", [{ events: ["a", 7] }], "events[1]"],
    ["a model that is none", [{ events: { a: {} } }], "events.a"],
    ["a model that is undefined", [{ events: { a: undefined } }], "events.a"],
    ["null for events", [{ events: null }], "events"],
    ["an errorEvent that is not text", [{ errorEvent: true }], "errorEvent"],
    ["an end that is a number", [{ until: 7 }], "until"],
    ["an end without data and event", [{ until: { required: true } }], "until"],
    ["content types that are text", [{ contentTypes: "text/plain" }], "contentTypes"],
    ["content types that are none", [{ contentTypes: ["a", "b/c"] }], "contentTypes[0]"],
    [
      "a content type with parameters",
      [{ contentTypes: ["text/plain;charset=utf-8"] }],
      "contentTypes[0]",
    ],
    ["an end whose data is not text", [{ until: { data: 1 } }], "until.data"],
    ["an end whose event is not text", [{ until: { event: 1 } }], "until.event"],
    [
      "an end that is required by text",
      [{ until: { data: "a", required: "yes" } }],
      "until.required",
    ],
    ["an end with an unknown name", [{ until: { data: "a", must: true } }], "until.must"],
  ];
  for (const [name, args, option] of bad) {
    it(`refuse bad input by name: ${name}`, () => {
      const call = () => Reflect.apply(sse, undefined, args);
      assertEquals(assertThrows(call, UnexpectedValueError).option, option);
    });
  }

  it("refuse bad input before a call is made", async () => {
    const session = sessionOf(() => new Response());
    await assertRejects(
      async () => await session.get("x", { format: sse({ events: [7 as never] }) }),
      UnexpectedValueError,
    );
  });
});
