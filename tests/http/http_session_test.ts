import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import { HttpSession, type HttpSessionOptions } from "../../src/http/mod.ts";
import { oneShotBody } from "../support/bodies.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { checkedHeaders } from "../../src/http/headers.ts";
import type { RequestBody } from "../../src/http/request_body.ts";
import { type ExchangePart, exchanging, sentHeaders } from "../support/exchanging.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

/** Creates an HTTP session, and a function that sends a request with it and returns the response. */
function start(...answers: readonly Answer[]) {
  const { send, ...parts } = exchanging({ answers });
  return {
    ...parts,
    send: async (
      part: ExchangePart = {},
      content?: BodyInit,
      scope?: AbortScope,
    ) => {
      const body: RequestBody = content === undefined
        ? { kind: "none" }
        : content instanceof ReadableStream
        ? oneShotBody(content)
        : { kind: "whole", content };
      return (await send({ method: "POST", body, ...part }, scope)).toResponse();
    },
  };
}

describe("sending a request with an HTTP session", () => {
  it("passes method, headers and body to the transport, with redirect mode manual", async () => {
    const { http, transport, send } = start(200);
    http.headers.set("User-Agent", "x");
    await send({ headers: checkedHeaders({ "X-Key": "a" }) }, "hello");
    const { url, init } = transport.calls[0]!;
    assertEquals(url, "https://a.example/x");
    assertEquals({ ...init, headers: sentHeaders(transport)[0] }, {
      method: "POST",
      headers: { "user-agent": "x", "x-key": "a" },
      redirect: "manual",
      body: "hello",
    });
  });

  it("passes neither body nor duplex if there is no body", async () => {
    const { transport, send } = start(200);
    await send();
    assert(!("body" in transport.calls[0]!.init));
    assert(!("duplex" in transport.calls[0]!.init));
  });

  it("sends an empty string as a body", async () => {
    const { transport, send } = start(200);
    await send({}, "");
    assertEquals(transport.calls[0]!.init.body, "");
  });

  it("sends a stream with duplex set to half", async () => {
    const { transport, send } = start(200);
    await send({}, new Response("hello").body!);
    assertEquals(Reflect.get(transport.calls[0]!.init, "duplex"), "half");
  });

  it("passes other fetch options to the transport, but they cannot replace those that the session sets", async () => {
    const { transport, send } = start(200);
    const fetchOptions = { keepalive: true, redirect: "follow", method: "DELETE" } as const;
    await send({ fetchInit: fetchOptions });
    const { init } = transport.calls[0]!;
    assertEquals([init.keepalive, init.redirect, init.method], [true, "manual", "POST"]);
  });

  // contract: fault-12
  it("returns the transport's own response if there is no timeout, signal or deadline", async () => {
    const own = new Response("hello");
    const { transport, clock, send } = start(() => own);
    assert(await send() === own);
    assert(!("signal" in transport.calls[0]!.init));
    assertEquals(clock.waits, []);
  });

  it("passes a signal to the transport if there is a timeout, and applies the timeout to the body", async () => {
    const own = new Response("hello");
    const { transport, clock, send } = start(() => own);
    const response = await send({ timeout: 5 });
    assert(response !== own);
    assert(transport.calls[0]!.init.signal instanceof AbortSignal);
    assertEquals(await response.text(), "hello");
    assertEquals(clock.pending, 0);
  });

  it("passes a different signal than the caller's to the transport, so that listeners do not pile up", async () => {
    const { transport, clock, send } = start(() => new Response("hello"));
    const { signal } = new AbortController();
    const scope = new AbortScope([signal], undefined, clock);
    const response = await send({}, undefined, scope);
    assert(transport.calls[0]!.init.signal !== signal);
    assertEquals(await response.text(), "hello");
  });

  it("does not keep the headers of one request for the next", async () => {
    const { http, transport, send } = start(200);
    http.headers.set("X-Key", "a");
    await send({ headers: checkedHeaders({ "x-key": null, "x-own": "b" }) });
    await send();
    assertEquals(sentHeaders(transport), [
      { "x-own": "b" },
      { "x-key": "a" },
    ]);
  });

  it("rejects with the same error as the transport", async () => {
    const broken = new TypeError("fetch failed");
    const { send } = start(broken);
    assert(await assertRejects(() => send()) === broken);
    assert(await assertRejects(() => send({ timeout: 5 })) === broken);
  });

  // contract: http-2
  it("calls the current globalThis.fetch if no adapter is mounted, so that a mock is used", async () => {
    const own = globalThis.fetch;
    const called: unknown[] = [];
    globalThis.fetch = (...args: unknown[]) => {
      called.push(args[0]);
      return Promise.resolve(new Response());
    };
    try {
      await exchanging({ answers: [], session: { fetch: undefined } }).send();
    } finally {
      globalThis.fetch = own;
    }
    assertEquals(called, ["https://a.example/x"]);
  });
});

