import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APIClient,
  APISession,
  type LoginRequests,
  type SessionOptions,
  TooManyRequestsError,
  TransportError,
  UnauthorizedError,
  UnexpectedValueError,
} from "../../../mod.ts";
import type { HttpSession } from "../../../src/http/mod.ts";
import {
  ClientCredentialsAuth,
  type ClientCredentialsOptions,
  OAuthError,
  type OAuthOptions,
  type OAuthToken,
  RefreshTokenAuth,
  type RefreshTokenOptions,
} from "../../../src/auth/oauth/mod.ts";
import type { TokenStore } from "../../../src/auth/stores/mod.ts";
import {
  fakeClock,
  type MockCall,
  mockTransport,
  recordingLogger,
  replies,
} from "../../../src/testing/mod.ts";
import { until } from "../../support/until.ts";

const tokenUrl = "https://login.example.com/token";
const client = { tokenUrl, clientId: "reports", clientSecret: "s3cret-of-reports" };

/** An API and a token endpoint, whose tokens are a-1, a-2 …. The API accepts only the last one. */
class Peers {
  /** The number of the token that the API accepts. */
  valid = 0;
  /** False if the API accepts no token at all. */
  isOpen = true;
  /** Delays the responses of the token endpoint until it is resolved. */
  gate: Promise<void> | undefined;
  /** The next responses of the token endpoint, in order, before those with a token. */
  readonly refusals: (Response | Error)[] = [];
  /** The members of the responses with a token, besides the token. */
  more: object = { token_type: "Bearer", expires_in: 3600 };

  readonly fetch = mockTransport({
    [`POST ${tokenUrl}`]: () => this.#issue(),
    "POST https://api.example.com/oauth/token": () => this.#issue(),
    "GET https://api.example.com/*": (call) => this.#answer(call),
    "POST https://api.example.com/*": (call) => this.#answer(call),
  });
  readonly clock = fakeClock();
  readonly logger = recordingLogger();
  readonly options: SessionOptions = {
    url: "https://api.example.com",
    fetch: this.fetch,
    clock: this.clock,
    logger: this.logger,
    retries: 0,
    finalWait: false,
  };

  /** Creates a session with a scheme. */
  session(options: Partial<ClientCredentialsOptions> = {}): APISession {
    const api = new APISession(this.options);
    api.httpSession.auth = new ClientCredentialsAuth(api, { ...client, ...options });
    return api;
  }

  /** Creates a session with a refresh token. */
  refreshing(options: Partial<RefreshTokenOptions> = {}): APISession {
    const api = new APISession(this.options);
    const { tokenUrl, clientId } = client;
    api.httpSession.auth = new RefreshTokenAuth(api, { tokenUrl, clientId, ...options });
    return api;
  }

  /** The forms of the token requests so far. */
  get forms(): object[] {
    return this.tokenCalls.map(({ text }) => Object.fromEntries(new URLSearchParams(text)));
  }

  get tokenCalls(): MockCall[] {
    return this.fetch.calls.filter(({ path }) => path.endsWith("/token"));
  }

  /** The requests to the API so far: path and credentials. */
  get seen(): string[] {
    return this.fetch.calls.filter(({ path }) => !path.endsWith("/token"))
      .map(({ path, headers }) => `${path} ${headers["authorization"] ?? "-"}`);
  }

  async #issue(): Promise<Response> {
    await this.gate;
    const refusal = this.refusals.shift();
    if (refusal instanceof Error) throw refusal;
    return refusal ?? Response.json({ access_token: `a-${++this.valid}`, ...this.more });
  }

  #answer({ headers }: MockCall): Response {
    const isAccepted = this.isOpen && headers["authorization"] === `Bearer a-${this.valid}`;
    return Response.json({}, { status: isAccepted ? 200 : 401 });
  }
}

/** A store that counts. */
class CountingStore implements TokenStore {
  readonly saved: OAuthToken[] = [];
  loads = 0;
  constructor(token?: OAuthToken) {
    if (token !== undefined) this.saved.push(token);
  }
  load(): OAuthToken | undefined {
    this.loads++;
    return this.saved.at(-1);
  }
  save(token: OAuthToken): void {
    this.saved.push(token);
  }
}

function invalid(error: string, more: object = {}): Response {
  return Response.json({ error, ...more }, { status: 400 });
}

