import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  APIError,
  APISession,
  type RequestOptions,
  type SessionOptions,
  textFormat,
  ValidationError,
} from "../../mod.ts";
import { isBox } from "../../src/box/mod.ts";
import { DecodeError, errorsBy, isErrorWith } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import { dedupe } from "../../src/middleware/mod.ts";
import { attr, document, element, model, string } from "../../src/models/mod.ts";
import { ResourceClient } from "../../src/resources/mod.ts";
import { sse, xmlRecords } from "../../src/streams/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

const url = "https://api.example.com";

class Word extends model("word", { text: attr(string) }) {}
class Problem extends model("problem", { code: element(string) }) {}

/** A schema that accepts objects with a text. */
const TextSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) =>
      "text" in Object(value)
        ? { value: value as { text: string } }
        : { issues: [{ message: "expected a text" }] },
  },
} as const;

/** Starts a session that gets one response. */
function start(response: Response, options: SessionOptions = {}): APISession {
  return new APISession({ url, fetch: scripted(response), logger: silentLogger, ...options });
}

function responseOf(body: BodyInit, type: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": type } });
}

/** Returns a text in ISO-8859-1. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

describe("a content type that an API and its proxy state", () => {
  for (const type of ["application/json, application/json", "text/html, application/json;a=b"]) {
    it(`is that of a model, a schema and a box: ${type}`, async () => {
      const get = (options: RequestOptions) =>
        start(responseOf('{"text":"a"}', type)).get("x", options);
      assertEquals(await get({ responseModel: Word }), Word.of({ text: "a" }));
      assertEquals(await get({ responseModel: TextSchema }), { text: "a" });
      assert(isBox(await get({ box: true })));
    });

    it(`is that of problem details and the data of an error: ${type}`, async () => {
      const problem = type.replaceAll("/json", "/problem+json");
      const title = '{"title":"No credit.","code":"a"}';
      const error = await assertRejects(
        () =>
          start(responseOf(title, problem, 403)).get("x", {
            errorFrom: errorsBy({ model: Problem }),
          }),
        APIError,
      );
      assert(error.message.endsWith(": No credit."), error.message);
      assert(isErrorWith(error, Problem));
      const text = await assertRejects(
        () => start(responseOf('"no"', type, 403)).get("x"),
        APIError,
      );
      assertEquals(text.data, "no");
    });

    it(`is that of an error in a success: ${type}`, async () => {
      class Failed extends APIError {}
      const session = start(responseOf('{"code":"failed"}', type), {
        errorsInSuccess: true,
        errorFrom: errorsBy("code", { failed: Failed }),
      });
      await assertRejects(() => session.get("x"), Failed);
    });

    it(`is that of the result of a client with resources: ${type}`, async () => {
      const fetch = scripted(responseOf('{"text":"a"}', type));
      const client = new ResourceClient({ baseURL: url, fetch });
      assertEquals(await client.get("/x"), { text: "a" });
    });
  }

  it("is that of XML, with its charset", async () => {
    const type = "text/xml; charset=iso-8859-1, text/xml";
    const word = () => responseOf(latin1('<word text="é"/>'), type);
    assertEquals(await start(word()).get("x", { responseModel: Word }), Word.of({ text: "é" }));
    assertEquals(await Word.fromXml(word()), Word.of({ text: "é" }));
    const list = responseOf(latin1('<words><word text="é"/></words>'), type);
    const texts: string[] = [];
    for await (const { text } of start(list).get("x", { format: xmlRecords(Word) })) {
      texts.push(text);
    }
    assertEquals(texts, ["é"]);

    class Failed extends APIError {}
    const failed = responseOf("<Error><Code>a</Code></Error>", "text/xml, text/xml", 400);
    const session = start(failed, { errorFrom: errorsBy("Error.Code", { a: Failed }) });
    await assertRejects(() => session.get("x"), Failed);
  });

  it("is that of server-sent events", async () => {
    const type = "text/event-stream, text/event-stream";
    const data: string[] = [];
    for await (const event of start(responseOf("data: a\n\n", type)).get("x", { format: sse() })) {
      data.push(event.data);
    }
    assertEquals(data, ["a"]);
  });

  it("is that of a live stream, whose end no other call waits for", async () => {
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
    const fetch: Transport = () => {
      const body = new ReadableStream<Uint8Array>({ start: (each) => void bodies.push(each) });
      const headers = { "content-type": "text/html, application/x-ndjson" };
      return Promise.resolve(new Response(body, { headers }));
    };
    const session = new APISession({ url, fetch, middleware: [dedupe()] });
    const calls = [session.get("a"), session.get("a")];
    await turn();
    for (const response of await Promise.all(calls)) await response.body?.cancel();
    assertEquals(bodies.length, 2);
  });
});

describe("the charset of a response", () => {
  const text = '{"text":"Größe"}';
  const charsets: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
    ["iso-8859-1", latin1(text)],
    ['"ISO-8859-1"', latin1(text)],
    ["utf-16le", new Uint8Array(Uint16Array.from(text, (each) => each.charCodeAt(0)).buffer)],
    ["utf-8", new TextEncoder().encode(text)],
    ["klingon", new TextEncoder().encode(text)],
  ];
  const json = { text: "Größe" };
  const results: readonly (readonly [string, RequestOptions])[] = [
    ["convJson", { convJson: true }],
    ["a box", { box: true }],
    ["a schema", { responseModel: TextSchema }],
    ["a model class", { responseModel: Word }],
    ["a model class with errors in successes", { responseModel: Word, errorsInSuccess: true }],
  ];
  for (const [charset, bytes] of charsets) {
    const type = `application/json; charset=${charset}`;
    const shown = charset.replaceAll('"', "'");
    for (const [name, options] of results) {
      it(`is that of ${name}: ${shown}`, async () => {
        const errorFrom = errorsBy("code", {});
        const result = await start(responseOf(bytes, type), { errorFrom }).get("x", options);
        assertEquals<object>({ ...result as object }, json);
      });
    }

    it(`is that of a text and of error.data: ${shown}`, async () => {
      const whole = await start(responseOf(bytes, type)).get("x", { format: textFormat });
      assertEquals(whole, text);
      const failed = start(responseOf(bytes, type, 400));
      const error = await assertRejects(() => failed.get("x"), APIError);
      assertEquals([error.body, error.data], [text, json]);
      const modelled = start(responseOf(bytes, type, 400));
      const { data } = await assertRejects(
        () => modelled.get("x", { errorFrom: errorsBy({ model: Word }) }),
        APIError,
      );
      assertEquals(data, Word.of(json));
    });

    it(`is that of the body of a DecodeError, whose response keeps its bytes: ${shown}`, async () => {
      const broken = bytes.subarray(0, bytes.length - (charset === "utf-16le" ? 2 : 1));
      for (const options of [{ convJson: true }, { responseModel: Word }]) {
        const session = start(responseOf(broken.slice(), type));
        const error = await assertRejects(() => session.get("x", options), DecodeError);
        assertEquals(error.body, text.slice(0, -1));
        assertEquals(new Uint8Array(await error.response.arrayBuffer()), broken.slice());
      }
      class Other extends model("other", { id: element(string) }) {}
      const session = start(responseOf(bytes, type));
      const error = await assertRejects(
        () => session.get("x", { responseModel: Other }),
        ValidationError,
      );
      assertEquals([error.body, error.excerpt], [text, text]);
    });

    it(`changes no byte of the response that a call returns: ${shown}`, async () => {
      const options: SessionOptions = { errorsInSuccess: true, errorFrom: errorsBy("code", {}) };
      const response = await start(responseOf(bytes, type), options).get("x");
      assertEquals(new Uint8Array(await response.arrayBuffer()), bytes);
      const call = start(responseOf(bytes, type)).get("x", { convJson: true });
      const { data, response: copy } = await call.withResponse();
      assertEquals([data, new Uint8Array(await copy.arrayBuffer())], [json, bytes]);
    });

    it(`is that of the result of a client with resources: ${shown}`, async () => {
      const client = new ResourceClient({ baseURL: url, fetch: scripted(responseOf(bytes, type)) });
      assertEquals(await client.get("/x"), json);
    });
  }

  it("is that of a document of JSON", async () => {
    const Texts = document(Word);
    const response = responseOf(latin1(text), "application/json; charset=latin1");
    assertEquals(await start(response).get("x", { responseModel: Texts }), Word.of(json));
  });

  it("does not let a longer body than the limit be read", async () => {
    const body = latin1(`"${"é".repeat(100)}"`);
    const session = start(responseOf(body, "application/json; charset=latin1"), {
      maxResponseBytes: 50,
    });
    const error = await session.get("x", { convJson: true }).catch((each: unknown) => each);
    assertEquals((error as Error).name, "ResponseTooLargeError");
  });
});
