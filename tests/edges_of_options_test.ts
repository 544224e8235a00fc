import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APIClient,
  APISession,
  type Auth,
  type ClientOptions,
  type CookieStore,
  HttpSession,
  NotFoundError,
  type Path,
  type RequestOptions,
  ServiceUnavailableError,
  type SessionOptions,
  UnexpectedValueError,
} from "../mod.ts";
import { joinPaths, secondGeneration } from "../src/generation.ts";
import { prepareBody } from "../src/engine/body.ts";
import { describeGenerations } from "./support/generations.ts";
import { FakeClock } from "./support/fake_clock.ts";
import { recordingLogger } from "./support/recording_logger.ts";
import { type Answer, scripted } from "./support/scripted.ts";

const url = "https://api.example.com/v2";
type Scripted = ReturnType<typeof scripted>;
const urls = ({ calls }: Scripted) => calls.map(({ url }) => url);
const sent = ({ calls }: Scripted, name: string) => calls.map(({ init }) => init.headers[name]);
const setting = (cookie: string) => new Response(null, { headers: { "set-cookie": cookie } });

describeGenerations("edges of withOptions", ({ Session }) => {
  function start(answers: readonly Answer[], options: SessionOptions = {}) {
    const fetch = scripted(...answers);
    const quiet = { clock: new FakeClock(), logger: recordingLogger() };
    return { api: new Session({ url, fetch, ...quiet, ...options }), fetch };
  }

  it("cookies by name over null send only these", async () => {
    const { api, fetch } = start([setting("sid=1; Path=/"), 200]);
    await api.get("x");
    const session = new Session({ url, session: api.session, cookies: null });
    await session.withOptions({ cookies: { theme: "dark" } }).get("x");
    assertEquals(sent(fetch, "cookie"), [undefined, "theme=dark"]);
  });

  it("cookies by name over a store of one's own leave the store", async () => {
    const store: CookieStore = { cookieHeader: () => "own=1", keep: () => {} };
    const fetch = scripted(200);
    const api = new Session({ url, session: new HttpSession({ fetch }), cookies: store });
    await api.withOptions({ cookies: { theme: "dark" } }).get("x");
    assertEquals(sent(fetch, "cookie"), ["own=1; theme=dark"]);
  });

  it("a store over cookies by name leaves these, as it does for one request", async () => {
    const store: CookieStore = { cookieHeader: () => "own=1", keep: () => {} };
    const { api, fetch } = start([200], { cookies: { theme: "dark" } });
    await api.get("x", { cookies: store });
    await api.withOptions({ cookies: store }).get("x");
    assertEquals(sent(fetch, "cookie"), ["own=1; theme=dark", "own=1; theme=dark"]);
  });

  it("vendor goes on for the one derived of a derived one", async () => {
    const { api, fetch } = start([200], { vendor: "One" });
    const derived = api.withOptions({ vendor: "Two" });
    await derived.withOptions({ retries: 0 }).get("x");
    assert(sent(fetch, "user-agent")[0]!.includes("(Two;"), sent(fetch, "user-agent")[0]);
  });

  it("an adapter goes on for the one derived of a derived one", async () => {
    const { api, fetch } = start([200]);
    const adapter = scripted(201);
    const derived = api.withOptions({ adapter });
    assertEquals((await derived.withOptions({ retries: 0 }).get("x")).status, 201);
    assertEquals(fetch.calls.length, 0);
  });

  it("the class's adapter carries the requests of one with another base URL, as for a new one", async () => {
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

  it("a header that is null takes the User-Agent away, by the constructor", async () => {
    const { api, fetch } = start([200], { headers: { "user-agent": null } });
    await api.get("x");
    assertEquals(sent(fetch, "user-agent"), [undefined]);
  });

  it("an option that is undefined is none: it stays what it was", async () => {
    const { api, fetch } = start([503], { retries: 1, finalWait: false });
    const given: { retries?: number | undefined } = {};
    const derived = api.withOptions({ retries: given.retries });
    await assertRejects(() => derived.get("x"), ServiceUnavailableError);
    assertEquals(fetch.calls.length, 2);
  });

  it("a base URL that is undefined stays what it was", async () => {
    const { api, fetch } = start([200]);
    await api.withOptions({ url: undefined }).get("x");
    assertEquals(urls(fetch), [`${url}/x`]);
  });

  it("auth that is undefined stays what was laid over", async () => {
    const { api, fetch } = start([200]);
    const derived = api.withOptions({ auth: ["ada", "s"] });
    await derived.withOptions({ auth: undefined }).get("x");
    assertEquals(sent(fetch, "authorization"), [`Basic ${btoa("ada:s")}`]);
  });

  it("another that the constructor makes before super() is not the derived one", async () => {
    const foreign = scripted(200);
    const made: APISession[] = [];
    class Outer extends Session {
      constructor(options: SessionOptions = {}) {
        made.push(new Session({ url: "https://accounts.example", fetch: foreign }));
        super(options);
      }
    }
    const fetch = scripted(200);
    const outer = new Outer({ url, fetch, headers: { "x-api-key": "k" } });
    const derived = outer.withOptions({ retries: 0 });
    await made[1]!.get("token");
    assertEquals(sent(foreign, "x-api-key"), [undefined]);
    assertStrictEquals(derived.session, outer.session);
  });

  it("a header that is null takes the User-Agent away", async () => {
    const { api, fetch } = start([200]);
    await api.get("x", { headers: { "user-agent": null } });
    await api.withOptions({ headers: { "user-agent": null } }).get("x");
    assertEquals(sent(fetch, "user-agent"), [undefined, undefined]);
  });
});

describeGenerations("edges of withResponse", ({ Session }) => {
  it("works where _retryRequest gives back the keywords that it got", async () => {
    class Hooked extends Session {
      protected override _retryRequest(_: Response, __: number, options: RequestOptions) {
        return options;
      }
    }
    const fetch = scripted(503, Response.json([1]));
    const api = new Hooked({ url, fetch, clock: new FakeClock(), logger: recordingLogger() });
    const { data } = await api.get("x", { convJson: true }).withResponse();
    assertEquals<unknown>(data, [1]);
  });

  it("an override of _req that shares one promise between calls", async () => {
    const shared = new Map<string, Promise<unknown>>();
    class Shared extends Session {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        const key = `${method} ${path}`;
        const made = shared.get(key) ?? super._req(method, path, options);
        shared.set(key, made);
        return made;
      }
    }
    const api = new Shared({ url, fetch: scripted(Response.json([1])) });
    const [one, other] = [api.get("x", { convJson: true }), api.get("x", { convJson: true })];
    assertEquals<unknown>((await one.withResponse()).data, [1]);
    await other;
  });
});

describeGenerations("edges of options", ({ Session }) => {
  function start(answers: readonly Answer[], options: SessionOptions = {}) {
    const fetch = scripted(...answers);
    const quiet = { clock: new FakeClock(), logger: recordingLogger() };
    return { api: new Session({ url, fetch, ...quiet, ...options }), fetch };
  }

  it("headers that are changed after the construction change nothing", async () => {
    const headers: Record<string, string> = { "x-a": "1" };
    const { api, fetch } = start([200], { headers });
    headers["x-a"] = "2";
    await api.get("x");
    assertEquals(sent(fetch, "x-a"), ["1"]);
  });

  it("params that are changed after the construction change nothing", async () => {
    const params: Record<string, string> = { locale: "en" };
    const { api, fetch } = start([200], { params });
    params["locale"] = "de";
    await api.get("x");
    assertEquals(urls(fetch), [`${url}/x?locale=en`]);
  });

  it("adapters that are changed after the construction change nothing", async () => {
    const own = scripted(201);
    const adapters: Record<string, Scripted> = { [url]: own };
    const { api } = start([200], { adapters });
    delete adapters[url];
    assertEquals((await api.get("x")).status, 201);
  });

  it("adapters of a request leave those laid over a shared HTTP session for the rest", async () => {
    const [own, other, fetch] = [scripted(201), scripted(202), scripted(200)];
    const api = new Session({ url, session: new HttpSession({ fetch }), adapters: { [url]: own } });
    const response = await api.get("x", { adapters: { "https://b.example": other } });
    assertEquals(response.status, 201);
  });

  it("default params are not added to a link that has them", async () => {
    const { api, fetch } = start([200], { params: { locale: "en" } });
    await api.get(`${url}/x?locale=en&page=2`);
    assertEquals(urls(fetch), [`${url}/x?locale=en&page=2`]);
  });

  it("a scheme that is laid over a shared HTTP session is closed with its client", async () => {
    let closed = 0;
    const auth: Auth = { authenticate: (_, send) => send(), close: () => void closed++ };
    const api = new Session({ url, session: new HttpSession({ fetch: scripted(200) }), auth });
    await api.get("x");
    await api.close();
    assertEquals(closed, 1);
  });
});

describe("edges of endpoints of generation 2", () => {
  for (
    const [index, suffix] of ["/.", "/%2e", "/./", "/a/..", "/a/../", "/a/b/../..", "/a/.?x=1"]
      .entries()
  ) {
    it(`dot segments do not lead back to the endpoint, case ${index + 1}`, () => {
      if (suffix === "/a/.?x=1") return; // leads to /a/, and may
      assertThrows(
        () => joinPaths(secondGeneration, "/codes", suffix),
        UnexpectedValueError,
        "dot",
      );
    });
  }
});

describe("edges of files", () => {
  const file = new File(["hello"], "a.txt");
  const form = new FormData();
  form.append("f", file);
  for (const [index, files] of [file, form, new Map([["f", file]]), new Blob(["x"])].entries()) {
    it(`files without fields are refused, not sent as an empty form, case ${index + 1}`, () => {
      assertThrows(
        () => prepareBody({ files: files as never }, "POST"),
        UnexpectedValueError,
        "files",
      );
    });
  }
});
void [APIClient, NotFoundError];
void (0 as unknown as ClientOptions);

describe("the connections of what withOptions gives", () => {
  it("are shared: proxies, cert and ca are refused", () => {
    const session = new APISession({ url: "https://a.example" });
    for (const option of ["proxies", "cert", "ca"]) {
      const changes = { [option]: "http://127.0.0.1:1" } as object;
      const error = assertThrows(() => session.withOptions(changes), UnexpectedValueError);
      assertEquals(error.option, option);
    }
  });

  it("sslVerify holds for the derived one alone, and its calls may say otherwise", async () => {
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
