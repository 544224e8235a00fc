/** Tests of the request option `format`, and of the Accept header that results ask for. */
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  bytesFormat,
  formatByStatus,
  jsonFormat,
  NotFoundError,
  type RequestOptions,
  type ResponseFormat,
  textFormat,
  ValidationError,
  voidFormat,
  xmlFormat,
} from "../../mod.ts";
import { DecodeError, errorsBy } from "../../src/entries/errors.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { element, integer, model, type StandardSchema, string } from "../../src/models/mod.ts";
import { ndjson, type StreamFormat } from "../../src/streams/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";

class Note extends model("note", { id: element(integer) }) {}

const options = { url: "https://api.example.com", backoff: 0, logger: null };

const rows: ResponseFormat<string[]> = {
  accept: "text/csv",
  read: async (response) => (await response.text()).split(","),
};

/** Creates a response whose body breaks off after its first bytes. */
function broken(): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("a,")),
    pull: (controller) => controller.error(new TypeError("terminated")),
  });
  return new Response(body, { headers: { "content-length": "9" } });
}

describeGenerations("the option format", ({ Session }) => {
  const starting = (...answers: readonly Answer[]) => {
    const adapter = scripted(...answers);
    return { session: new Session({ ...options, adapter }), adapter };
  };

  it("returns the body as text, as bytes, and as an own format reads it", async () => {
    const { session } = starting(new Response("a,é"));
    assertEquals(await session.get("x", { format: textFormat }), "a,é");
    assertEquals(
      await session.get("x", { format: bytesFormat }),
      new TextEncoder().encode("a,é"),
    );
    assertEquals(await session.get("x", { format: rows, box: true, convJson: true }), ["a", "é"]);
  });

  it("reads the body by the status, or by the content type of other statuses", async () => {
    const answer = (status: number, body: string | null, type?: string) =>
      new Response(body && new TextEncoder().encode(body), {
        status,
        ...(type !== undefined && { headers: { "content-type": type } }),
      });
    const rows: readonly (readonly [Response, unknown])[] = [
      [answer(200, '{"id":7}', "text/plain"), { id: 7 }],
      [answer(202, "soon", "application/json"), "soon"],
      [answer(203, "é"), new TextEncoder().encode("é")],
      [answer(201, '{"id":7}', "application/problem+json"), { id: 7 }],
      [answer(201, "soon", "text/plain"), "soon"],
      [answer(201, "<a/>", "application/xml"), "<a/>"],
      [answer(201, "a", "image/png"), new TextEncoder().encode("a")],
      [answer(201, "7"), 7],
      [answer(204, null), null],
    ];
    const { session, adapter } = starting(...rows.map(([response]) => response));
    const accept = "application/json, text/plain";
    const format = formatByStatus<unknown>({ 200: "json", 202: "text", 203: "bytes" }, { accept });
    for (const [response, expected] of rows) {
      const { status } = response;
      assertEquals(await session.get("x", { format }), expected, `${status} ${expected}`);
    }
    assertEquals(new Headers(adapter.calls[0]!.init.headers).get("accept"), accept);
  });

  it("decodes JSON with a model, and no other body, by the status", async () => {
    const { session } = starting(
      Response.json({ id: 7 }),
      new Response("soon", { status: 202 }),
      new Response("soon"),
    );
    const format = formatByStatus<Note | string>({ 200: "json", 202: "text" }, { model: Note });
    const note = await session.get("x", { format });
    assert(note instanceof Note && note.id === 7);
    assertEquals(await session.get("x", { format }), "soon");
    await assertRejects(() => session.get("x", { format }), DecodeError);
    const kinds = { 200: "yaml" } as unknown as Record<number, "json">;
    assertThrows(() => formatByStatus(kinds), UnexpectedValueError, "kinds.200");
  });

  it("is null for an empty body that would be JSON, also with a model", async () => {
    const { session } = starting(new Response(null, { status: 204 }), new Response());
    const format = formatByStatus<Note | null>({ 200: "json" }, { model: Note });
    assertEquals(await session.get("x", { format }), null);
    assertEquals(await session.get("x", { format }), null);
  });

  it("has checked statuses and options", () => {
    const make = formatByStatus as unknown as (kinds: unknown, options?: unknown) => unknown;
    const rows: readonly (readonly [unknown, unknown, string])[] = [
      [null, {}, "kinds"],
      [{ "2XX": "json" }, {}, "a name in kinds"],
      [{ 200: "json" }, { acept: "x" }, "acept"],
      [{ 200: "json" }, { accept: 5 }, "accept"],
    ];
    for (const [kinds, options, message] of rows) {
      assertThrows(() => make(kinds, options), UnexpectedValueError, message);
    }
  });

  it("is read by its own method, whatever else it has", async () => {
    class Rows implements ResponseFormat<string> {
      readonly kinds = { 200: "json" };
      readonly read = (response: Response) => response.text();
    }
    const { session } = starting(new Response("a,b"));
    assertEquals(await session.get("x", { format: new Rows() }), "a,b");
    const wrong = { kinds: null } as unknown as ResponseFormat<string>;
    await assertRejects(
      async () => await session.get("x", { format: wrong }),
      UnexpectedValueError,
    );
  });

  it("returns an empty text and no bytes for an empty body", async () => {
    const { session } = starting(new Response(null, { status: 204 }));
    assertEquals(await session.get("x", { format: textFormat }), "");
    assertEquals((await session.get("x", { format: bytesFormat })).length, 0);
  });

  it("drops a body that nobody needs, once it has arrived", async () => {
    const { session, adapter } = starting(broken, new Response("gone"));
    const result: void = await session.delete("x", { format: voidFormat });
    assertEquals(result, undefined);
    assertEquals(adapter.calls.length, 2);
  });

  it("retries a body that breaks off", async () => {
    const { session, adapter } = starting(broken, new Response("a,b"));
    assertEquals(await session.get("x", { format: rows }), ["a", "b"]);
    assertEquals(adapter.calls.length, 2);
  });

  it("throws the error of the format unchanged, without a retry", async () => {
    const { session, adapter } = starting(new Response("a"));
    const mistake = new RangeError("no comma");
    const format: ResponseFormat<never> = {
      read() {
        throw mistake;
      },
    };
    const error = await assertRejects(() => session.get("x", { format }), RangeError);
    assertEquals([error === mistake, adapter.calls.length], [true, 1]);
  });

  it("stops waiting for the format if the call is aborted", async () => {
    const { session } = starting(new Response("a"));
    const aborter = new AbortController();
    const format: ResponseFormat<never> = {
      read() {
        aborter.abort(new Error("enough"));
        return new Promise<never>(() => {});
      },
    };
    await assertRejects(
      () => session.get("x", { format, signal: aborter.signal }),
      Error,
      "enough",
    );
  });

  it("keeps the response for withResponse, readable once more", async () => {
    const { session } = starting(new Response("a,b", { headers: { "x-id": "7" } }));
    const { data, response } = await session.get("x", { format: rows }).withResponse();
    assertEquals([data, response.headers.get("x-id"), await response.text()], [
      ["a", "b"],
      "7",
      "a,b",
    ]);
  });

  it("cannot be combined with responseModel", async () => {
    const { session, adapter } = starting(200);
    for (const format of [rows, ndjson(), xmlFormat(Note)]) {
      const both: RequestOptions = { format, responseModel: Note };
      const error = await assertRejects(() => session.get("x", both), UnexpectedValueError);
      assert(error.expected.startsWith("left out if "), error.expected);
    }
    assertEquals(adapter.calls.length, 0);
  });

  it("decides by the method read or stream when the body is read", async () => {
    const whole: ResponseFormat<string> = { read: (response) => response.text() };
    const arriving: StreamFormat<string> = { stream: (response) => response.text() };
    const { session, adapter } = starting(broken, new Response("a,b"));
    assertEquals(await session.get("x", { format: whole }), "a,b");
    assertEquals(adapter.calls.length, 2);
    const lost = starting(broken, new Response("a,b"));
    await assertRejects(() => lost.session.get("x", { format: arriving }));
    assertEquals(lost.adapter.calls.length, 1);
  });

  it("can have members of its own, also with the names of a model and its format", async () => {
    const own = { model: Note, bodyFormat: "csv", read: () => 7 };
    const { session } = starting(new Response("a"));
    assertEquals(await session.get("x", { format: own }), 7);
  });

  it("refuses a value that has no method read or stream, or both", async () => {
    const { session } = starting(200);
    for (const format of ["text", null, {}, Note, { read: () => 1, stream: () => 2 }]) {
      const error = await assertRejects(
        () => session.get("x", { format } as unknown as RequestOptions),
        UnexpectedValueError,
      );
      assertEquals(error.option, "format");
    }
  });
});