describe("client credentials (RFC 6749 section 4.4)", () => {
  it("are exchanged for a token at the first request, which later ones carry, too", async () => {
    const peers = new Peers();
    const api = peers.session();
    await api.ready;
    assertEquals(peers.fetch.calls.length, 0);
    await api.get("orders");
    await api.get("bills");
    assertEquals(peers.forms, [{ grant_type: "client_credentials" }]);
    assertEquals(peers.seen, ["/orders Bearer a-1", "/bills Bearer a-1"]);
  });

  it("are sent in the Authorization header, encoded as in a form (section 2.3.1)", async () => {
    const peers = new Peers();
    await peers.session({ clientId: "my:app é", clientSecret: "s+c/r t%" }).get("a");
    const [call] = peers.tokenCalls;
    const expected = `Basic ${btoa("my%3Aapp%20%C3%A9:s%2Bc%2Fr%20t%25")}`;
    assertEquals(call!.headers["authorization"], expected);
    assertEquals(call!.headers["content-type"], "application/x-www-form-urlencoded;charset=UTF-8");
    assertEquals(call!.headers["accept"], "application/json");
  });

  it("are sent in the body if the server wants them there", async () => {
    const peers = new Peers();
    await peers.session({ authMethod: "client_secret_post" }).get("a");
    assertEquals(peers.tokenCalls[0]!.headers["authorization"], undefined);
    assertEquals(peers.forms, [{
      grant_type: "client_credentials",
      client_id: "reports",
      client_secret: "s3cret-of-reports",
    }]);
  });

  it("are sent with a scope and other parameters", async () => {
    const peers = new Peers();
    const parameters = { audience: "https://api.example.com" };
    await peers.session({ scope: "read write", parameters }).get("a");
    assertEquals(peers.forms, [
      { grant_type: "client_credentials", scope: "read write", ...parameters },
    ]);
  });

  it("work for clients of the second generation, and with a path as the token endpoint", async () => {
    const peers = new Peers();
    class Orders extends APIClient {
      static override readonly baseUrl: string = "https://api.example.com";
      protected override _buildSession(options: object): HttpSession {
        const http = super._buildSession(options);
        http.auth = new ClientCredentialsAuth(this, { ...client, tokenUrl: "oauth/token" });
        return http;
      }
      list(): Promise<unknown> {
        return this._get("orders", { convJson: true });
      }
    }
    const { fetch, logger } = peers.options;
    await new Orders({ fetch, logger }).list();
    assertEquals(peers.fetch.calls.map(({ path }) => path), ["/oauth/token", "/orders"]);
  });

  it("get a token for requests of the session's login", async () => {
    const peers = new Peers();
    class Desk extends APISession {
      protected override _buildSession(options: SessionOptions): HttpSession {
        const http = super._buildSession(options);
        http.auth = new ClientCredentialsAuth(this, client);
        return http;
      }
      protected override async _authenticate(_options: SessionOptions, login: LoginRequests) {
        await login.post("desk");
      }
    }
    const desk = await Desk.open(peers.options);
    await desk.get("a");
    assertEquals(peers.seen, ["/desk Bearer a-1", "/a Bearer a-1"]);
  });
});

describe("the token of concurrent requests", () => {
  it("is requested once", async () => {
    const peers = new Peers();
    const api = peers.session();
    await Promise.all(["a", "b", "c"].map((path) => api.get(path)));
    assertEquals(peers.tokenCalls.length, 1);
    assertEquals(peers.seen.sort(), ["/a Bearer a-1", "/b Bearer a-1", "/c Bearer a-1"]);
  });

  it("is requested once even if the first request is aborted meanwhile", async () => {
    const peers = new Peers();
    const { promise, resolve } = Promise.withResolvers<void>();
    peers.gate = promise;
    const api = peers.session();
    const controller = new AbortController();
    const first = api.get("a", { signal: controller.signal });
    const second = api.get("b");
    await until(() => peers.tokenCalls.length > 0);
    controller.abort(new Error("enough"));
    await assertRejects(() => first, Error, "enough");
    resolve();
    await second;
    assertEquals([peers.tokenCalls.length, peers.seen], [1, ["/b Bearer a-1"]]);
  });

  it("fails all of them if it is refused, and is requested again by the next one", async () => {
    const peers = new Peers();
    peers.refusals.push(invalid("invalid_client"));
    const api = peers.session();
    const results = await Promise.allSettled([api.get("a"), api.get("b")]);
    for (const each of results) {
      assert(each.status === "rejected" && each.reason instanceof OAuthError);
    }
    assertEquals([peers.tokenCalls.length, peers.seen], [1, []]);
    await api.get("c");
    assertEquals([peers.tokenCalls.length, peers.seen], [2, ["/c Bearer a-1"]]);
  });

  it("fails them with a TransportError for the token endpoint if that cannot be reached", async () => {
    const peers = new Peers();
    peers.refusals.push(new TransportError("refused", { kind: "refused" }));
    const error = await assertRejects(() => peers.session().get("a"), TransportError);
    assertEquals([error.kind, peers.tokenCalls.length, peers.seen], ["refused", 1, []]);
  });

  it("is retried by the rules of the session", async () => {
    const peers = new Peers();
    peers.refusals.push(new Response("busy", { status: 503 }));
    const clock = fakeClock({ autoAdvance: true });
    const api = new APISession({ ...peers.options, clock, retries: 1 });
    api.httpSession.auth = new ClientCredentialsAuth(api, client);
    await api.get("a");
    assertEquals([clock.waits, peers.tokenCalls.length, peers.seen.length], [[1], 2, 1]);
  });
});

