import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APISession,
  type RequestOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import type { Transport, TransportInit } from "../../src/http/mod.ts";
import {
  type CachedResponse,
  concurrencyLimit,
  ContextKey,
  dedupe,
  etagCache,
  type Middleware,
  rateLimit,
  RequestContext,
  serverRateLimit,
} from "../../src/middleware/mod.ts";
import { telemetry } from "../../src/telemetry/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { turn } from "../support/until.ts";

const url = "https://api.example.com";

/** Returns everything by which the API knows a user. */
function userOf({ headers, ...init }: TransportInit): unknown {
  const { authorization, cookie, "x-api-key": key } = headers;
  const { dispatcher } = init as { dispatcher?: { certificateOf: string } };
  return [authorization, cookie, key, dispatcher?.certificateOf].map((each) => each ?? null);
}

/** Returns a transport that answers with a function. */
function answering(answer: (url: string, init: TransportInit) => Response): Transport {
  return (target, init) => Promise.resolve(answer(target, init));
}

interface Api {
  readonly fetch: Transport;
  /** The values of If-None-Match so far. */
  readonly conditions: (string | undefined)[];
}

/** An API whose response depends on the user. Its entity tag is the same for all users. */
function startApi(headers: Record<string, string> = {}): Api {
  const conditions: (string | undefined)[] = [];
  return {
    conditions,
    fetch: async (_url, init) => {
      const condition = init.headers["if-none-match"];
      conditions.push(condition);
      await Promise.resolve();
      const all = { etag: '"v1"', ...headers };
      if (condition === '"v1"') return new Response(null, { status: 304, headers: all });
      return Response.json(userOf(init), { headers: all });
    },
  };
}

function sessionWith(api: Api, options: SessionOptions): APISession {
  return new APISession({ url, fetch: api.fetch, logger: silentLogger, ...options });
}

type Get = () => Promise<unknown>;

/** Ways in which two users of one session differ. Each returns the calls of both. */
const ways: Readonly<Record<string, (session: APISession) => readonly [Get, Get]>> = {
  "a token for each request": (session) => {
    const users: string[] = [];
    session.httpSession.auth = new BearerAuth(() => users.shift()!);
    const get = (user: string): Get => () => {
      users.push(user);
      return session.get("me", { convJson: true });
    };
    return [get("ada"), get("ben")];
  },
  "the auth of the call": (session) => byCall(session, (user) => ({ auth: [user, "x"] })),
  "the header authorization": (session) =>
    byCall(session, (user) => ({ headers: { Authorization: `Bearer ${user}` } })),
  "the header cookie": (session) =>
    byCall(session, (user) => ({ headers: { cookie: `user=${user}` } })),
  "the header x-api-key": (session) =>
    byCall(session, (user) => ({ headers: { "X-API-Key": user } })),
  "cookies of the call": (session) => byCall(session, (user) => ({ cookies: { user } })),
  "a cookie storage": (session) =>
    byCall(session, (user) => ({
      cookies: { cookieHeader: () => `user=${user}`, keep: () => {} },
    })),
  "a certificate in fetchOptions": (session) =>
    byCopy(session, (user) => ({ fetchOptions: { dispatcher: { certificateOf: user } } })),
  "headers of a copy": (session) => byCopy(session, (user) => ({ headers: { "x-api-key": user } })),
  "the transport of a copy": (session) =>
    byCopy(session, (user) => ({
      fetch: answering((_url, init) => {
        const headers = { etag: '"v1"' };
        return init.headers["if-none-match"] === undefined
          ? Response.json(["sent by", user], { headers })
          : new Response(null, { status: 304, headers });
      }),
    })),
};

function byCall(
  session: APISession,
  optionsOf: (user: string) => RequestOptions,
): readonly [Get, Get] {
  const get = (user: string): Get => {
    const options = optionsOf(user);
    return () => session.get("me", { ...options, convJson: true });
  };
  return [get("ada"), get("ben")];
}

