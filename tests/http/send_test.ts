import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import {
  APISession,
  DeadlineExceededError,
  NotFoundError,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { type AuthChanges, BearerAuth } from "../../src/auth/mod.ts";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import { RedirectError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { AbortScope } from "../../src/http/abort.ts";
import type { Auth } from "../../src/http/auth.ts";
import { oneShotBody, openedBody } from "../support/bodies.ts";
import { checkedHeaders } from "../../src/http/headers.ts";
import type { HttpSessionOptions } from "../../src/http/http_session.ts";
import type { RequestBody } from "../../src/http/request_body.ts";
import { exchanging, redirectTo, sentHeaders, type Trusted } from "../support/exchanging.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { turn, until } from "../support/until.ts";

const basic = `Basic ${btoa("ada:pw")}`;

function setting(...cookies: readonly string[]): Response {
  return new Response("hello", {
    headers: cookies.map((cookie): [string, string] => ["set-cookie", cookie]),
  });
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

describe("following redirects", () => {
  it("returns the final response, with redirected set to true", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/y"), new Response("there")] });
    const response = (await send()).toResponse();
    assertEquals(response.clone().redirected, true);
    assertEquals([await response.text(), response.redirected], ["there", true]);
    assertEquals(transport.calls.map(({ url }) => url), [
      "https://a.example/x",
      "https://a.example/y",
    ]);
  });

  it("returns the redirect itself if redirects are turned off", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/y")] });
    const { response } = await send({ maxRedirects: undefined });
    assertEquals([response.status, response.redirected, transport.calls.length], [302, false, 1]);
  });

  it("asks the transport not to follow redirects", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/y"), 200] });
    await send();
    assertEquals(transport.calls.map(({ init }) => init.redirect), ["manual", "manual"]);
  });

  for (const [most, steps] of [[30, 30], [30, 31], [1, 1], [1, 2], [0, 0], [0, 1]] as const) {
    it(`handles ${steps} redirects with a limit of ${most}`, async () => {
      const answers = Array.from({ length: steps }, (_, index) => redirectTo(`/${index}`));
      const { send, transport } = exchanging({ answers: [...answers, 200] });
      if (steps <= most) {
        assertEquals((await send({ maxRedirects: most })).response.status, 200);
        assertEquals(transport.calls.length, steps + 1);
        return;
      }
      const error = await assertRejects(() => send({ maxRedirects: most }), RedirectError);
      assertEquals([error.status, transport.calls.length], [302, most + 1]);
      assert(error.message.includes(String(most)), error.message);
    });
  }

  it("ends a loop with a RedirectError", async () => {
    const { send, transport } = exchanging({ answers: [() => redirectTo("/x")] });
    await assertRejects(() => send(), RedirectError);
    assertEquals(transport.calls.length, 31);
  });

  it("cancels the body of each redirect, including the one that exceeds the limit", async () => {
    let cancelled = 0;
    const answer = () => {
      const body = new ReadableStream({ cancel: () => void cancelled++ });
      return new Response(body, { status: 302, headers: { location: "/x" } });
    };
    const { send } = exchanging({ answers: [answer] });
    await assertRejects(() => send({ maxRedirects: 2 }), RedirectError);
    assertEquals(cancelled, 3);
  });

  it("leaves no timer and no listener if a redirect is refused", async () => {
    const { send, clock } = exchanging({ answers: [redirectTo("javascript:x")] });
    const { signal } = new AbortController();
    const scope = new AbortScope([signal], 60, clock);
    await assertRejects(() => send({ timeout: 5 }, scope), RedirectError);
    scope.settle();
    assertEquals(clock.pending, 0);
  });

  it("applies the timeout to each step, and fails if a step takes longer", async () => {
    const pending: ((response: Response) => void)[] = [];
    const answer = () => new Promise<Response>((resolve) => void pending.push(resolve));
    const { send, clock } = exchanging({ answers: [answer] });
    const sent = send({ timeout: 10 });
    sent.catch(() => {});
    for (let step = 0; step < 3; step++) {
      await turn();
      await clock.advance(9);
      pending[step]!(redirectTo("/y"));
    }
    await turn();
    assertEquals(pending.length, 4);
    await clock.advance(12.5);
    const error = await assertRejects(() => sent, TransportError);
    assertEquals([error.kind, clock.pending], ["timeout", 0]);
  });

  it("ends with the reason of an abort between two steps", async () => {
    const controller = new AbortController();
    const { send, clock, transport } = exchanging({
      answers: [() => {
        controller.abort("changed my mind");
        return redirectTo("/y");
      }],
    });
    const scope = new AbortScope([controller.signal], undefined, clock);
    assertEquals(await assertRejects(() => send({}, scope)), "changed my mind");
    assertEquals(transport.calls.length, 1);
  });

  it("uses the adapter of each step's URL", async () => {
    const [one, other] = [scripted(redirectTo("https://b.example/y")), scripted(200)];
    const adapters = { "https://a.example/": one, "https://b.example/": other };
    const { send, transport } = exchanging({ answers: [500], session: { adapters } });
    assertEquals((await send()).response.status, 200);
    assertEquals([one.calls.length, other.calls.length, transport.calls.length], [1, 1, 0]);
  });

  it("sends a whole body again after a 307, and opens a stream again", async () => {
    let opened = 0;
    const open = () => {
      opened++;
      return new Response("hello").body!;
    };
    const bodies: RequestBody[] = [{ kind: "whole", content: "hello" }, openedBody(open)];
    for (const body of bodies) {
      const seen: string[] = [];
      const transport = async (_url: string, { body }: RequestInit) => {
        seen.push(await new Response(body!).text());
        return seen.length < 3 ? redirectTo("/y", 307) : new Response();
      };
      await exchanging({ answers: [], session: { fetch: transport } }).send({
        method: "POST",
        body,
      });
      assertEquals(seen, ["hello", "hello", "hello"]);
    }
    assertEquals(opened, 3);
  });

  it("throws a RedirectError after a 307 if the body can be read only once, and sends nothing more", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/y", 307)] });
    const body: RequestBody = oneShotBody(new Response("hello").body!);
    const error = await assertRejects(() => send({ method: "POST", body }), RedirectError);
    assertEquals([error.status, transport.calls.length], [307, 1]);
  });

  it("sends a GET without body and content headers after a 303", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("/y", 303), 200] });
    await send({
      method: "POST",
      body: { kind: "whole", content: "{}" },
      headers: checkedHeaders({ "content-type": "application/json", "x-id": "7" }),
    });
    const { init } = transport.calls[1]!;
    assertEquals([init.method, "body" in init], ["GET", false]);
    assertEquals(sentHeaders(transport)[1], { "x-id": "7" });
  });
});