describe("a token endpoint that asks for a very long wait", () => {
  const later = (seconds: string) =>
    new Response("busy", { status: 429, headers: { "retry-after": seconds } });

  it("fails the calls at once, and not after the wait", async () => {
    for (
      const [Session, seconds, note] of [
        [APIClient, "3601", "more than maxRetryAfter (3600 s)"],
        [APIClient, "1e9", "more than maxRetryAfter (3600 s)"],
        [APISession, "1e9", "longer than a year"],
      ] as const
    ) {
      const peers = new Peers();
      peers.refusals.push(later(seconds));
      const { url, ...options } = { ...peers.options, retries: 3 };
      class Api extends (Session as typeof APIClient) {
        read = (): Promise<unknown> => this._req("GET", "/a");
      }
      const api = new Api({ ...options, ...{ url }, baseUrl: url });
      api.httpSession.auth = new ClientCredentialsAuth(api, client);
      const error = await assertRejects(() => api.read(), OAuthError);
      assert(error.cause instanceof TooManyRequestsError && error.cause.message.includes(note));
      assertEquals([peers.tokenCalls.length, peers.clock.waits, peers.seen], [1, [], []]);
    }
  });
});

describe("the renewal of a token", () => {
  it("happens 30 seconds before its expiry, by the clock of the session", async () => {
    const peers = new Peers();
    const api = peers.session();
    await api.get("a");
    await peers.clock.advance(3569);
    await api.get("b");
    assertEquals(peers.tokenCalls.length, 1);
    await peers.clock.advance(1);
    await api.get("c");
    assertEquals(peers.seen, ["/a Bearer a-1", "/b Bearer a-1", "/c Bearer a-2"]);
  });

  it("happens with another margin", async () => {
    const peers = new Peers();
    const api = peers.session({ expiryMargin: 600 });
    await api.get("a");
    await peers.clock.advance(3000);
    await Promise.all([api.get("b"), api.get("c")]);
    assertEquals([peers.tokenCalls.length, peers.seen.at(-1)], [2, "/c Bearer a-2"]);
  });

  it("does not happen by time if the server names no expiry", async () => {
    const peers = new Peers();
    peers.more = {};
    const api = peers.session();
    await api.get("a");
    await peers.clock.advance(1e8);
    await api.get("b");
    assertEquals(peers.tokenCalls.length, 1);
  });

  it("happens before each request if a token expires within the margin, and not forever", async () => {
    const peers = new Peers();
    peers.more = { expires_in: "20" };
    const api = peers.session();
    await api.get("a");
    await api.get("b");
    assertEquals(peers.seen, ["/a Bearer a-1", "/b Bearer a-2"]);
  });

  it("happens once after a 401, and the request is sent once more", async () => {
    const peers = new Peers();
    const api = peers.session();
    await api.get("a");
    peers.valid = 7; // the token was revoked
    await Promise.all([api.get("b"), api.get("c")]);
    assertEquals(peers.tokenCalls.length, 2);
    assertEquals(peers.seen.slice(3).sort(), ["/b Bearer a-8", "/c Bearer a-8"]);
  });

  it("leads to an UnauthorizedError if the new token gets a 401, too", async () => {
    const peers = new Peers();
    peers.isOpen = false;
    await assertRejects(() => peers.session().get("a"), UnauthorizedError);
    assertEquals(peers.seen, ["/a Bearer a-1", "/a Bearer a-2"]);
  });

  it("is the error of the request if it fails after a 401, and the next request renews it", async () => {
    const peers = new Peers();
    const api = peers.session();
    await api.get("a");
    peers.valid = 7;
    peers.refusals.push(invalid("temporarily_unavailable"));
    await assertRejects(() => api.get("b"), OAuthError);
    await api.get("c");
    assertEquals(peers.seen.slice(1), ["/b Bearer a-1", "/c Bearer a-8"]);
  });
});