function byCopy(
  session: APISession,
  optionsOf: (user: string) => SessionOptions,
): readonly [Get, Get] {
  const get = (user: string): Get => {
    const copy = session.withOptions(optionsOf(user));
    return () => copy.get("me", { convJson: true });
  };
  return [get("ada"), get("ben")];
}

describe("two users of one session who differ by", () => {
  for (const [name, callsOf] of Object.entries(ways)) {
    for (const headers of [{}, { vary: "Authorization" }]) {
      const suffix = "vary" in headers ? ", with Vary" : "";

      it(`${name} do not share a request in flight${suffix}`, async () => {
        const [ada, ben] = callsOf(sessionWith(startApi(headers), { middleware: [dedupe()] }));
        const [one, other] = await Promise.all([ada(), ben()]);
        assertNotEquals(one, other);
      });

      for (const store of [undefined, new Map<string, CachedResponse>()]) {
        const where = store === undefined ? "in memory" : "in a store of the program";
        it(`${name} do not share a stored response ${where}${suffix}`, async () => {
          const middleware = [etagCache({ store })];
          const [ada, ben] = callsOf(sessionWith(startApi(headers), { middleware }));
          const [one, other] = [await ada(), await ben()];
          assertNotEquals(one, other);
          assertEquals([await ada(), await ben()], [one, other]);
        });
      }
    }
  }

  it("a cookie that the first response sets do not share that response", async () => {
    let sessions = 0;
    const fetch = answering(() =>
      Response.json({}, { headers: { "set-cookie": `session=${++sessions}` } })
    );
    const session = new APISession({ url, fetch, middleware: [dedupe()] });
    const jars = [new CookieJar(), new CookieJar()];
    await Promise.all(jars.map((cookies) => session.get("me", { cookies, convJson: true })));
    const sent = jars.map(async (jar) => await jar.cookieHeader(url));
    assertEquals(await Promise.all(sent), ["session=1", "session=2"]);
  });

  it("the session do not share a response, even if they send the same", async () => {
    const api = startApi();
    const shared: SessionOptions = { middleware: [dedupe(), etagCache()] };
    const sessions = [sessionWith(api, shared), sessionWith(api, shared)];
    for (let round = 0; round < 2; round++) {
      await Promise.all(sessions.map((session) => session.get("me", { convJson: true })));
    }
    assertEquals(api.conditions, [undefined, undefined, '"v1"', '"v1"']);
  });
});

