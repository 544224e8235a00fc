import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession, type LoginRequests, type SessionOptions, TransportError } from "../../mod.ts";
import { type Auth, SessionTokenAuth } from "../../src/auth/mod.ts";
import { DigestAuth } from "../../src/auth/digest/mod.ts";
import type { HttpSession, Transport } from "../../src/http/mod.ts";
import { ClientCredentialsAuth } from "../../src/auth/oauth/mod.ts";
import {
  concurrencyLimit,
  dedupe,
  type Middleware,
  rateLimit,
  serverRateLimit,
} from "../../src/middleware/mod.ts";
import { fakeClock, recordingLogger, silentLogger } from "../../src/testing/mod.ts";
import { DigestServer } from "../support/digest_server.ts";
import { turn, until } from "../support/until.ts";

const url = "https://api.example.com";

/** A response with a body that nobody has read, as servers send it with an error. */
function refused(status = 401, headers: Record<string, string> = {}): Response {
  return Response.json({ error: "who are you?" }, { status, headers });
}

/** An API on one origin, which accepts only the token that it issued last. */
class TokenApi {
  /** The paths of the requests so far. */
  readonly paths: string[] = [];
  /** The number of the token that is valid. */
  valid = 0;
  logins = 0;
  /** Answers requests in place of the API. */
  held: ((respond: () => void) => void) | undefined;
  /** The headers of each response of the API. */
  headers: () => Record<string, string> = () => ({});

  readonly fetch: Transport = (target, { headers }) => {
    const { pathname } = new URL(target);
    this.paths.push(pathname);
    if (pathname === "/session") {
      this.logins++;
      this.valid++;
      const token = `t-${this.valid}`;
      return Promise.resolve(Response.json({ token, access_token: token, token_type: "Bearer" }));
    }
    const token = headers["x-session-token"] ?? headers["authorization"]?.replace("Bearer ", "");
    const answer = () => {
      const headers = this.headers();
      if (token !== `t-${this.valid}`) return refused(401, headers);
      return Response.json({ ok: true }, { headers });
    };
    const { held } = this;
    if (held === undefined) return Promise.resolve(answer());
    const { promise, resolve } = Promise.withResolvers<Response>();
    held(() => resolve(answer()));
    return promise;
  };
}

/** A session that logs in through its scheme. */
class Vault extends APISession {
  static override readonly url: string = url;
  override readonly _convJson = true;

  protected override _buildSession(options: SessionOptions): HttpSession {
    const http = super._buildSession(options);
    http.auth ??= new SessionTokenAuth(this, {
      async login(api: LoginRequests) {
        return (await api.post<{ token: string }>("session", { convJson: true })).token;
      },
    });
    return http;
  }
}

function vaultOf(api: TokenApi, middleware: readonly Middleware[], options: SessionOptions = {}) {
  return new Vault({ fetch: api.fetch, logger: silentLogger, middleware, ...options });
}