const schema: StandardSchema<unknown> = {
  "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) },
};
/** Creates a response that fits an Accept header. */
function body(accept: string | undefined): Response {
  const isXml = accept?.includes("xml") ?? false;
  return isXml ? new Response("<note><id>7</id></note>") : Response.json({ id: 7 });
}

describe("jsonFormat and xmlFormat", () => {
  const problem = "<problem><code>gone</code></problem>";
  class Problem extends model("problem", { code: element(string) }) {}

  it("refuse what is not a model, and xmlFormat a schema, which cannot read XML", () => {
    for (const wrong of [undefined, null, {}, "note", [Note, Note], []]) {
      assertThrows(() => jsonFormat(wrong as never), UnexpectedValueError, "model");
      assertThrows(() => xmlFormat(wrong as never), UnexpectedValueError, "model");
    }
    assertThrows(() => xmlFormat(schema as never), UnexpectedValueError, "model");
  });

  describeGenerations("whatever the content type is", ({ Session }) => {
    const answering = (text: string, type: string, status = 200) => {
      const headers = { "content-type": type };
      return new Session({
        ...options,
        adapter: scripted(() => new Response(text, { headers, status })),
      });
    };

    it("decode a model, a list of one and a schema", async () => {
      const isJson = answering('[{"id":7}]', "text/xml");
      assertEquals((await isJson.get("x", { format: jsonFormat([Note]) }))[0]!.id, 7);
      assertEquals(await isJson.get("x", { format: jsonFormat(schema) }), [{ id: 7 }]);
      const isXml = answering("<note><id>7</id></note>", "application/json");
      const note: Note = await isXml.get("x", { format: xmlFormat(Note) });
      assertEquals([note.id, note instanceof Note], [7, true]);
    });

    it("throw a ValidationError with the request, as responseModel does", async () => {
      const session = answering("<note/>", "text/plain");
      const error = await assertRejects(
        () => session.get("x", { format: xmlFormat(Note) }),
        ValidationError,
        "GET https://api.example.com/x",
      );
      assertEquals(error.body, "<note/>");
    });

    it("are the format of the body of an error, too", async () => {
      const session = answering(problem, "text/plain", 404);
      const error = await assertRejects(
        () =>
          session.get("x", { format: xmlFormat(Note), errorFrom: errorsBy({ model: Problem }) }),
        NotFoundError,
      );
      assertEquals((error.data as Problem).code, "gone");
    });
  });
});

