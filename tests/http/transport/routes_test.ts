import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../../mod.ts";
import { SessionStateError } from "../../../src/entries/errors.ts";
import { HttpSession, type Transport } from "../../../src/http/mod.ts";
import { plainFetch } from "../../../src/http/transport/node_407.ts";

const PROXY = "http://127.0.0.1:2";
const both = { http: PROXY, https: PROXY };
const none = { http: null, https: null };
const own: Transport = () => Promise.resolve(new Response("own"));

describe("the transport of an HTTP session", () => {
  it("is the runtime's fetch if no connection option is set", () => {
    const http = new HttpSession({ proxies: null, cert: null, ca: null, sslVerify: true });
    assert(http.transportFor("https://a.example/") === plainFetch);
    assert(http.transportFor("https://a.example/", true) === plainFetch);
  });

  it("is the runtime's fetch for http without a proxy", () => {
    const http = new HttpSession({ proxies: { https: PROXY }, sslVerify: false });
    assert(http.transportFor("http://a.example/") === plainFetch);
    assert(http.transportFor("http://a.example/", false) === plainFetch);
    assert(http.transportFor("https://a.example/") !== plainFetch);
  });

  // contract: http-17
  it("is created once per setting, and not per request", async () => {
    const http = new HttpSession({ proxies: { http: PROXY, https: PROXY } });
    const first = http.transportFor("https://a.example/");
    assert(http.transportFor("https://b.example/") === first);
    assert(http.transportFor("http://a.example/") === first);
    const unverified = http.transportFor("https://a.example/", false);
    assert(unverified !== first);
    assert(http.transportFor("https://b.example/", false) === unverified);
    http.sslVerify = false;
    assert(http.transportFor("https://a.example/") !== first, "a new setting applies from now on");
    await http.close();
  });

  it("cannot be opened after close", async () => {
    const http = new HttpSession({ proxies: { https: PROXY } });
    http.transportFor("https://a.example/");
    await http.close();
    await http.close();
    assertThrows(() => http.transportFor("https://a.example/"), SessionStateError);
    assert(http.transportFor("http://a.example/") === plainFetch);
  });

  // contract: http-17
  it("is closed with the session that created it, and not with one that received it", async () => {
    const api = new APISession({ url: "https://a.example", proxies: { all: PROXY } });
    const { httpSession: session } = api;
    await api.close();
    assertThrows(() => session.transportFor("https://a.example/"), SessionStateError);
    const http = new HttpSession();
    const adopting = new APISession({
      url: "https://a.example",
      proxies: { all: PROXY },
      session: http,
    });
    assert(adopting.httpSession === http);
    await adopting.close();
    http.transportFor("https://a.example/");
    assertEquals(http.proxies, both);
    await http[Symbol.asyncDispose]();
  });

  it("is closed if the login or the logout fails", async () => {
    class Failing extends APISession {
      readonly fails: string;
      constructor(fails: string) {
        super({ url: "https://a.example", proxies: { all: PROXY } });
        this.fails = fails;
      }
      protected override _authenticate(): void {
        if (this.fails === "login") throw new RangeError("login");
      }
      protected override _deauthenticate(): void {
        throw new RangeError("logout");
      }
    }
    for (const fails of ["login", "logout"]) {
      const api = new Failing(fails);
      const { httpSession: session } = api;
      await api.ready.catch(() => {});
      if (fails === "logout") await assertRejects(() => api.close(), RangeError, "logout");
      else await api.close();
      assertThrows(() => session.transportFor("https://a.example/"), SessionStateError);
    }
  });

  it("is not used if there is an adapter, which is responsible for verification", async () => {
    const adapter: Transport = () => Promise.resolve(new Response("adapted"));
    const url = "https://a.example";
    const api = new APISession({ url, adapter, proxies: { all: PROXY }, sslVerify: false });
    assertEquals(await (await api.get("x")).text(), "adapted");
    assertEquals(await (await api.get("x", { verify: true })).text(), "adapted");
    await api.close();
  });

  const refused = { proxies: { all: PROXY }, sslVerify: false } as const;
  for (const [option, value] of Object.entries(refused)) {
    it(`cannot combine ${option} with a custom fetch, which would ignore it`, () => {
      const create = () => new HttpSession({ fetch: own, [option]: value });
      assertEquals(assertThrows(create, UnexpectedValueError).option, option);
      const http = new HttpSession({ fetch: own });
      assertThrows(() => http.setConnection({ [option]: value }), UnexpectedValueError);
      http.setConnection({ [option]: option === "sslVerify" ? true : null });
      assert(http.transportFor("https://a.example/", false) === own);
    });
  }

  it("keeps its options if new ones are refused", () => {
    const http = new HttpSession({ proxies: { all: PROXY }, sslVerify: false });
    const mistakes = [{ proxies: { ftp: "x" } }, { cert: ["a"] }, { ca: 7 }, { sslVerify: 1 }];
    for (const mistake of mistakes) {
      const error = assertThrows(() => http.setConnection(mistake as object), UnexpectedValueError);
      assertEquals(error.option, Object.keys(mistake)[0]);
      const url = "https://a.example";
      assertThrows(() => new APISession({ url, ...mistake as object }), UnexpectedValueError);
      assertThrows(() => new HttpSession(mistake as object), UnexpectedValueError);
    }
    assertEquals([http.proxies, http.sslVerify], [both, false]);
  });

  it("shows its options without credentials and keys", () => {
    const http = new HttpSession({ proxies: [["https", "http://ada:secret@127.0.0.1:2"]] });
    assertEquals(http.proxies, { http: null, https: PROXY });
    assertEquals([http.cert, http.ca, http.sslVerify], [null, [], true]);
  });

  it("refuses a verify that is not true or false before anything is sent", async () => {
    const api = new APISession({ url: "https://a.example", adapter: own });
    const get = () => api.get("x", { verify: "no" as unknown as boolean });
    assertEquals((await assertRejects(get, UnexpectedValueError)).option, "verify");
    await api.close();
  });

  // contract: hook-1
  it("takes static properties of the class, and options that override them", async () => {
    class Behind extends APISession {
      static override readonly url: string = "https://a.example";
      static override readonly proxies: { readonly all: string } = { all: PROXY };
      static override readonly sslVerify: boolean = false;
    }
    const usual = new Behind();
    assertEquals([usual.httpSession.proxies, usual.httpSession.sslVerify], [both, false]);
    const other = new Behind({ proxies: null, sslVerify: true });
    assertEquals([other.httpSession.proxies, other.httpSession.sslVerify], [none, true]);
    await Promise.all([usual.close(), other.close()]);
  });

  it("keeps the options of an HTTP session that is passed in", () => {
    const session = new HttpSession({ proxies: { all: PROXY }, sslVerify: false });
    const api = new APISession({ url: "https://a.example", session });
    assertEquals([api.httpSession.proxies, api.httpSession.sslVerify], [both, false]);
    const strict = new APISession({ url: "https://a.example", session, sslVerify: true });
    // The option applies to this session alone. The shared HTTP session is not changed.
    assertEquals(strict.httpSession.sslVerify, false);
  });
});
