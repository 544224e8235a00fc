import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertStrictEquals, describe, it } from "#test";
import { APIError, APISession, NotFoundError } from "../../mod.ts";
import type { ErrorMap } from "../../src/entries/errors.ts";
import type { APIErrorDetails } from "../../src/errors/mod.ts";
import { ERROR_BODY_LIMIT } from "../../src/http/incoming_response.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

/** Returns the error of a call whose response has this body. */
function failure(body: string, type?: string, errorMap: ErrorMap = {}): Promise<APIError> {
  const bytes = new TextEncoder().encode(body); // so that there is no default content type
  const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
  const session = new APISession({
    url: "https://a.example",
    adapter: scripted(new Response(bytes, { status: 404, headers })),
    logger: recordingLogger(),
  });
  return assertRejects(() => session.get("x", { errorMap }), APIError);
}

describe("the data of an error without a model", () => {
  const cases: readonly (readonly [string, string, string | undefined, unknown])[] = [
    ["JSON", '{"a":[1]}', "application/json", { a: [1] }],
    ["JSON with a charset", '{"a":1}', "application/json; charset=utf-8", { a: 1 }],
    ["JSON of a vendor", '{"a":1}', "application/vnd.api+json", { a: 1 }],
    ["problem details", '{"title":"no"}', "application/problem+json", { title: "no" }],
    ["text/json in upper case", "[1]", "TEXT/JSON", [1]],
    ["JSON that is a string", '"no such book"', "application/json", "no such book"],
    ["JSON that is null", "null", "application/json", null],
    ["an object without a content type", ' {"a":1}', undefined, { a: 1 }],
    ["an object as plain text", '{"a":1}', "text/plain; charset=utf-8", { a: 1 }],
    ["a list as HTML", "\n[1]", "text/html", [1]],
    ["a number as plain text", "404", "text/plain", undefined],
    ["a string without a content type", '"no such book"', undefined, undefined],
    ["HTML", "<html>", "text/html", undefined],
    ["invalid JSON", '{"a":', "application/json", undefined],
    ["an empty body", "", "application/json", undefined],
    ["JSON lines", '{"a":1}\n{"a":2}', "application/jsonl", undefined],
  ];
  for (const [condition, body, type, data] of cases) {
    it(`is the parsed body, or undefined if that is not JSON: ${condition}`, async () => {
      const error = await failure(body, type);
      assertEquals([error.data, error.body], [data, body]);
    });
  }

  it("is undefined if the body was cut after the first MiB", async () => {
    const body = JSON.stringify(["a".repeat(ERROR_BODY_LIMIT)]);
    const error = await failure(body, "application/json");
    assertEquals([error.data, error.body.length], [undefined, ERROR_BODY_LIMIT]);
  });

  it("is parsed when it is first read, and only then", async () => {
    const { parse } = JSON;
    const parsed: string[] = [];
    JSON.parse = (text: string) => {
      parsed.push(text);
      return parse(text);
    };
    try {
      const error = await failure('{"a":1}', "application/json");
      assertEquals([error.message, parsed], ["404: GET https://a.example/x", []]);
      const { data } = error;
      assertStrictEquals(error.data, data);
      assertEquals(parsed, ['{"a":1}']);
    } finally {
      JSON.parse = parse;
    }
  });

  it("is not printed, copied or written as JSON", async () => {
    const error = await failure('{"a":"hunter2"}', "application/json");
    for (const isRead of [false, true]) {
      if (isRead) assertEquals(error.data, { a: "hunter2" });
      const shown = [
        inspect(error, { showHidden: true }),
        JSON.stringify(error),
        JSON.stringify({ ...error }),
        Object.keys(error).join(),
      ].join();
      assert(!/hunter2|"data"/.test(shown), shown);
    }
  });

  it("can be read if the class freezes its errors", async () => {
    class Frozen extends NotFoundError {
      constructor(response: Response, details?: APIErrorDetails) {
        super(response, details);
        Object.freeze(this);
      }
    }
    const error = await failure('{"a":1}', "application/json", { 404: Frozen });
    assertStrictEquals(error.data, error.data);
    assertEquals(error.data, { a: 1 });
  });

  it("is the body of an error that is created by the caller", () => {
    const response = new Response(null, { status: 404 });
    assertEquals(new APIError(response, { body: '{"a":1}' }).data, { a: 1 });
    assertEquals(new APIError(response, { body: '{"a":1}', data: undefined }).data, undefined);
    assertEquals(new APIError(response, { body: '{"a":1}', data: 7 }).data, 7);
  });
});

describe("the data of an error class", () => {
  interface Problem {
    readonly code: string;
  }
  const body = '{"code":"gone"}';

  it("can have a declared type", async () => {
    class Gone extends NotFoundError {
      declare readonly data: Problem | undefined;
      get code(): string {
        return this.data?.code ?? "unknown";
      }
    }
    const error = await failure(body, "application/json", { 404: Gone });
    assert(error instanceof Gone);
    assertEquals([error.code, error.data], ["gone", { code: "gone" }]);
  });

  it("can be set by the constructor, and is still not printed", async () => {
    class Gone extends NotFoundError {
      declare data: Problem;
      constructor(response: Response, details: APIErrorDetails = {}) {
        super(response, details);
        this.data = { code: `${JSON.parse(details.body ?? "{}").code} for good` };
      }
    }
    const error = await failure(body, "application/json", { 404: Gone });
    assertEquals(error.data, { code: "gone for good" });
    assertEquals(Object.keys(error).includes("data"), false);
    Object.assign(error, { data: 7 });
    assertEquals(error.data, 7);
  });

  it("can be a field or passed to the base class", async () => {
    class Field extends NotFoundError {
      override readonly data: unknown = "field";
    }
    class Passed extends NotFoundError {
      constructor(response: Response, details?: APIErrorDetails) {
        super(response, { ...details, data: "passed" });
      }
    }
    for (const [errorClass, data] of [[Field, "field"], [Passed, "passed"]] as const) {
      const error = await failure(body, "application/json", { 404: errorClass });
      assertEquals(error.data, data);
    }
  });
});