describe("the Accept header", () => {
  const cases: readonly [name: string, request: RequestOptions, accept: string | undefined][] = [
    ["of a raw response", {}, undefined],
    ["of JSON", { convJson: true }, "application/json"],
    ["of a box", { box: true }, undefined],
    ["of a box of any body", { box: true, convJson: true }, "application/json"],
    ["of a schema", { responseModel: schema }, "application/json"],
    ["of a model class", { responseModel: Note }, undefined],
    ["of a model in JSON", { format: jsonFormat(Note) }, "application/json"],
    ["of a model in XML", { format: xmlFormat(Note) }, "application/xml, text/xml;q=0.9"],
    ["of a format", { format: rows }, "text/csv"],
    ["of a format without one", { format: textFormat }, undefined],
    ["of JSON with an own header", { convJson: true, headers: { Accept: "a/b" } }, "a/b"],
    ["of a format with an own header", { format: rows, headers: { accept: "a/b" } }, "a/b"],
    ["of JSON without the header", { convJson: true, headers: { accept: null } }, undefined],
  ];
  describeGenerations("that is sent", ({ Session }) => {
    for (const [name, request, accept] of cases) {
      it(`${name} is ${accept ?? "that of the runtime"}`, async () => {
        const adapter = scripted(() => body(accept));
        await new Session({ ...options, adapter }).get("x", request);
        assertEquals(adapter.calls[0]!.init.headers["accept"], accept);
      });
    }

    it("is that of the session, unless the call has a format of its own", async () => {
      const adapter = scripted(() => Response.json({ id: 7 }));
      const session = new Session({ ...options, adapter });
      session.httpSession.headers.set("accept", "application/vnd.api+json");
      await session.get("x", { convJson: true });
      await session.get("x", { format: rows });
      assertEquals(adapter.calls.map(({ init }) => init.headers["accept"]), [
        "application/vnd.api+json",
        "text/csv",
      ]);
    });
  });
});
