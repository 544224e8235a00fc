import { assert, assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import { APIError, NotFoundError, UnexpectedValueError } from "../../mod.ts";
import { type ErrorFromDetails, errorsBy, type ErrorsByOptions } from "../../src/entries/errors.ts";
import { sourceRoot } from "../support/contract_page.ts";
import { browserModules } from "../support/import_graph.ts";

class SlowError extends APIError {}
class QuotaError extends APIError {}
class OtherError extends APIError {}

const table = { slow: SlowError, quota: QuotaError, 17: SlowError, false: QuotaError };

/** The details that a call passes to the hook. */
function detailsOf(body: string): ErrorFromDetails {
  return {
    retries: 2,
    request: { method: "GET", url: "https://api.example.com/x" },
    body,
    data: undefined,
    redact: (text) => text,
    requestId: "r-1",
  };
}

/** Returns the class that the table chooses for a body. */
async function chosen(
  path: string | readonly string[],
  body: unknown,
  { type = "application/json", status = 400, ...options }:
    & ErrorsByOptions
    & { readonly type?: string; readonly status?: number } = {},
): Promise<unknown> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(text, { status, headers: { "content-type": type } });
  return (await errorsBy(path, table, options)(response, detailsOf(text)))?.constructor;
}

const xml = { type: "application/xml" };

