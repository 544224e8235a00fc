import { assertEquals, assertThrows, describe, it } from "#test";
import {
  APIClient,
  type CallOptions,
  mergeHeaders,
  mergeParams,
  type Params,
  UnexpectedValueError,
} from "../../mod.ts";
import { mockTransport } from "../../src/testing/mod.ts";

/** A client whose method adds parameters and headers to those of its caller. */
class Library extends APIClient {
  static override readonly baseUrl: string = "https://library.example.com";

  books(options: CallOptions = {}): Promise<Response> {
    return this._get("/books", {
      ...options,
      params: mergeParams({ size: 20 }, options.params, { page: 1 }),
      headers: mergeHeaders({ accept: "text/csv" }, options.headers, { "X-Page": "1" }),
    });
  }
}

describe("mergeParams", () => {
  const forms: readonly (readonly [string, CallOptions["params"], string])[] = [
    ["nothing", undefined, "?size=20&page=1"],
    ["a mapping", { tag: ["a", "b"], size: 5 }, "?size=5&tag=a&tag=b&page=1"],
    ["pairs", [["tag", "a"], ["tag", "b"], ["size", 5]], "?size=5&tag=a&tag=b&page=1"],
    ["URLSearchParams", new URLSearchParams("tag=a&tag=b&size=5"), "?size=5&tag=a&tag=b&page=1"],
    ["a parameter that the method sets", { page: 7 }, "?size=20&page=1"],
    ["undefined, which changes nothing", { size: undefined }, "?size=20&page=1"],
    ["null, which leaves one out", { size: null }, "?page=1"],
  ];
  for (const [name, params, query] of forms) {
    it(`lets a method add parameters to those of its caller: ${name}`, async () => {
      const fetch = mockTransport({ "GET /books": {} });
      await new Library({ fetch }).books({ params });
      assertEquals(new URL(fetch.calls[0]!.url).search, query);
    });
  }

  it("removes a parameter of the client by null", async () => {
    const fetch = mockTransport({ "GET /books": {} });
    const library = new Library({ fetch, params: { locale: "en", zone: "eu" } });
    await library.books({ params: { locale: null } });
    assertEquals(new URL(fetch.calls[0]!.url).search, "?zone=eu&size=20&page=1");
  });

  it("returns a mapping, and changes none of its layers", () => {
    const first = { tag: ["a"], filter: { by: "x" } };
    const merged = mergeParams(first, undefined, [["tag", "b"]]);
    assertEquals(merged, { tag: "b", filter: { by: "x" } });
    assertEquals(first, { tag: ["a"], filter: { by: "x" } });
    merged["tag"] = "c";
    assertEquals(first.tag, ["a"]);
    assertEquals([mergeParams(), mergeParams(undefined)], [{}, {}]);
    const own = { a: 1 };
    mergeParams(own)["b"] = 2;
    assertEquals(own, { a: 1 });
  });

  it("bad input: anything else is refused", () => {
    const wrong = ["a=1", null, 7, ["a", "b"], new Map([["a", 1]])] as unknown[];
    for (const params of wrong) {
      for (const layers of [[params], [{ a: 1 }, params]]) {
        const error = assertThrows(() => mergeParams(...layers as Params[]), UnexpectedValueError);
        assertEquals(error.option.slice(0, 6), "params");
      }
    }
  });
});

describe("mergeHeaders", () => {
  const sent = { accept: "text/html", "if-match": "v1, v2" };
  const forms: readonly (readonly [string, CallOptions["headers"], Record<string, string>])[] = [
    ["nothing", undefined, { accept: "text/csv" }],
    ["a mapping", { Accept: "text/html", "If-Match": "v1, v2" }, sent],
    ["pairs", [["Accept", "text/html"], ["If-Match", "v1"], ["if-match", "v2"]], sent],
    ["Headers", new Headers(sent), sent],
    ["a header that the method sets", { "x-page": "7" }, { accept: "text/csv" }],
  ];
  for (const [name, headers, expected] of forms) {
    it(`lets a method add headers to those of its caller: ${name}`, async () => {
      const fetch = mockTransport({ "GET /books": {} });
      await new Library({ fetch }).books({ headers });
      const { "user-agent": _, ...found } = fetch.calls[0]!.headers;
      assertEquals({ ...found }, { ...expected, "x-page": "1" });
    });
  }

  it("removes a header of the client by null", async () => {
    const fetch = mockTransport({ "GET /books": {} });
    const library = new Library({ fetch, headers: { "X-Zone": "eu", "X-Locale": "en" } });
    await library.books({ headers: { "x-zone": null } });
    const { headers } = fetch.calls[0]!;
    assertEquals([headers["x-zone"], headers["x-locale"]], [undefined, "en"]);
  });

  it("returns a mapping with names in lower case, and null for a header that is removed", () => {
    const first = { "X-Key": "a", Accept: "*/*" };
    const merged = mergeHeaders(first, undefined, { "x-key": null }, [["ACCEPT", "text/csv"]]);
    assertEquals(merged, { "x-key": null, accept: "text/csv" });
    assertEquals(first, { "X-Key": "a", Accept: "*/*" });
    assertEquals([mergeHeaders(), mergeHeaders(undefined)], [{}, {}]);
  });

  it("bad input: headers that cannot be sent are refused", () => {
    const wrong = ["a: b", null, { "a b": "c" }, { a: "b\nc" }, { host: "a" }, [[
      "a",
    ]]] as unknown[];
    for (const headers of wrong) {
      const error = assertThrows(
        () => mergeHeaders({ accept: "*/*" }, headers as Headers),
        UnexpectedValueError,
      );
      assertEquals(error.option.slice(0, 7), "headers");
    }
  });
});