describe("credentials of a redirected request", () => {
  const own = "https://a.example/x";
  const session: HttpSessionOptions = {
    headers: { "X-ApiKeys": "session", "Private-Token": "session", "Accept": "*/*", "X-From": "7" },
    auth: ["ada", "pw"],
  };
  const headers = checkedHeaders({ "X-Cookie": "request", "Range": "bytes=0-", "X-Via": "7" });
  const trust = { crossOriginHeaders: ["X-From", "X-VIA"] };
  const secrets = {
    "x-apikeys": "session",
    "private-token": "session",
    "x-cookie": "request",
    "authorization": basic,
  };
  const others = { "accept": "*/*", "range": "bytes=0-", "x-from": "7", "x-via": "7" };
  const whole = { ...secrets, ...others };
  /** The headers of the request are sent to the URL that the caller passes. The session's are not. */
  const requests = { ...others, "x-cookie": "request" };

  type Fields = Readonly<Record<string, string>>;
  const ways: readonly (readonly [
    string,
    Trusted,
    readonly (readonly [string, Fields])[],
  ])[] = [
    ["kept on the same origin", {}, [[own, whole], ["https://a.example/y", whole]]],
    ["dropped at another origin", {}, [[own, whole], ["https://b.example/y", others]]],
    ["dropped at another port", {}, [[own, whole], ["https://a.example:444/y", others]]],
    ["dropped at a subdomain", {}, [[own, whole], ["https://x.a.example/y", others]]],
    ["dropped from https to http", {}, [[own, whole], ["http://a.example/y", others]]],
    ["dropped from https to http, even if that origin is trusted", {
      origins: ["http://a.example"],
    }, [
      [own, whole],
      ["http://a.example/y", others],
    ]],
    ["kept at a trusted origin", { origins: ["https://b.example"] }, [
      [own, whole],
      ["https://b.example/y", whole],
      ["https://a.example/z", whole],
    ]],
    ["dropped for good, and not sent again to the base origin", {}, [
      [own, whole],
      ["https://b.example/y", others],
      ["https://a.example/z", others],
      ["https://a.example/w", others],
    ]],
    [
      "dropped for good, and not sent again to a trusted origin",
      { origins: ["https://c.example"] },
      [
        [own, whole],
        ["https://b.example/y", others],
        ["https://c.example/z", others],
      ],
    ],
    ["dropped for good, and not sent again after the return to https", {}, [
      [own, whole],
      ["http://a.example/y", others],
      ["https://a.example/z", others],
    ]],
    ["limited to those of the request for a full URI of another origin", {}, [
      ["https://b.example/x", requests],
      ["https://b.example/y", requests],
      ["https://a.example/z", others],
      ["https://b.example/w", others],
    ]],
    ["all sent to a full URI of a trusted origin", { origins: ["https://b.example"] }, [
      ["https://b.example/x", whole],
      ["https://a.example/y", whole],
    ]],
    ["limited to those of the request for the base's host over http", {}, [
      ["http://a.example/x", requests],
    ]],
    ["kept from http to a trusted https origin, and dropped on the way back", {
      base: "http://a.example",
      origins: ["https://b.example"],
    }, [
      ["http://a.example/x", whole],
      ["https://b.example/y", whole],
      ["http://a.example/z", others],
    ]],
  ];
  for (const [what, trusted, steps] of ways) {
    // contract: http-13
    it(`headers that may carry secrets and the session's auth are ${what}`, async () => {
      const answers = [...steps.slice(1).map(([url]) => redirectTo(url, 307)), new Response()];
      const { send, transport } = exchanging({ answers, session, trust: { ...trust, ...trusted } });
      await send({ url: steps[0]![0], headers });
      assertEquals(transport.calls.map(({ url }) => url), steps.map(([url]) => url));
      assertEquals<unknown>(sentHeaders(transport), steps.map(([, fields]) => fields));
    });
  }

  const byHand: readonly (readonly [string, string])[] = [
    ["Authorization", "Bearer t0ken"],
    ["Cookie", "sid=t0ken"],
    ["Proxy-Authorization", "Basic t0ken"],
    ["X-Session-Token", "t0ken"],
    ["X-Anything", "t0ken"],
  ];
  for (const [name, value] of byHand) {
    it(`a header ${name} is not sent to another origin`, async () => {
      for (const owner of ["session", "request"]) {
        const { http, send, transport } = exchanging({
          answers: [redirectTo("/y"), redirectTo("https://b.example/z"), 200],
        });
        if (owner === "session") http.headers.set(name, value);
        await send(owner === "session" ? {} : { headers: checkedHeaders({ [name]: value }) });
        assertEquals(
          sentHeaders(transport).map((each) => each[name.toLowerCase()]),
          [value, value, undefined],
        );
      }
    });
  }

  it("Cookie: null of a request still applies after a redirect to another origin", async () => {
    const cookies = new CookieJar();
    await cookies.keep(["away=1"], "https://b.example/");
    const { send, transport } = exchanging({
      answers: [redirectTo("https://b.example/y"), 200],
      session: { cookies },
    });
    await send({ headers: checkedHeaders({ Cookie: null }) });
    assertEquals(sentHeaders(transport), [{}, {}]);
  });

  it("credentials in a Location are not used", async () => {
    const { send, transport } = exchanging({ answers: [redirectTo("//eve:x@a.example/y"), 200] });
    await send();
    assertEquals([transport.calls[1]!.url, sentHeaders(transport)[1]], ["https://a.example/y", {}]);
  });
});

