import { inspect } from "node:util";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APIClient,
  APIEndpoint,
  APIError,
  APISession,
  type ClientOptions,
  DeadlineExceededError,
  NotFoundError,
  type Path,
  type RequestOptions,
  TooManyRequestsError,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { type Auth, BearerAuth } from "../../src/auth/mod.ts";
import type { CookieStorage } from "../../src/http/cookies/mod.ts";
import {
  BadGatewayError,
  DecodeError,
  type ErrorMap,
  RedirectError,
  ServiceUnavailableError,
} from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { APIIterator } from "../../src/paging/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";
import { until } from "../support/until.ts";

const baseUrl = "https://api.example.com/v2";

/** A client that makes the protected `_req` public. */
class Api extends APIClient {
  static override readonly baseUrl: string = baseUrl;
  read(path: Path, options?: RequestOptions): Promise<Response> {
    return this.send("GET", path, options);
  }
  async send(method: string, path: Path, options?: RequestOptions): Promise<Response> {
    return await this._req(method, path, options) as Response;
  }
}

/** Creates a client with scripted answers and a clock that does not really wait. */
function start(answers: readonly Answer[], options: ClientOptions = {}) {
  const fetch = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const log = recordingLogger();
  const client = new Api({ fetch, clock, logger: log, ...options });
  return { client, fetch, clock, log };
}

type Scripted = ReturnType<typeof scripted>;
const urls = ({ calls }: Scripted) => calls.map(({ url }) => url);
const sent = ({ calls }: Scripted, name: string) => calls.map(({ init }) => init.headers[name]);

function moved(location: string, status = 302): Response {
  return new Response("moved", { status, headers: { location } });
}

function setting(...cookies: readonly string[]): Response {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { headers });
}

describe("the base URL of a client", () => {
  const joined: readonly (readonly [string, Path, string])[] = [
    ["https://a.example", "x", "https://a.example/x"],
    ["https://a.example/", "/x", "https://a.example/x"],
    ["https://a.example/v2", "x", "https://a.example/v2/x"],
    ["https://a.example/v2", "/x", "https://a.example/v2/x"],
    ["https://a.example/v2/", "/x", "https://a.example/v2/x"],
    ["https://a.example/v2///", "x", "https://a.example/v2/x"],
    ["https://a.example/a/b/1.0", "/x/", "https://a.example/a/b/1.0/x/"],
    ["https://a.example/a%20b", "x", "https://a.example/a%20b/x"],
    ["https://A.Example:443/V2", "x", "https://a.example/V2/x"],
    ["http://localhost:8080/v2", "", "http://localhost:8080/v2/"],
    ["https://a.example/v2", 7, "https://a.example/v2/7"],
    ["https://a.example/v2", "x?y=1", "https://a.example/v2/x?y=1"],
    ["https://a.example/v2", "//b.example/x", "https://a.example/v2/b.example/x"],
    ["https://a.example/v2", "https://a.example/x", "https://a.example/x"],
  ];
  for (const [index, [base, path, url]] of joined.entries()) {
    // contract: client-1
    it(`keeps its path, and is followed by one slash, case ${index + 1}`, async () => {
      const { client, fetch } = start([200], { baseUrl: base });
      await client.read(path);
      assertEquals(urls(fetch), [url]);
    });
  }

  // contract: client-1
  it("client-1: is that of the option, or else that of the class", async () => {
    const fetch = scripted(200);
    await new Api({ fetch }).read("x");
    await new Api({ fetch, baseUrl: undefined }).read("x");
    await new Api({ fetch, baseUrl: "https://b.example/v3" }).read("x");
    assertEquals(urls(fetch), [`${baseUrl}/x`, `${baseUrl}/x`, "https://b.example/v3/x"]);
  });

  const wrong: readonly unknown[] = [
    "",
    "api.example.com",
    "/v2",
    "ftp://a.example",
    "https://",
    "https://a.example/v2?key=1",
    "https://a.example/v2?",
    "https://a.example/v2#top",
    7,
    null,
    new URL("https://a.example"),
  ];
  for (const [index, url] of wrong.entries()) {
    it(`is refused with an error that names it if it is invalid, case ${index + 1}`, () => {
      const options = { baseUrl: url } as ClientOptions;
      const error = assertThrows(() => new Api(options), UnexpectedValueError);
      assertEquals(error.option, "baseUrl");
    });
  }

  it("is required as baseUrl: url and basePath of generation 1 are not options of a client", async () => {
    const options = { url: baseUrl } as ClientOptions;
    const error = assertThrows(() => new APIClient(options), UnexpectedValueError);
    assertEquals(error.option, "baseUrl");
    const { client, fetch } = start([200], { basePath: "rest" } as ClientOptions);
    await client.read("x");
    assertEquals(urls(fetch), [`${baseUrl}/x`]);
  });

  it("may contain credentials, which are sent as Basic authentication and never shown", async () => {
    const { client, fetch, log } = start([404], { baseUrl: "https://ada:hunter2@a.example/v2" });
    const error = await assertRejects(() => client.read("x"), NotFoundError);
    assertEquals(urls(fetch), ["https://a.example/v2/x"]);
    assertEquals(sent(fetch, "authorization"), [`Basic ${btoa("ada:hunter2")}`]);
    assert(!`${log.messages().join("\n")}${error.message}${error.stack}`.includes("hunter2"));
  });

  it("is listed among the known options if the class refuses unknown options", () => {
    class Strict extends Api {
      static override readonly errorOnUnexpectedInput: boolean = true;
    }
    new Strict({ baseUrl });
    for (const name of ["url", "basePath", "base_url", "libName"]) {
      const options = { [name]: "https://a.example" } as ClientOptions;
      const error = assertThrows(() => new Strict(options), UnexpectedValueError);
      assertEquals(error.option, name);
      assertMatch(error.expected, /\bbaseUrl\b/);
    }
  });
});

