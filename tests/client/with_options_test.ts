import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
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
  type LoginRequests,
  mergeHeaders,
  type OptionChanges,
  type Path,
  type RequestOptions,
  type SessionOptions,
  UnauthorizedError,
  UnexpectedValueError,
} from "../../mod.ts";
import type { Auth } from "../../src/auth/mod.ts";
import type { CookieStorage } from "../../src/http/cookies/mod.ts";
import { ServiceUnavailableError, SessionStateError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

const url = "https://api.example.com/v2";

type Scripted = ReturnType<typeof scripted>;
const urls = ({ calls }: Scripted) => calls.map(({ url }) => url);
const sent = ({ calls }: Scripted, name: string) => calls.map(({ init }) => init.headers[name]);

function setting(cookie: string): Response {
  return new Response(null, { headers: { "set-cookie": cookie } });
}

describeGenerations("withOptions", ({ Session }) => {
  class Part extends APIEndpoint<Api> {
    protected override readonly _path: string = "part";
    owner(): Api {
      return this._api;
    }
    read(): Promise<Response> {
      return this._get();
    }
  }
  class Api extends Session {
    readonly part: Part = new Part(this);
    readonly notes: string[] = [];
    #count = 0;
    count(): number {
      return ++this.#count;
    }
  }

  function start(answers: readonly Answer[], options: SessionOptions = {}) {
    const fetch = scripted(...answers);
    const clock = fakeClock({ autoAdvance: true });
    const log = recordingLogger();
    const api = new Api({ url, fetch, clock, logger: log, ...options });
    return { api, fetch, clock, log };
  }

  it("constructs another session of the same class, with its own endpoints and fields", async () => {
    const { api, fetch } = start([200]);
    api.notes.push("mine");
    api.count();
    const derived: Api = api.withOptions({ vendor: "Acme" });
    assert(derived !== api && derived instanceof Api);
    assertEquals([derived.constructor, derived.notes, derived.count()], [Api, [], 1]);
    assertStrictEquals(derived.part.owner(), derived);
    assertStrictEquals(api.part.owner(), api);
    assertNotEquals(derived.part, api.part);
    await derived.part.read();
    await api.part.read();
    const agents = sent(fetch, "user-agent").map((agent) => agent!.includes("Acme"));
    assertEquals([agents, urls(fetch)], [[true, false], [`${url}/part`, `${url}/part`]]);
  });

  it("shares the HTTP session, and later changes of it", async () => {
    const { api, fetch } = start([200], { headers: { "x-a": "1" } });
    const derived = api.withOptions({});
    assertStrictEquals(derived.httpSession, api.httpSession);
    api.httpSession.headers.set("x-a", "2");
    await derived.get("x");
    derived.httpSession.headers.set("x-a", "3");
    await api.get("x");
    assertEquals(sent(fetch, "x-a"), ["2", "3"]);
  });

  it("shares the adapters and schemes of the HTTP session, even if they are replaced there", async () => {
    const [below, above] = [scripted(201), scripted(202)];
    const storage: CookieStorage = { cookieHeader: () => "own=1", keep: () => {} };
    const { api } = start([200], {
      adapter: below,
      adapters: { [`${url}/a`]: below },
      auth: ["ada", "s"],
      cookies: storage,
    });
    const derived = api.withOptions({ retries: 0 });
    for (const prefix of [`${url}/`, `${url}/a`]) api.httpSession.mount(prefix, above);
    api.httpSession.auth = null;
    api.httpSession.cookies = null;
    for (const path of ["x", "a"]) assertEquals((await derived.get(path)).status, 202);
    assertEquals(sent(above, "authorization"), [undefined, undefined]);
    assertEquals(sent(above, "cookie"), [undefined, undefined]);
  });

  it("keeps the options of the original, except for the changes", async () => {
    const { api, fetch, clock } = start([503], { retries: 1, backoff: 10, finalWait: false });
    const hasty = api.withOptions({ backoff: 0.5 });
    await assertRejects(() => hasty.get("x"), ServiceUnavailableError);
    const single = hasty.withOptions({ retries: 0 });
    await assertRejects(() => single.get("x"), ServiceUnavailableError);
    await assertRejects(() => api.get("x"), ServiceUnavailableError);
    assertEquals([fetch.calls.length, clock.waits], [5, [0.5, 10]]);
  });

  it("does not change the original", async () => {
    const { api, fetch, log } = start([503, 200], { headers: { "x-a": "1" }, params: { a: 1 } });
    const own = recordingLogger();
    api.withOptions({
      url: "https://b.example",
      retries: 0,
      timeout: 1,
      auth: ["ada", "s"],
      headers: { "x-a": null, "x-b": "2" },
      params: { a: 2, b: 2 },
      cookies: { sid: "1" },
      fetch: scripted(404),
      adapters: { "https://": scripted(404) },
      adapter: scripted(404),
      logger: own,
      vendor: "Acme",
      signal: AbortSignal.abort(),
    });
    assertEquals((await api.get("x")).status, 200);
    assertEquals(urls(fetch), Array(2).fill(`${url}/x?a=1`));
    for (
      const [name, value] of [["x-a", "1"], ["x-b", undefined], ["cookie", undefined]] as const
    ) {
      assertEquals(sent(fetch, name), [value, value]);
    }
    assertEquals(sent(fetch, "authorization"), [undefined, undefined]);
    assert(!sent(fetch, "user-agent")[0]!.includes("Acme"));
    assertEquals([own.messages().join("\n"), log.messages("debug").length], ["", 2]);
  });

  it("can change the path of the base URL, and keeps the HTTP session", async () => {
    const { api, fetch } = start([200], { headers: { "x-a": "1" } });
    const other = api.withOptions({ url: `${url}/v3/` });
    await other.part.read();
    assertEquals([urls(fetch), sent(fetch, "x-a")], [[`${url}/v3/part`], ["1"]]);
    assertThrows(
      () => api.withOptions({ url: "https://b.example?x" }),
      UnexpectedValueError,
      "query",
    );
  });

  it("merges headers one by one, removes one with null, and merges again in a second derivation", async () => {
    const { api, fetch } = start([200], { headers: { "x-a": "1", "x-b": "1", "x-c": "1" } });
    const one = api.withOptions({ headers: { "X-A": "2", "X-B": null } });
    const two = one.withOptions({ headers: [["x-b", "3"]] });
    const three = two.withOptions({ headers: { "x-a": null } });
    for (const each of [api, one, two, three]) await each.get("x");
    await one.get("x", { headers: { "x-a": null, "x-b": "4" } });
    assertEquals(sent(fetch, "x-a"), ["1", "2", "2", undefined, undefined]);
    assertEquals(sent(fetch, "x-b"), ["1", undefined, "3", "3", "4"]);
    assertEquals(sent(fetch, "x-c"), ["1", "1", "1", "1", "1"]);
  });

  it("sends headers to trusted origins only, except for harmless ones", async () => {
    const moved = new Response(null, { status: 302, headers: { location: "https://b.example/y" } });
    const { api, fetch } = start([moved, 200, 200], { followRedirects: true });
    const derived = api.withOptions({ headers: { "x-own": "o", "accept": "a/b" } });
    await derived.get("x");
    await derived.get("https://b.example/z");
    assertEquals(sent(fetch, "x-own"), ["o", undefined, undefined]);
    assertEquals(sent(fetch, "accept"), ["a/b", "a/b", "a/b"]);
  });

  it("merges params key by key, and those of a request over both", async () => {
    const { api, fetch } = start([200], { params: { a: 1, b: [1, 2] } });
    const derived = api.withOptions({ params: [["b", 3], ["c", 4]] });
    await derived.get("x");
    await derived.get("x", { params: { c: 5 } });
    await derived.withOptions({ params: { a: null } }).get("x");
    assertEquals(urls(fetch).map((each) => each.slice(`${url}/x`.length)), [
      "?a=1&b=3&c=4",
      "?a=1&b=3&c=5",
      "?b=3&c=4",
    ]);
  });

  it("merges cookies by name, and shares those of the jar", async () => {
    const { api, fetch } = start([setting("sid=1; Path=/"), 200], {
      cookies: { theme: "dark", lang: "en" },
    });
    await api.get("x");
    const derived = api.withOptions({ cookies: { theme: "light" } });
    await derived.get("x");
    await derived.withOptions({ cookies: { once: "1" } }).get("x");
    await api.get("x");
    assertEquals(sent(fetch, "cookie"), [
      "theme=dark; lang=en",
      "sid=1; theme=light; lang=en",
      "sid=1; theme=light; lang=en; once=1",
      "sid=1; theme=dark; lang=en",
    ]);
  });

  it("replaces the shared cookie storage, for the derived session only", async () => {
    const { api, fetch } = start([setting("sid=1; Path=/"), setting("sid=2; Path=/"), 200]);
    await api.get("x");
    const stored: string[] = [];
    const storage: CookieStorage = {
      cookieHeader: () => "own=1",
      keep: (cookies) => void stored.push(...cookies),
    };
    const own = api.withOptions({ cookies: storage });
    await own.get("x");
    await own.withOptions({ retries: 0 }).get("x");
    await api.get("x");
    assertEquals(sent(fetch, "cookie"), [undefined, "own=1", "own=1", "sid=1"]);
    assertEquals(stored, ["sid=2; Path=/"]);
  });

  it("neither stores nor sends cookies with cookies: null, even those by name", async () => {
    const stored = start([setting("sid=1; Path=/"), setting("sid=2; Path=/"), 200]);
    await stored.api.get("x");
    const none = stored.api.withOptions({ cookies: null });
    await none.get("x");
    await none.withOptions({ retries: 0 }).get("x");
    await stored.api.get("x");
    assertEquals(sent(stored.fetch, "cookie"), [undefined, undefined, undefined, "sid=1"]);
    const named = start([200], { cookies: { theme: "dark" } });
    await named.api.withOptions({ cookies: null }).get("x");
    await named.api.get("x");
    assertEquals(sent(named.fetch, "cookie"), [undefined, "theme=dark"]);
  });

  it("replaces auth, sends none with null, and passes it on to derived sessions", async () => {
    const { api, fetch } = start([200], { auth: ["ada", "s"] });
    const none = api.withOptions({ auth: null });
    const other = api.withOptions({ auth: ["bea", "s"] });
    for (const each of [api, none, none.withOptions({ retries: 0 }), other]) await each.get("x");
    await other.withOptions({ vendor: "Acme" }).get("x");
    await none.get("x", { auth: ["cyn", "s"] });
    api.httpSession.auth = null;
    await other.get("x");
    const basic = (name: string) => `Basic ${btoa(`${name}:s`)}`;
    assertEquals(sent(fetch, "authorization"), [
      basic("ada"),
      undefined,
      undefined,
      basic("bea"),
      basic("bea"),
      basic("cyn"),
      basic("bea"),
    ]);
  });

  it("overrides fetch and adapters, and passes them on to derived sessions", async () => {
    const { api, fetch } = start([200], { adapters: { [`${url}/a`]: scripted(201) } });
    const [own, adapter] = [scripted(202), scripted(203)];
    const fetching = api.withOptions({ fetch: own });
    const adapted = fetching.withOptions({ adapters: { [`${url}/b`]: adapter } });
    const statuses: number[] = [];
    for (const each of [api, fetching, adapted, adapted.withOptions({ retries: 0 })]) {
      for (const path of ["x", "a", "b"]) statuses.push((await each.get(path)).status);
    }
    assertEquals(statuses, [200, 201, 200, 202, 201, 202, 202, 201, 203, 202, 201, 203]);
    assertEquals(fetch.calls.length, 2);
  });

  it("overrides the shared adapter at its path, for the derived session only", async () => {
    const below = scripted(201);
    const { api, fetch } = start([200], { adapter: below, adapterPath: `${url}/a` });
    const above = scripted(202);
    const derived = api.withOptions({ adapter: above, adapterPath: `${url}/b` });
    const statuses: number[] = [];
    for (const each of [api, derived]) {
      for (const path of ["x", "a", "b"]) statuses.push((await each.get(path)).status);
    }
    assertEquals(statuses, [200, 201, 200, 200, 201, 202]);
    const whole = api.withOptions({ adapter: above, adapterPath: url });
    assertEquals((await whole.get("x")).status, 202);
    assertEquals([fetch.calls.length, below.calls.length], [3, 2]);
  });

  it("overrides with both adapter and adapters: the longest prefix wins", async () => {
    const { api } = start([200]);
    const adapters = { [`${url}/a`]: scripted(201) };
    const derived = api.withOptions({ adapter: scripted(202), adapters });
    const statuses: number[] = [];
    for (const path of ["x", "a"]) statuses.push((await derived.get(path)).status);
    assertEquals(statuses, [202, 201]);
  });

  it("applies vendor to the User-Agent of the derived session only", async () => {
    const { api, fetch } = start([200], { vendor: "One", product: "P" });
    const derived = api.withOptions({ vendor: "Two" });
    await derived.get("x");
    await derived.get("x", { vendor: "Three" });
    await api.get("x");
    const agents = sent(fetch, "user-agent").map((agent) => /\((.*?)\)/.exec(agent!)![1]);
    assertEquals(agents, [
      "Two; P; Build/unknown",
      "Three; P; Build/unknown",
      "One; P; Build/unknown",
    ]);
  });

  it("removes the signal of the original with null", async () => {
    const { api, fetch } = start([200], { signal: AbortSignal.abort(new Error("over")) });
    await assertRejects(() => api.get("x"), Error, "over");
    await assertRejects(() => api.get("x", { signal: null }), Error, "over");
    await api.withOptions({ signal: null }).get("x");
    assertEquals(fetch.calls.length, 1);
  });

  it("refuses another HTTP session, because a copy shares that of its original", () => {
    const { api } = start([200]);
    const changes = { session: new HttpSession() } as OptionChanges;
    assertThrows(
      () => api.withOptions(changes),
      UnexpectedValueError,
      '"session" must be left out',
    );
  });

  it("can change timeout, deadline, signal and redirects", async () => {
    const moved = () => new Response(null, { status: 302, headers: { location: "y" } });
    const { api } = start([moved, 200, moved], { followRedirects: true });
    assertEquals((await api.get("x")).status, 200);
    await assertRejects(() => api.withOptions({ followRedirects: false }).get("x"), APIError);
    const aborted = api.withOptions({ signal: AbortSignal.abort(new Error("over")) });
    await assertRejects(() => aborted.get("x"), Error, "over");
    await assertRejects(() => aborted.withOptions({ retries: 0 }).get("x"), Error, "over");
    const silent = start([() => new Promise<Response>(() => {})], { retries: 0 });
    const bounded = silent.api.withOptions({ timeout: 3 });
    await assertRejects(() => bounded.get("x"), Error, "no data for 3 s");
    const late = silent.api.withOptions({ deadline: 5 });
    await assertRejects(() => late.get("x"), Error, "5 s");
  });

  it("shares an HTTP session that was passed in, with the overrides of the original", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch, headers: { "x-a": "session" } });
    const [own, adapter] = [scripted(200), scripted(201)];
    const api = new Api({
      url,
      session,
      headers: { "x-a": "api", "x-b": "api" },
      auth: ["ada", "s"],
      fetch: own,
      adapters: { [`${url}/a`]: adapter },
    });
    const derived = api.withOptions({ headers: { "x-b": null } });
    await derived.get("x");
    assertEquals((await derived.get("a")).status, 201);
    assertStrictEquals(derived.httpSession, session);
    assertEquals([sent(own, "x-a"), sent(own, "x-b")], [["api"], [undefined]]);
    assertEquals(sent(own, "authorization"), [`Basic ${btoa("ada:s")}`]);
    assertEquals([fetch.calls.length, session.headers.names()], [0, ["x-a"]]);
  });

  it("names the option if it fails, and does not derive the next session that is constructed", async () => {
    const { api } = start([200]);
    const wrong: readonly (readonly [string, unknown])[] = [
      ["retries", -1],
      ["auth", "t"],
      ["headers", 7],
      ["params", 7],
      ["cookies", 7],
      ["adapter", 7],
      ["fetch", 7],
      ["logger", 7],
    ];
    for (const [option, value] of wrong) {
      const changes = { [option]: value } as OptionChanges;
      assertThrows(() => api.withOptions(changes), UnexpectedValueError, option);
      const fetch = scripted(200);
      const next = new Api({ url, fetch });
      assert(next.httpSession !== api.httpSession, option);
      await next.get("x");
      assertEquals(fetch.calls.length, 1);
    }
  });

  it("names the option if it fails, even if the option overrides another value", () => {
    const { api } = start([200], { params: { a: 1 } });
    for (const [option, value] of [["params", 7], ["sslVerify", "no"]] as const) {
      const changes = { [option]: value } as OptionChanges;
      assertThrows(() => api.withOptions(changes), UnexpectedValueError, option);
    }
  });

  it("derives only the outer session if its fields construct others", () => {
    class Outer extends Session {
      readonly inner: Api = new Api({ url: "https://inner.example" });
    }
    const outer = new Outer({ url });
    const derived = outer.withOptions({ retries: 0 });
    assertStrictEquals(derived.httpSession, outer.httpSession);
    assert(derived.inner.httpSession !== outer.httpSession);
    assert(derived.inner.httpSession !== outer.inner.httpSession);
  });

  it("works if the class has its own options, which are known", async () => {
    class Keyed extends Session {
      static override readonly url: string = url;
      static override readonly errorOnUnexpectedInput: boolean = true;
      static override readonly optionNames: readonly string[] = ["region"];
      readonly region: string;
      constructor(options: SessionOptions & { readonly region?: string } = {}) {
        super(options);
        this.region = options.region ?? "none";
      }
    }
    const fetch = scripted(200);
    const keyed = new Keyed({ region: "eu", fetch });
    const derived = keyed.withOptions({ retries: 0 });
    assertEquals([derived.region, derived.withOptions({}).region], ["eu", "eu"]);
    await derived.get("x");
    assertEquals(urls(fetch), [`${url}/x`]);
    const unknown = { retrys: 3 } as OptionChanges;
    assertThrows(() => keyed.withOptions(unknown), UnexpectedValueError, "retrys");
  });

  it("inherits conversions of options and fields, and the hooks of the class", async () => {
    class Checked extends Session {
      override readonly _convJson = true;
      checks = 0;
      protected override _respErrorCheck(response: Response): Response {
        this.checks++;
        return response;
      }
    }
    const fetch = scripted(Response.json({ a: 1 }));
    const checked = new Checked({ url, fetch });
    const derived = checked.withOptions({ retries: 0 });
    assertEquals<unknown>(await derived.get("x"), { a: 1 });
    assertEquals([checked.checks, derived.checks], [0, 1]);
    const boxing = new Session({ url, fetch, box: true, boxAttrs: { camelCase: true } });
    const box: unknown = await boxing.withOptions({ retries: 0 }).get("x");
    assert(!(box instanceof Response));
  });
});