describe("a refresh token (RFC 6749 section 6)", () => {
  it("is exchanged for a token by a public client with its id in the body", async () => {
    const peers = new Peers();
    await peers.refreshing({ refreshToken: "r-0" }).get("a");
    assertEquals(peers.tokenCalls[0]!.headers["authorization"], undefined);
    assertEquals(peers.forms, [
      { grant_type: "refresh_token", refresh_token: "r-0", client_id: "reports" },
    ]);
  });

  it("is sent with the credentials of a client that has a secret", async () => {
    const peers = new Peers();
    await peers.refreshing({ refreshToken: "r-0", clientSecret: "x-123" }).get("a");
    assertEquals(peers.tokenCalls[0]!.headers["authorization"], `Basic ${btoa("reports:x-123")}`);
    assertEquals(peers.forms, [{ grant_type: "refresh_token", refresh_token: "r-0" }]);
  });

  it("is replaced by a new one, which is saved, or else stays", async () => {
    const peers = new Peers();
    const store = new CountingStore();
    const api = peers.refreshing({ refreshToken: "r-0", store });
    peers.more = { refresh_token: "r-1", expires_in: 60 };
    await api.get("a");
    peers.more = { expires_in: 60 };
    await peers.clock.advance(60);
    await api.get("b");
    await peers.clock.advance(60);
    await api.get("c");
    const sent = peers.forms.map((form) => Reflect.get(form, "refresh_token"));
    assertEquals(sent, ["r-0", "r-1", "r-1"]);
    const start = Date.UTC(2026, 0, 1);
    assertEquals(store.saved, [
      { refreshToken: "r-1", accessToken: "a-1", expiresAt: start + 60_000 },
      { refreshToken: "r-1", accessToken: "a-2", expiresAt: start + 120_000 },
      { refreshToken: "r-1", accessToken: "a-3", expiresAt: start + 180_000 },
    ]);
  });

  it("is replaced in memory without a store, also after the session was closed", async () => {
    const peers = new Peers();
    const api = peers.refreshing({ refreshToken: "r-0" });
    peers.more = { refresh_token: "r-1", expires_in: 0 };
    await api.get("a");
    await api.httpSession.auth?.close?.();
    await api.get("b");
    const sent = peers.forms.map((form) => Reflect.get(form, "refresh_token"));
    assertEquals(sent, ["r-0", "r-1"]);
  });

  it("that the server no longer accepts is an OAuthError with invalid_grant", async () => {
    const peers = new Peers();
    peers.refusals.push(invalid("invalid_grant", { error_description: "The token was revoked" }));
    const error = await assertRejects(
      () => peers.refreshing({ refreshToken: "r-0" }).get("a"),
      OAuthError,
    );
    assertEquals(
      [error.error, error.errorDescription, error.status],
      ["invalid_grant", "The token was revoked", 400],
    );
    assertEquals(
      error.message,
      "the token request to https://login.example.com/token failed: invalid_grant (The token was revoked); " +
        "a new login is needed: save its token in the store",
    );
  });

  it("is not sent again after invalid_grant, and all later calls fail with the same error", async () => {
    const peers = new Peers();
    peers.refusals.push(...Array.from({ length: 100 }, () => invalid("invalid_grant")));
    for (
      const store of [
        undefined,
        new CountingStore({ accessToken: "a-0", expiresAt: 0, refreshToken: "r-0" }),
      ]
    ) {
      const before = peers.tokenCalls.length;
      const api = peers.refreshing({ refreshToken: "r-0", store });
      const errors: OAuthError[] = [];
      for (let call = 0; call < 100; call++) {
        errors.push(await assertRejects(() => api.get("a"), OAuthError));
      }
      assertEquals(peers.tokenCalls.length - before, 1);
      assertEquals(new Set(errors.map(({ error }) => error)), new Set(["invalid_grant"]));
      assertEquals(new Set(errors.map(({ message }) => message)).size, 1);
    }
  });

  it("is sent after invalid_grant if the store returns another one", async () => {
    const peers = new Peers();
    peers.refusals.push(invalid("invalid_grant"));
    const store = new CountingStore();
    const api = peers.refreshing({ refreshToken: "r-0", store });
    await assertRejects(() => api.get("a"), OAuthError);
    await assertRejects(() => api.get("b"), OAuthError);
    store.save({ accessToken: "a-0", expiresAt: 0, refreshToken: "r-1" }); // a new login
    await api.get("c");
    const sent = peers.forms.map((form) => Reflect.get(form, "refresh_token"));
    assertEquals([sent, peers.seen], [["r-0", "r-1"], ["/c Bearer a-1"]]);
  });

  it("is sent again after any other error, which may be over by then", async () => {
    const peers = new Peers();
    peers.refusals.push(invalid("temporarily_unavailable"), invalid("invalid_client"));
    const api = peers.refreshing({ refreshToken: "r-0" });
    await assertRejects(() => api.get("a"), OAuthError);
    await assertRejects(() => api.get("b"), OAuthError);
    await api.get("c");
    assertEquals([peers.tokenCalls.length, peers.seen], [3, ["/c Bearer a-1"]]);
  });

  it("bad input: that neither the option nor the store has is refused", async () => {
    const peers = new Peers();
    const expected = '"refreshToken" must be a refresh token, unless the store has one';
    assertThrows(() => peers.refreshing(), UnexpectedValueError, expected);
    const api = peers.refreshing({ store: new CountingStore() });
    await assertRejects(() => api.get("a"), UnexpectedValueError, expected);
    assertEquals(peers.fetch.calls.length, 0);
  });
});

