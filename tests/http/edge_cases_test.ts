// Faults that a review of the HTTP session found, each mended.
import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  ApiKeyAuth,
  APISession,
  BearerAuth,
  DeadlineExceededError,
  HttpSession,
  RedirectError,
  UnexpectedValueError,
} from "../../mod.ts";
import { CookieJar } from "../../src/cookies/mod.ts";
import { Cancellation } from "../../src/http/cancellation.ts";
import { checkedHeaders } from "../../src/http/headers.ts";
import { changesOf } from "../support/auth_changes.ts";
import { exchanging, redirectTo } from "../support/exchanging.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { recordingLogger } from "../support/recording_logger.ts";
import { scripted } from "../support/scripted.ts";
import { turn, until } from "../support/until.ts";

const home = "https://api.example.com/v1/login";
async function jarOf(url: string, ...setCookies: readonly string[]): Promise<CookieJar> {
  const jar = new CookieJar();
  await jar.keep(setCookies, url);
  return jar;
}
const setting = (...c: string[]) =>
  new Response("hello", { headers: c.map((cookie): [string, string] => ["set-cookie", cookie]) });

/** Something that never ends; it counts how often it was begun. */
class Endless {
  begun = 0;
  readonly begin = (): Promise<never> => {
    this.begun++;
    return new Promise(() => {});
  };
}