describeGenerations("the login and closing of a derived session", ({ Session }) => {
  /** A session that logs in with a token, and logs out. */
  class Vault extends Session {
    static override readonly url: string = url;
    readonly steps: string[] = [];
    protected override _buildSession(options: SessionOptions): HttpSession {
      this.steps.push("build");
      return super._buildSession(options);
    }
    protected override async _authenticate(_: SessionOptions, login: LoginRequests): Promise<void> {
      this.steps.push("authenticate");
      const { token } = await login.post<{ token: string }>("login", { convJson: true });
      this.httpSession.headers.set("x-session-token", token);
    }
    protected override async _deauthenticate(): Promise<void> {
      this.steps.push("deauthenticate");
      await this.delete("login");
    }
  }
  const token = () => Response.json({ token: "t-1" });

  function start(answers: readonly Answer[], options: SessionOptions = {}) {
    const fetch = scripted(...answers);
    const quiet = {
      logger: recordingLogger(),
      clock: fakeClock({ autoAdvance: true }),
      retries: 0,
    };
    return { fetch, vault: new Vault({ fetch, ...quiet, ...options }) };
  }
  const paths = ({ calls }: Scripted) =>
    calls.map(({ init, url: each }) => `${init.method} ${each.slice(url.length)}`);

  it("use one login of the original, even if the derived session sends the first request", async () => {
    const { vault, fetch } = start([token, 200]);
    const derived = vault.withOptions({ timeout: 5 });
    const again = derived.withOptions({ timeout: 6 });
    await Promise.all([again.get("a"), derived.get("b"), vault.get("c"), again.ready]);
    assertEquals(paths(fetch)[0], "POST /login");
    assertEquals(paths(fetch).slice(1).sort(), ["GET /a", "GET /b", "GET /c"]);
    assertEquals(sent(fetch, "x-session-token"), [undefined, "t-1", "t-1", "t-1"]);
    assertEquals([vault.steps, derived.steps, again.steps], [["build", "authenticate"], [], []]);
  });

  it("reject its requests and ready if the login fails, without an unhandled rejection", async () => {
    const { vault, fetch } = start([401]);
    const derived = vault.withOptions({ retries: 0 });
    await turn();
    await turn();
    const error = await assertRejects(() => derived.get("x"), UnauthorizedError);
    assertStrictEquals(await assertRejects(() => derived.ready, UnauthorizedError), error);
    assertStrictEquals(await assertRejects(() => vault.ready, UnauthorizedError), error);
    assertEquals(paths(fetch), ["POST /login"]);
  });

  it("do not log out or close the original when it is closed", async () => {
    let closed = 0;
    const auth: Auth = { authenticate: (_, send) => send(), close: () => void closed++ };
    const { vault, fetch } = start([token, 200], { auth });
    const derived = vault.withOptions({ retries: 0 });
    await derived.get("x");
    await derived.close();
    await derived[Symbol.asyncDispose]();
    await assertRejects(() => derived.get("x"), SessionStateError, "closed");
    await vault.get("y");
    assertEquals([closed, paths(fetch)], [0, ["POST /login", "GET /x", "GET /y"]]);
    await vault.withOptions({}).get("z");
    await vault.close();
    assertEquals([closed, paths(fetch).slice(3)], [1, ["GET /z", "DELETE /login"]]);
  });

  it("close it and the sessions derived from it when the original is closed", async () => {
    const { vault, fetch } = start([token, 200]);
    const derived = vault.withOptions({ retries: 0 });
    const again = derived.withOptions({ retries: 0 });
    await derived.get("x");
    await vault.close();
    const late = vault.withOptions({ retries: 0 });
    for (const each of [derived, again, late]) {
      await assertRejects(() => each.get("x"), SessionStateError, "closed");
      await assertRejects(() => each.ready, SessionStateError, "closed");
      await each.close();
    }
    assertEquals(paths(fetch), ["POST /login", "GET /x", "DELETE /login"]);
    assertEquals([derived.steps, late.steps], [[], []]);
  });

  it("close the sessions derived from it when it is closed, and leave the original open", async () => {
    const { vault } = start([token, 200]);
    const derived = vault.withOptions({ retries: 0 });
    const again = derived.withOptions({ retries: 0 });
    await again.get("x");
    await derived.close();
    await assertRejects(() => again.get("x"), SessionStateError, "closed");
    assertEquals((await vault.get("x")).status, 200);
  });

  it("reject its requests in the login hook, like those of the session", async () => {
    class Circular extends Session {
      protected override async _authenticate(): Promise<void> {
        await this.withOptions({ retries: 0 }).get("x");
      }
    }
    const fetch = scripted(200);
    const circular = new Circular({ url, fetch });
    await assertRejects(() => circular.ready, SessionStateError, "through `login`");
    assertEquals(fetch.calls.length, 0);
  });

  it("allow its requests in the logout hook", async () => {
    class Leaving extends Session {
      protected override async _deauthenticate(): Promise<void> {
        await this.withOptions({ retries: 0 }).delete("login");
      }
    }
    const fetch = scripted(200);
    const leaving = new Leaving({ url, fetch });
    await leaving.get("x");
    await leaving.close();
    assertEquals(paths(fetch), ["GET /x", "DELETE /login"]);
  });

  it("build the HTTP session of the original on first access, without a login", async () => {
    const { vault, fetch } = start([token, 200]);
    const derived = vault.withOptions({ retries: 0 });
    const http = derived.httpSession;
    assertEquals([vault.steps, derived.steps, fetch.calls.length], [["build"], [], 0]);
    assertStrictEquals(vault.httpSession, http);
    await derived.ready;
    assertEquals([vault.steps, fetch.calls.length], [["build", "authenticate"], 1]);
  });
});