describe("the expiry of a token", () => {
  const digits = "9".repeat(400);
  for (
    const [what, lifetime] of [
      ["400 digits", digits],
      ["the largest signed integer of 64 bits", "9223372036854775807"],
      ["308 digits, which are a number of seconds but not of milliseconds", digits.slice(92)],
    ] as const
  ) {
    it(`that is too far away for a date (${what}) is saved as the last date`, async () => {
      const peers = new Peers();
      peers.more = { expires_in: lifetime };
      const saved: string[] = [];
      const store: TokenStore = {
        load: () => JSON.parse(saved.at(-1) ?? "null"),
        save: (token) => void saved.push(JSON.stringify(token)),
      };
      await peers.session({ store }).get("a");
      assertEquals(JSON.parse(saved[0]!).expiresAt, 8.64e15);
      await peers.session({ store }).get("b"); // as after a restart
      assertEquals([peers.tokenCalls.length, peers.seen.at(-1)], [1, "/b Bearer a-1"]);
    });
  }
});

describe("a token store", () => {
  it("provides the token after a restart", async () => {
    const peers = new Peers();
    const store = new CountingStore();
    await peers.session({ store }).get("a");
    await peers.session({ store }).get("b");
    assertEquals([peers.tokenCalls.length, peers.seen.at(-1)], [1, "/b Bearer a-1"]);
  });

  it("provides no token that expires within the margin", async () => {
    const peers = new Peers();
    const expiresAt = peers.clock.now() + 30_000;
    const store = new CountingStore({ accessToken: "a-0", expiresAt, refreshToken: "r-0" });
    await peers.refreshing({ store }).get("a");
    assertEquals(peers.seen, ["/a Bearer a-1"]);
  });

  it("provides the token that another process has renewed meanwhile", async () => {
    const peers = new Peers();
    const store = new CountingStore();
    const [one, other] = [peers.session({ store }), peers.session({ store })];
    await one.get("a");
    await other.get("b");
    await peers.clock.advance(3600);
    await one.get("c");
    await other.get("d");
    assertEquals([peers.tokenCalls.length, peers.seen.at(-1)], [2, "/d Bearer a-2"]);
  });

  it("does not provide a token again that got a 401", async () => {
    const peers = new Peers();
    const store = new CountingStore({ accessToken: "old" });
    await peers.session({ store }).get("a");
    assertEquals(peers.seen, ["/a Bearer old", "/a Bearer a-1"]);
    assertEquals(store.saved.at(-1)?.accessToken, "a-1");
  });

  it("that fails to save loses no token: the next request saves it again", async () => {
    const peers = new Peers();
    const store = new CountingStore();
    let failures = 1;
    const failing: TokenStore = {
      load: () => store.load(),
      save(token) {
        if (failures-- > 0) throw new Error("no space left");
        store.save(token);
      },
    };
    peers.more = { refresh_token: "r-1", expires_in: 3600 };
    const api = peers.refreshing({ refreshToken: "r-0", store: failing });
    await assertRejects(() => api.get("a"), Error, "no space left");
    await api.get("b");
    assertEquals([peers.tokenCalls.length, store.saved.length], [1, 1]);
    assertEquals(store.saved[0]?.refreshToken, "r-1");
  });

  it("that fails to load fails the request, and is asked again by the next one", async () => {
    const peers = new Peers();
    const store = new CountingStore();
    let failures = 1;
    const failing: TokenStore = {
      load: () => failures-- > 0 ? Promise.reject(new Error("locked")) : null,
      save: (token) => store.save(token),
    };
    const api = peers.session({ store: failing });
    await assertRejects(() => api.get("a"), Error, "locked");
    await api.get("b");
    assertEquals(store.saved.length, 1);
  });

  it("gets the new token before a session is closed", async () => {
    const peers = new Peers();
    const { promise, resolve } = Promise.withResolvers<void>();
    peers.gate = promise;
    const store = new CountingStore();
    const api = peers.session({ store });
    const call = api.get("a");
    await until(() => peers.tokenCalls.length > 0);
    const closed = api.close();
    resolve();
    await closed;
    assertEquals(store.saved.length, 1);
    await call;
  });

  const bad: readonly (readonly [token: unknown, field: string, found: string])[] = [
    ["a-1", "", "a string of 3 characters"],
    [7, "", "7"],
    [{}, ".accessToken", "undefined"],
    [{ accessToken: "" }, ".accessToken", "an empty string"],
    [{ accessToken: "a\n1" }, ".accessToken", "a string of 3 characters"],
    [{ accessToken: "a-1", expiresAt: "soon" }, ".expiresAt", "a string of 4 characters"],
    [{ accessToken: "a-1", expiresAt: new Date(0) }, ".expiresAt", "an instance of Date"],
    [{ accessToken: "a-1", refreshToken: 7 }, ".refreshToken", "7"],
    [{ accessToken: "a-1", refreshToken: "" }, ".refreshToken", "an empty string"],
    [{ accessToken: "a-1", version: null }, ".version", "null"],
  ];
  for (const [index, [token, field, found]] of bad.entries()) {
    const part = field === "" ? "no token" : `a token with a wrong ${field.slice(1)}`;
    it(`bad input: that returns ${part} causes an error that says so, ${index + 1}`, async () => {
      const peers = new Peers();
      const store: TokenStore = { load: () => token as OAuthToken, save() {} };
      const error = await assertRejects(
        () => peers.session({ store }).get("a"),
        UnexpectedValueError,
      );
      assertEquals(error.option, `store.load()${field}`);
      assert(error.message.endsWith(`, but is ${found}`), error.message);
      assertEquals(peers.fetch.calls.length, 0);
    });
  }
});