describe("the request methods of a client", () => {
  class All extends APIClient {
    static override readonly baseUrl: string = baseUrl;
    async all(options?: RequestOptions): Promise<void> {
      await this._get("x", options);
      await this._post("x", options);
      await this._put("x", options);
      await this._patch("x", options);
      await this._delete("x", options);
      await this._head("x", options);
      await this._options("x", options);
    }
    forgotten(): Promise<unknown>[] {
      const id = undefined as never;
      return [this._get(id), this._post(id), this._delete(id), this._options(id)];
    }
  }
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

  it("send the HTTP method of their name, including OPTIONS", async () => {
    const fetch = scripted(200);
    await new All({ fetch }).all({ headers: { "x-a": "1" } });
    assertEquals(fetch.calls.map(({ init }) => init.method), methods);
    assertEquals(sent(fetch, "x-a"), Array(7).fill("1"));
    assertEquals(urls(fetch), Array(7).fill(`${baseUrl}/x`));
  });

  it("are protected, so that an SDK can use their names for public methods", async () => {
    class Books extends APIClient {
      static override readonly baseUrl: string = baseUrl;
      get(id: number): Promise<Response> {
        return this._get(id);
      }
      delete(...ids: readonly number[]): Promise<Response[]> {
        return Promise.all(ids.map((id) => this._delete(id)));
      }
    }
    const fetch = scripted(200);
    const books = new Books({ fetch });
    await books.get(1);
    assertEquals((await books.delete(2, 3)).length, 2);
    // @ts-expect-error: the request methods are protected
    await books._get(4);
    // @ts-expect-error: so is _req, which they all call
    await books._req("GET", 5);
    assertEquals(urls(fetch), [1, 2, 3, 4, 5].map((id) => `${baseUrl}/${id}`));
  });

  it("call _req, so that an override sees all requests", async () => {
    const seen: unknown[] = [];
    class Seen extends All {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        seen.push(method, path);
        return super._req(method, path, options);
      }
    }
    await new Seen({ fetch: scripted(200) }).all();
    assertEquals(seen, methods.flatMap((method) => [method, "x"]));
  });

  it("refuse an undefined path before any request is sent", async () => {
    const fetch = scripted(200);
    for (const call of new All({ fetch }).forgotten()) {
      await assertRejects(() => call, UnexpectedValueError, "path");
    }
    assertEquals(fetch.calls.length, 0);
  });

  it("refuse a body with GET, and accept one with OPTIONS", async () => {
    const { client, fetch } = start([200]);
    await assertRejects(() => client.read("x", { json: 1 }), UnexpectedValueError, "GET");
    await client.send("OPTIONS", "x", { json: 1 });
    assertEquals(fetch.calls.map(({ init }) => init.body), ["1"]);
  });
});

describe("redirects of a client", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    // contract: reading-30
    it(`are not followed by default: ${status} rejects with an APIError`, async () => {
      const { client, fetch } = start([moved("/y", status), 200]);
      const error = await assertRejects(() => client.read("x"), APIError);
      assertEquals(error.constructor, APIError);
      assertEquals([error.status, error.retries, error.body], [status, 0, "moved"]);
      assertEquals(error.headers.get("location"), "/y");
      assertEquals(fetch.calls.length, 1);
    });

    it(`are followed if the option or the class turns this on: ${status}`, async () => {
      class Following extends Api {
        static override readonly followRedirects: boolean = true;
      }
      const fetch = scripted(moved("/y", status), 200, moved("z", status), 200);
      await start([], { fetch, followRedirects: true }).client.read("x");
      const followed = await new Following({ fetch }).read("x");
      assertEquals([followed.redirected, followed.url], [true, `${baseUrl}/z`]);
      assertEquals(urls(fetch), [
        `${baseUrl}/x`,
        "https://api.example.com/y",
        `${baseUrl}/x`,
        `${baseUrl}/z`,
      ]);
    });

    it(`are followed for a request that turns this on, and not for the next: ${status}`, async () => {
      const { client, fetch } = start([moved("y", status), 200, moved("y", status)]);
      assertEquals((await client.read("x", { followRedirects: true })).status, 200);
      await assertRejects(() => client.read("x"), APIError);
      assertEquals(fetch.calls.length, 3);
    });
  }

  it("are not followed for a request that turns this off, even if the client follows them", async () => {
    const { client, fetch } = start([moved("y"), 200], { followRedirects: true });
    await assertRejects(() => client.read("x", { followRedirects: false }), APIError);
    assertEquals(fetch.calls.length, 1);
  });

  it("reject with an APIError for 304 and for a missing or empty location, followed or not", async () => {
    for (const followRedirects of [false, true]) {
      for (const answer of [304, 302, moved("")]) {
        const { client } = start([answer], { followRedirects });
        await assertRejects(() => client.read("x"), APIError);
      }
    }
  });

  it("are limited by maxRedirects of the request, or else of the client", async () => {
    const on = { followRedirects: true };
    const { client, fetch } = start([() => moved("y")], { ...on, maxRedirects: 2, retries: 0 });
    await assertRejects(() => client.read("x"), RedirectError, "2");
    assertEquals(fetch.calls.length, 3);
    await assertRejects(() => client.read("x", { maxRedirects: 0 }), RedirectError, "0");
    assertEquals(fetch.calls.length, 4);
    await assertRejects(() => client.read("x", { maxRedirects: 3 }), RedirectError, "3");
    assertEquals(fetch.calls.length, 8);
  });

  it("are followed in every attempt of a request", async () => {
    const { client, fetch } = start([moved("y"), 503, moved("y"), 200]);
    await client.read("x", { followRedirects: true });
    assertEquals(urls(fetch).map((url) => url.at(-1)), ["x", "y", "x", "y"]);
  });

  it("become the error of the error map if it has their status, and may be retried", async () => {
    class MovedError extends APIError {
      static override readonly retryable: boolean = true;
    }
    const { client, fetch } = start([moved("y"), 200]);
    await client.read("x", { errorMap: { 302: MovedError } });
    assertEquals(urls(fetch), [`${baseUrl}/x`, `${baseUrl}/x`]);
  });
});