describe("the requests of one user", () => {
  it("share a response although headers for logs differ", async () => {
    const api = startApi();
    const session = sessionWith(api, { middleware: [dedupe(), etagCache()] });
    let id = 0;
    const get = () => {
      id++;
      const headers = {
        traceparent: `00-${id}`,
        tracestate: `a=${id}`,
        "X-Request-Id": `r-${id}`,
        "X-Correlation-ID": `c-${id}`,
      };
      return session.get("me", { headers, convJson: true });
    };
    await Promise.all([get(), get()]);
    await get();
    assertEquals(api.conditions, [undefined, '"v1"']);
  });

  it("share a response in a copy of the session with another timeout", async () => {
    const api = startApi();
    const session = sessionWith(api, { middleware: [dedupe(), etagCache()] });
    const get = (from: APISession) => from.get("me", { convJson: true });
    await Promise.all([get(session), get(session.withOptions({ timeout: 5 }))]);
    await get(session.withOptions({ retries: 0 }));
    assertEquals(api.conditions, [undefined, '"v1"']);
  });

  it("share a response with the same dispatcher, but not with options that cannot be compared", async () => {
    const api = startApi();
    const session = sessionWith(api, { middleware: [dedupe()] });
    const ada = session.withOptions({ fetchOptions: { dispatcher: { certificateOf: "ada" } } });
    await Promise.all([1, 2].map(() => ada.get("me", { convJson: true })));
    assertEquals(api.conditions.length, 1);

    const unknown = session.withOptions({ fetchOptions: { [Symbol("certificate")]: "ada" } });
    await Promise.all([1, 2].map(() => unknown.get("me", { convJson: true })));
    assertEquals(api.conditions.length, 3);
  });

  it("keep cookies that a shared response and a 304 set", async () => {
    let count = 0;
    const fetch = answering((_url, { headers }) => {
      const all = new Headers({ etag: '"v1"' });
      all.append("set-cookie", `count=${++count}`);
      all.append("set-cookie", "theme=dark");
      const isKnown = headers["if-none-match"] !== undefined;
      return isKnown
        ? new Response(null, { status: 304, headers: all })
        : Response.json({ id: 7 }, { headers: all });
    });
    // A cookie is sent with the next request, which is another one for that reason.
    const cookies = { keep: (set: string[]) => void kept.push(...set), cookieHeader: () => "" };
    const kept: string[] = [];
    const session = new APISession({ url, fetch, cookies, middleware: [dedupe(), etagCache()] });
    await Promise.all([1, 2].map(() => session.get("me", { convJson: true })));
    assertEquals(kept, ["count=1", "theme=dark", "count=1", "theme=dark"]);
    const response = await session.get("me");
    assertEquals(await response.json(), { id: 7 });
    assertEquals(kept.slice(4), ["count=2", "theme=dark"]);
    assertEquals(response.headers.getSetCookie(), ["count=2", "theme=dark"]);
  });

  it("get a new response after their token was renewed", async () => {
    const conditions: (string | undefined)[] = [];
    let valid = "t-1";
    const fetch = answering((_url, { headers }) => {
      const { authorization, "if-none-match": condition } = headers;
      conditions.push(condition);
      if (authorization !== `Bearer ${valid}`) return new Response("who?", { status: 401 });
      const all = { etag: '"v1"' };
      if (condition === '"v1"') return new Response(null, { status: 304, headers: all });
      return Response.json(authorization, { headers: all });
    });
    let token = "t-1";
    const auth = {
      async authenticate(_request: unknown, send: (changes: object) => Promise<Response>) {
        const first = await send({ headers: { authorization: `Bearer ${token}` } });
        if (first.status !== 401) return first;
        await first.body?.cancel();
        token = valid;
        return await send({ headers: { authorization: `Bearer ${token}` } });
      },
    };
    const session = new APISession({ url, fetch, auth, middleware: [etagCache()] });
    const get = () => session.get("me", { convJson: true });
    assertEquals([await get(), await get()], ["Bearer t-1", "Bearer t-1"]);
    valid = "t-2";
    assertEquals([await get(), await get()], ["Bearer t-2", "Bearer t-2"]);
    assertEquals(conditions, [undefined, '"v1"', '"v1"', undefined, '"v1"']);
  });

  it("have keys in a store of the program that are the same in another process, without a secret", async () => {
    const store = new Map<string, CachedResponse>();
    const options: RequestOptions = { params: { key: "s3cret-param" }, convJson: true };
    const create = (from: Map<string, CachedResponse>, api: Api) =>
      sessionWith(api, {
        auth: new BearerAuth("s3cret"),
        middleware: [etagCache({ store: from })],
      });
    await create(store, startApi()).get("me", options);
    const [key] = store.keys();
    assertMatch(key!, /^[0-9a-f]{64}$/);

    const api = startApi();
    const copy = new Map(structuredClone([...store]));
    await create(copy, api).get("me", options);
    assertEquals([api.conditions, [...copy.keys()]], [['"v1"'], [key!]]);
  });

  it("are not stored in a store of the program with an object that only this process knows", async () => {
    const store = new Map<string, CachedResponse>();
    const session = sessionWith(startApi(), { middleware: [etagCache({ store })] });
    const [ada, ben] = ways["a certificate in fetchOptions"]!(session);
    await ada();
    await ben();
    assertEquals(store.size, 0);
    await session.get("me", { convJson: true });
    assert(store.size === 1);
  });
});

