import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, RestwrightError, UnauthorizedError, UnexpectedValueError } from "../../mod.ts";
import { SessionTokenAuth, type SessionTokenOptions } from "../../src/auth/mod.ts";
import {
  LoginRequiredError,
  OAuthError,
  type OAuthToken,
  RefreshTokenAuth,
} from "../../src/auth/oauth/mod.ts";
import type { Clock } from "../../mod.ts";
import type { TokenStore } from "../../src/auth/stores/mod.ts";
import { fakeClock, type MockCall, mockTransport, recordingLogger } from "../../src/testing/mod.ts";
import { LockedStore } from "../support/many/locked_store.ts";
import { until } from "../support/until.ts";

const first: OAuthToken = { accessToken: "a-0", expiresAt: 0, refreshToken: "r-0" };

/** An API, and a token server that rotates refresh tokens and accepts each of them once. */
class Peers {
  readonly clock = fakeClock();
  readonly logger = recordingLogger();
  readonly store = new LockedStore(this.clock, first);
  /** The number of the last token. */
  issued = 0;
  /** The number of the first access token that the API accepts. */
  oldest = 1;
  /** Delays the responses of the token server. */
  gate: Promise<void> | undefined;
  readonly refreshTokens: string[] = [];
  /** The number of token requests that fail with a 503. */
  failures = 0;

  readonly fetch = mockTransport({
    "POST /token": async ({ text }: MockCall) => {
      const sent = new URLSearchParams(text).get("refresh_token")!;
      this.refreshTokens.push(sent);
      await this.gate;
      if (this.failures-- > 0) return 503;
      if (sent !== `r-${this.issued}`) return this.#refusal();
      const number = ++this.issued;
      return Response.json({
        access_token: `a-${number}`,
        refresh_token: `r-${number}`,
        expires_in: 60,
      });
    },
    "POST /login": () => ({ token: `a-${++this.issued}` }),
    "GET /*": ({ headers }: MockCall) => {
      const number = Number(/a-(\d+)$/.exec(Object.values(headers).join(" "))?.[1]);
      return Response.json({}, { status: number >= this.oldest ? 200 : 401 });
    },
  });

  /** Creates a session in place of a process. */
  process(
    store: TokenStore = this.store,
    lockLifetime?: number,
    clock?: Clock,
    retries?: number,
  ): APISession {
    const api = this.#session(clock, retries);
    api.httpSession.auth = new RefreshTokenAuth(api, {
      tokenUrl: "https://api.example.com/token",
      clientId: "desk",
      store,
      lockLifetime,
    });
    return api;
  }

  loggedIn(options: Partial<SessionTokenOptions> = {}): APISession {
    const api = this.#session();
    api.httpSession.auth = new SessionTokenAuth(api, {
      login: async (login) =>
        (await login.post<{ token: string }>("login", { convJson: true })).token,
      header: "X-Token",
      store: this.store,
      ...options,
    });
    return api;
  }

  #session(clock: Clock = this.clock, retries = 0): APISession {
    const { fetch, logger } = this;
    return new APISession({ url: "https://api.example.com", fetch, clock, logger, retries });
  }

  #refusal(): Response {
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  }
}

const statuses = (responses: readonly Response[]) => responses.map(({ status }) => status);