describe("endpoints of a client", () => {
  class Codes extends APIEndpoint<Api> {
    protected override readonly _path: string = "/codes";
    read(suffix: Path): Promise<Response> {
      return this._get(suffix);
    }
    all(): Promise<Response> {
      return this._get();
    }
    remove(id: Path): Promise<Response> {
      return this._delete(id);
    }
    async others(): Promise<void> {
      await this._options();
      await this._options("/7");
      await this._put("/7");
      await this._patch("/7");
      await this._head("/7");
      await this._post();
    }
  }
  class Slashed extends Codes {
    protected override readonly _path: string = "codes/";
  }
  class Root extends Codes {
    protected override readonly _path: string = "";
  }

  // contract: endpoint-7
  it("endpoint-7: append a suffix that begins with a slash to the prefix unchanged", async () => {
    const { client, fetch } = start([200]);
    const codes = new Codes(client);
    for (const suffix of ["/200", "/200/", "//200", "/", "/a%2Fb", "/a/../b"]) {
      await codes.read(suffix);
    }
    assertEquals(urls(fetch), [
      `${baseUrl}/codes/200`,
      `${baseUrl}/codes/200/`,
      `${baseUrl}/codes//200`,
      `${baseUrl}/codes/`,
      `${baseUrl}/codes/a%2Fb`,
      `${baseUrl}/codes/a/../b`,
    ]);
  });

  // contract: reading-2
  it("reading-2: insert the slash between prefix and suffix if it is missing", async () => {
    const { client, fetch } = start([200]);
    for (const suffix of ["200", 200, "?page=2"]) await new Codes(client).read(suffix);
    for (const suffix of ["200", 200, "?page=2"]) await new Slashed(client).read(suffix);
    assertEquals(urls(fetch), [
      `${baseUrl}/codes/200`,
      `${baseUrl}/codes/200`,
      `${baseUrl}/codes?page=2`,
      `${baseUrl}/codes/200`,
      `${baseUrl}/codes/200`,
      `${baseUrl}/codes/?page=2`,
    ]);
  });

  // contract: client-2
  it("client-2: need neither a prefix nor a suffix", async () => {
    const { client, fetch } = start([200]);
    await new Root(client).read("/status");
    await new Root(client).all();
    await new Codes(client).all();
    await new Codes(client).read("");
    assertEquals(urls(fetch), [
      `${baseUrl}/status`,
      `${baseUrl}/`,
      `${baseUrl}/codes`,
      `${baseUrl}/codes`,
    ]);
  });

  it("refuse dot segments that lead above the endpoint or above the base URL", async () => {
    const { client, fetch } = start([200]);
    for (const suffix of ["..", "/..", "/../x", "/a/../../x", "/%2e%2e/x", "..\\x", "a/.."]) {
      await assertRejects(() => new Codes(client).read(suffix), UnexpectedValueError, "dot");
      await assertRejects(() => new Codes(client).remove(suffix), UnexpectedValueError, "dot");
    }
    for (const suffix of ["..", "/../x", "a/../../x"]) {
      await assertRejects(() => new Root(client).read(suffix), UnexpectedValueError, "dot");
      await assertRejects(() => client.read(suffix), UnexpectedValueError, "dot");
    }
    assertEquals(fetch.calls.length, 0);
  });

  it("use a full URI unchanged, such as the link to a next page", async () => {
    const { client, fetch } = start([200]);
    const next = "https://api.example.com/v2/codes?cursor=a%2Fb";
    await new Codes(client).read(next);
    assertEquals(urls(fetch), [next]);
  });

  it("refuse an undefined id, because it would address the whole collection", async () => {
    const { client, fetch } = start([200]);
    const id = undefined as never;
    await assertRejects(() => new Codes(client).remove(id), UnexpectedValueError, "path");
    await assertRejects(() => new Codes(client).read(id), UnexpectedValueError, "path");
    assertEquals(fetch.calls.length, 0);
  });

  it("have every other request method too, OPTIONS with an optional suffix", async () => {
    const { client, fetch } = start([200]);
    await new Codes(client).others();
    assertEquals(
      fetch.calls.map(({ init, url }) => `${init.method} ${url.slice(baseUrl.length)}`),
      [
        "OPTIONS /codes",
        "OPTIONS /codes/7",
        "PUT /codes/7",
        "PATCH /codes/7",
        "HEAD /codes/7",
        "POST /codes",
      ],
    );
  });

  // contract: client-3
  it("client-3: are typed fields of the client or of other endpoints, at any depth", async () => {
    class Files extends APIEndpoint<Library> {
      protected override readonly _path: string = "/books/files";
      read(name: string): Promise<Response> {
        return this._get(`/${this._client.region}/${name}`);
      }
    }
    class Books extends APIEndpoint<Library> {
      protected override readonly _path: string = "/books";
      readonly files: Files = new Files(this._client);
      read(id: number): Promise<Response> {
        return this._get(`/${id}`);
      }
    }
    class Library extends APIClient {
      static override readonly baseUrl: string = baseUrl;
      readonly books: Books = new Books(this);
      readonly region: string = "eu";
    }
    const fetch = scripted(200);
    const library = new Library({ fetch });
    await library.books.read(7);
    await library.books.files.read("a.txt");
    assertEquals(urls(fetch), [`${baseUrl}/books/7`, `${baseUrl}/books/files/eu/a.txt`]);
  });

  // contract: client-7
  it("client-7: have their client as _client and as _api", () => {
    class Known extends Codes {
      check(client: Api): void {
        assertStrictEquals(this._client, client);
        assertStrictEquals(this._api, client);
      }
    }
    const { client } = start([200]);
    new Known(client).check(client);
  });

  // contract: client-7
  it("client-7: have it like an iterator, which gets it from the option client", async () => {
    class Numbers extends APIIterator<number, Api> {
      protected override async _getPage(): Promise<void> {
        const response = await this._client.read("/numbers", {
          params: { page: this.currentPage },
        });
        this.page = await response.json() as number[];
        this.currentPage++;
      }
    }
    const pages = [[1, 2], [3], []];
    const { client, fetch } = start([() => Response.json(pages.shift())]);
    const found: number[] = [];
    for await (const number of new Numbers({ client })) found.push(number);
    assertEquals(found, [1, 2, 3]);
    assertEquals(urls(fetch)[2], `${baseUrl}/numbers?page=2`);
  });

  it("call the client's _req, and reject with its error", async () => {
    const seen: unknown[] = [];
    class Seen extends Api {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        seen.push(method, path);
        return super._req(method, path, options);
      }
    }
    const client = new Seen({ fetch: scripted(404) });
    await assertRejects(() => new Codes(client).read("/7"), NotFoundError);
    assertEquals(seen, ["GET", "/codes/7"]);
  });
});

describe("the result of a call to a client", () => {
  class Raw extends APIEndpoint<Api> {
    read(): Promise<unknown> {
      return this._get("/x");
    }
  }

  // contract: model-4
  it("model-4: is the raw response with an unread body if there is no response model", async () => {
    const own = Response.json({ a: 1 });
    const { client } = start([() => own]);
    assertStrictEquals(await client.read("x"), own);
    const other = Response.json({ a: 1 });
    const found = await new Raw(start([() => other]).client).read();
    assertStrictEquals(found, other);
    assertEquals([own.bodyUsed, other.bodyUsed], [false, false]);
    assertEquals([await own.json(), await other.json()], [{ a: 1 }, { a: 1 }]);
  });

  // contract: reading-27
  it("reading-27: follows the same retries and error table as a session: 200 to 298 succeed", async () => {
    for (const status of [200, 201, 204, 250, 298]) {
      assertEquals((await start([status]).client.read("x")).status, status);
    }
    for (const status of [299, 300, 399, 402, 599]) {
      const error = await assertRejects(() => start([status]).client.read("x"), APIError);
      assertEquals(error.constructor, APIError);
    }
    const { client, fetch, clock } = start([429, 503, refusedConnection(), 502]);
    const error = await assertRejects(() => client.read("x"), BadGatewayError);
    assertEquals([error.retries, fetch.calls.length, clock.waits], [3, 4, [1, 2, 1]]);
    await assertRejects(() => start([429], { retries: 0 }).client.read("x"), TooManyRequestsError);
  });
});

