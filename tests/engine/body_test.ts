import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { type BodyOptions, type Content, prepareBody } from "../../src/engine/body.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { type RequestBody, sourceOf } from "../../src/http/request_body.ts";
import { APISession, ServiceUnavailableError, TransportError } from "../../mod.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { recordingLogger } from "../support/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";

function textOf(body: RequestBody): Promise<string> {
  return new Response(sourceOf(body).open()).text();
}

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

const bytes = new TextEncoder().encode("hello");

class Money {
  readonly cents = 150;
  toJSON(): string {
    return "1.50";
  }
}

describe("the body of a request", () => {
  it("none is none", () => {
    const body = prepareBody({}, "POST");
    assertEquals(body, { kind: "none" });
    assertEquals(sourceOf(body).open(), undefined);
    assertEquals(prepareBody({ json: undefined, data: undefined, content: undefined }, "GET"), {
      kind: "none",
    });
  });

  const jsons: readonly (readonly [string, unknown, string])[] = [
    ["an object", { a: [1, "b", null] }, '{"a":[1,"b",null]}'],
    ["an array", [], "[]"],
    ["null", null, "null"],
    ["false", false, "false"],
    ["zero", 0, "0"],
    ["an empty text", "", '""'],
    ["a value with a toJSON", new Money(), '"1.50"'],
    ["undefined in an object, which is left out", { a: undefined, b: 1 }, '{"b":1}'],
    ["text beyond ASCII", "€", '"€"'],
  ];
  for (const [what, json, text] of jsons) {
    it(`json is sent as JSON: ${what}`, async () => {
      const body = prepareBody({ json }, "POST");
      assertEquals(body, { kind: "whole", content: text, type: "application/json" });
      assertEquals(await textOf(body), text);
    });
  }

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const unserialisable: readonly (readonly [string, unknown])[] = [
    ["a circular one", cyclic],
    ["a bigint", { id: 1n }],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["one whose toJSON raises", {
      toJSON() {
        throw new Error("no");
      },
    }],
    ["one whose toJSON gives nothing", { toJSON: () => undefined }],
  ];
  for (const [what, json] of unserialisable) {
    it(`a body that cannot be serialised is refused before any request goes out: ${what}`, async () => {
      const error = assertThrows(() => prepareBody({ json }, "POST"), UnexpectedValueError);
      assertEquals(error.option, "json");
      const transport = scripted(200);
      const session = new APISession({ url: "https://a.example", adapter: transport });
      await assertRejects(() => session.post("x", { json }), UnexpectedValueError);
      assertEquals(transport.calls.length, 0);
    });
  }

  it("data is sent as a form", async () => {
    const type = "application/x-www-form-urlencoded;charset=UTF-8";
    const body = prepareBody({ data: { a: "b c", d: [1, null, true] } }, "PUT");
    assertEquals(body, { kind: "whole", content: "a=b+c&d=1&d=true", type });
    assertEquals(await textOf(prepareBody({ data: [["a", 1], ["a", 2]] }, "PUT")), "a=1&a=2");
    assertEquals(await textOf(prepareBody({ data: new URLSearchParams("a=1") }, "PUT")), "a=1");
  });

  it("FormData is sent as multipart, and fetch chooses the boundary", async () => {
    const data = new FormData();
    data.set("file", new Blob(["hello"]), "hello.txt");
    const body = prepareBody({ data }, "POST");
    assert(body.kind === "whole" && body.type === undefined);
    const received = await new Response(body.content).formData();
    assertEquals(await (received.get("file") as File).text(), "hello");
  });

  it("data that is no form is refused", () => {
    for (const data of ["a=1", null, { a: { b: 1 } }]) {
      const error = assertThrows(
        () => prepareBody({ data } as unknown as BodyOptions, "POST"),
        UnexpectedValueError,
      );
      assert(error.option.startsWith("data"), error.option);
    }
  });

  const contents: readonly (readonly [string, Content, RequestBody["kind"]])[] = [
    ["text", "hello", "whole"],
    ["an ArrayBuffer", bytes.slice().buffer, "whole"],
    ["bytes", bytes, "whole"],
    [
      "a part of a buffer",
      new Uint8Array(new TextEncoder().encode("-hello-").buffer, 1, 5),
      "whole",
    ],
    ["a DataView", new DataView(bytes.slice().buffer), "whole"],
    ["a Blob", new Blob(["hello"]), "whole"],
    ["a stream", new Response("hello").body!, "once"],
    ["an async iterable", chunks("hel", "lo"), "once"],
    ["a function that opens a stream", () => new Response("hello").body!, "opened"],
    ["a function that opens an async iterable", () => chunks("hel", "lo"), "opened"],
  ];
  for (const [what, content, kind] of contents) {
    it(`content is sent as it is: ${what}`, async () => {
      const body = prepareBody({ content }, "POST");
      assertEquals(body.kind, kind);
      assertEquals(await textOf(body), "hello");
    });
  }

  it("an empty text is a body", () => {
    assertEquals(prepareBody({ content: "" }, "POST"), { kind: "whole", content: "" });
  });

  it("what is whole or opened can be sent again", async () => {
    for (const content of ["hello", bytes, new Blob(["hello"]), () => chunks("hello")]) {
      const body = prepareBody({ content }, "POST");
      assertEquals([await textOf(body), await textOf(body)], ["hello", "hello"]);
    }
  });

  const locked = new Response("hello").body!;
  locked.getReader();
  const refused: readonly (readonly [string, unknown])[] = [
    ["a number", 7],
    ["null", null],
    ["an object", { a: 1 }],
    ["a list", [bytes]],
    ["a stream that somebody reads", locked],
    ["a Request", new Request("https://a.example")],
  ];
  for (const [what, content] of refused) {
    it(`content that cannot be sent is refused: ${what}`, () => {
      const error = assertThrows(
        () => prepareBody({ content: content as Content }, "POST"),
        UnexpectedValueError,
      );
      assertEquals(error.option, "content");
    });
  }

  it("a function that opens something else is refused when it is called", () => {
    const body = prepareBody({ content: (() => "hello") as never }, "POST");
    const error = assertThrows(() => sourceOf(body).open(), UnexpectedValueError);
    assertEquals(error.option, "content");
  });

  for (
    const [options, option] of [
      [{ json: 1, data: {} }, "json, data"],
      [{ json: 1, content: "a" }, "json, content"],
      [{ data: {}, content: "a" }, "data, content"],
      [{ json: 1, data: {}, content: "a" }, "json, data, content"],
      [{ json: null, content: "" }, "json, content"],
    ] as const
  ) {
    it(`only one of the keywords can be given: not ${option}${options.json === null ? ", empty" : ""}`, () => {
      const error = assertThrows(
        () => prepareBody(options as BodyOptions, "POST"),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
    });
  }

  for (const method of ["GET", "HEAD"]) {
    it(`${method} takes none`, () => {
      for (const options of [{ json: null }, { data: {} }, { content: "" }]) {
        const error = assertThrows(() => prepareBody(options, method), UnexpectedValueError);
        assertEquals(error.option, Object.keys(options)[0]);
      }
    });
  }

  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    it(`${method} takes one`, () => {
      assertEquals(prepareBody({ json: 1 }, method).kind, "whole");
    });
  }

  it("an async iterable that is no longer wanted is ended, so that it can close what it opened", async () => {
    const steps: string[] = [];
    async function* file(): AsyncGenerator<Uint8Array> {
      try {
        while (true) yield await Promise.resolve(bytes);
      } finally {
        steps.push("closed");
      }
    }
    const stream = sourceOf(prepareBody({ content: file }, "POST")).open();
    assert(stream instanceof ReadableStream);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel("enough");
    assertEquals(steps, ["closed"]);
  });
});