describe("a token store with a lock", () => {
  it("lets one of many processes request a token; the others wait and read it", async () => {
    const peers = new Peers();
    const gate = Promise.withResolvers<void>();
    peers.gate = gate.promise;
    const processes = Array.from({ length: 8 }, () => peers.process());
    const calls = Promise.all(processes.map((api) => api.get("a")));
    await peers.clock.advance(5);
    assertEquals(peers.refreshTokens, ["r-0"]);
    gate.resolve();
    await peers.clock.advance(1);
    assertEquals(statuses(await calls), Array(8).fill(200));
    assertEquals([peers.refreshTokens, peers.store.locks], [["r-0"], [30]]);
    assertEquals(peers.clock.pending, 0);
  });

  it("lets the next process request a token when the lifetime is over", async () => {
    const peers = new Peers();
    peers.store.lock(7); // by a process that was killed
    const start = peers.clock.now();
    let end = 0;
    const call = peers.process(peers.store, 7).get("a").then(() => end = peers.clock.now());
    await peers.clock.advance(6.9);
    assertEquals(peers.refreshTokens, []);
    await peers.clock.advance(1);
    await call;
    const seconds = (end - start) / 1000;
    assert(seconds >= 7 && seconds <= 7.25, `${seconds} s`);
    assertEquals(peers.store.locks, [7, 7]);
  });

  it("ends a token request before the lock is free", async () => {
    const peers = new Peers();
    peers.gate = new Promise(() => {});
    const failed = assertRejects(() => peers.process(peers.store, 10).get("a"), OAuthError);
    await peers.clock.advance(8.9);
    assertEquals(peers.store.lock(10), null);
    await peers.clock.advance(0.1);
    const error = await failed;
    assert(error.message.endsWith(
      "no response after 9 s; raise lockLifetime (10 s) if the server needs more time",
    ));
    await until(() => peers.store.lock(10) !== null);
    assertEquals(peers.clock.pending, 0);
  });

  it("sends no refresh token if the process was paused until the lock may be another one's", async () => {
    const peers = new Peers();
    const { store, clock } = peers;
    let loads = 0;
    const paused: TokenStore = {
      save: (token) => store.save(token),
      lock: (seconds) => store.lock(seconds),
      replace: (token, version) => store.replace(token, version),
      async load() {
        const loaded = await store.load();
        if (++loads !== 2) return loaded;
        // The second time is under the lock.
        await clock.advance(9);
        peers.issued = 1;
        store.put({ accessToken: "a-1", refreshToken: "r-1" });
        return loaded;
      },
    };
    const call = peers.process(paused, 10).get("a");
    await until(() => peers.issued === 1);
    await clock.advance(1);
    assertEquals((await call).status, 200);
    assertEquals([peers.refreshTokens, loads], [[], 3]);
  });

  it("sends no refresh token again if the process was paused while the first request failed", async () => {
    const peers = new Peers();
    const { store } = peers;
    let paused = 0;
    // The timers of a process that is paused are late. Its clock is not.
    const clock: Clock = {
      now: () => peers.clock.now() + paused * 1000,
      after: (...timer) => peers.clock.after(...timer),
    };
    const gate = Promise.withResolvers<void>();
    peers.gate = gate.promise;
    peers.failures = 1;
    const api = peers.process(store, 10, clock, 3);
    const call = api.get("a");
    await until(() => peers.refreshTokens.length === 1);
    paused = 60;
    peers.issued = 1;
    store.put({ accessToken: "a-1", refreshToken: "r-1" });
    gate.resolve();
    await peers.clock.advance(1); // the wait before the retry
    assertEquals((await call).status, 200);
    assertEquals(peers.refreshTokens, ["r-0"]);
    assertEquals(peers.clock.pending, 0);
  });

  it("does not fail a call if the lock cannot be released", async () => {
    const peers = new Peers();
    const { store } = peers;
    const broken = {
      load: () => store.load(),
      save: (token: OAuthToken) => store.save(token),
      lock: () => () => Promise.reject(new TypeError("away")),
    };
    await peers.process(broken).get("a");
    const warnings = peers.logger.messages().filter((text) => text.includes("lock"));
    assertEquals(warnings, ["the lock of the token store could not be released: TypeError"]);
  });

  it("keeps its lock while a token could not be saved, so that nobody sends the old one again", async () => {
    const peers = new Peers();
    const { store } = peers;
    let isAway = true;
    const failing: TokenStore = {
      load: () => store.load(),
      save: (token) => store.save(token),
      lock: (seconds) => store.lock(seconds),
      replace: (token, version) => {
        if (isAway) throw new TypeError("away");
        return store.replace(token, version);
      },
    };
    const api = peers.process(failing);
    await assertRejects(() => api.get("a"), TypeError);
    const other = peers.process().get("a");
    await peers.clock.advance(5);
    assertEquals(peers.refreshTokens, ["r-0"]);
    isAway = false;
    assertEquals((await api.get("a")).status, 200);
    await peers.clock.advance(1);
    assertEquals((await other).status, 200);
    assertEquals(peers.refreshTokens, ["r-0"]);
    // It was released with the saved token.
    assert(store.lock(1) !== null);
  });

  it("fails a call that has waited for two lifetimes, in which nobody saved a token", async () => {
    const peers = new Peers();
    const { store, clock } = peers;
    let tries = 0;
    const locked: TokenStore = {
      load: () => store.load(),
      save: (token) => store.save(token),
      lock: () => {
        tries++;
        return null;
      },
    };
    const start = clock.now();
    const failed = assertRejects(() => peers.process(locked, 10).get("a"), RestwrightError);
    await clock.advance(19.9);
    const before = tries;
    await clock.advance(0.5);
    const { message } = await failed;
    const expected = "other processes have had the lock of the token store for 20 s, and none";
    assert(message.startsWith(expected), message);
    assert(before < tries && tries < before + 5, `${before} and ${tries} tries`);
    assert(clock.now() - start >= 20_000);
    assertEquals([peers.refreshTokens, clock.pending], [[], 0]);
  });

  it("is not locked by a process whose refresh token was refused", async () => {
    const peers = new Peers();
    peers.issued = 5; // somebody has used r-0
    const api = peers.process();
    await assertRejects(() => api.get("a"), LoginRequiredError);
    assert(peers.store.lock(60) !== null); // by another process, which was killed
    await assertRejects(() => api.get("a"), LoginRequiredError);
    assertEquals(peers.clock.pending, 0);
  });

  it("is refused if its methods return something else", async () => {
    const noVersion = { replace: () => true };
    const noAnswer = { load: () => ({ ...first, version: 1 }), replace: () => undefined };
    for (const more of [{ lock: () => true }, noVersion, noAnswer]) {
      const peers = new Peers();
      const store = { load: () => first, save: () => {}, ...more } as unknown as TokenStore;
      await assertRejects(() => peers.process(store).get("a"), UnexpectedValueError);
    }
  });

  it("bad input: methods that are not functions, and a lifetime without a lock, are refused", () => {
    const peers = new Peers();
    const plain = { load: () => first, save: () => {} };
    const wrong = (store: object, lifetime?: unknown) =>
      assertThrows(
        () => peers.process(store as TokenStore, lifetime as number),
        UnexpectedValueError,
      );
    assertEquals(wrong({ ...plain, lock: true }).option, "store.lock");
    assertEquals(wrong({ ...plain, replace: 7 }).option, "store.replace");
    assertEquals(wrong(plain, 10).expected, "left out, because the store has no method lock");
    assertEquals(wrong(peers.store, 0).option, "lockLifetime");
  });
});

