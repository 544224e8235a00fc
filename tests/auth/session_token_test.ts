import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APIError,
  APISession,
  type LoginRequests,
  type SessionOptions,
  TransportError,
  UnauthorizedError,
  UnexpectedValueError,
} from "../../mod.ts";
import { SessionTokenAuth, type SessionTokenOptions } from "../../src/auth/mod.ts";
import { type ErrorMap, ForbiddenError } from "../../src/entries/errors.ts";
import type { HttpSession, Transport, TransportInit } from "../../src/http/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { refusedConnection } from "../support/scripted.ts";
import { until } from "../support/until.ts";

/** An API whose tokens are t-1, t-2 …. It accepts only the last one that it issued. */
class TokenApi {
  /** The requests that it received: method, path and token. */
  readonly seen: string[] = [];
  /** The failures of the next logins, in order. */
  readonly refusals: (number | Error)[] = [];
  valid = 0;
  /** If it accepts any token at all. */
  isOpen = true;
  /** Delays the response to a login until it is resolved. */
  gate: Promise<void> | undefined;

  readonly transport = async (url: string, init: TransportInit): Promise<Response> => {
    const token = new Headers(init.headers).get("x-session-token");
    this.seen.push(`${init.method} ${new URL(url).pathname.slice(1)} ${token ?? "-"}`);
    if (url.endsWith("/session") && init.method === "POST") {
      await this.gate;
      const refusal = this.refusals.shift();
      if (refusal instanceof Error) throw refusal;
      if (refusal !== undefined) return new Response("no", { status: refusal });
      return Response.json({ token: `t-${++this.valid}` });
    }
    const isAccepted = this.isOpen && token === `t-${this.valid}`;
    return isAccepted ? Response.json({ ok: true }) : new Response("who?", { status: 401 });
  };
}

class Vault extends APISession {
  static override readonly url: string = "https://vault.example.com";
  static override readonly finalWait: boolean = false;
  override readonly _convJson = true;

  protected override _buildSession(options: SessionOptions): HttpSession {
    const http = super._buildSession(options);
    http.auth ??= new SessionTokenAuth(this, this.#pattern);
    return http;
  }

  readonly #pattern: SessionTokenOptions = {
    async login(api: LoginRequests) {
      const json = { username: "ada", password: "countess" };
      return (await api.post<{ token: string }>("session", { json, convJson: true })).token;
    },
    logout: (api) => api.delete("session"),
  };
}

function start() {
  const api = new TokenApi();
  const logger = recordingLogger();
  const vault = new Vault({
    adapter: api.transport,
    clock: fakeClock({ autoAdvance: true }),
    logger,
  });
  return { api, vault, logger };
}