describe("a token request", () => {
  it("to another origin carries no credentials of the session, and the API gets no secret", async () => {
    const peers = new Peers();
    const api = new APISession({
      ...peers.options,
      headers: { "X-API-Key": "k-123" },
      params: { tenant: "t-9" },
      cookies: { sid: "c-5" },
      absoluteUrls: "trusted",
    });
    api.httpSession.auth = new ClientCredentialsAuth(api, client);
    await api.get("a");
    const [token, call] = peers.fetch.calls;
    const names = Object.keys(token!.headers).sort();
    assertEquals(names, ["accept", "authorization", "content-type", "user-agent"]);
    assertEquals([token!.params, token!.url], [{}, tokenUrl]);
    assertEquals([call!.headers["x-api-key"], call!.headers["authorization"]], [
      "k-123",
      "Bearer a-1",
    ]);
    assert(!JSON.stringify(call).includes("s3cret"));
  });

  it("follows no redirect, which could carry the secret elsewhere", async () => {
    const peers = new Peers();
    const location = "https://elsewhere.example.com/token";
    peers.refusals.push(new Response(null, { status: 307, headers: { location } }));
    const error = await assertRejects(() => peers.session().get("a"), OAuthError);
    assertEquals([error.status, peers.fetch.calls.length], [307, 1]);
  });

  it("is not sent for a request to another origin, and its token does not go there", async () => {
    const peers = new Peers();
    const fetch = mockTransport({ "GET https://other.example.com/a": {} });
    const api = peers.session();
    await api.get("https://other.example.com/a", { fetch });
    assertEquals([fetch.calls[0]!.headers["authorization"], peers.fetch.calls.length], [
      undefined,
      0,
    ]);
  });

  it("hides the secrets in logs and errors, even if the server repeats them", async () => {
    for (const authMethod of ["client_secret_basic", "client_secret_post"] as const) {
      const peers = new Peers();
      const clientSecret = "s+c/r t%1";
      const echo = `${clientSecret} ${encodeURIComponent(clientSecret)} ${btoa(clientSecret)}`;
      const description = `wrong secret ${echo} ${"x".repeat(500)}\u001b[31m`;
      const body = { error: "invalid_client", error_description: description };
      peers.refusals.push(Response.json(body, { status: 400, statusText: clientSecret }));
      const api = peers.session({ clientSecret, authMethod });
      const error = await assertRejects(() => api.get("a"), OAuthError);
      assertEquals(error.errorDescription?.startsWith("wrong secret REDACTED REDACTED"), true);
      assert(error.errorDescription!.length < 210);
      const { message } = error.cause as Error;
      assert(message.startsWith("400 REDACTED: POST"), message);
      const shown = [inspect(error), JSON.stringify(error), ...peers.logger.messages()].join();
      for (const secret of [clientSecret, encodeURIComponent(clientSecret), "\u001b"]) {
        assert(!shown.includes(secret), shown);
      }
    }
  });
});