describe("options of a client", () => {
  // contract: client-4
  it("client-4: auth accepts a pair, a scheme, or null for none", async () => {
    const scheme: Auth = {
      authenticate: (_, send) => send({ headers: { authorization: "Scheme 1" } }),
    };
    const basic = `Basic ${btoa("ada:countess")}`;
    const pair = start([200], { auth: ["ada", "countess"] });
    await pair.client.read("x");
    await pair.client.read("x", { auth: scheme });
    await pair.client.read("x", { auth: null });
    await pair.client.read("x");
    assertEquals(sent(pair.fetch, "authorization"), [basic, "Scheme 1", undefined, basic]);
    const other = start([200], { auth: scheme });
    await other.client.read("x");
    assertStrictEquals(other.client.httpSession.auth, scheme);
    const none = start([200], { auth: null, baseUrl: "https://a.example" });
    await none.client.read("x");
    assertEquals([sent(other.fetch, "authorization"), sent(none.fetch, "authorization")], [
      ["Scheme 1"],
      [undefined],
    ]);
  });

  it("auth of one request applies to all its attempts, even if a hook drops it", async () => {
    class Hooked extends Api {
      protected override _retryRequest(): RequestOptions {
        return {};
      }
    }
    const fetch = scripted(503, refusedConnection(), 503, 200);
    const client = new Hooked({
      fetch,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    await client.read("x", { auth: new BearerAuth("t-1") });
    assertEquals(sent(fetch, "authorization"), Array(4).fill("Bearer t-1"));
  });

  it("auth is sent neither to another origin nor after a redirect to it", async () => {
    const elsewhere = "https://b.example/x";
    const { client, fetch } = start([200, moved(elsewhere), 200], {
      auth: ["ada", "countess"],
      followRedirects: true,
    });
    await client.read(elsewhere);
    await client.read("x");
    assertEquals(sent(fetch, "authorization"), [
      undefined,
      `Basic ${btoa("ada:countess")}`,
      undefined,
    ]);
  });

  // contract: client-5
  it("client-5: headers accept every shape, and session.headers can change them later", async () => {
    const shapes = [{ "X-A": "1" }, [["x-a", "1"]] as const, new Headers({ "x-a": "1" })];
    for (const headers of shapes) {
      const { client, fetch } = start([200], { headers });
      await client.read("x");
      await client.read("x", { headers: { "x-a": "2", "x-b": 3 } });
      await client.read("x", { headers: { "X-a": null } });
      client.httpSession.headers.set("x-a", "4");
      await client.read("x");
      assertEquals(sent(fetch, "x-a"), ["1", "2", undefined, "4"]);
      assertEquals(sent(fetch, "x-b"), [undefined, "3", undefined, undefined]);
    }
  });

  // contract: client-5
  it("client-5: headers are sent only to trusted origins, except harmless ones and those in crossOriginHeaders", async () => {
    class Named extends Api {
      static override readonly crossOriginHeaders: readonly string[] = ["X-Named"];
    }
    const headers = { "X-ApiKeys": "k", authorization: "t", Accept: "a/b", "x-named": "n" };
    for (const session of [undefined, new HttpSession()]) {
      const fetch = scripted(moved("https://b.example/y"), 200, moved("https://c.example/y"), 200);
      const client = new Named({
        session,
        fetch,
        headers,
        followRedirects: true,
        trustedOrigins: ["https://c.example"],
      });
      await client.read("x");
      await client.read("x");
      assertEquals(sent(fetch, "x-apikeys"), ["k", undefined, "k", "k"]);
      assertEquals(sent(fetch, "authorization"), ["t", undefined, "t", "t"]);
      assertEquals(sent(fetch, "accept"), ["a/b", "a/b", "a/b", "a/b"]);
      assertEquals(sent(fetch, "x-named"), ["n", "n", "n", "n"]);
    }
  });

  it("headers and cookies that a redirect drops are not sent again if it leads back", async () => {
    const fetch = scripted(moved("https://b.example/y"), moved(`${baseUrl}/z`), 200);
    const session = new HttpSession();
    const options = { headers: { "x-api-key": "k" }, cookies: { sid: "1" }, session };
    const client = new Api({ ...options, fetch, followRedirects: true });
    await client.read("x");
    assertEquals(sent(fetch, "x-api-key"), ["k", undefined, undefined]);
    assertEquals(sent(fetch, "cookie"), ["sid=1", undefined, undefined]);
  });

  // contract: client-6
  it("params are merged key by key with those of a request, which win", async () => {
    const { client, fetch } = start([200], { params: { locale: "en", tag: ["a", "b"] } });
    await client.read("x");
    await client.read("x?own=1", { params: { locale: "de", page: 2 } });
    await client.read("x", { params: [["tag", "c"], ["tag", "d"]] });
    await client.read("x", { params: new URLSearchParams("locale=fr") });
    await client.read("x", { params: { locale: null, tag: [] } });
    assertEquals(urls(fetch), [
      `${baseUrl}/x?locale=en&tag=a&tag=b`,
      `${baseUrl}/x?own=1&locale=de&tag=a&tag=b&page=2`,
      `${baseUrl}/x?locale=en&tag=c&tag=d`,
      `${baseUrl}/x?locale=fr&tag=a&tag=b`,
      `${baseUrl}/x`,
    ]);
  });

  it("params of a request keep the client's value if they are undefined, and remove it if null", async () => {
    const { client, fetch } = start([200], { params: { locale: "en", page: 1 } });
    await client.read("x", { params: { locale: undefined, page: null } });
    assertEquals(urls(fetch), [`${baseUrl}/x?locale=en`]);
  });

  it("params are sent only to origins that get credentials", async () => {
    const { client, fetch, log } = start([200], {
      params: { key: "k-1" },
      trustedOrigins: ["https://eu.example.com"],
    });
    await client.read("https://b.example/x", { params: { page: 1 } });
    await client.read("http://api.example.com/v2/x");
    await client.read("https://eu.example.com/x");
    await client.read("https://api.example.com/other");
    assertEquals(urls(fetch), [
      "https://b.example/x?page=1",
      "http://api.example.com/v2/x",
      "https://eu.example.com/x?key=k-1",
      "https://api.example.com/other?key=k-1",
    ]);
    assertEquals(log.json("debug").map(({ params }) => params), [
      { page: 1 },
      {},
      { key: "k-1" },
      { key: "k-1" },
    ]);
  });

  it("params of the client are redacted like those of a request, in all attempts", async () => {
    const { client, fetch, log } = start([503, refusedConnection(), 404], {
      params: { key: "hunter2" },
    });
    const error = await assertRejects(
      () => client.read("x", { redactFields: ["key"] }),
      NotFoundError,
    );
    assertEquals(urls(fetch), Array(3).fill(`${baseUrl}/x?key=hunter2`));
    const shown = `${log.messages().join("\n")}${error.message}${JSON.stringify(error)}`;
    assert(!shown.includes("hunter2"), shown);
  });

  it("params that are invalid are named in the constructor's error", () => {
    for (const params of [7, "a=1", null, { a: {} }, [["a"]], new Map()]) {
      const options = { params } as unknown as ClientOptions;
      const error = assertThrows(() => start([200], options), UnexpectedValueError);
      assert(error.option.startsWith("params"), error.option);
    }
  });

  // contract: reading-26
  it("reading-26: cookies are stored and sent, as in generation 1", async () => {
    const { client, fetch } = start([setting("sid=1; Path=/"), 200]);
    await client.read("x");
    await client.read("x");
    assertEquals(sent(fetch, "cookie"), [undefined, "sid=1"]);
  });

  it("cookies by name are sent with the stored ones, and a request can add more", async () => {
    const { client, fetch } = start([setting("sid=1; Path=/"), 200], {
      cookies: { theme: "dark" },
    });
    await client.read("x");
    await client.read("x");
    await client.read("x", { cookies: { once: "yes" } });
    await client.read("x");
    assertEquals(sent(fetch, "cookie"), [
      "theme=dark",
      "sid=1; theme=dark",
      "sid=1; theme=dark; once=yes",
      "sid=1; theme=dark",
    ]);
  });

  it("cookies by name replace stored ones, and those of a request replace both", async () => {
    const { client, fetch } = start([setting("theme=kept; Path=/"), 200], {
      cookies: { theme: "dark", lang: "en" },
    });
    await client.read("x", { cookies: { theme: "light" } });
    await client.read("x");
    await client.read("x", { cookies: { lang: "de" } });
    assertEquals(sent(fetch, "cookie"), [
      "theme=light; lang=en",
      "theme=dark; lang=en",
      "theme=dark; lang=de",
    ]);
  });

  it("cookies by name are sent only to origins that get credentials", async () => {
    const { client, fetch } = start([200, 200, moved("https://b.example/y"), 200], {
      cookies: { sid: "1" },
      followRedirects: true,
    });
    await client.read("https://b.example/x");
    await client.read("https://b.example/x", { cookies: { own: "2" } });
    await client.read("x");
    assertEquals(sent(fetch, "cookie"), [undefined, undefined, "sid=1", undefined]);
  });

  // contract: client-6
  it("cookies accept a custom storage, for the client or for one request", async () => {
    const storage = (name: string): CookieStorage & { readonly stored: string[] } => {
      const stored: string[] = [];
      return {
        stored,
        cookieHeader: () => `${name}=1`,
        keep: (cookies) => void stored.push(...cookies),
      };
    };
    const [mine, other] = [storage("mine"), storage("other")];
    const { client, fetch } = start([setting("a=1"), setting("b=2"), 200], { cookies: mine });
    await client.read("x");
    await client.read("x", { cookies: other });
    await client.read("x");
    assertEquals(sent(fetch, "cookie"), ["mine=1", "other=1", "mine=1"]);
    assertEquals([mine.stored, other.stored], [["a=1"], ["b=2"]]);
  });

  const unsendable: readonly (readonly [string, unknown])[] = [
    ["a line break", "sid=hunter2\r\nX-Evil: 1"],
    ["a line feed", "sid=hunter2\n"],
    ["a carriage return", "sid=hunter2\rx"],
    ["a NUL", "sid=hunter2\0"],
    ["a control character", "sid=hunter2\x01"],
    ["a DEL", "sid=hunter2\x7f"],
    ["a character beyond Latin-1", "sid=hunter2\u20ac"],
    ["half a surrogate pair", "sid=hunter2\ud83d"],
    ["not a string", { sid: "hunter2" }],
  ];
  for (const [what, cookies] of unsendable) {
    // contract: http-6
    it(`the cookies of a storage are checked like a header, and not sent if invalid: ${what}`, async () => {
      for (const answer of [cookies, Promise.resolve(cookies)]) {
        const storage: CookieStorage = { cookieHeader: () => answer as string, keep: () => {} };
        const mine = start([200], { cookies: storage });
        const other = start([200]);
        const calls = [
          () => mine.client.read("x"),
          () => other.client.read("x", { cookies: storage }),
          () => mine.client.read("x", { cookies: { theme: "dark" } }),
        ];
        for (const call of calls) {
          const error = await assertRejects(call, UnexpectedValueError);
          assertEquals(error.option, "cookies.cookieHeader()");
          assert(!inspect(error, { depth: 9 }).includes("hunter2"), error.message);
        }
        assertEquals([...urls(mine.fetch), ...urls(other.fetch)], []);
        assertEquals([mine.log.messages("warn"), other.log.messages("warn")], [[], []]);
      }
    });
  }

  it("a cookie storage may return characters of Latin-1, or nothing", async () => {
    for (
      const [answer, cookie] of [["sid=\xe9\t", "sid=\xe9\t"], ["", undefined], [
        undefined,
        undefined,
      ]]
    ) {
      for (const each of [answer, Promise.resolve(answer)]) {
        const storage: CookieStorage = { cookieHeader: () => each as string, keep: () => {} };
        const { client, fetch } = start([200], { cookies: storage });
        await client.read("x");
        assertEquals(sent(fetch, "cookie"), [cookie]);
      }
    }
  });

  it("cookies: null neither stores nor sends cookies, for the client or for one request", async () => {
    const none = start([setting("sid=1; Path=/"), 200], { cookies: null });
    await none.client.read("x");
    await none.client.read("x");
    assertEquals(sent(none.fetch, "cookie"), [undefined, undefined]);
    const some = start([setting("sid=1; Path=/"), setting("sid=2; Path=/"), 200]);
    await some.client.read("x");
    await some.client.read("x", { cookies: null });
    await some.client.read("x");
    assertEquals(sent(some.fetch, "cookie"), [undefined, undefined, "sid=1"]);
  });

  it("cookies of one request apply to all its attempts, null too", async () => {
    const { client, fetch } = start([503, setting("sid=1; Path=/"), 503, 503, 200]);
    await client.read("x", { cookies: { a: "1" } });
    await client.read("x", { cookies: null });
    assertEquals(sent(fetch, "cookie"), ["a=1", "a=1", undefined, undefined, undefined]);
  });

  const badCookies: readonly unknown[] = [
    7,
    "a=1",
    ["a=1"],
    { "a b": "1" },
    { "": "1" },
    { a: "1; b=2" },
    { a: "ü" },
    { a: 1 },
    { a: false },
    { a: 'x"y' },
    { a: "x\r\ny" },
  ];
  for (const [index, cookies] of badCookies.entries()) {
    it(`cookies that are invalid are named in the error of the constructor and of a request, case ${index + 1}`, async () => {
      const options = { cookies } as ClientOptions;
      const error = assertThrows(() => start([200], options), UnexpectedValueError);
      assert(error.option.startsWith("cookies"), error.option);
      const { client, fetch } = start([200]);
      const requestOptions = { cookies } as RequestOptions;
      const rejected = await assertRejects(
        () => client.read("x", requestOptions),
        UnexpectedValueError,
      );
      assertEquals([rejected.option, fetch.calls.length], [error.option, 0]);
    });
  }

  // contract: client-6
  it("timeout applies to the client or to one request, and null removes it", async () => {
    const silent = () => new Promise<Response>(() => {});
    const timeoutsIn = (log: ReturnType<typeof recordingLogger>) =>
      log.json("error").map(({ error }) => /no data for .*$/.exec(String(error))?.[0]);
    const usual = start([silent, silent, 200], { timeout: 4 });
    await usual.client.read("x");
    assertEquals(timeoutsIn(usual.log), Array(2).fill("no data for 4 s"));
    const own = start([silent, silent, 200], { timeout: 4 });
    await own.client.read("x", { timeout: 9 });
    assertEquals(timeoutsIn(own.log), Array(2).fill("no data for 9 s"));
    const error = await assertRejects(
      () => start([silent], { retries: 0 }).client.read("x", { timeout: 9 }),
      TransportError,
    );
    assertEquals(error.kind, "timeout");
    const free = start([200], { timeout: 4 });
    await free.client.read("x", { timeout: null });
    assertEquals(free.clock.waits, []);
  });

  it("deadline applies to the client or to one request, and null removes it", async () => {
    const answers = [503, 503, 503, 200];
    const silent = () => new Promise<Response>(() => {});
    const bounded = start([503, silent], { deadline: 2 });
    const error = await assertRejects(() => bounded.client.read("x"), DeadlineExceededError);
    assert(error.cause instanceof ServiceUnavailableError);
    await start(answers, { deadline: 2 }).client.read("x", { deadline: null });
    const own = start(answers, { deadline: 2 });
    await own.client.read("x", { deadline: 60 });
    const short = start(answers);
    const call = () => short.client.read("x", { deadline: 2 });
    await assertRejects(call, ServiceUnavailableError, "would exceed the deadline of 2 s");
  });

  it("signal aborts every call, even one with a signal of its own, and keeps no listener", async () => {
    const [common, own] = [new AbortController(), new AbortController()];
    const endless = () => new Promise<Response>(() => {});
    const { client, fetch, clock } = start([endless], { signal: common.signal });
    const calls = [client.read("a"), client.read("b", { signal: own.signal })];
    await until(() => fetch.calls.length === 2);
    own.abort(new Error("own"));
    await assertRejects(() => calls[1]!, Error, "own");
    common.abort(new Error("common"));
    await assertRejects(() => calls[0]!, Error, "common");
    await assertRejects(() => client.read("c"), Error, "common");
    assertEquals([fetch.calls.length, clock.pending], [2, 0]);
    // The signal outlives the calls, so it must not keep their listeners.
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener: add, removeEventListener: remove } = signal;
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      return add.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      return remove.apply(signal, args);
    };
    const many = start([200, 404, 503, 200], { signal });
    for (let call = 0; call < 3; call++) await many.client.read("x").catch(() => {});
    assertEquals(listeners, 0);
  });

  // contract: client-6
  it("fetch sends the requests that no adapter matches, for the client or for one request", async () => {
    const [usual, own, adapter] = [scripted(200), scripted(503, 200), scripted(200)];
    const { client } = start([], {
      fetch: usual,
      adapters: { "https://api.example.com/v2/fast": adapter },
    });
    await client.read("x");
    await client.read("x", { fetch: own });
    await client.read("fast/x", { fetch: own });
    await client.read("faster");
    assertEquals([usual, own, adapter].map(urls), [
      [`${baseUrl}/x`, `${baseUrl}/faster`],
      [`${baseUrl}/x`, `${baseUrl}/x`],
      [`${baseUrl}/fast/x`],
    ]);
  });

  // contract: client-6
  it("adapters are chosen by the longest prefix, those of a request before those of the client", async () => {
    const [usual, wide, narrow, own] = [scripted(200), scripted(200), scripted(200), scripted(503)];
    const { client } = start([], {
      fetch: usual,
      adapters: { "https://": wide, [`${baseUrl}/a`]: narrow },
      retries: 1,
    });
    await client.read("x");
    await client.read("a/b");
    await assertRejects(
      () => client.read("a/b", { adapters: { [`${baseUrl}/`]: own } }),
      ServiceUnavailableError,
    );
    await client.read("a/b", { adapters: { "https://b.example": own } });
    assertEquals([usual, wide, narrow, own].map(({ calls }) => calls.length), [0, 1, 2, 2]);
  });

  it("logger receives the records of the client, or those of one request", async () => {
    const own = recordingLogger();
    const { client, log } = start([503, refusedConnection(), 200, 200]);
    await client.read("x", { logger: own });
    assertEquals([
      own.messages("debug").length,
      own.messages("warn").length,
      own.messages("error").length,
    ], [
      3,
      2,
      1,
    ]);
    assertEquals(log.messages().join("\n"), "");
    await client.read("x");
    assertEquals([own.messages("debug").length, log.messages("debug").length], [3, 1]);
  });

  it("retries, backoff, maxRetryAfter and finalWait of one request apply to all its attempts", async () => {
    const { client, fetch, clock } = start([503], { retries: 1, backoff: 10 });
    await assertRejects(() => client.read("x"), ServiceUnavailableError);
    assertEquals([fetch.calls.length, clock.waits], [2, [10]]);
    const own = { retries: 2, backoff: 0.5, finalWait: true };
    const error = await assertRejects(() => client.read("x", own), ServiceUnavailableError);
    assertEquals([error.retries, fetch.calls.length], [2, 5]);
    assertEquals(clock.waits.slice(1), [0.5, 1, 1.5]);
    await assertRejects(() => client.read("x", { retries: 0 }), ServiceUnavailableError);
    assertEquals([fetch.calls.length, clock.waits.length], [6, 4]);
    const later = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
    const limited = start([later, 200]);
    const call = () => limited.client.read("x", { maxRetryAfter: 5 });
    await assertRejects(call, TooManyRequestsError, "more than maxRetryAfter (5 s)");
    assertEquals(limited.clock.waits, []);
  });

  it("vendor, product and build of one request are in the User-Agent of all its attempts", async () => {
    const { client, fetch } = start([503, 200], { vendor: "Acme", build: "7" });
    await client.read("x", { product: "Sync", build: "8" });
    await client.read("x");
    const agents = sent(fetch, "user-agent").map((agent) => /\((.*?)\)/.exec(agent!)![1]);
    assertEquals(agents, [
      "Acme; Sync; Build/8",
      "Acme; Sync; Build/8",
      "Acme; unknown; Build/7",
    ]);
    for (const name of ["vendor", "product", "build"]) {
      for (const value of ["a\r\nx: 1", "Łódź", 7, null]) {
        const options = { [name]: value } as RequestOptions;
        const error = await assertRejects(() => client.read("x", options), UnexpectedValueError);
        assertEquals([error.option, fetch.calls.length], [name, 3]);
      }
    }
  });

  it("errorFunc can be set for one request", async () => {
    const { client } = start([404]);
    const errorFunc = () => "nothing is there";
    await assertRejects(() => client.read("x", { errorFunc }), NotFoundError, "nothing is there");
    assertMatch((await assertRejects(() => client.read("x"), NotFoundError)).message, /^404/);
  });

  const wrong: readonly (readonly [string, unknown])[] = [
    ["auth", "token"],
    ["auth", {}],
    ["fetch", {}],
    ["fetch", null],
    ["adapters", { "https://a.example": null }],
    ["adapters", { "https://a.example": undefined }],
    ["signal", {}],
    ["logger", {}],
    ["logger", false],
    ["retries", -1],
    ["retries", null],
    ["backoff", "1"],
    ["maxRetryAfter", -1],
    ["finalWait", 1],
    ["timeout", 0],
    ["deadline", "1"],
    ["followRedirects", 1],
    ["maxRedirects", -1],
    ["requestIdHeader", ""],
    ["requestIdHeader", "x id"],
    ["requestIdHeader", 7],
    ["errorFunc", "text"],
    ["errorFrom", "text"],
  ];
  for (const [index, [option, value]] of wrong.entries()) {
    it(`${option} that is invalid is named in the error of the constructor and of a request, case ${index + 1}`, async () => {
      const options = { [option]: value };
      const thrown = assertThrows(
        () => new Api({ fetch: scripted(200), ...options } as ClientOptions),
        UnexpectedValueError,
      );
      const { client, fetch } = start([200]);
      const error = await assertRejects(
        () => client.read("x", options as RequestOptions),
        UnexpectedValueError,
      );
      assertEquals([thrown.option, error.option, fetch.calls.length], [option, option, 0]);
    });
  }
});