/** The clock of a machine that is some seconds fast, or slow. */
function shifted(clock: Clock, seconds: number): Clock {
  return { now: () => clock.now() + seconds * 1000, after: (...timer) => clock.after(...timer) };
}

describe("machines whose clocks differ", () => {
  it("lose no call, and renew the token when it is due by the fastest clock", async () => {
    const peers = new Peers();
    const { store, clock } = peers;
    const apis = [-20, -5, 0, 5, 20].map((seconds) =>
      peers.process(store, 30, shifted(clock, seconds))
    );
    for (let second = 0; second < 300; second++) {
      peers.oldest = peers.issued; // a new token ends the one before
      const calls = Promise.all(apis.map((api) => api.get("a")));
      await clock.advance(1);
      assertEquals(statuses(await calls), [200, 200, 200, 200, 200]);
    }
    // A token lives for 60 s, and is renewed 30 s before its end.
    const { refreshTokens } = peers;
    assert(refreshTokens.length <= 300 / 30 + 2, `${refreshTokens.length} token requests`);
    assertEquals(new Set(refreshTokens).size, refreshTokens.length);
  });
});

describe("a token store with versions", () => {
  it("keeps the newer token if a process comes too late, which then uses the newer one", async () => {
    const peers = new Peers();
    const { promise, resolve } = Promise.withResolvers<void>();
    peers.gate = promise;
    const late = peers.process();
    const call = late.get("a");
    await until(() => peers.refreshTokens.length === 1);
    // The lock is over, and another process was faster.
    peers.store.put({ accessToken: "a-7", refreshToken: "r-7" });
    resolve();
    assertEquals((await call).status, 200);
    assertEquals((await peers.store.load())?.accessToken, "a-7");
    const headers = peers.fetch.calls.at(-1)!.headers;
    assertEquals(headers["authorization"], "Bearer a-7");
  });

  it("has the token of another process after a refusal, so that the call is not lost", async () => {
    const peers = new Peers();
    const { promise, resolve } = Promise.withResolvers<void>();
    peers.gate = promise;
    const call = peers.process().get("a");
    await until(() => peers.refreshTokens.length === 1);
    peers.issued = 3; // another process has used the refresh token before
    peers.store.put({ accessToken: "a-3", refreshToken: "r-3" });
    resolve();
    assertEquals((await call).status, 200);
    assertEquals(peers.refreshTokens, ["r-0"]);
  });

  it("loses no call if the token of another process has expired, too", async () => {
    const peers = new Peers();
    const [one, other] = [peers.process(), peers.process()];
    await one.get("a");
    peers.oldest = 2;
    await other.get("a"); // it got a-1 from the store
    assertEquals(peers.refreshTokens, ["r-0", "r-1"]);
    peers.oldest = 3;
    // It has a-1. The store has a-2.
    assertEquals((await one.get("a")).status, 200);
    assertEquals(peers.refreshTokens, ["r-0", "r-1", "r-2"]);
  });

  it("loses no call if another process replaces a new token before it is used", async () => {
    const peers = new Peers();
    const { store } = peers;
    store.put({ accessToken: "a-0", refreshToken: "r-0" });
    let renewals = 0;
    // The process is slow, or paused, after each of its renewals.
    const slow: TokenStore = {
      load: () => store.load(),
      save: (token) => store.save(token),
      lock: (seconds) => store.lock(seconds),
      replace: (token, version) => {
        const isSaved = store.replace(token, version);
        peers.issued += 1;
        peers.oldest = peers.issued;
        if (++renewals < 3) {
          store.put({ accessToken: `a-${peers.issued}`, refreshToken: `r-${peers.issued}` });
        }
        return isSaved;
      },
    };
    const response = await peers.process(slow).get("a");
    assertEquals([response.status, peers.refreshTokens], [200, ["r-0"]]);
  });

  it("sends a call ten times at most, if others replace each token and the API accepts none", async () => {
    const peers = new Peers();
    const { store } = peers;
    peers.oldest = Infinity;
    const busy: TokenStore = {
      load: async () => {
        store.put({ accessToken: `a-${++peers.issued}`, refreshToken: `r-${peers.issued}` });
        return await store.load();
      },
      save: (token) => store.save(token),
      lock: (seconds) => store.lock(seconds),
      replace: (token, version) => store.replace(token, version),
    };
    await assertRejects(() => peers.process(busy).get("a"), UnauthorizedError);
    assertEquals(peers.fetch.calls.length, 10);
  });

  it("makes every process throw that a new login is needed, until there is one", async () => {
    const peers = new Peers();
    peers.issued = 5; // somebody has used r-0
    const processes = Array.from({ length: 3 }, () => peers.process());
    const errors = processes.map((api) => assertRejects(() => api.get("a"), LoginRequiredError));
    await peers.clock.advance(5);
    for (const error of await Promise.all(errors)) {
      assertEquals([error.error, error.status], ["invalid_grant", 400]);
      assert(error.message.includes("a new login is needed"));
    }
    await assertRejects(() => processes[0]!.get("a"), LoginRequiredError);
    assertEquals(peers.refreshTokens, ["r-0", "r-0", "r-0"]);
    await peers.store.save({ accessToken: "a-9", refreshToken: "r-9" });
    const again = await Promise.all(processes.map((api) => api.get("a")));
    assertEquals(statuses(again), [200, 200, 200]);
  });
});