describe("a login behind a limit of requests at a time", () => {
  it("does not wait for the place of the call that waits for it", async () => {
    const api = new TokenApi();
    const vault = vaultOf(api, [concurrencyLimit(1)]);
    assertEquals(await vault.get("a"), { ok: true });
    assertEquals(api.paths, ["/session", "/a"]);
  });

  it("renews a token that expires while every place is taken", async () => {
    const api = new TokenApi();
    const vault = vaultOf(api, [concurrencyLimit(20)]);
    await Promise.all(Array.from({ length: 100 }, (_, id) => vault.get(`books/${id}`)));
    assertEquals([api.logins, api.paths.length], [1, 101]);

    const waiting: (() => void)[] = [];
    api.held = (respond) => void waiting.push(respond);
    const calls = Array.from({ length: 60 }, (_, id) => vault.get(`books/${id}`));
    await until(() => waiting.length === 20);
    await turn();
    assertEquals(waiting.length, 20);
    api.valid++; // no token is valid now
    api.held = undefined;
    waiting.forEach((respond) => respond());
    assertEquals((await Promise.all(calls)).length, 60);
    assertEquals(await vault.get("later"), { ok: true });
    assertEquals(api.logins, 2);
  });

  it("is the request of an OAuth token, which has the same origin", async () => {
    const api = new TokenApi();
    const session = new APISession({
      url,
      fetch: api.fetch,
      logger: silentLogger,
      middleware: [concurrencyLimit(1)],
    });
    session.httpSession.auth = new ClientCredentialsAuth(session, {
      tokenUrl: `${url}/session`,
      clientId: "reports",
      clientSecret: "s3cret",
    });
    assertEquals(await session.get("a", { convJson: true }), { ok: true });
    api.valid++;
    const calls = [1, 2, 3].map((id) => session.get(`${id}`, { convJson: true }));
    assertEquals((await Promise.all(calls)).length, 3);
    assertEquals(api.logins, 2);
  });

  it("is a challenge that is answered", async () => {
    const server = new DigestServer();
    const session = new APISession({
      url,
      fetch: server.transport,
      middleware: [concurrencyLimit(1)],
      auth: new DigestAuth("ada", "countess"),
    });
    const calls = [1, 2, 3].map((id) => session.get(`${id}`));
    for (const call of calls) {
      const response = await call;
      assertEquals(response.status, 200);
      await response.body?.cancel();
    }
  });

  it("can be that of _authenticate, with middleware of its own", async () => {
    const api = new TokenApi();
    const seen: string[] = [];
    class Opened extends APISession {
      protected override async _authenticate(_options: SessionOptions, login: LoginRequests) {
        const limits = [concurrencyLimit(1), dedupe()];
        const { token } = await login.post<{ token: string }>("session", {
          convJson: true,
          middleware: [...limits, (request, next) => {
            seen.push(request.url);
            return next(request);
          }],
        });
        this.httpSession.headers.set("x-session-token", token);
      }
    }
    const session = new Opened({
      url,
      fetch: api.fetch,
      middleware: [dedupe(), concurrencyLimit(1), rateLimit({ requests: 9, interval: 1 })],
    });
    const calls = [1, 2, 3].map((id) => session.get(`${id}`, { convJson: true }));
    assertEquals((await Promise.all(calls)).length, 3);
    assertEquals([seen, api.paths], [[`${url}/session`], ["/session", "/1", "/2", "/3"]]);
  });

  it("gets a place if the scheme has left the 401 unread", async () => {
    const api = new TokenApi();
    let token: string | undefined;
    const careless: Auth = {
      async authenticate(_request, send) {
        const first = await send({ headers: { "x-session-token": token ?? "none" } });
        if (first.status !== 401) return first;
        const renewed = (await session.post<{ token: string }>("session", {
          auth: null,
          convJson: true,
        })).token;
        return await send({ headers: { "x-session-token": token = renewed } });
      },
    };
    const session: APISession = new APISession({
      url,
      fetch: api.fetch,
      auth: careless,
      middleware: [concurrencyLimit(1)],
    });
    for (let logins = 1; logins <= 2; logins++) {
      assertEquals(await session.get("a", { convJson: true }), { ok: true });
      assertEquals(api.logins, logins);
      api.valid++;
    }
  });

  it("lets a scheme send a request again that has not read the first response", async () => {
    const statuses: number[] = [];
    const fetch: Transport = () => {
      statuses.push(statuses.length % 2 === 0 ? 403 : 200);
      return Promise.resolve(statuses.at(-1) === 403 ? refused(403) : Response.json({ ok: true }));
    };
    const auth: Auth = {
      async authenticate(_request, send) {
        const first = await send();
        return first.status === 403 ? await send() : first;
      },
    };
    const session = new APISession({
      url,
      fetch,
      auth,
      middleware: [concurrencyLimit(1)],
    });
    for (let round = 0; round < 2; round++) {
      assertEquals(await session.get("a", { convJson: true }), { ok: true });
    }
    assertEquals(statuses, [403, 200, 403, 200]);
  });

  it("frees its place if it fails, or if its call is aborted", async () => {
    let attempts = 0;
    const fetch: Transport = (target, { signal }) => {
      if (!target.endsWith("/session")) return Promise.resolve(Response.json({ ok: true }));
      if (++attempts === 1) return Promise.resolve(refused(403));
      if (attempts > 2) return Promise.resolve(Response.json({ token: "t" }));
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    };
    const clock = fakeClock();
    const middleware = [concurrencyLimit(1)];
    const vault = new Vault({ fetch, clock, logger: silentLogger, middleware, timeout: 5 });
    await assertRejects(() => vault.get("a"));
    const controller = new AbortController();
    const aborted = vault.get("b", { signal: controller.signal });
    await until(() => attempts === 2);
    controller.abort(new Error("enough"));
    await assertRejects(() => aborted, Error, "enough");
    // The login goes on without the call. Its own timeout ends it, and it is retried.
    const waiting = vault.get("c");
    await clock.advance(10);
    assertEquals(await waiting, { ok: true });
  });
});