describe("the error map of a request", () => {
  class GoneError extends APIError {}
  class SoonError extends APIError {
    static override readonly retryable: boolean = true;
  }

  it("is merged over that of the class, entry by entry, for this request only", async () => {
    class Mapped extends Api {
      static override readonly errorMap: ErrorMap = { 404: GoneError };
    }
    const client = new Mapped({ fetch: scripted(404), logger: recordingLogger() });
    await assertRejects(() => client.read("x", { errorMap: { 409: SoonError } }), GoneError);
    const own = { errorMap: { 404: NotFoundError } };
    const error = await assertRejects(() => client.read("x", own), NotFoundError);
    assertEquals(error.constructor, NotFoundError);
    await assertRejects(() => client.read("x"), GoneError);
  });

  // contract: attr-20
  it("is an option of the constructor, too, between those of the class and of a request", async () => {
    class Mapped extends Api {
      static override readonly errorMap: ErrorMap = { 404: GoneError, 409: GoneError };
    }
    const errorMap = { 409: SoonError, 410: SoonError };
    const fetch = scripted(404, 409, 410, 410, 409, 410);
    const client = new Mapped({ fetch, logger: recordingLogger(), errorMap, retries: 0 });
    const failing = async (call: Mapped, options?: RequestOptions) =>
      (await assertRejects(() => call.read("x", options), APIError)).constructor;

    assertEquals(await failing(client), GoneError);
    assertEquals(await failing(client), SoonError);
    assertEquals(await failing(client), SoonError);
    assertEquals(await failing(client, { errorMap: { 410: NotFoundError } }), NotFoundError);
    const copy = client.withOptions({ errorMap: { 410: NotFoundError } });
    assertEquals(await failing(copy), SoonError);
    assertEquals(await failing(copy), NotFoundError);
    const wrong = { errorMap: { 404: Error } } as unknown as ClientOptions;
    assertEquals(
      assertThrows(() => new Mapped(wrong), UnexpectedValueError).option,
      "errorMap.404",
    );
  });

  it("applies to every attempt, even if _retryRequest drops it", async () => {
    class Hooked extends Api {
      protected override _retryRequest(): RequestOptions {
        return {};
      }
    }
    const fetch = scripted(404, 202, 404);
    const client = new Hooked({
      fetch,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    const errorMap = { 404: SoonError, 202: SoonError };
    const error = await assertRejects(() => client.read("x", { errorMap }), SoonError);
    assertEquals([error.retries, fetch.calls.length], [3, 4]);
  });

  it("can add a status, which retryOn can then retry", async () => {
    const { client, fetch } = start([505, 200]);
    await client.read("x", { errorMap: { 505: GoneError }, retryOn: [505] });
    assertEquals(fetch.calls.length, 2);
  });

  it("is named in the error if it is invalid, before the request is sent", async () => {
    const { client, fetch } = start([404]);
    for (const errorMap of [null, 7, { 404: "NotFound" }, { abc: GoneError }, { 404: undefined }]) {
      const options = { errorMap } as unknown as RequestOptions;
      const error = await assertRejects(() => client.read("x", options), UnexpectedValueError);
      assert(error.option.startsWith("errorMap"), error.option);
    }
    assertEquals(fetch.calls.length, 0);
  });
});

describe("the id of a request", () => {
  const answer = (status: number, headers: Record<string, string>, body = "no") => () =>
    new Response(body, { status, headers });

  it("is in the error, and in the warning record of a retry", async () => {
    const { client, log } = start([
      answer(503, { "X-Request-Id": "r-1" }),
      answer(503, {}),
      answer(404, { "x-request-id": "r-3" }),
    ]);
    const error = await assertRejects(() => client.read("x"), NotFoundError);
    assertEquals(error.requestId, "r-3");
    assertEquals(error.toJSON()["requestId"], "r-3");
    assertEquals(log.json("warn").map(({ requestId }) => requestId), ["r-1", undefined]);
  });

  it("is missing if the response has none, or if there was no response", async () => {
    const error = await assertRejects(() => start([404]).client.read("x"), NotFoundError);
    assertEquals(error.requestId, undefined);
    const { client, log } = start([refusedConnection(), 200]);
    await client.read("x");
    assertEquals("requestId" in log.json("warn")[0]!, false);
  });

  it("is read from the header in requestIdHeader of class, client or request, and from none if null", async () => {
    class Named extends Api {
      static override readonly requestIdHeader: string | null = "x-class";
    }
    const headers = { "x-class": "c", "x-client": "o", "x-call": "r", "x-request-id": "d" };
    const fetch = scripted(answer(404, headers));
    const idOf = async (client: Api, options?: RequestOptions) =>
      (await assertRejects(() => client.read("x", options), NotFoundError)).requestId;
    assertEquals(await idOf(new Named({ fetch })), "c");
    assertEquals(await idOf(new Named({ fetch, requestIdHeader: "X-Client" })), "o");
    assertEquals(await idOf(new Named({ fetch }), { requestIdHeader: "x-call" }), "r");
    assertEquals(await idOf(new Named({ fetch, requestIdHeader: null })), undefined);
    assertEquals(await idOf(new Named({ fetch }), { requestIdHeader: null }), undefined);
    assertEquals(await idOf(new Api({ fetch, requestIdHeader: undefined })), "d");
  });

  it("is in the error about a body that is not JSON", async () => {
    const { client } = start([answer(200, { "x-request-id": "r-9" }, "<")]);
    const error = await assertRejects(() => client.read("x", { convJson: true }), DecodeError);
    assertEquals(error.requestId, "r-9");
  });

  it("is read in all attempts of a request that sets requestIdHeader", async () => {
    const { client, log } = start([
      answer(503, { "x-call": "1" }),
      answer(503, { "x-call": "2" }),
      200,
    ]);
    await client.read("x", { requestIdHeader: "x-call" });
    assertEquals(log.json("warn").map(({ requestId }) => requestId), ["1", "2"]);
  });
});

describe("the HTTP session of a client", () => {
  it("leaves the name session to the SDK", async () => {
    class Logins extends APIEndpoint<Chat> {
      protected override readonly _path: string = "/logins";
      async list(): Promise<string> {
        return await (await this._get()).text();
      }
    }
    class Chat extends APIClient {
      static override readonly baseUrl: string = baseUrl;
      readonly session: Logins = new Logins(this);
    }
    const fetch = scripted(() => new Response("two"));
    const http = new HttpSession({ fetch, headers: { "x-key": "k" } });
    const chat = new Chat({ session: http });
    const other = chat.withOptions({ retries: 0 });

    assertEquals([await chat.session.list(), await other.session.list()], ["two", "two"]);
    assertStrictEquals(chat.httpSession, http);
    assertStrictEquals(other.httpSession, http);
    assertEquals(fetch.calls.map(({ init }) => init.headers["x-key"]), ["k", "k"]);
  });
});

describe("an HTTP session that is passed to a client", () => {
  function shared() {
    const fetch = scripted(200);
    const session = new HttpSession({
      fetch,
      headers: { "x-own": "session", "x-both": "session" },
      auth: ["session", "s"],
    });
    return { fetch, session };
  }

  it("is used unchanged if the client sets no options", async () => {
    const { fetch, session } = shared();
    const client = new Api({ session });
    await client.read("x");
    assertStrictEquals(client.httpSession, session);
    assertEquals(sent(fetch, "x-own"), ["session"]);
    assertEquals(sent(fetch, "authorization"), [`Basic ${btoa("session:s")}`]);
    assertMatch(sent(fetch, "user-agent")[0]!, /^Integration/);
  });

  it("is never modified: the client's options are merged over it for the client's calls only", async () => {
    const { fetch, session } = shared();
    const before = [session.auth, session.cookies, session.headers.names()];
    const own = scripted(setting("sid=1; Path=/"), 200);
    const jar: CookieStorage = { cookieHeader: () => "jar=1", keep: () => {} };
    const client = new Api({
      session,
      auth: ["client", "c"],
      headers: { "x-both": "client", "x-own": null, "x-new": "1" },
      cookies: jar,
      fetch: own,
      params: { locale: "en" },
      timeout: 9,
      vendor: "Acme",
    });
    await client.read("x");
    await client.read("x");
    assertEquals(sent(own, "authorization"), Array(2).fill(`Basic ${btoa("client:c")}`));
    assertEquals(sent(own, "x-both"), ["client", "client"]);
    assertEquals(sent(own, "x-own"), [undefined, undefined]);
    assertEquals(sent(own, "x-new"), ["1", "1"]);
    assertEquals(sent(own, "cookie"), ["jar=1", "jar=1"]);
    assertEquals([session.auth, session.cookies, session.headers.names()], before);
    assertEquals([session.timeout, session.headers.get("x-both")], [undefined, "session"]);
    const other = new Api({ session });
    await other.read("x");
    assertEquals(urls(fetch), [`${baseUrl}/x`]);
    assertEquals(sent(fetch, "x-both"), ["session"]);
    assertEquals(sent(fetch, "x-new"), [undefined]);
    assertEquals(sent(fetch, "cookie"), [undefined]);
    assert(!sent(fetch, "user-agent")[0]!.includes("Acme"));
  });

  it("shares no cookies with a client that has cookies: null", async () => {
    const fetch = scripted(setting("sid=1; Path=/"), setting("sid=2; Path=/"), 200);
    const session = new HttpSession({ fetch });
    const client = new Api({ session, cookies: null });
    const other = new Api({ session });
    await other.read("x");
    await client.read("x");
    await other.read("x");
    assertEquals(sent(fetch, "cookie"), [undefined, undefined, "sid=1"]);
  });

  it("does not send its credentials, or those of the base URL, if the client has auth: null", async () => {
    const { fetch, session } = shared();
    await new Api({ session, auth: null, baseUrl: "https://ada:s@a.example" }).read("x");
    assertEquals(sent(fetch, "authorization"), [undefined]);
  });

  it("uses its adapters for the URLs that no adapter of the client matches", async () => {
    const { fetch, session } = shared();
    const [below, above] = [scripted(200), scripted(200)];
    session.mount(`${baseUrl}/a`, below);
    const client = new Api({ session, adapters: { [`${baseUrl}/a/b`]: above } });
    for (const path of ["a/b/c", "a/x", "x"]) await client.read(path);
    await new Api({ session }).read("a/b/c");
    assertEquals([above, below, fetch].map(({ calls }) => calls.length), [1, 2, 1]);
  });

  it("applies its timeout if the client sets none; null on the client removes it", async () => {
    const session = new HttpSession({ fetch: () => new Promise(() => {}), timeout: 7 });
    const finding = async (options: ClientOptions) => {
      const { client } = start([], { session, fetch: undefined, retries: 0, ...options });
      return (await assertRejects(() => client.read("x"), TransportError)).message;
    };
    assertMatch(await finding({}), /no data for 7 s/);
    assertMatch(await finding({ timeout: 3 }), /no data for 3 s/);
    const clock = fakeClock({ autoAdvance: true });
    const fetch = scripted(200);
    await new Api({ session, clock, timeout: null, fetch }).read("x");
    assertEquals(clock.waits, []);
  });

  it("stays open when the client is closed, and can be shared with generation 1", async () => {
    const { fetch, session } = shared();
    let closed = 0;
    session.auth = { authenticate: (_, send) => send(), close: () => void closed++ };
    const client = new Api({ session });
    await client.read("x");
    await client.close();
    await new APISession({ url: baseUrl, session }).get("y");
    assertEquals([closed, urls(fetch)], [0, [`${baseUrl}/x`, `${baseUrl}/y`]]);
  });
});

describe("the lifecycle of a client", () => {
  it("open creates an instance of the class, and closing it closes its HTTP session once", async () => {
    let closed = 0;
    const auth: Auth = { authenticate: (_, send) => send(), close: () => void closed++ };
    const client: Api = await Api.open({ fetch: scripted(200), auth });
    await client.read("x");
    await client[Symbol.asyncDispose]();
    await client.close();
    assertEquals(closed, 1);
    await assertRejects(() => client.read("x"), Error, "closed");
  });

  // contract: service-10
  it("service-10: exists in two generations, with different names for the base URL", async () => {
    const fetch = scripted(200);
    await new APISession({ url: "https://a.example/v1", fetch }).get("x");
    await (await Api.open({ baseUrl: "https://a.example/v2", fetch })).read("x");
    assertEquals(urls(fetch), ["https://a.example/v1/x", "https://a.example/v2/x"]);
  });
});