describe("a response of the token endpoint that has no token", () => {
  it("is described without the secrets of the request and of the response", async () => {
    const secret = client.clientSecret;
    const token = "at-7c1f9e";
    const answers: readonly (() => Response)[] = [
      () => Response.json({ access_token: token, token_type: `mac ${secret}` }),
      () => Response.json({ access_token: token, token_type: token }),
      () => Response.json({ access_token: token, token_type: { [secret]: token } }),
      () => Response.json({ access_token: token, token_type: [secret] }),
      () => Response.json({ access_token: token, expires_in: secret }),
      () => Response.json({ refresh_token: token, error: token, error_description: token }),
      () => new Response("x", { headers: { "content-type": `text/${secret}` } }),
    ];
    for (const [index, answer] of answers.entries()) {
      const peers = new Peers();
      peers.refusals.push(answer());
      const error = await assertRejects(() => peers.session().get("a"), OAuthError);
      const shown = [inspect(error), JSON.stringify(error), ...peers.logger.messages()].join();
      for (const hidden of [secret, token]) assert(!shown.includes(hidden), `${index}: ${shown}`);
    }
  });

  const html = () =>
    new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  const at = "the token request to https://login.example.com/token failed: ";
  const bad: readonly (readonly [string, () => Response, string])[] = [
    [
      "a page",
      html,
      'the response is not JSON, but "text/html; charset=utf-8"; check the option tokenUrl',
    ],
    [
      "a page with an error status",
      () => new Response("<html>", { status: 404 }),
      "the response has the status 404, and no error code; check the option tokenUrl",
    ],
    [
      "an empty response",
      () => new Response(null, { status: 204 }),
      "the response has no valid access_token",
    ],
    ["a list", () => Response.json([]), "the response has no valid access_token"],
    [
      "a number as the token",
      () => Response.json({ access_token: 7 }),
      "the response has no valid access_token",
    ],
    [
      "a token with a line break",
      () => Response.json({ access_token: "a\nb" }),
      "the response has no valid access_token",
    ],
    [
      "another type of token",
      () => Response.json({ access_token: "a", token_type: "mac" }),
      'the token_type must be Bearer, but is "mac"',
    ],
    [
      "an expiry that is not a number",
      () => Response.json({ access_token: "a", expires_in: "soon" }),
      "the expires_in of the response is not a number of seconds",
    ],
    [
      "a type of token that is not text",
      () => Response.json({ access_token: "a", token_type: { toString: 1, valueOf: 1 } }),
      "the token_type must be Bearer, but is an object",
    ],
    [
      "an expiry that is an object",
      () => Response.json({ access_token: "a", expires_in: { toString: 1, valueOf: 1 } }),
      "the expires_in of the response is not a number of seconds",
    ],
    [
      "an expiry that is a list",
      () => Response.json({ access_token: "a", expires_in: [3600] }),
      "the expires_in of the response is not a number of seconds",
    ],
    [
      "an error with a status of success",
      () => Response.json({ error: "bad_verification_code", error_description: "" }),
      "bad_verification_code",
    ],
    [
      "an error that is not text",
      () => Response.json({ error: { code: 7 } }, { status: 400 }),
      "the response has the status 400, and no error code; check the option tokenUrl",
    ],
  ];
  for (const [what, response, message] of bad) {
    it(`bad input: ${what} causes an OAuthError`, async () => {
      const peers = new Peers();
      peers.refusals.push(response());
      const error = await assertRejects(() => peers.session().get("a"), OAuthError);
      assertEquals(error.message, at + message);
      assertEquals(peers.seen, []);
    });
  }

  const good: readonly object[] = [
    { token_type: "bearer", expires_in: null, refresh_token: null },
    { token_type: null, expires_in: 3599.5 },
    { token_type: "BEARER", expires_in: "3600", refresh_token: "" },
  ];
  for (const [index, more] of good.entries()) {
    it(`is not one of the usual variants of a response, ${index + 1}`, async () => {
      const peers = new Peers();
      peers.more = more;
      await peers.session().get("a");
      assertEquals(peers.seen, ["/a Bearer a-1"]);
    });
  }
});

