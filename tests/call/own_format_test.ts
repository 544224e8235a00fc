/** Tests of the request option `format`, and of the Accept header that results ask for. */
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  bytesFormat,
  type RequestOptions,
  type ResponseFormat,
  textFormat,
  voidFormat,
} from "../../mod.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { element, integer, Model, model, type StandardSchema } from "../../src/models/mod.ts";
import { sse } from "../../src/streams/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { type Answer, scripted } from "../support/scripted.ts";

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

  for (const other of ["responseModel", "stream"] as const) {
    it(`cannot be combined with ${other}`, async () => {
      const { session, adapter } = starting(200);
      const value = other === "stream" ? sse() : class extends Model {};
      const both = { format: rows, [other]: value } as RequestOptions;
      const error = await assertRejects(() => session.get("x", both), UnexpectedValueError);
      assert(error.expected.startsWith("left out if "), error.expected);
      assertEquals(adapter.calls.length, 0);
    });
  }

  it("refuses a value that has no method read", async () => {
    const { session } = starting(200);
    for (const format of ["text", null, {}]) {
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

class Note extends model("note", { id: element(integer) }) {}

describe("the Accept header", () => {
  const cases: readonly [name: string, request: RequestOptions, accept: string | undefined][] = [
    ["of a raw response", {}, undefined],
    ["of JSON", { convJson: true }, "application/json"],
    ["of a box", { box: true }, undefined],
    ["of a box of any body", { box: true, convJson: true }, "application/json"],
    ["of a schema", { responseModel: schema }, "application/json"],
    ["of a model class", { responseModel: Note }, undefined],
    ["of a model in JSON", { responseModel: Note, responseFormat: "json" }, "application/json"],
    [
      "of a model in XML",
      { responseModel: Note, responseFormat: "xml" },
      "application/xml, text/xml;q=0.9",
    ],
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