describe("a table of error classes by a code", () => {
  const rows: readonly (readonly [string, string | readonly string[], unknown, unknown])[] = [
    ["a field", "code", { code: "slow" }, SlowError],
    ["nested fields", "error.code", { error: { code: "quota" } }, QuotaError],
    ["a number", "error.code", { error: { code: 17 } }, SlowError],
    ["a boolean", "ok", { ok: false }, QuotaError],
    ["a code that is not in the table", "code", { code: "lost" }, undefined],
    ["a name that every object has", "code", { code: "constructor" }, undefined],
    ["a missing field", "error.code", { message: "slow" }, undefined],
    ["a field that every object inherits", "constructor.name", {}, undefined],
    ["null on the way", "error.code", { error: null }, undefined],
    ["a string on the way", "error.code", { error: "slow" }, undefined],
    ["an object in place of a code", "error", { error: { code: "slow" } }, undefined],
    ["the elements of a list", "errors.code", { errors: [{}, { code: "slow" }] }, SlowError],
    ["the first known code of a list", "errors.code", {
      errors: [{ code: "lost" }, { code: "quota" }, { code: "slow" }],
    }, QuotaError],
    ["an index", "errors.1.code", { errors: [{ code: "slow" }, { code: "quota" }] }, QuotaError],
    ["a list of codes", "codes", { codes: ["lost", "slow"] }, SlowError],
    ["a body that is a list", "code", [{ code: "slow" }], SlowError],
    ["the length of a list, which is not a field", "errors.length", {
      errors: Array(17).fill(1),
    }, undefined],
    ["lists in lists, which are not searched", "code", [[{ code: "slow" }]], undefined],
    ["a name with dots", ["odata.error", "code"], { "odata.error": { code: "slow" } }, SlowError],
    ["a body that is not JSON", "code", "slow", undefined],
    ["an empty body", "code", "", undefined],
  ];
  for (const [name, path, body, expected] of rows) {
    it(`reads JSON: ${name}`, async () => {
      assertEquals(await chosen(path, body), expected);
    });
  }

  it("reads JSON with another content type, as the data of an error does", async () => {
    assertEquals(await chosen("code", { code: "slow" }, { type: "text/plain" }), SlowError);
  });

  it("does not fail for lists that are nested as deep as a body allows", async () => {
    const body = "[".repeat(500_000) + "]".repeat(500_000);
    assertEquals(await chosen("code", body), undefined);
  });

  const documents: readonly (readonly [string, string, string, string, unknown])[] = [
    ["an element", "Error.Code", "<Error><Code>slow</Code></Error>", "application/xml", SlowError],
    ["another type of XML", "e.c", "<e><c>slow</c></e>", "application/problem+xml", SlowError],
    ["a declaration", "e.c", '<?xml version="1.0"?><e><c>slow</c></e>', "text/plain", SlowError],
    ["an attribute", "rsp.err.@code", '<rsp><err code="17"/></rsp>', "text/xml", SlowError],
    ["an unknown code", "e.c", "<e><c>lost</c></e>", "text/xml", undefined],
    ["a page of HTML", "html.title", "<html><title>slow</title></html>", "text/html", undefined],
    ["a document that is not well-formed", "e.c", "<e><c>", "text/xml", undefined],
  ];
  for (const [name, path, document, type, expected] of documents) {
    it(`reads XML: ${name}`, async () => {
      assertEquals(await chosen(path, document, { type }), expected);
    });
  }

  it("can have a class for the other codes of successes", async () => {
    const options = { otherwise: OtherError, status: 200 };
    const bodies = [{ code: "lost" }, { code: "slow" }, { code: true }, { code: 1 }];
    assertEquals(await Promise.all(bodies.map((body) => chosen("code", body, options))), [
      ...[OtherError, SlowError, OtherError, OtherError],
    ]);
    assertEquals(await chosen("e.c", "<e><c>lost</c></e>", { ...options, ...xml }), OtherError);
    for (const code of ["", 0, null, {}, undefined]) {
      assertEquals(await chosen("code", { code }, options), undefined);
    }
    assertEquals(
      await chosen("code", { code: "lost" }, { otherwise: APIError, status: 200 }),
      APIError,
    );
  });

  it("leaves the other codes of an error status to the class of the status", async () => {
    for (const status of [400, 503]) {
      const options = { otherwise: OtherError, otherwiseAt: "code", status };
      assertEquals(await chosen("code", { code: "lost" }, options), undefined);
      assertEquals(await chosen("code", { code: "slow" }, options), SlowError);
      assertEquals(await chosen("e.c", "<e><c>lost</c></e>", { ...options, ...xml }), undefined);
    }
  });

  const unnamed:
    readonly (readonly [string, string, string | readonly string[], unknown, unknown])[] = [
      ["an object without a code", "error.code", "error", { error: { code: null } }, OtherError],
      ["a list", "errors.code", "errors", { errors: [{ message: "no" }] }, OtherError],
      ["a string", "error.code", ["error"], { error: "no" }, OtherError],
      ["a known code", "error.code", "error", { error: { code: "slow" } }, SlowError],
      ["null", "error.code", "error", { error: null }, undefined],
      ["an empty list", "errors.code", "errors", { errors: [] }, undefined],
      ["a body without it", "error.code", "error", { data: 7 }, undefined],
      ["an element with others", "e.c", "e", '<?xml version="1.0"?><e><m>no</m></e>', OtherError],
      ["another element", "e.c", "e", '<?xml version="1.0"?><r><c>no</c></r>', undefined],
    ];
  for (const [name, path, otherwiseAt, body, expected] of unnamed) {
    it(`can find an error without a code in a success: ${name}`, async () => {
      const options = { otherwise: OtherError, otherwiseAt, status: 200 };
      assertEquals(await chosen(path, body, options), expected);
    });
  }

  it("passes the response and the details to the class", async () => {
    const response = Response.json({ code: "slow" }, { status: 429 });
    const error = await errorsBy("code", table)(response, detailsOf('{"code":"slow"}'));
    assertInstanceOf(error, SlowError);
    assert(error.response === response);
    assertEquals([error.status, error.retries, error.requestId], [429, 2, "r-1"]);
  });

  it("answers at once for JSON, and with a promise for XML, whose parser has to be loaded", () => {
    const hook = errorsBy("c", table);
    assertEquals(hook(Response.json({}), detailsOf("{}")), undefined);
    const response = new Response("<c/>", { headers: { "content-type": "text/xml" } });
    assertInstanceOf(hook(response, detailsOf("<c/>")), Promise);
  });

  it("is a copy: later changes of the mapping have no effect", async () => {
    const changing: Record<string, typeof APIError> = { slow: SlowError };
    const hook = errorsBy("code", changing);
    changing["slow"] = QuotaError;
    const error = await hook(Response.json({}), detailsOf('{"code":"slow"}'));
    assertInstanceOf(error, SlowError);
  });

  const bad: readonly (readonly [string, unknown[], string])[] = [
    ["an empty path", ["", table], "path"],
    ["a path with an empty name", ["error..code", table], "path"],
    ["an empty list of names", [[], table], "path"],
    ["a path that is not text", [7, table], "path"],
    ["no table", ["code", undefined], "table"],
    ["a Map", ["code", new Map()], "table"],
    ["a class that is not of an error", ["code", { slow: Error }], "table.slow"],
    ["an instance", ["code", { slow: new NotFoundError(new Response()) }], "table.slow"],
    ["another class than that of an error", ["code", table, { otherwise: Error }], "otherwise"],
    [
      "an empty path of errors",
      ["code", table, { otherwise: APIError, otherwiseAt: "" }],
      "otherwiseAt",
    ],
    ["a path of errors without a class", ["code", table, { otherwiseAt: "error" }], "otherwiseAt"],
    ["an unknown option", ["code", table, { default: APIError }], "default"],
  ];
  for (const [name, args, option] of bad) {
    it(`refuses bad input by name: ${name}`, () => {
      const call = () => Reflect.apply(errorsBy, undefined, args);
      assertEquals(assertThrows(call, UnexpectedValueError).option, option);
    });
  }

  it("loads no XML parser with its entry point", () => {
    const loaded = browserModules(sourceRoot(), ["src/entries/errors.ts"], "static");
    assert(loaded.includes("src/content/errors_by_content.ts"));
    assertEquals(loaded.filter((path) => /^src\/(?:xml|models)\/(?!model_class)/.test(path)), []);
  });
});