describe("the options of an OAuth scheme", () => {
  const bad: readonly (readonly [string, object, string])[] = [
    ["no token endpoint", { tokenUrl: undefined }, "tokenUrl"],
    ["a token endpoint of another protocol", { tokenUrl: "ftp://a.example/token" }, "tokenUrl"],
    ["a token endpoint with a password", { tokenUrl: "https://a:b@a.example/" }, "tokenUrl"],
    ["a token endpoint without TLS", { tokenUrl: "http://login.example.com/" }, "tokenUrl"],
    ["one whose host begins like loopback", { tokenUrl: "http://127.0.0.1.nip.io/" }, "tokenUrl"],
    ["one whose host ends like loopback", { tokenUrl: "http://xlocalhost/" }, "tokenUrl"],
    [
      "allowInsecure that is text",
      { tokenUrl: "http://a.example/", allowInsecure: "yes" },
      "allowInsecure",
    ],
    ["no client id", { clientId: "" }, "clientId"],
    ["no client secret", { clientSecret: undefined }, "clientSecret"],
    ["an empty client secret", { clientSecret: "" }, "clientSecret"],
    ["an unknown method", { authMethod: "private_key_jwt" }, "authMethod"],
    ["a list of scopes", { scope: ["a"] }, "scope"],
    ["parameters that are text", { parameters: "a=b" }, "parameters"],
    ["a parameter that is a number", { parameters: { a: 7 } }, "parameters.a"],
    ["a parameter of its own", { parameters: { grant_type: "x" } }, "parameters.grant_type"],
    ["a negative margin", { expiryMargin: -1 }, "expiryMargin"],
    ["a store without methods", { store: {} }, "store"],
  ];
  for (const [what, options, option] of bad) {
    it(`bad input: ${what} is refused`, () => {
      const given = options as Partial<OAuthOptions>;
      const error = assertThrows(() => new Peers().session(given), UnexpectedValueError);
      assertEquals(error.option, option);
      assert(!error.message.includes("a:b@"));
    });
  }

  it("bad input: a method without a secret is refused", () => {
    const options = { refreshToken: "r", authMethod: "client_secret_post" } as const;
    const error = assertThrows(() => new Peers().refreshing(options), UnexpectedValueError);
    assertEquals(error.option, "authMethod");
  });

  it("renew the token after any response that isExpired names", async () => {
    for (const Scheme of [ClientCredentialsAuth, RefreshTokenAuth]) {
      const fetch = mockTransport({
        [`POST ${tokenUrl}`]: replies({ access_token: "a-1" }, { access_token: "a-2" }),
        "GET /*": ({ headers }) => headers["authorization"] === "Bearer a-2" ? {} : 419,
      });
      const api = new APISession({ ...new Peers().options, fetch });
      const own = { ...client, ...(Scheme === RefreshTokenAuth && { refreshToken: "r-0" }) };
      api.httpSession.auth = new Scheme(api, {
        ...own as typeof client & { readonly refreshToken: string },
        isExpired: ({ status }) => status === 419,
      });
      await api.get("a");
      assertEquals(fetch.calls.map(({ path }) => path), ["/token", "/a", "/token", "/a"]);
      const options = { ...own, isExpired: 419 as never } as never;
      const create = () => new Scheme(api, options);
      assertEquals(assertThrows(create, UnexpectedValueError).option, "isExpired");
    }
  });

  it("bad input: anything but a client is refused", () => {
    for (const Scheme of [ClientCredentialsAuth, RefreshTokenAuth]) {
      for (const session of [undefined, null, {}, "https://api.example.com"]) {
        const create = () => new Scheme(session as never, { ...client, refreshToken: "r-0" });
        assertEquals(assertThrows(create, UnexpectedValueError).option, "client");
      }
    }
  });

  it("bad input: options without a client before them are refused with a hint", () => {
    for (const Scheme of [ClientCredentialsAuth, RefreshTokenAuth]) {
      const create = () => new (Scheme as unknown as new (options: object) => unknown)(client);
      const error = assertThrows(create, UnexpectedValueError);
      assertEquals(
        [error.option, error.message],
        [
          "client",
          `"client" must be an APISession or an APIClient, but is an object. Pass the client ` +
          `first, and the options second: new ${Scheme.name}(client, options)`,
        ],
      );
    }
  });

  it("bad input: a client without options after it is refused", () => {
    const api = new APISession(new Peers().options);
    for (const Scheme of [ClientCredentialsAuth, RefreshTokenAuth]) {
      for (const options of [undefined, null, "s3cret"]) {
        const create = () => new Scheme(api, options as never);
        const error = assertThrows(create, UnexpectedValueError);
        assertEquals(error.option, "options");
        assert(!error.message.includes("s3cret"));
      }
    }
  });

  it("allow a token endpoint without TLS on this machine, or if allowInsecure is true", async () => {
    const hosts = ["localhost:8080", "login.localhost", "127.0.0.1:9", "127.1", "[::1]:8080"];
    const urls = hosts.map((host) => [`http://${host}/token`, undefined] as const);
    for (const [url, allowInsecure] of [...urls, ["http://login.test/token", true] as const]) {
      const fetch = mockTransport({ "POST /*": { access_token: "a-1" }, "GET /*": {} });
      const api = new APISession({ ...new Peers().options, fetch });
      const auth = new ClientCredentialsAuth(api, { ...client, tokenUrl: url, allowInsecure });
      await api.get("a", { auth });
      assertEquals(fetch.calls.length, 2);
    }
  });

  it("bad input: a path below a base URL without TLS is refused, unless allowInsecure is true", async () => {
    const fetch = mockTransport({ "POST /*": { access_token: "a-1" }, "GET /*": {} });
    const api = new APISession({ ...new Peers().options, url: "http://api.example.com", fetch });
    const options = { ...client, tokenUrl: "oauth/token" };
    api.httpSession.auth = new ClientCredentialsAuth(api, options);
    const error = await assertRejects(() => api.get("a"), UnexpectedValueError, "tokenUrl");
    assertEquals([error.option, fetch.calls.length], ["tokenUrl", 0]);
    api.httpSession.auth = new ClientCredentialsAuth(api, { ...options, allowInsecure: true });
    await api.get("a");
    assertEquals(fetch.calls.length, 2);
  });
});