describe("a body at a retry", () => {
  function start(...answers: readonly Answer[]) {
    const sent: string[] = [];
    const transport = scripted(...answers);
    const session = new APISession({
      url: "https://a.example",
      adapter: async (url, init) => {
        sent.push(await new Response(init.body as BodyInit).text());
        return await transport(url, init);
      },
      clock: new FakeClock(),
      logger: recordingLogger(),
    });
    return { session, sent };
  }

  it("a one-shot stream cannot be replayed: the error is raised, and says why", async () => {
    const note = "(not retried: the body is a stream that can be read once; give a function that " +
      "opens one)";
    const send = async (answer: Answer) => {
      const { session, sent } = start(answer, 200);
      const content = chunks("hel", "lo");
      const error: unknown = await assertRejects(() => session.post("x", { content }), Error, note);
      assertEquals(sent, ["hello"]);
      return error;
    };
    const status = await send(503);
    assert(status instanceof ServiceUnavailableError && status.retries === 0);
    const transport = await send(refusedConnection());
    assert(transport instanceof TransportError && transport.retries === 0);
  });

  it("a one-shot stream is no obstacle where no retry was to come", async () => {
    const transport = scripted(503);
    const session = new APISession({
      url: "https://a.example",
      adapter: transport,
      retries: 0,
      clock: new FakeClock(),
      logger: recordingLogger(),
    });
    const error = await assertRejects(() => session.post("x", { content: chunks("hello") }));
    assert(error instanceof ServiceUnavailableError && !error.message.includes("not retried"));
  });

  it("a function that opens a stream is called for each attempt", async () => {
    const { session, sent } = start(503, refusedConnection(), 200);
    let opened = 0;
    await session.post("x", { content: () => chunks("hello ", String(++opened)) });
    assertEquals(sent, ["hello 1", "hello 2", "hello 3"]);
  });

  it("a mistake in the function that opens the body is not retried", async () => {
    const { session, sent } = start(200);
    const mistake = Object.assign(new Error("no such file"), { code: "ENOENT" });
    let opened = 0;
    const content = () => {
      opened++;
      throw mistake;
    };
    assert(await assertRejects(() => session.post("x", { content })) === mistake);
    assertEquals([opened, sent.length], [1, 0]);
  });

  it("a body is serialised once for all attempts", async () => {
    const { session, sent } = start(503, 503, 200);
    let times = 0;
    await session.post("x", { json: { toJSON: () => ++times } });
    assertEquals(sent, ["1", "1", "1"]);
  });
});