describe("a session token in a store", () => {
  it("comes from one login of all processes, and stays valid when one is closed", async () => {
    const peers = new Peers();
    peers.store.put({ accessToken: "a-0" });
    const processes = Array.from({ length: 4 }, () => peers.loggedIn());
    const calls = Promise.all(processes.map((api) => api.get("a")));
    await peers.clock.advance(1);
    assertEquals(statuses(await calls), [200, 200, 200, 200]);
    await processes[0]!.close();
    assertEquals((await processes[1]!.get("b")).status, 200);
    const posts = peers.fetch.calls.filter(({ method }) => method !== "GET");
    assertEquals(posts.map(({ path }) => path), ["/login"]);
  });

  it("is renewed if it has expired while all processes were idle", async () => {
    const peers = new Peers();
    const [one, other] = [peers.loggedIn(), peers.loggedIn()];
    await one.get("a");
    peers.oldest = 2;
    await other.get("a");
    peers.oldest = 3;
    assertEquals((await one.get("a")).status, 200);
    assertEquals(peers.issued, 3);
  });

  it("bad input: a logout is refused, because it would log out the other processes", () => {
    const peers = new Peers();
    const logout = () => Promise.resolve();
    const error = assertThrows(() => peers.loggedIn({ logout }), UnexpectedValueError);
    assertEquals(error.option, "logout");
  });
});