/** Returns middleware of a program that adds a user to each HTTP request. */
function as(user: string): Middleware {
  return (request, next) => {
    request.network = (_sent, send) => send({ authorization: user });
    return next(request);
  };
}

const user = new ContextKey<string>("user");

describe("users that a function inside of the middleware adds", () => {
  /** Makes two calls of each user, and returns their results. */
  async function callTwice(
    shared: readonly Middleware[],
    inner: (user: string) => readonly Middleware[],
    options: SessionOptions = {},
  ): Promise<{ results: unknown[]; conditions: Api["conditions"] }> {
    const api = startApi();
    const session = sessionWith(api, { ...options, middleware: [...shared] });
    const get = (name: string) => {
      const context = new RequestContext().set(user, name);
      return session.get("me", { convJson: true, middleware: [...inner(name)], context });
    };
    const results = await Promise.all([get("ada"), get("ben")]);
    results.push(await get("ada"), await get("ben"));
    return { results: results.map((each) => (each as unknown[])[0]), conditions: api.conditions };
  }

  const stored = new Map<string, CachedResponse>();
  const sharing: readonly (readonly [string, () => Middleware])[] = [
    ["dedupe", () => dedupe()],
    ["etagCache", () => etagCache()],
    ["etagCache with a store", () => etagCache({ store: stored })],
  ];
  for (const [name, create] of sharing) {
    it(`get their own responses through ${name}`, async () => {
      const { results, conditions } = await callTwice([create()], (each) => [as(each)]);
      assertEquals(results, ["ada", "ben", "ada", "ben"]);
      assertEquals(conditions, [undefined, undefined, undefined, undefined]);
    });
  }

  it("get their own responses if other middleware of the toolkit is between", async () => {
    const shared = [dedupe(), etagCache(), concurrencyLimit(9)];
    const { results } = await callTwice(shared, (each) => [serverRateLimit(), as(each)]);
    assertEquals(results, ["ada", "ben", "ada", "ben"]);
  });

  it("get their own responses if the function runs together with one of the toolkit", async () => {
    const both = (each: string): Middleware => (request, next) =>
      as(each)(request, (own) => serverRateLimit()(own, next));
    const { results } = await callTwice([dedupe(), etagCache()], (each) => [both(each)]);
    assertEquals(results, ["ada", "ben", "ada", "ben"]);
  });

  it("get their own responses from a cache of the program", async () => {
    const cache = new Map<string, Response>();
    const caching: Middleware = (request, next) => {
      request.network = async ({ identity }, send) => {
        const known = identity === undefined ? undefined : cache.get(identity);
        if (known !== undefined) return known.clone();
        const response = await send();
        if (identity !== undefined) cache.set(identity, response.clone());
        return response;
      };
      return next(request);
    };
    const { results } = await callTwice([caching], (each) => [as(each)]);
    assertEquals([results, cache.size], [["ada", "ben", "ada", "ben"], 0]);
    // Around the cache, the function changes the request before the cache sees it.
    const outer = await callTwice([], (each) => [as(each), caching]);
    assertEquals([outer.results, cache.size], [["ada", "ben", "ada", "ben"], 2]);
  });

  it("share responses if the function runs outside", async () => {
    const inner = [dedupe(), etagCache()];
    const { results, conditions } = await callTwice([], (each) => [as(each), ...inner]);
    assertEquals(results, ["ada", "ben", "ada", "ben"]);
    assertEquals(conditions, [undefined, undefined, '"v1"', '"v1"']);
  });

  it("share responses with the option identity, which gets the context of the call", async () => {
    const identity = ({ context }: { readonly context: RequestContext }) => context.get(user);
    const store = new Map<string, CachedResponse>();
    for (const cache of [etagCache({ identity }), etagCache({ identity, store })]) {
      const { results, conditions } = await callTwice([cache], (each) => [as(each)]);
      assertEquals(results, ["ada", "ben", "ada", "ben"]);
      assertEquals(conditions, [undefined, undefined, '"v1"', '"v1"']);
    }
    assertEquals(store.size, 2);

    const api = startApi();
    const session = sessionWith(api, { middleware: [dedupe({ identity })] });
    const results = ["ada", "ben", "ada", "ben"].map((each) => {
      const context = new RequestContext().set(user, each);
      return session.get("me", { convJson: true, middleware: [as(each)], context });
    });
    assertEquals((await Promise.all(results)).map((each) => (each as unknown[])[0]), [
      ...["ada", "ben", "ada", "ben"],
    ]);
    assertEquals(api.conditions.length, 2);
  });

  it("share nothing if identity returns undefined", async () => {
    const identity = () => undefined;
    const shared = [dedupe({ identity }), etagCache({ identity })];
    const { results, conditions } = await callTwice(shared, (each) => [as(each)]);
    assertEquals(results, ["ada", "ben", "ada", "ben"]);
    assertEquals(conditions, [undefined, undefined, undefined, undefined]);
  });

  it("are distinguished by identity if the transport adds them", async () => {
    let current = "";
    const fetch = answering(() => Response.json([current], { headers: { etag: '"v1"' } }));
    const session = new APISession({
      url,
      fetch,
      middleware: [dedupe({ identity: () => current }), etagCache({ identity: () => current })],
    });
    const get = async (name: string) => {
      current = name;
      return await session.get<string[]>("me", { convJson: true });
    };
    const one = get("ada");
    await turn();
    assertEquals([await one, await get("ben"), await get("ada")], [["ada"], ["ben"], ["ada"]]);
  });

  it("need an identity that is a function and returns a string", async () => {
    for (const create of [dedupe, etagCache]) {
      assertThrows(() => create({ identity: "ada" as never }), UnexpectedValueError, "identity");
      const session = sessionWith(startApi(), {
        middleware: [create({ identity: () => 7 as never })],
      });
      const { option } = await assertRejects(() => session.get("me"), UnexpectedValueError);
      assertEquals(option, "the result of identity");
    }
  });
});