describe("withOptions of a client", () => {
  class Client extends APIClient {
    static override readonly baseUrl: string = url;
    read(path: Path, options?: RequestOptions): Promise<unknown> {
      return this._req("GET", path, options);
    }
  }

  it("accepts baseUrl, and does not follow redirects by default", async () => {
    const moved = () => new Response(null, { status: 302, headers: { location: "y" } });
    const fetch = scripted(200, moved, moved, 200);
    const client = new Client({ fetch });
    const other: Client = client.withOptions({ baseUrl: "https://b.example/v3" });
    await other.read("x");
    await assertRejects(() => other.read("x"), APIError);
    await other.withOptions({ followRedirects: true }).read("x");
    assertEquals(urls(fetch), [
      "https://b.example/v3/x",
      "https://b.example/v3/x",
      "https://b.example/v3/x",
      "https://b.example/v3/y",
    ]);
  });

  it("works if the constructor turns its own options into headers", async () => {
    class Keyed extends Client {
      constructor({ apiKey, ...options }: ClientOptions & { readonly apiKey?: string } = {}) {
        const headers = apiKey === undefined ? {} : { "x-api-key": apiKey };
        super({ ...options, headers: mergeHeaders(headers, options.headers) });
      }
    }
    const fetch = scripted(200);
    const keyed = new Keyed({ apiKey: "k-1", fetch });
    await keyed.withOptions({ retries: 0 }).read("x");
    await keyed.withOptions({ headers: { "x-a": "1" } }).read("x");
    assertEquals(sent(fetch, "x-api-key"), ["k-1", "k-1"]);
  });
});