describe("edge cases of the HTTP session", () => {
  it("an abort ends a token look-up at once", async () => {
    const lookUp = new Endless();
    const { send, clock } = exchanging({
      answers: [200],
      session: { auth: new BearerAuth(lookUp.begin) },
    });
    const c = new AbortController();
    const ended = assertRejects(() => send({}, new Cancellation([c.signal], undefined, clock)));
    await until(() => lookUp.begun === 1);
    c.abort("x");
    assertEquals(await ended, "x");
  });

  it("a deadline ends a token look-up", async () => {
    const clock = new FakeClock({ jumps: false });
    const lookUp = new Endless();
    const session = new HttpSession({ fetch: scripted(200), auth: new BearerAuth(lookUp.begin) });
    const api = new APISession({
      url: "https://a.example",
      session,
      clock,
      logger: recordingLogger(),
    });
    const ended = assertRejects(() => api.get("x", { deadline: 5 }), DeadlineExceededError);
    await until(() => lookUp.begun === 1);
    clock.advance(5);
    await ended;
  });

  it("an abort ends a cookie store that hangs", async () => {
    const store = new Endless();
    for (
      const cookies of [
        { cookieHeader: store.begin, keep: () => {} },
        { cookieHeader: () => "", keep: store.begin },
      ]
    ) {
      store.begun = 0;
      const { send, clock } = exchanging({ answers: [setting("a=1")], session: { cookies } });
      const c = new AbortController();
      const ended = assertRejects(() => send({}, new Cancellation([c.signal], undefined, clock)));
      await until(() => store.begun === 1);
      c.abort("x");
      assertEquals(await ended, "x");
    }
  });

  it("an abort while cookies are kept cancels the body", async () => {
    const controller = new AbortController();
    let cancelled = 0;
    const cookies = {
      cookieHeader: () => "",
      keep: async () => {
        controller.abort("x");
        await turn();
      },
    };
    const session = new HttpSession({
      cookies,
      fetch: () =>
        Promise.resolve(
          new Response(new ReadableStream({ cancel: () => void cancelled++ }), {
            headers: { "set-cookie": "a=1" },
          }),
        ),
    });
    const api = new APISession({ url: "https://a.example", session, logger: recordingLogger() });
    assertEquals(await assertRejects(() => api.get("x", { signal: controller.signal })), "x");
    await until(() => cancelled === 1);
  });

  it("cookies set while the jar is loaded win", async () => {
    const { http, send } = exchanging({ answers: [setting("a=1")] });
    const p = send();
    for (let i = 0; i < 6; i++) await Promise.resolve();
    http.cookies = null;
    await p;
    assertEquals(http.cookies, null);
  });

  it("cookies set to undefined begins with an empty jar", async () => {
    const { http, send } = exchanging({ answers: [setting("a=1"), setting("b=2")] });
    await send();
    http.cookies = undefined;
    await send();
    assertEquals(await http.cookieHeader("https://a.example/"), "b=2");
  });

  it("303 drops the session's own content headers too", async () => {
    const { send, transport } = exchanging({
      answers: [redirectTo("/y", 303), 200],
      session: { headers: { "Content-Type": "application/json" } },
    });
    await send({ method: "POST", body: { kind: "whole", content: "{}" } });
    assertEquals(transport.calls[1]!.init.headers["content-type"], undefined);
  });
  for (const url of ["garbage", "/y", "https://", ""]) {
    it(`a scheme whose URL is none is refused by a typed error: ${url}`, async () => {
      const { send } = exchanging({
        answers: [200],
        session: { auth: { authenticate: (_r, s) => s({ url }) } },
      });
      await assertRejects(() => send(), UnexpectedValueError);
    });
  }
  it("a scheme's URL with credentials is not passed on", async () => {
    const { send, transport } = exchanging({
      answers: [200],
      session: { auth: { authenticate: (_r, s) => s({ url: "https://eve:pw@a.example/x" }) } },
    });
    await send().catch(() => {});
    assert(!transport.calls.some(({ url }) => url.includes("eve")));
  });

  it("an API key leaves the rest of the query as it is", async () => {
    const { url } = await changesOf(
      new ApiKeyAuth("k", { query: "key" }),
      "https://a.example/x?q=a%20b&flag&t=~",
    );
    assertEquals(url, "https://a.example/x?q=a%20b&flag&t=~&key=k");
  });
  for (const header of ["X Key", "", "X:Key", "Schlüssel"]) {
    it(`bad input: an API key header that is no name: ${header}`, () => {
      assertEquals(
        assertThrows(() => new ApiKeyAuth("k", { header }), UnexpectedValueError).option,
        "header",
      );
    });
  }
  it("garbage JSON is not shown by the error", () => {
    const error = assertThrows(() => CookieJar.fromJSON('hunter2"sid"'), UnexpectedValueError);
    assert(!inspect(error, { depth: 9 }).includes("hunter2"), inspect(error));
  });

  it("Secure cookies are not accepted from http (6265bis 5.7 step 12)", async () => {
    const jar = await jarOf("http://api.example.com/", "a=1; Secure; Path=/");
    assertEquals(await jar.cookieHeader("https://api.example.com/"), "");
  });

  it("http may not overwrite a Secure cookie (6265bis 5.7 step 16)", async () => {
    const jar = await jarOf("https://api.example.com/", "a=1; Secure; Path=/");
    await jar.keep(["a=evil; Path=/"], "http://api.example.com/");
    assertEquals(await jar.cookieHeader("https://api.example.com/"), "a=1");
  });
  for (const name of ["__host-a", "__HOST-a", "__secure-a"]) {
    it(`prefixes are compared without case (6265bis 4.1.3): ${name}`, async () => {
      assertEquals(
        await (await jarOf(home, `${name}=1; Path=/v1; Domain=example.com`)).cookieHeader(home),
        "",
      );
    });
  }
  it("of one domain the last that were set stay", async () => {
    const jar = await jarOf(home, ...Array.from({ length: 1000 }, (_, i) => `c${i}=1; Path=/`));
    const h = await jar.cookieHeader(home);
    assert(h.includes("c999="), h.slice(0, 100) + " ... " + h.slice(-60));
  });

  it("of cookies set in one millisecond the last stay", async () => {
    const { Date: Original } = globalThis;
    const moment = Original.now();
    class Still extends Original {
      constructor(...given: unknown[]) {
        super(...(given.length === 0 ? [moment] : given) as [number]);
      }
      static override now(): number {
        return moment;
      }
    }
    globalThis.Date = Still as DateConstructor;
    try {
      const jar = await jarOf(home, ...Array.from({ length: 1000 }, (_, i) => `c${i}=1; Path=/`));
      const header = await jar.cookieHeader(home);
      assertEquals([header.includes("c999="), header.includes("c100=")], [true, false]);
    } finally {
      globalThis.Date = Original;
    }
  });

  it("Cookie: null of a request sends none", async () => {
    const { send, transport } = exchanging({ answers: [setting("a=1"), 200] });
    await send();
    await send({ headers: checkedHeaders({ Cookie: null }) });
    assertEquals(transport.calls[1]!.init.headers["cookie"], undefined);
  });

  it("a nameless cookie with a __Host- value", async () => {
    assertEquals(await (await jarOf(home, "=__Host-a=1; Path=/")).cookieHeader(home), "");
  });

  it("control characters are left out", async () => {
    assertEquals(await (await jarOf(home, "a=b\x01c; Path=/")).cookieHeader(home), "");
  });

  it("a non-Latin-1 cookie value does not break sending", async () => {
    const { send, http, transport } = exchanging({ answers: [200] });
    http.cookies = await jarOf("https://a.example/", "a=€", "b=1");
    await send();
    assertEquals(transport.calls[0]!.init.headers["cookie"], "b=1");
  });

  it("a raw UTF-8 Location", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/caf\xc3\xa9"), 200] });
    await send();
    assertEquals(transport.calls[1]!.url, "https://a.example/caf%C3%A9");
  });

  it("a cookie store that fails has the response's body cancelled", async () => {
    let cancelled = 0;
    const cookies = {
      cookieHeader: () => "",
      keep: () => {
        throw new Error("disk full");
      },
    };
    const { send } = exchanging({
      answers: [() =>
        new Response(
          new ReadableStream({ cancel: () => void cancelled++ }),
          { headers: { "set-cookie": "a=1" } },
        )],
      session: { cookies },
    });
    await assertRejects(() => send(), Error, "disk full");
    assertEquals(cancelled, 1);
  });

  it("a scheme that returns no response is named", async () => {
    const { send } = exchanging({
      answers: [200],
      session: { auth: { authenticate: () => Promise.resolve(undefined as never) } },
    });
    await assertRejects(() => send(), UnexpectedValueError);
  });

  it("a user-agent set on a shared session stays", () => {
    const session = new HttpSession({ headers: { "User-Agent": "mine/1" }, fetch: scripted(200) });
    new APISession({ url: "https://a.example", session });
    assertEquals(session.headers.get("user-agent"), "mine/1");
  });

  it("base credentials of one session do not become the auth of another that shares", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch });
    new APISession({ url: "https://ada:pw@a.example", session });
    const other = new APISession({ url: "https://b.example", session });
    await other.get("x");
    assertEquals(fetch.calls[0]!.init.headers["authorization"], undefined);
  });

  it("a wrong option leaves a passed-in session as it was", () => {
    const session = new HttpSession();
    assertThrows(() =>
      new APISession({ url: "https://ada:pw@a.example", session, adapter: 7 as never })
    );
    assertEquals([session.headers.names(), session.auth], [[], null]);
  });

  it("a redirect that cannot be followed frees its socket", async () => {
    for (const location of ["javascript:alert(1)", "https://"]) {
      let cancelled = 0;
      const body = () => new ReadableStream({ cancel: () => void cancelled++ });
      const { send } = exchanging({
        answers: [() => new Response(body(), { status: 302, headers: { location } })],
      });
      await assertRejects(() => send(), RedirectError);
      assertEquals(cancelled, 1);
    }
  });
});