describe("a login behind the limits of a server", () => {
  it("is not held back by the one request after a reset, which waits for it", async () => {
    const api = new TokenApi();
    const clock = fakeClock();
    const vault = vaultOf(api, [serverRateLimit({ clock })], { clock });
    api.headers = () => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" });
    assertEquals(await vault.get("a"), { ok: true });
    api.headers = () => ({ "x-ratelimit-remaining": "9", "x-ratelimit-reset": "5" });
    api.valid++;
    const calls = [1, 2, 3].map((id) => vault.get(`${id}`));
    await clock.advance(5);
    assertEquals((await Promise.all(calls)).length, 3);
    assertEquals(api.logins, 2);
    assertEquals(clock.pending, 0);
  });

  it("waits for its turn without a warning that blames it", async () => {
    const api = new TokenApi();
    const clock = fakeClock();
    const logger = recordingLogger();
    api.headers = () => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" });
    const timers: (() => void)[] = [];
    const { setTimeout: original } = globalThis;
    const vault = vaultOf(api, [serverRateLimit({ clock })], { clock, logger });
    await vault.get("a");
    api.valid++;
    const call = vault.get("b");
    globalThis.setTimeout = ((...args: Parameters<typeof original>) => {
      const [run, milliseconds] = args;
      if (milliseconds !== 5000) return original(...args);
      timers.push(run);
      return 0;
    }) as never;
    try {
      await clock.advance(30);
      await until(() => timers.length > 0);
      assertEquals(api.logins, 1); // the login waits for its turn now
      timers.forEach((run) => run());
      await clock.advance(30);
      await clock.advance(30);
      assertEquals(await call, { ok: true });
    } finally {
      globalThis.setTimeout = original;
    }
    assertEquals(api.logins, 2);
    assertEquals(logger.messages("warn"), []);
  });
});

describe("the time limits of a call that waits for a place", () => {
  it("begin with the request, for the timeout, and with the call, for the deadline", async () => {
    const clock = fakeClock();
    const waiting = new Map<string, (response: Response) => void>();
    const fetch: Transport = (target, { signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      waiting.set(new URL(target).pathname, resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
      return promise;
    };
    const middleware = [concurrencyLimit(1)];
    const session = new APISession({ url, fetch, clock, middleware, logger: silentLogger });
    const first = session.get("first");
    const options = { timeout: 5, retries: 0, finalWait: false };
    const patient = session.get("patient", options);
    const silent = session.get("silent", options).catch((error: unknown) => error);
    const late = session.get("late", { deadline: 100 }).catch((error: Error) => error.name);
    await clock.advance(90);
    assertEquals([...waiting.keys()], ["/first"]);
    waiting.get("/first")!(new Response(null, { status: 204 }));
    await first;
    await clock.advance(4);
    waiting.get("/patient")!(new Response(null, { status: 204 }));
    assertEquals((await patient).status, 204);
    await clock.advance(4);
    assert(waiting.has("/silent"));
    await clock.advance(1);
    const error = await silent;
    assert(error instanceof TransportError && error.kind === "timeout");
    await clock.advance(1);
    assertEquals(await late, "DeadlineExceededError");
    assertEquals(clock.pending, 0);
  });
});