describe("the options of an HTTP session", () => {
  it("can all be left out", () => {
    const http = new HttpSession();
    assertEquals([http.auth, http.cookies, http.timeout], [null, undefined, undefined]);
    assertEquals(http.headers.names(), []);
  });

  it("treat undefined like a missing option, and null as none for auth, cookies and timeout", () => {
    const none: HttpSessionOptions = {
      headers: undefined,
      auth: undefined,
      cookies: undefined,
      adapters: undefined,
      timeout: undefined,
      fetch: undefined,
    };
    assertEquals(new HttpSession(none).cookies, undefined);
    const http = new HttpSession({ auth: null, cookies: null, timeout: null });
    assertEquals([http.auth, http.cookies, http.timeout], [null, null, undefined]);
  });

  // contract: http-1
  it("include headers, auth, cookies, adapters, timeout and fetch", async () => {
    const [adapter, fetch] = [scripted(200), scripted(200)];
    const cookies = new CookieJar();
    await cookies.keep(["c=1"], "https://a.example/");
    const { http, send } = exchanging({
      answers: [],
      session: {
        headers: { "X-Key": "k" },
        auth: ["ada", "pw"],
        cookies,
        adapters: { "https://a.example/v1/": adapter },
        timeout: 5,
        fetch,
      },
    });
    assertEquals(http.timeout, 5);
    assert(http.cookies === cookies);
    await send({ url: "https://a.example/v1/x" });
    await send({ url: "https://a.example/v2/x" });
    for (const each of [adapter, fetch]) {
      assertEquals(sentHeaders(each), [{
        "x-key": "k",
        "authorization": `Basic ${btoa("ada:pw")}`,
        "cookie": "c=1",
      }]);
    }
  });

  const noStore = { cookieHeader: () => "" };
  const bad: readonly (readonly [string, string, unknown])[] = [
    ["headers", "headers", "X-Key: k"],
    ["headers", "headers", null],
    ["headers", "headers", 7],
    ["headers", "headers", { "X Key": "k" }],
    ["headers", "headers.X-Key", { "X-Key": "hunter2\r\nX-Evil: 1" }],
    ["auth", "auth", "hunter2"],
    ["auth", "auth", ["hunter2"]],
    ["auth", "auth", ["ada", "hunter2", "x"]],
    ["auth", "auth", {}],
    ["auth", "auth", 7],
    ["auth", "auth", () => "hunter2"],
    ["auth", "auth", { authenticate: "hunter2" }],
    ["auth", "username", [7, "hunter2"]],
    ["auth", "username", ["ada:x", "hunter2"]],
    ["auth", "password", ["ada", undefined]],
    ["cookies", "cookies", {}],
    ["cookies", "cookies", noStore],
    ["cookies", "cookies", "c=hunter2"],
    ["cookies", "cookies", true],
    ["cookies", "cookies", new Map()],
    ["adapters", "adapters", { "https://": "fetch" }],
    ["adapters", "adapters", null],
    ["adapters", "adapters", 7],
    ["adapters", "adapters", { "https://": null }],
    ["adapters", "adapters", { "https://": undefined }],
    ["adapters", "adapters", { "a.example": () => new Response() }],
    ["timeout", "timeout", 0],
    ["timeout", "timeout", -1],
    ["timeout", "timeout", NaN],
    ["timeout", "timeout", "5"],
    ["timeout", "timeout", -Infinity],
    ["fetch", "fetch", {}],
    ["fetch", "fetch", null],
    ["fetch", "fetch", "fetch"],
  ];
  for (const [index, [option, named, value]] of bad.entries()) {
    it(`bad input: an invalid value of ${option} is refused, and not shown (${index + 1})`, () => {
      const error = assertThrows(
        () => new HttpSession({ [option]: value }),
        UnexpectedValueError,
      );
      assertEquals(error.option, named);
      assert(!inspect(error).includes("hunter2"), inspect(error));
    });
  }

  for (const auth of ["x", ["x"], {}, 7, ["a:b", "c"]]) {
    it(`auth set to ${JSON.stringify(auth).replaceAll('"', "'")} is refused, and the old value stays`, () => {
      const http = new HttpSession({ auth: ["ada", "pw"] });
      const before = http.auth;
      assertThrows(() => void (http.auth = auth as never), UnexpectedValueError);
      assert(http.auth === before);
    });
  }

  it("an invalid cookie storage is refused after construction too, and the old one stays", () => {
    const cookies = new CookieJar();
    const http = new HttpSession({ cookies });
    for (const value of [{}, noStore, "x", 7]) {
      const error = assertThrows(() => void (http.cookies = value as never), UnexpectedValueError);
      assertEquals(error.option, "cookies");
    }
    assert(http.cookies === cookies);
  });

  // contract: reading-25
  it("auth is removed by setting it to null or undefined", async () => {
    for (const none of [null, undefined]) {
      const { http, send, transport } = exchanging({
        answers: [200],
        session: { auth: ["ada", "pw"] },
      });
      http.auth = none;
      assertEquals(http.auth, null);
      await send();
      assertEquals(transport.calls[0]!.init.headers["authorization"], undefined);
    }
  });
});