describe("a session token as an auth object", () => {
  // contract: auth-10
  it("logs in by POST at the first request, and sends the token in X-Session-Token", async () => {
    const { api, vault } = start();
    await vault.ready;
    assertEquals(api.seen, []);
    assertEquals(await vault.get("a"), { ok: true });
    assertEquals(await vault.get("b"), { ok: true });
    assertEquals(api.seen, ["POST session -", "GET a t-1", "GET b t-1"]);
  });

  // contract: auth-10
  it("makes requests at the same time wait for one login", async () => {
    const { api, vault } = start();
    await Promise.all(["a", "b", "c"].map((path) => vault.get(path)));
    assertEquals(api.seen, ["POST session -", "GET a t-1", "GET b t-1", "GET c t-1"]);
  });

  // contract: auth-10
  it("logs in again after a 401, and sends the request once more", async () => {
    const { api, vault } = start();
    await vault.get("a");
    api.valid++; // the token has become invalid
    assertEquals(await vault.get("b"), { ok: true });
    assertEquals(api.seen.slice(2), ["GET b t-1", "POST session -", "GET b t-3"]);
  });

  it("logs in once if many requests find that the token has become invalid", async () => {
    const { api, vault } = start();
    await vault.get("a");
    api.valid++;
    await Promise.all(["b", "c", "d"].map((path) => vault.get(path)));
    assertEquals(api.seen.filter((each) => each.startsWith("POST")).length, 2);
    assertEquals(api.seen.filter((each) => each.endsWith("t-3")).sort(), [
      "GET b t-3",
      "GET c t-3",
      "GET d t-3",
    ]);
  });

  it("sends a request again with the new token if the old one was replaced in the meantime", async () => {
    const { api, vault } = start();
    let answerLate: () => void = () => {};
    const late = new Promise<void>((resolve) => answerLate = resolve);
    await vault.get("a");
    const { transport } = api;
    vault.httpSession.mount("https://vault.example.com/slow", async (url, init) => {
      const isOld = new Headers(init.headers).get("x-session-token") === "t-1";
      if (!isOld) return transport(url, init);
      await late; // the 401 arrives when all other requests have the new token
      return new Response(null, { status: 401 });
    });
    const slow = vault.get("slow");
    api.valid++;
    await vault.get("b");
    answerLate();
    assertEquals(await slow, { ok: true });
    assertEquals(api.seen.filter((each) => each.startsWith("POST")).length, 2);
  });

  describe("with isExpired", () => {
    /** Creates a session whose API refuses an old token with a response of its own. */
    function refusing(refusal: () => Response, isExpired: SessionTokenOptions["isExpired"]) {
      const api = new TokenApi();
      const adapter: Transport = async (url, init) => {
        const response = await api.transport(url, init);
        return response.status === 401 ? refusal() : response;
      };
      const session = new APISession({ url: "https://vault.example.com", adapter, retries: 0 });
      session.httpSession.auth = new SessionTokenAuth(session, {
        isExpired,
        async login(api) {
          return (await api.post<{ token: string }>("session", { convJson: true })).token;
        },
      });
      return { api, session };
    }

    for (const status of [403, 419]) {
      it(`logs in again after a ${status} if the function returns true`, async () => {
        const { api, session } = refusing(
          () => new Response("old", { status }),
          (response) => response.status === status,
        );
        await session.get("a");
        api.valid++;
        assertEquals(await session.get("b", { convJson: true }), { ok: true });
        assertEquals(api.seen.slice(2), ["GET b t-1", "POST session -", "GET b t-3"]);
      });
    }

    it("can decide by the body, which the caller reads after it", async () => {
      let code = "token_expired";
      const { api, session } = refusing(
        () => Response.json({ code }, { status: 403 }),
        async (response) => (await response.json()).code === "token_expired",
      );
      await session.get("a");
      api.valid++;
      assertEquals(await session.get("b", { convJson: true }), { ok: true });
      api.isOpen = false;
      code = "not_allowed";
      const error = await assertRejects(() => session.get("c"), ForbiddenError);
      assertEquals(error.data, { code: "not_allowed" });
      assertEquals(api.seen.slice(2), ["GET b t-1", "POST session -", "GET b t-3", "GET c t-3"]);
    });

    it("replaces the rule for 401, and sees neither successes nor the second response", async () => {
      const statuses: number[] = [];
      const { api, session } = refusing(
        () => new Response(null, { status: statuses.length === 0 ? 419 : 401 }),
        ({ status }) => statuses.push(status) === 1,
      );
      await session.get("a");
      api.isOpen = false;
      await assertRejects(() => session.get("b"), UnauthorizedError); // 419, a login, then a 401
      await assertRejects(() => session.get("c"), UnauthorizedError); // a 401
      assertEquals(statuses, [419, 401]);
      assertEquals(api.seen.slice(2), ["GET b t-1", "POST session -", "GET b t-2", "GET c t-2"]);
    });

    it("frees the connection of a response of which it reads only a part", async () => {
      let cancelled = 0;
      const { api, session } = refusing(
        () => {
          const body = new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(10)),
            cancel: () => void cancelled++,
          }, { highWaterMark: 0 });
          return new Response(body, { status: 419 });
        },
        async (response) => !(await response.body!.getReader().read()).done,
      );
      await session.get("a");
      api.valid++;
      await session.get("b");
      assertEquals(cancelled, 1);
    });

    it("ends the call with the error of the function, without a login", async () => {
      let cancelled = 0;
      const { api, session } = refusing(
        () => new Response(new ReadableStream({ cancel: () => void cancelled++ }), { status: 403 }),
        () => {
          throw new RangeError("no idea");
        },
      );
      await session.get("a");
      api.valid++;
      await assertRejects(() => session.get("b"), RangeError, "no idea");
      assertEquals([api.seen.slice(2), cancelled], [["GET b t-1"], 1]);
    });

    it("bad input: anything but a function that returns true or false is refused", async () => {
      const { api, session } = refusing(
        () => new Response(null, { status: 403 }),
        (() => undefined) as never,
      );
      await session.get("a");
      api.valid++;
      const error = await assertRejects(() => session.get("b"), UnexpectedValueError);
      assertEquals(
        error.message,
        '"isExpired" must be a function that returns true or false, but is undefined',
      );
      const login = () => Promise.resolve("t");
      const create = () => new SessionTokenAuth(session, { login, isExpired: true as never });
      assertEquals(assertThrows(create, UnexpectedValueError).option, "isExpired");
    });
  });

  it("throws an UnauthorizedError after a second 401, without a retry", async () => {
    const { api, vault } = start();
    api.isOpen = false;
    const error = await assertRejects(() => vault.get("a"), UnauthorizedError);
    assertEquals([error.retries, error.body], [0, "who?"]);
    assertEquals(api.seen, ["POST session -", "GET a t-1", "POST session -", "GET a t-2"]);
  });

  it("does not send a body again that can be read once: the 401 is the result", async () => {
    const { api, vault } = start();
    await vault.get("a");
    api.valid++;
    const content = new ReadableStream({ start: (controller) => controller.close() });
    await assertRejects(() => vault.post("b", { content }), UnauthorizedError);
    assertEquals(api.seen.at(-1), "POST b t-1");
  });

  it("forgets the token after a body that can be read once too: the next request logs in", async () => {
    const { api, vault } = start();
    await vault.get("a");
    api.valid = 7; // the token has expired
    const content = () => new Blob(["x"]).stream();
    await assertRejects(() => vault.post("up", { content: content() }), UnauthorizedError);
    await vault.post("up", { content: content() });
    assertEquals(api.seen.slice(2), ["POST up t-1", "POST session -", "POST up t-8"]);
  });

  it("logs out with the token even if a body that can be read once was refused", async () => {
    const { api, vault } = start();
    await vault.get("a");
    api.isOpen = false;
    const content = new Blob(["x"]).stream();
    await assertRejects(() => vault.post("up", { content }), UnauthorizedError);
    api.isOpen = true;
    await vault.close();
    assertEquals(api.seen.slice(2), ["POST up t-1", "DELETE session t-1"]);
  });

  it("sends its token to no other origin, and not with a logout to another origin either", async () => {
    const seen: string[] = [];
    class Elsewhere extends APISession {
      static override readonly url: string = "https://vault.example.com";
      protected override _buildSession(options: SessionOptions): HttpSession {
        const http = super._buildSession(options);
        http.auth = new SessionTokenAuth(this, {
          login: () => Promise.resolve("t-1"),
          logout: (api) => api.delete("https://other.example.com/session"),
        });
        return http;
      }
    }
    const adapter = (url: string, { headers }: TransportInit) => {
      seen.push(`${new URL(url).host} ${headers["x-session-token"] ?? "-"}`);
      return Promise.resolve(new Response());
    };
    const session = new Elsewhere({ adapter, adapterPath: "https://" });
    await session.get("a");
    await session.close();
    assertEquals(seen, ["vault.example.com t-1", "other.example.com -"]);
  });

  it("writes a warning after 5 seconds if the login sends a request through the session itself", async () => {
    const logger = recordingLogger();
    const { setTimeout: original } = globalThis;
    const waits: { readonly run: () => void; readonly milliseconds: number }[] = [];
    class Circular extends APISession {
      static override readonly url: string = "https://vault.example.com";
      protected override _buildSession(options: SessionOptions): HttpSession {
        const http = super._buildSession(options);
        http.auth = new SessionTokenAuth(this, {
          login: async () => await (await this.post("session")).text(),
        });
        return http;
      }
    }
    const session = new Circular({ adapter: new TokenApi().transport, logger });
    // Loads all modules before the test replaces the timers.
    await session.get("x", { auth: ["u", "p"] }).catch(() => {});
    globalThis.setTimeout = ((run: () => void, milliseconds = 0) => {
      waits.push({ run, milliseconds });
      return 0;
    }) as never;
    try {
      const signal = new AbortController();
      const call = session.get("x", { signal: signal.signal });
      await until(() => waits.length > 0);
      assertEquals(waits.map(({ milliseconds }) => milliseconds), [5000]);
      waits[0]!.run();
      signal.abort(new Error("enough"));
      await assertRejects(() => call, Error, "enough");
    } finally {
      globalThis.setTimeout = original;
    }
    assertEquals(logger.messages("warn"), [
      "a request has been waiting for the login for 5 s; if login() sends it through the session, it waits " +
      "for itself: send it through the parameter of login(); if the server is silent, a `timeout`, a " +
      "`deadline` or the `signal` of the client ends the wait",
    ]);
  });

  it("leaves no timer after a login, even if it fails", async () => {
    const { clearTimeout: clear, setTimeout: set } = globalThis;
    const pending = new Set<unknown>();
    let started = 0;
    const { api, vault } = start();
    api.refusals.push(403);
    globalThis.setTimeout = ((...args: Parameters<typeof set>) => {
      const timer = set(...args);
      // The timer of the warning: test runners set timers too.
      if (args[1] === 5000) {
        started++;
        pending.add(timer);
      }
      return timer;
    }) as never;
    globalThis.clearTimeout = ((timer: number) => {
      pending.delete(timer);
      clear(timer);
    }) as never;
    try {
      await assertRejects(() => vault.get("a"));
      await vault.get("a");
    } finally {
      Object.assign(globalThis, { clearTimeout: clear, setTimeout: set });
    }
    assertEquals([started, pending.size], [2, 0]);
  });

  it("fails the requests that wait for a login that is refused, and the next request logs in again", async () => {
    const { api, vault } = start();
    api.refusals.push(401);
    const both = await Promise.allSettled([vault.get("a"), vault.get("b")]);
    for (const each of both) {
      assert(each.status === "rejected" && each.reason instanceof UnauthorizedError);
      assertEquals(each.reason.request?.url, "https://vault.example.com/session");
    }
    assertEquals(api.seen, ["POST session -"]);
    assertEquals(await vault.get("c"), { ok: true });
  });

  it("does not treat a refused login as a failed connection, whatever its error looks like", async () => {
    class LoginError extends APIError {
      readonly code = "ECONNRESET";
    }
    const { api } = start();
    api.refusals.push(401, 401);
    const errorFunc = () => "Connection refused: terminated, failed to fetch";
    class Strict extends Vault {
      static override readonly errorMap: ErrorMap = { 401: LoginError };
    }
    const clock = fakeClock({ autoAdvance: true });
    const vault = new Strict({ adapter: api.transport, clock, errorFunc });
    const error = await assertRejects(() => vault.get("a"), LoginError);
    assertEquals(error.message, errorFunc());
    assertEquals([api.seen, clock.waits], [["POST session -"], []]);
  });

  it("retries a login that cannot connect, but does not retry the request that waits for it", async () => {
    // A GET of the path that the login posts to is another request too.
    for (const path of ["a", "session"]) {
      const { api, vault } = start();
      api.refusals.push(...Array.from({ length: 4 }, refusedConnection));
      const error = await assertRejects(() => vault.get(path), TransportError);
      assertEquals([error.kind, error.retries], ["refused", 3]);
      assertEquals(api.seen, Array(4).fill("POST session -"));
    }
  });

  // contract: auth-10
  it("logs out with DELETE and the token when the session is closed", async () => {
    const { api, vault } = start();
    await vault.get("a");
    await vault.close();
    await vault.close();
    assertEquals(api.seen.slice(2), ["DELETE session t-1"]);
  });

  it("frees the connection of a response that its logout returns", async () => {
    let cancelled = 0;
    const body = new ReadableStream({ cancel: () => void cancelled++ });
    const session = new APISession({
      url: "https://vault.example.com",
      adapter: (_url, { method }) =>
        Promise.resolve(new Response(method === "DELETE" ? body : null)),
    });
    session.httpSession.auth = new SessionTokenAuth(session, {
      login: () => Promise.resolve("t-1"),
      logout: (api) => api.delete("session"),
    });
    await session.get("a");
    await session.close();
    assertEquals(cancelled, 1);
  });

  it("does not log out if it has not logged in", async () => {
    const { api, vault } = start();
    await vault.ready;
    await vault.close();
    const { api: other, vault: refused } = start();
    other.refusals.push(401);
    await assertRejects(() => refused.get("a"), UnauthorizedError);
    await refused.close();
    assertEquals([api.seen, other.seen], [[], ["POST session -"]]);
  });

  it("waits with the logout for a login that is in progress", async () => {
    const { api, vault } = start();
    let finishLogin: () => void = () => {};
    api.gate = new Promise((resolve) => finishLogin = resolve);
    const first = vault.get("a");
    await vault.ready;
    while (api.seen.length === 0) await Promise.resolve();
    const closed = vault.close();
    finishLogin();
    await closed;
    assertEquals(await first.catch((error) => error.name), { ok: true });
    assertEquals(api.seen.filter((each) => each.startsWith("DELETE")), ["DELETE session t-1"]);
  });

  it("stays logged in if a session that shares the HTTP session is closed", async () => {
    const { api, vault } = start();
    await vault.get("a");
    const other = new APISession({ url: "https://vault.example.com", session: vault.httpSession });
    await (await other.get("b")).body?.cancel();
    await other.close();
    assertEquals(await vault.get("c"), { ok: true });
    assertEquals(api.seen.slice(2), ["GET b t-1", "GET c t-1"]);
  });

  it("can be sent in another header, with a scheme before it", async () => {
    const seen: (string | null)[] = [];
    const session = new APISession({
      url: "https://vault.example.com",
      adapter: (_url, init) => {
        seen.push(new Headers(init.headers).get("authorization"));
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    const login = () => Promise.resolve("abc");
    const options = { login, header: "Authorization", scheme: "Token" };
    session.httpSession.auth = new SessionTokenAuth(session, options);
    await session.get("a");
    await session.close();
    assertEquals(seen, ["Token abc"]);
  });

  it("never shows its token", async () => {
    const { vault, logger } = start();
    await vault.get("a");
    const shown = [
      inspect(vault.httpSession.auth, { depth: 9 }),
      JSON.stringify(vault.httpSession.auth),
    ];
    assert(![...shown, logger.messages().join("\n")].some((text) => text.includes("t-1")));
  });

  const bad: readonly (readonly [string, unknown, string])[] = [
    ["no login", {}, "login"],
    ["a login that is not a function", { login: "x" }, "login"],
    ["a logout that is not a function", { login: () => {}, logout: 1 }, "logout"],
    ["a header that cannot be sent", { login: () => {}, header: "X Token" }, "header"],
    ["a scheme that cannot be sent", { login: () => {}, scheme: "Tok\nen" }, "scheme"],
  ];
  for (const [what, options, option] of bad) {
    it(`bad input: ${what} is refused`, () => {
      const { vault } = start();
      const error = assertThrows(
        () => new SessionTokenAuth(vault, options as SessionTokenOptions),
        UnexpectedValueError,
      );
      assertEquals(error.option.split(".")[0], option);
    });
  }

  it("bad input: options without a client before them are refused with a hint", () => {
    const login = () => Promise.resolve("t-1");
    const create = () =>
      new (SessionTokenAuth as unknown as new (options: object) => unknown)({ login });
    const error = assertThrows(create, UnexpectedValueError);
    assertEquals(
      [error.option, error.message],
      [
        "client",
        '"client" must be an APISession or an APIClient, but is an object. Pass the client first, ' +
        "and the options second: new SessionTokenAuth(client, options)",
      ],
    );
    for (const client of [undefined, null, "https://vault.example.com"]) {
      const other = () => new SessionTokenAuth(client as never, { login });
      assertEquals(assertThrows(other, UnexpectedValueError).option, "client");
    }
  });

  it("bad input: a client without options after it is refused", () => {
    const { vault } = start();
    for (const options of [undefined, null, "s3cret"]) {
      const create = () => new SessionTokenAuth(vault, options as never);
      assertEquals(assertThrows(create, UnexpectedValueError).option, "options");
    }
  });

  it("bad input: a login that returns no token causes a clear error", async () => {
    const { vault } = start();
    vault.httpSession.auth = new SessionTokenAuth(vault, {
      login: () => Promise.resolve(undefined as never),
    });
    const error = await assertRejects(() => vault.get("a"), UnexpectedValueError);
    assertEquals(error.option, "token");
  });
});

describe("authentication of one call", () => {
  function basicSession() {
    const seen: (string | null)[] = [];
    const session = new APISession({
      url: "https://ada:countess@a.example",
      adapter: (_url, init) => {
        seen.push(new Headers(init.headers).get("authorization"));
        return Promise.resolve(new Response(null, { status: seen.length === 1 ? 429 : 204 }));
      },
      clock: fakeClock({ autoAdvance: true }),
    });
    return { seen, session };
  }

  // contract: auth-11
  it("replaces the auth of the session in every attempt", async () => {
    const { seen, session } = basicSession();
    await session.get("x", { auth: ["bob", "b"] });
    const bob = `Basic ${btoa("bob:b")}`;
    assertEquals(seen, [bob, bob]);
  });

  // contract: auth-11
  it("is turned off by null, including the credentials of the base URL", async () => {
    const { seen, session } = basicSession();
    await session.get("x", { auth: null });
    await session.get("x");
    assertEquals(seen, [null, null, `Basic ${btoa("ada:countess")}`]);
  });

  it("bad input: an invalid auth is refused before anything is sent", async () => {
    const { seen, session } = basicSession();
    const error = await assertRejects(
      () => session.get("x", { auth: "ada" as never }),
      UnexpectedValueError,
    );
    assertEquals([error.option, seen.length], ["auth", 0]);
  });
});
