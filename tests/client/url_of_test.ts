/** Tests of the URL of a call that is not sent. */
import { assertEquals, assertThrows, describe, it } from "#test";
import {
  type AnyClient,
  APIClient,
  APIEndpoint,
  APISession,
  type Path,
  path,
  type SessionOptions,
  type UrlOptions,
} from "../../mod.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { scripted } from "../support/scripted.ts";

const url = "https://api.example.com";

class Session extends APISession {
  urlOf(path?: Path, options?: UrlOptions): string {
    return this._urlOf(path, options);
  }
}
class Books extends APIEndpoint<AnyClient> {
  protected override readonly _path: string = "/books";

  urlOf(path?: Path, options?: UrlOptions): string {
    return this._urlOf(path, options);
  }
  async sent(path: Path, options: UrlOptions): Promise<void> {
    await this._get(path, options);
  }
}

describe("the URL of a call", () => {
  it("is the one that would be sent", async () => {
    const fetch = scripted(200);
    const options: SessionOptions = { url, basePath: "v1", params: { lang: "en" }, fetch };
    const session = new Session(options);
    const cases: readonly [Path, UrlOptions][] = [
      ["books", {}],
      [7, {}],
      ["?a=1#part", { params: { b: [1, 2], c: null } }],
      ["books", { params: { b: [1, 2] }, paramsStyle: { arrays: "brackets" }, useBase: false }],
      ["https://files.example.com/x?y=1", { params: { z: "é" } }],
      [path`books/${"a/b?"}`, {}],
    ];
    const urls = cases.map(([path, options]) => session.urlOf(path, options));
    for (const [path, options] of cases) await session.get(path, options);
    assertEquals(urls, fetch.calls.map(({ url }) => url));
    assertEquals(fetch.calls.length, cases.length);
  });

  it("is the base URL without a path, without a slash at its end", () => {
    assertEquals(new Session({ url: `${url}/api/` }).urlOf(), `${url}/api`);
    assertEquals(new Session({ url, basePath: "/v1/" }).urlOf(), `${url}/v1`);
  });

  it("has no credentials of the base URL or of a full URL", () => {
    const session = new Session({ url: "https://ada:secret@api.example.com" });
    assertEquals(session.urlOf("x"), `${url}/x`);
    assertEquals(session.urlOf("https://ada:pass@b.example/x"), "https://b.example/x");
  });

  it("has the paths of endpoints, as in a call", async () => {
    const fetch = scripted(200);
    const client = new APIClient({ baseUrl: url, fetch });
    const books = new Books(client, path`/shelves/${"a b"}`);
    assertEquals(books.urlOf(), `${url}/shelves/a%20b/books`);
    await books.sent("/7", { params: { full: true } });
    assertEquals(books.urlOf("/7", { params: { full: true } }), fetch.calls[0]!.url);
  });

  it("is rejected as by a call", () => {
    const session = new Session({ url, absoluteUrls: "trusted" });
    for (const path of ["../x", "https://b.example/x"]) {
      assertThrows(() => session.urlOf(path), UnexpectedValueError);
    }
    assertThrows(() => session.urlOf("x", { params: 5 as never }), UnexpectedValueError);
    assertThrows(
      () => session.urlOf("x", { retires: 1 } as never),
      UnexpectedValueError,
      "retires",
    );
  });
});