describe("an HTTP session that is passed to an API session", () => {
  const url = "https://a.example";

  // contract: attr-24, http-1
  it("is used by the API session, and can be shared by several", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch, headers: { "X-Key": "k" } });
    const one = new APISession({ url, session });
    const other = new APISession({ url: "https://b.example", session });
    assert(one.httpSession === session && other.httpSession === session);
    await one.get("x");
    await other.get("x");
    assertEquals(fetch.calls.map(({ init }) => init.headers["x-key"]), ["k", "k"]);
    session.headers.set("X-Key", null);
    await other.get("x");
    assertEquals(fetch.calls[2]!.init.headers["x-key"], undefined);
  });

  it("provides the timeout if neither the API session nor the call has one", async () => {
    const [clock, fetch] = [
      fakeClock({ autoAdvance: true }),
      scripted(() => new Promise<never>(() => {})),
    ];
    const session = new HttpSession({ fetch, timeout: 7 });
    const options = {
      url,
      session,
      retries: 0,
      finalWait: false,
      clock,
      logger: recordingLogger(),
    };
    const messages: string[] = [];
    for (const [own, call] of [[undefined, undefined], [5, undefined], [5, 3]]) {
      const api = new APISession({ ...options, timeout: own });
      messages.push((await assertRejects(() => api.get("x", { timeout: call }), Error)).message);
    }
    assertEquals(messages.map((message) => /no data for \d+ s/.exec(message)?.[0]), [
      "no data for 7 s",
      "no data for 5 s",
      "no data for 3 s",
    ]);
  });

  // contract: reading-31
  it("keeps its auth even if the base URL has credentials", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch, auth: ["ada", "pw"] });
    await new APISession({ url: "https://bob:x@a.example", session }).get("x");
    assertEquals(fetch.calls[0]!.init.headers["authorization"], `Basic ${btoa("ada:pw")}`);
  });

  const none: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["an empty object", {}],
    ["fetch", globalThis.fetch],
    ["a string", "hunter2"],
    ["the class", HttpSession],
    ["another session", new APISession({ url })],
    ["an object that looks like one", { headers: {}, auth: null, transportFor: () => {} }],
  ];
  for (const [what, session] of none) {
    // contract: attr-24
    it(`bad input: a session option that is not an HttpSession is refused: ${what}`, () => {
      const error = assertThrows(
        () => new APISession({ url, session: session as never }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "session");
      assert(!inspect(error).includes("hunter2"));
    });
  }
});

describe("printing an HTTP session", () => {
  const secret = "hunter2";
  const basic = btoa(`ada:${secret}`);

  async function printable(): Promise<readonly (readonly [string, object])[]> {
    const cookies = new CookieJar();
    await cookies.keep([`sid=${secret}`], "https://a.example/");
    const session = new HttpSession({
      headers: { "X-API-Key": secret },
      auth: ["ada", secret],
      cookies,
      fetch: scripted(200),
    });
    const api = new APISession({ url: `https://ada:${secret}@a.example`, session });
    await api.get("x");
    const own = new APISession({ url: `https://ada:${secret}@a.example`, adapter: scripted(200) });
    await own.get("x");
    return [
      ["the HTTP session", session],
      ["its headers", session.headers],
      ["its auth", session.auth!],
      ["the session", api],
      ["a session with credentials in its base URL", own],
      ["the HTTP session of such a session", own.httpSession],
    ];
  }

  // contract: http-3
  it("shows no secret with inspect, at any depth, with hidden properties and getters", async () => {
    for (const [what, value] of await printable()) {
      for (const options of [{}, { depth: 20, showHidden: true, getters: true }]) {
        const text = inspect(value, options);
        assert(!text.includes(secret) && !text.includes(basic), `${what}: ${text}`);
      }
    }
  });

  // contract: http-3
  it("shows no secret as JSON or as a string", async () => {
    for (const [what, value] of await printable()) {
      const text = JSON.stringify(value) + String(value) + JSON.stringify({ ...value });
      assert(!text.includes(secret) && !text.includes(basic), `${what}: ${text}`);
    }
  });

  it("shows no secret with the inspect functions of Deno and Bun, which console.log uses there", async () => {
    const own = ["Deno", "Bun"].map((name) => Reflect.get(globalThis, name)?.inspect);
    for (const [what, value] of await printable()) {
      for (const print of [inspect, ...own]) {
        const text = String(print?.(value, { depth: 20 }));
        assert(!text.includes(secret) && !text.includes(basic), `${what}: ${text}`);
      }
    }
  });
});