describe("withOptions of a session", () => {
  it("accepts url and basePath, and follows redirects by default", async () => {
    const moved = new Response(null, { status: 302, headers: { location: "/y" } });
    const fetch = scripted(200, moved, 200);
    const session = new APISession({ url: "https://a.example", basePath: "v1", fetch });
    await session.withOptions({ basePath: "v2" }).get("x");
    await session.withOptions({ url: "https://b.example" }).get("x");
    assertEquals(urls(fetch), [
      "https://a.example/v2/x",
      "https://b.example/v1/x",
      "https://b.example/y",
    ]);
    const error = assertThrows(
      () => session.withOptions({ basePath: "../x" }),
      UnexpectedValueError,
    );
    assertMatch(error.message, /basePath/);
  });
});

describeGenerations("inheritance by withOptions", ({ Session }) => {
  function start(answers: readonly Answer[], options: SessionOptions = {}) {
    const fetch = scripted(...answers);
    const quiet = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
    return { api: new Session({ url, fetch, ...quiet, ...options }), fetch };
  }

  it("cookies by name that replace null are the only ones sent", async () => {
    const { api, fetch } = start([setting("sid=1; Path=/"), 200]);
    await api.get("x");
    const session = new Session({ url, session: api.httpSession, cookies: null });
    await session.withOptions({ cookies: { theme: "dark" } }).get("x");
    assertEquals(sent(fetch, "cookie"), [undefined, "theme=dark"]);
  });

  it("cookies by name are sent beside those of a storage", async () => {
    const storage: CookieStorage = { cookieHeader: () => "own=1", keep: () => {} };
    const fetch = scripted(200);
    const api = new Session({ url, session: new HttpSession({ fetch }), cookies: storage });
    await api.withOptions({ cookies: { theme: "dark" } }).get("x");
    assertEquals(sent(fetch, "cookie"), ["own=1; theme=dark"]);
  });

  it("a storage is used beside cookies by name, as for one request", async () => {
    const storage: CookieStorage = { cookieHeader: () => "own=1", keep: () => {} };
    const { api, fetch } = start([200], { cookies: { theme: "dark" } });
    await api.get("x", { cookies: storage });
    await api.withOptions({ cookies: storage }).get("x");
    assertEquals(sent(fetch, "cookie"), ["own=1; theme=dark", "own=1; theme=dark"]);
  });

  it("vendor is inherited through two derivations", async () => {
    const { api, fetch } = start([200], { vendor: "One" });
    const derived = api.withOptions({ vendor: "Two" });
    await derived.withOptions({ retries: 0 }).get("x");
    assert(sent(fetch, "user-agent")[0]!.includes("(Two;"), sent(fetch, "user-agent")[0]);
  });

  it("an adapter is inherited through two derivations", async () => {
    const { api, fetch } = start([200]);
    const adapter = scripted(201);
    const derived = api.withOptions({ adapter });
    assertEquals((await derived.withOptions({ retries: 0 }).get("x")).status, 201);
    assertEquals(fetch.calls.length, 0);
  });

  it("the class's adapter is mounted at another base URL, as in a new session", async () => {
    const adapter = scripted(201);
    const fetch = scripted(200);
    class Adapted extends Session {
      static override readonly adapter = adapter;
    }
    const other = "https://eu.example.com";
    assertEquals((await new Adapted({ url: other, fetch }).get("x")).status, 201);
    assertEquals(
      (await new Adapted({ url, fetch }).withOptions({ url: other }).get("x")).status,
      201,
    );
  });

  it("the User-Agent is removed by a null header in the constructor", async () => {
    const { api, fetch } = start([200], { headers: { "user-agent": null } });
    await api.get("x");
    assertEquals(sent(fetch, "user-agent"), [undefined]);
  });

  it("the User-Agent is removed by a null header of a request or a derived session", async () => {
    const { api, fetch } = start([200]);
    await api.get("x", { headers: { "user-agent": null } });
    await api.withOptions({ headers: { "user-agent": null } }).get("x");
    assertEquals(sent(fetch, "user-agent"), [undefined, undefined]);
  });

  it("an option that is undefined is inherited", async () => {
    const { api, fetch } = start([503], { retries: 1, finalWait: false });
    const changes: { retries?: number | undefined } = {};
    const derived = api.withOptions({ retries: changes.retries });
    await assertRejects(() => derived.get("x"), ServiceUnavailableError);
    assertEquals(fetch.calls.length, 2);
  });

  it("a base URL that is undefined is inherited", async () => {
    const { api, fetch } = start([200]);
    await api.withOptions({ url: undefined }).get("x");
    assertEquals(urls(fetch), [`${url}/x`]);
  });

  it("auth that is undefined is inherited", async () => {
    const { api, fetch } = start([200]);
    const derived = api.withOptions({ auth: ["ada", "s"] });
    await derived.withOptions({ auth: undefined }).get("x");
    assertEquals(sent(fetch, "authorization"), [`Basic ${btoa("ada:s")}`]);
  });

  it("another session that the constructor creates before super() is not derived", async () => {
    const foreign = scripted(200);
    const others: APISession[] = [];
    class Outer extends Session {
      constructor(options: SessionOptions = {}) {
        others.push(new Session({ url: "https://accounts.example", fetch: foreign }));
        super(options);
      }
    }
    const fetch = scripted(200);
    const outer = new Outer({ url, fetch, headers: { "x-api-key": "k" } });
    const derived = outer.withOptions({ retries: 0 });
    await others[1]!.get("token");
    assertEquals(sent(foreign, "x-api-key"), [undefined]);
    assertStrictEquals(derived.httpSession, outer.httpSession);
  });

  it("is not passed on to another session of the class that the constructor creates before super()", async () => {
    const [fetch, foreign] = [scripted(200), scripted(200)];
    const inner: Nested[] = [];
    class Nested extends Session {
      constructor(options: SessionOptions & { readonly isInner?: boolean } = {}) {
        if (!options.isInner) inner.push(new Nested({ url: other, fetch: foreign, isInner: true }));
        super(options);
      }
    }
    const other = "https://accounts.example.com";
    const api = new Nested({ url, fetch, auth: ["ada", "s"], headers: { "x-api-key": "k" } });
    const copy = api.withOptions({ retries: 0 });
    await copy.get("x");
    await inner[1]!.get("token");
    assertStrictEquals(copy.httpSession, api.httpSession);
    assertEquals(sent(fetch, "x-api-key"), ["k"]);
    assertEquals(sent(fetch, "authorization"), [`Basic ${btoa("ada:s")}`]);
    assertEquals([sent(foreign, "x-api-key"), sent(foreign, "authorization")], [[undefined], [
      undefined,
    ]]);
    assertEquals(urls(foreign), [`${other}/token`]);
  });

  it("is not passed on to a session of another class that gets the same options", () => {
    const inner: APISession[] = [];
    class Outer extends Session {
      constructor(options: SessionOptions = {}) {
        inner.push(new Session({ ...options }));
        super(options);
      }
    }
    const api = new Outer({ url, fetch: scripted(200) });
    const copy = api.withOptions({ retries: 0 });
    assertStrictEquals(copy.httpSession, api.httpSession);
    assert(inner[1]!.httpSession !== api.httpSession);
  });

  it("is not passed on to a session that gets the options later", () => {
    class Keeping extends Session {
      readonly kept: SessionOptions;
      constructor(options: SessionOptions = {}) {
        super({ ...options });
        this.kept = options;
      }
    }
    const api = new Keeping({ url, fetch: scripted(200) });
    const copy = api.withOptions({ retries: 0 });
    const later = new Keeping(copy.kept);
    assertStrictEquals(copy.httpSession, api.httpSession);
    assert(later.httpSession !== api.httpSession);
  });

  it("bad input: a constructor that passes only some options on is refused, and does not log in", async () => {
    let logins = 0;
    class Some extends Session {
      constructor({ fetch }: SessionOptions = {}) {
        super({ url, fetch });
      }
      protected override _authenticate(): void {
        logins++;
      }
    }
    const api = new Some({ fetch: scripted(200) });
    await api.ready;
    const error = assertThrows(() => api.withOptions({ retries: 0 }), UnexpectedValueError);
    assertEquals(
      error.message,
      '"constructor of Some" must be a function that passes all its options on, as in ' +
        "super({ ...options }), because withOptions() calls it with those of the copy, but is one " +
        "that passes only some of them on",
    );
    await turn();
    assertEquals(logins, 1);
    await api.get("x");
  });
});

describe("the connections of a derived session", () => {
  it("are shared: proxies, cert and ca are refused", () => {
    const session = new APISession({ url: "https://a.example" });
    for (const option of ["proxies", "cert", "ca"]) {
      const changes = { [option]: "http://127.0.0.1:1" } as object;
      const error = assertThrows(() => session.withOptions(changes), UnexpectedValueError);
      assertEquals(error.option, option);
    }
  });

  it("do not share sslVerify, which the derived session sets for itself and its calls override", async () => {
    const logger = recordingLogger();
    const session = new APISession({ url: "https://a.example", adapter: scripted(204), logger });
    const trusting = session.withOptions({ sslVerify: false });
    await trusting.get("a");
    await trusting.get("b", { verify: true });
    await session.get("c");
    const records = logger.json("debug") as { url: string; verify?: boolean }[];
    assertEquals(records.map(({ url, verify }) => [new URL(url).pathname, verify]), [
      ["/a", false],
      ["/b", undefined],
      ["/c", undefined],
    ]);
  });
});