describe("the middleware of the toolkit", () => {
  const all: Readonly<Record<string, () => Middleware>> = {
    concurrencyLimit: () => concurrencyLimit(3),
    rateLimit: () => rateLimit({ requests: 9, interval: 1 }),
    serverRateLimit: () => serverRateLimit(),
    etagCache: () => etagCache(),
  };
  for (const [name, create] of Object.entries(all)) {
    it(`shares requests around ${name}`, async () => {
      const api = startApi();
      const session = sessionWith(api, { middleware: [dedupe(), create()] });
      const results = [1, 2].map(() => session.get("me", { convJson: true }));
      await Promise.all(results);
      assertEquals(api.conditions.length, 1);
    });
  }

  it("shares requests around telemetry", async () => {
    const api = startApi();
    const options: SessionOptions = { callMiddleware: [telemetry()], middleware: [dedupe()] };
    const session = sessionWith(api, options);
    await Promise.all([1, 2].map(() => session.get("me", { convJson: true })));
    assertEquals(api.conditions.length, 1);
  });
});

describe("a redirect to another origin", () => {
  const target = "https://files.example.com/a";

  it("stores the response under the URL of its target only", async () => {
    const seen: string[] = [];
    const fetch = answering((to, { headers }) => {
      seen.push(`${to} ${headers["if-none-match"] ?? "-"}`);
      if (to === `${url}/a`) return Response.redirect(target);
      if (headers["if-none-match"] === '"f"') return new Response(null, { status: 304 });
      return new Response("file", { headers: { etag: '"f"' } });
    });
    const session = new APISession({ url, fetch, middleware: [etagCache()] });
    for (let round = 0; round < 2; round++) {
      const response = await session.get("a");
      assertEquals([response.redirected, response.url], [true, target]);
      assertEquals(await response.text(), "file");
    }
    assertEquals(await (await session.get(target)).text(), "file");
    assertEquals(seen, [
      `${url}/a -`,
      `${target} -`,
      `${url}/a -`,
      `${target} "f"`,
      `${target} "f"`,
    ]);
  });
});