describe("cookies of a request", () => {
  it("are kept and sent again by a jar that the first Set-Cookie creates", async () => {
    const { http, send, transport } = exchanging({ answers: [200, setting("a=1", "b=2"), 200] });
    await send();
    assertEquals(http.cookies, undefined);
    await send();
    assertInstanceOf(http.cookies, CookieJar);
    await send();
    assertEquals(sentHeaders(transport), [{}, {}, { cookie: "a=1; b=2" }]);
  });

  for (const status of [200, 204, 400, 401, 404, 500, 503]) {
    it(`are kept from a response with status ${status}`, async () => {
      const answer = new Response(null, { status, headers: { "set-cookie": "a=1" } });
      const { http, send } = exchanging({ answers: [answer] });
      await send();
      assertEquals(await http.cookieHeader("https://a.example/"), "a=1");
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`are kept from a ${status}, and sent with the redirected request`, async () => {
      const { send, transport } = exchanging({ answers: [redirectTo("/y", status, "a=1"), 200] });
      await send();
      assertEquals(sentHeaders(transport), [{}, { cookie: "a=1" }]);
    });
  }

  it("are sent to the origin that set them, also while redirects are followed", async () => {
    const { send, transport } = exchanging({
      answers: [
        redirectTo("https://b.example/y", 302, "home=1"),
        redirectTo("https://a.example/z", 302, "away=1"),
        redirectTo("https://b.example/w"),
        200,
      ],
    });
    await send();
    assertEquals(sentHeaders(transport).map(({ cookie }) => cookie), [
      undefined,
      undefined,
      "home=1",
      "away=1",
    ]);
  });

  it("are kept from a redirect that cannot be followed", async () => {
    const { http, send } = exchanging({ answers: [redirectTo("javascript:x", 302, "a=1")] });
    await assertRejects(() => send(), RedirectError);
    assertEquals(await http.cookieHeader("https://a.example/"), "a=1");
  });

  it("are kept in one jar if the first two responses arrive together", async () => {
    const { http, send } = exchanging({ answers: [setting("a=1"), setting("b=2"), 200] });
    await Promise.all([send(), send()]);
    assertEquals(await http.cookieHeader("https://a.example/"), "a=1; b=2");
  });

  it("are neither kept nor sent with cookies: null", async () => {
    const { http, send, transport } = exchanging({
      answers: [setting("a=1"), 200],
      session: { cookies: null },
    });
    await send();
    await send();
    assertEquals([http.cookies, sentHeaders(transport)], [null, [{}, {}]]);
  });

  it("are no longer kept or sent after cookies was set to null", async () => {
    const { http, send, transport } = exchanging({ answers: [setting("a=1")] });
    await send();
    http.cookies = null;
    await send();
    assertEquals([http.cookies, sentHeaders(transport)], [null, [{}, {}]]);
  });

  // contract: auth-5
  it("are replaced by a Cookie header that is set by hand, and are still kept", async () => {
    for (const owner of ["session", "request"]) {
      const { http, send, transport } = exchanging({ answers: [setting("a=1")] });
      if (owner === "session") http.headers.set("Cookie", "mine=1");
      const part = owner === "session" ? {} : { headers: checkedHeaders({ Cookie: "mine=1" }) };
      await send(part);
      await send(part);
      assertEquals(sentHeaders(transport), [{ cookie: "mine=1" }, { cookie: "mine=1" }]);
      assertEquals(await http.cookieHeader("https://a.example/"), "a=1");
    }
  });

  it("replace a Cookie header that is set by hand at another origin", async () => {
    const cookies = new CookieJar();
    await cookies.keep(["away=1"], "https://b.example/");
    const { send, transport } = exchanging({
      answers: [redirectTo("https://b.example/y"), 200],
      session: { cookies },
    });
    await send({ headers: checkedHeaders({ Cookie: "mine=1" }) });
    assertEquals(sentHeaders(transport), [{ cookie: "mine=1" }, { cookie: "away=1" }]);
  });

  // contract: http-6
  it("can be in a storage of two methods, which receives the URL of each step and every Set-Cookie", async () => {
    const asked: unknown[] = [];
    const cookies = {
      cookieHeader: (url: string) => {
        asked.push(url);
        return Promise.resolve("s=1");
      },
      keep: (setCookies: readonly string[], url: string) => void asked.push([...setCookies, url]),
    };
    const { send, transport } = exchanging({
      answers: [redirectTo("/y", 302, "a=1; Path=/"), setting("b=2", "c=3")],
      session: { cookies },
    });
    await send();
    assertEquals(asked, [
      "https://a.example/x",
      ["a=1; Path=/", "https://a.example/x"],
      "https://a.example/y",
      ["b=2", "c=3", "https://a.example/y"],
    ]);
    assertEquals(sentHeaders(transport), [{ cookie: "s=1" }, { cookie: "s=1" }]);
  });

  it("are sent with the request that answers a challenge", async () => {
    const auth: Auth = {
      async authenticate(_request, send) {
        await send();
        return await send();
      },
    };
    const { send, transport } = exchanging({ answers: [setting("a=1"), 200], session: { auth } });
    await send();
    assertEquals(sentHeaders(transport), [{}, { cookie: "a=1" }]);
  });
});

describe("the authentication of a request", () => {
  /** Creates a scheme that adds a header, and records the requests that it is called for. */
  function counting(changes: AuthChanges = { headers: { "X-Signed": "yes" } }) {
    const asked: string[] = [];
    const auth: Auth = {
      authenticate: ({ method, url }, send) => {
        asked.push(`${method} ${url}`);
        return send(changes);
      },
    };
    return { asked, auth };
  }

  it("a user name and a password are sent with each request", async () => {
    const { send, transport } = exchanging({ answers: [200], session: { auth: ["ada", "pw"] } });
    await send();
    await send();
    assertEquals(sentHeaders(transport), [{ authorization: basic }, { authorization: basic }]);
  });

  // contract: auth-9
  it("a scheme receives method, URL, headers and body, and cannot change the headers in place", async () => {
    const seen: unknown[] = [];
    const auth: Auth = {
      authenticate: (request, send) => {
        const { method, url, headers, body, isReplayable } = request;
        seen.push({ method, url, headers: { ...headers }, body, isReplayable });
        Object.assign(request.headers, { "x-key": "changed" });
        return send();
      },
    };
    const { http, send, transport } = exchanging({
      answers: [200],
      session: { auth, headers: { "X-Key": "k" } },
    });
    await send({
      method: "POST",
      body: { kind: "whole", content: "hello" },
      headers: checkedHeaders({ "X-Id": "7" }),
    });
    assertEquals(seen, [{
      method: "POST",
      url: "https://a.example/x",
      headers: { "x-key": "k", "x-id": "7", "user-agent": "test/1" },
      body: "hello",
      isReplayable: true,
    }]);
    assertEquals(sentHeaders(transport), [{ "x-key": "k", "x-id": "7" }]);
    assertEquals(http.headers.get("x-key"), "k");
  });

  it("a scheme can remove a header", async () => {
    const { auth } = counting({ headers: { "X-Signed": "yes", "X-Key": null } });
    const { send, transport } = exchanging({
      answers: [200],
      session: { auth, headers: { "X-Key": "k" } },
    });
    await send();
    assertEquals(sentHeaders(transport), [{ "x-signed": "yes" }]);
  });

  // contract: http-12
  it("an Authorization header of the request wins, and null removes it", async () => {
    for (const [own, sent] of [["Bearer t", "Bearer t"], ["", ""], [null, undefined]] as const) {
      const { send, transport } = exchanging({ answers: [200], session: { auth: ["ada", "pw"] } });
      await send({ headers: checkedHeaders({ Authorization: own }) });
      assertEquals(sentHeaders(transport)[0]?.["authorization"], sent);
    }
  });

  it("an Authorization header that was removed stays removed after a redirect", async () => {
    const { send, transport } = exchanging({
      answers: [redirectTo("/y"), redirectTo("https://b.example/z"), 200],
      session: { auth: ["ada", "pw"] },
    });
    await send({ headers: checkedHeaders({ Authorization: null }) });
    assertEquals(sentHeaders(transport), [{}, {}, {}]);
  });

  it("a scheme is called for each step on the same origin, and never for another", async () => {
    const { asked, auth } = counting();
    const { send, transport } = exchanging({
      answers: [
        redirectTo("/y", 303),
        redirectTo("https://b.example/z"),
        redirectTo("https://a.example/w"),
        200,
      ],
      session: { auth },
    });
    await send({ method: "POST" });
    assertEquals(asked, ["POST https://a.example/x", "GET https://a.example/y"]);
    const signed = sentHeaders(transport).map((each) => each["x-signed"]);
    assertEquals(signed, ["yes", "yes", undefined, undefined]);
  });

  it("a scheme is called for a full URI of a trusted origin, and for no other origin", async () => {
    const { asked, auth } = counting();
    const trust = { origins: ["https://b.example"] };
    const { send } = exchanging({ answers: [200], session: { auth }, trust });
    for (const url of ["https://b.example/x", "https://c.example/x", "http://a.example/x"]) {
      await send({ url });
    }
    assertEquals(asked, ["GET https://b.example/x"]);
  });

  it("a scheme can change path and query of the URL", async () => {
    const { auth } = counting({ url: "https://a.example/y?sig=1" });
    const { send, transport } = exchanging({ answers: [200], session: { auth } });
    await send();
    assertEquals(transport.calls[0]!.url, "https://a.example/y?sig=1");
  });

  const elsewhere = [
    "https://b.example/x",
    "http://a.example/x",
    "https://a.example:444/x",
    "https://a.example@b.example/x",
    "javascript:alert(1)",
  ];
  for (const url of elsewhere) {
    it(`a scheme cannot change the origin of the URL: ${url}`, async () => {
      const { auth } = counting({ url });
      const { send, transport } = exchanging({ answers: [200], session: { auth } });
      const error = await assertRejects(() => send(), UnexpectedValueError);
      assertEquals([error.option, transport.calls.length], ["url", 0]);
    });
  }

  it("bad input: invalid headers from a scheme are refused", async () => {
    const { auth } = counting({ headers: { "X-Signed": "yes\r\nX-Evil: 1" } });
    const { send, transport } = exchanging({ answers: [200], session: { auth } });
    await assertRejects(() => send(), UnexpectedValueError);
    assertEquals(transport.calls.length, 0);
  });

  it("an error that a scheme throws is passed on, and leaves no timer", async () => {
    const mistake = new Error("no token");
    for (
      const authenticate of [() => Promise.reject(mistake), () => {
        throw mistake;
      }]
    ) {
      const { send, clock } = exchanging({ answers: [200], session: { auth: { authenticate } } });
      assert(await assertRejects(() => send({ timeout: 5 })) === mistake);
      assertEquals(clock.pending, 0);
    }
  });

  describe("that reads the body before it is sent", () => {
    /** A scheme that puts the body into a header. */
    const auth: Auth = {
      async authenticate({ readBody }, send) {
        const chunks = readBody();
        let text = chunks === undefined ? "unknown" : "";
        for await (const chunk of chunks ?? []) text += new TextDecoder().decode(chunk);
        return await send({ headers: { "x-read": `[${text}]` } });
      },
    };
    const form = new FormData();
    form.set("a", "b");
    const stream = () => new Response("hello").body!;
    const bodies: readonly (readonly [string, RequestBody, string])[] = [
      ["none", { kind: "none" }, ""],
      ["a string", { kind: "whole", content: "hello" }, "hello"],
      ["an empty string", { kind: "whole", content: "" }, ""],
      ["bytes", { kind: "whole", content: bytesOf("hello") }, "hello"],
      ["a Blob", { kind: "whole", content: new Blob(["hel", "lo"]) }, "hello"],
      ["a function that opens a stream", openedBody(stream), "hello"],
      ["a stream that can be read once", oneShotBody(stream()), "unknown"],
      ["a form of parts", { kind: "whole", content: form }, "unknown"],
    ];
    for (const [what, body, expected] of bodies) {
      it(`receives the body that is sent: ${what}`, async () => {
        const { http, send } = exchanging({ answers: [], session: { auth } });
        http.mount("https://", async (_url, { body, headers }) => {
          const text = body === undefined ? "" : await new Response(body).text();
          return Response.json([headers["x-read"], text]);
        });
        const method = body.kind === "none" ? "GET" : "POST";
        const [read, sent] = await (await send({ method, body })).response.json();
        assertEquals(read, `[${expected}]`);
        if (expected !== "unknown") assertEquals(sent, expected);
        else assert(sent.includes(body.kind === "once" ? "hello" : 'name="a"'), sent);
      });
    }

    it("closes a stream that it does not read to the end", async () => {
      let isClosed = false;
      const open = async function* () {
        try {
          for (;;) yield await Promise.resolve(bytesOf("hello"));
        } finally {
          isClosed = true;
        }
      };
      const glance: Auth = {
        async authenticate({ readBody }, send) {
          for await (const chunk of readBody() ?? []) if (chunk.length > 0) break;
          return await send();
        },
      };
      const { send } = exchanging({ answers: [200], session: { auth: glance } });
      await send({ method: "POST", body: openedBody(open) });
      assert(isClosed);
    });
  });

  describe("that answers a challenge", () => {
    const auth: Auth = {
      async authenticate(_request, send) {
        const response = await send();
        if (response.status !== 401) return response;
        await response.body?.cancel();
        return await send({ headers: { authorization: "Token abc" } });
      },
    };
    const content = bytesOf("hello");
    const stream = () => new Response("hello").body!;
    const bodies: readonly (readonly [string, RequestBody])[] = [
      ["none", { kind: "none" }],
      ["a string", { kind: "whole", content: "hello" }],
      ["bytes", { kind: "whole", content }],
      ["a function that opens a stream", openedBody(stream)],
    ];
    for (const [what, body] of bodies) {
      it(`sends the body again: ${what}`, async () => {
        const seen: string[] = [];
        const { http, send } = exchanging({ answers: [], session: { auth } });
        http.mount("https://", async (_url, init) => {
          const text = init.body === undefined ? "" : await new Response(init.body).text();
          seen.push(`${init.headers["authorization"]} ${text}`);
          return new Response("x", { status: seen.length === 1 ? 401 : 200 });
        });
        const method = body.kind === "none" ? "GET" : "POST";
        assertEquals((await send({ method, body })).response.status, 200);
        const text = body.kind === "none" ? "" : "hello";
        assertEquals(seen, [`undefined ${text}`, `Token abc ${text}`]);
      });
    }

    it("cannot send a stream again that can be read once, and the error names what to pass", async () => {
      const { send, transport } = exchanging({ answers: [401], session: { auth } });
      const body: RequestBody = oneShotBody(stream());
      const error = await assertRejects(() => send({ method: "POST", body }), UnexpectedValueError);
      assertEquals([error.option, transport.calls.length], ["content", 1]);
      assert(error.message.includes("function"), error.message);
    });

    it("sends a stream that can be read once if there is no challenge", async () => {
      const { send, transport } = exchanging({ answers: [200], session: { auth } });
      await send({ method: "POST", body: oneShotBody(stream()) });
      assertEquals(transport.calls.length, 1);
    });

    it("sends the headers of the first request again, and nothing from the first response", async () => {
      const { send, transport } = exchanging({
        answers: [401, 200],
        session: { auth, headers: { "X-Key": "k" } },
      });
      await send({ headers: checkedHeaders({ "X-Id": "7" }) });
      assertEquals(sentHeaders(transport), [
        { "x-key": "k", "x-id": "7" },
        { "x-key": "k", "x-id": "7", "authorization": "Token abc" },
      ]);
    });
  });

  it("an abort ends the look-up of a token at once", async () => {
    let lookUps = 0;
    const lookUp = () => {
      lookUps++;
      return new Promise<never>(() => {});
    };
    const { send, clock } = exchanging({
      answers: [200],
      session: { auth: new BearerAuth(lookUp) },
    });
    const c = new AbortController();
    const ended = assertRejects(() => send({}, new AbortScope([c.signal], undefined, clock)));
    await until(() => lookUps === 1);
    c.abort("x");
    assertEquals(await ended, "x");
  });

  it("a deadline ends the look-up of a token", async () => {
    const clock = fakeClock();
    let lookUps = 0;
    const lookUp = () => {
      lookUps++;
      return new Promise<never>(() => {});
    };
    const session = new HttpSession({ fetch: scripted(200), auth: new BearerAuth(lookUp) });
    const api = new APISession({
      url: "https://a.example",
      session,
      clock,
      logger: recordingLogger(),
    });
    const ended = assertRejects(() => api.get("x", { deadline: 5 }), DeadlineExceededError);
    await until(() => lookUps === 1);
    await clock.advance(5);
    await ended;
  });

  for (const url of ["garbage", "/y", "https://", ""]) {
    it(`a scheme must return an absolute http or https URL: ${url}`, async () => {
      const { send } = exchanging({
        answers: [200],
        session: { auth: { authenticate: (_r, s) => s({ url }) } },
      });
      await assertRejects(() => send(), UnexpectedValueError);
    });
  }

  it("credentials in the URL from a scheme are not sent", async () => {
    const { send, transport } = exchanging({
      answers: [200],
      session: { auth: { authenticate: (_r, s) => s({ url: "https://eve:pw@a.example/x" }) } },
    });
    await send().catch(() => {});
    assert(!transport.calls.some(({ url }) => url.includes("eve")));
  });

  it("a scheme must return a response", async () => {
    const { send } = exchanging({
      answers: [200],
      session: { auth: { authenticate: () => Promise.resolve(undefined as never) } },
    });
    await assertRejects(() => send(), UnexpectedValueError);
  });
});

describe("the credentials of the base URL and the default User-Agent", () => {
  it("the credentials are sent to trusted origins if no other Authorization is set", async () => {
    const { http, send, transport } = exchanging({
      answers: [redirectTo("https://b.example/y"), redirectTo("https://a.example/z"), 200],
      credentials: basic,
    });
    await send();
    await send({ headers: checkedHeaders({ Authorization: null }) });
    http.headers.set("Authorization", "Bearer session");
    await send();
    http.headers.set("Authorization", null);
    http.auth = ["bob", "x"];
    await send();
    await send({ url: "https://b.example/" });
    assertEquals(sentHeaders(transport).map((each) => each["authorization"]), [
      basic,
      undefined,
      undefined,
      undefined,
      "Bearer session",
      `Basic ${btoa("bob:x")}`,
      undefined,
    ]);
  });

  it("a User-Agent of the HTTP session or of the request wins, and null removes it", async () => {
    const { http, send, transport } = exchanging({ answers: [200] });
    await send();
    http.headers.set("User-Agent", "mine/1");
    await send();
    await send({ headers: checkedHeaders({ "User-Agent": "own/1" }) });
    await send({ headers: checkedHeaders({ "User-Agent": null }) });
    assertEquals(transport.calls.map(({ init }) => init.headers["user-agent"]), [
      "test/1",
      "mine/1",
      "own/1",
      undefined,
    ]);
  });
});

describe("a retry of a request that was redirected", () => {
  function start(...answers: readonly Answer[]) {
    const transport = scripted(...answers);
    const clock = fakeClock({ autoAdvance: true });
    const session = new HttpSession({ fetch: transport, auth: ["ada", "pw"] });
    const logger = recordingLogger();
    return {
      transport,
      api: new APISession({ url: "https://a.example", session, clock, logger, retries: 1 }),
    };
  }

  // contract: http-15
  it("starts again at the first URL, with method, body and credentials", async () => {
    const { transport, api } = start(
      redirectTo("https://b.example/y", 303),
      503,
      redirectTo("/z", 307),
      200,
    );
    await api.post("x", { json: { a: 1 } });
    assertEquals(
      transport.calls.map(({ url, init }) => [
        init.method,
        url,
        init.body,
        init.headers["authorization"],
      ]),
      [
        ["POST", "https://a.example/x", '{"a":1}', basic],
        ["GET", "https://b.example/y", undefined, undefined],
        ["POST", "https://a.example/x", '{"a":1}', basic],
        ["POST", "https://a.example/z", '{"a":1}', basic],
      ],
    );
  });

  // contract: http-15
  it("can follow the full number of redirects again", async () => {
    const thirty = Array.from({ length: 30 }, () => redirectTo("/y"));
    const { transport, api } = start(...thirty, 503, ...thirty, 200);
    await api.get("x");
    assertEquals(transport.calls.length, 62);
  });

  // contract: http-4
  it("sends the cookies that the failed attempt set", async () => {
    const failed = new Response("", { status: 503, headers: { "set-cookie": "a=1" } });
    const { transport, api } = start(failed, 200);
    await api.get("x");
    assertEquals(transport.calls.map(({ init }) => init.headers["cookie"]), [undefined, "a=1"]);
  });

  it("throws the error class of the final status", async () => {
    const { api } = start(redirectTo("/y", 302, "a=1"), 404);
    await assertRejects(() => api.get("x"), NotFoundError);
    assertEquals(await api.httpSession.cookieHeader("https://a.example/"), "a=1");
  });
});
