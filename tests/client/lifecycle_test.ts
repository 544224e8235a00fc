import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  it,
} from "#test";
import {
  APIEndpoint,
  type APISession,
  type LoginRequests,
  type SessionOptions,
  UnauthorizedError,
  UnexpectedValueError,
} from "../../mod.ts";
import { SessionStateError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { drained } from "../support/drained.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { turn, until } from "../support/until.ts";

interface Credentials extends SessionOptions {
  readonly username?: string;
  readonly password?: string;
}

/** Defines an SDK for an API with a login: POST creates a token, DELETE revokes it. */
const vaultOf = (Session: SessionClass) =>
  class Vault extends Session {
    static override readonly url: string = "https://vault.example.com";
    static override readonly restrictedPaths: readonly string[] = ["session"];
    static override readonly optionNames: readonly string[] = ["username", "password"];

    readonly steps: string[] = [];
    readonly login: Logins = new Logins(this);
    #token = "none";

    constructor(options: Credentials = {}) {
      super(options);
    }

    protected override _buildSession(options: SessionOptions): HttpSession {
      this.steps.push("build");
      return super._buildSession(options);
    }

    protected override async _authenticate(
      options: Credentials,
      login: LoginRequests,
    ): Promise<void> {
      this.steps.push("authenticate");
      const { username, password } = options;
      const answer = await login.post<{ token: string }>("session", {
        json: { username, password },
        convJson: true,
      });
      this.#token = answer.token;
      this.httpSession.headers.set("X-Session-Token", this.#token);
    }

    protected override async _deauthenticate(): Promise<void> {
      this.steps.push("deauthenticate");
      await this.login.end();
      this.httpSession.headers.set("X-Session-Token", null);
    }
  };

type Vault = InstanceType<ReturnType<typeof vaultOf>>;

class Logins extends APIEndpoint<APISession> {
  protected override readonly _path: string = "session";
  async end(): Promise<void> {
    await drained(this._delete(""));
  }
}

const token = () => Response.json({ token: "t-1" });

function start(answers: readonly Answer[], options: Credentials = {}) {
  const transport = scripted(...answers);
  const log = recordingLogger();
  const clock = fakeClock();
  const settings = {
    adapter: transport,
    adapterPath: "https://",
    logger: log,
    clock,
    retries: 0,
    finalWait: false,
    username: "ada",
    password: "hunter2",
    ...options,
  };
  return { transport, log, clock, settings };
}

const methods = (transport: ReturnType<typeof scripted>) =>
  transport.calls.map(({ init, url }) => `${init.method} ${new URL(url).pathname}`);

describeGenerations("the lifecycle of a session", ({ Session }) => {
  const Vault = vaultOf(Session);

  // contract: life-3, life-4, reading-33
  it("begins with a constructor that calls no hook and sends no request", () => {
    const { transport, settings } = start([token]);
    const vault = new Vault(settings);
    assertEquals([vault.steps, transport.calls.length], [[], 0]);
  });

  // contract: life-3, life-4, reading-33
  it("runs the hooks right after construction, even if nothing is requested", async () => {
    const { transport, settings } = start([token]);
    const vault = new Vault(settings);
    await turn();
    assertEquals(vault.steps, ["build", "authenticate"]);
    // The code that encodes the login request may have to be loaded first.
    await until(() => transport.calls.length > 0);
    assertEquals(methods(transport), ["POST /session"]);
  });

  // contract: life-3, life-4, hook-2, auth-rule-1
  it("rule 1: _authenticate runs after the session is built, once", async () => {
    const { settings } = start([token, 200]);
    const vault = new Vault(settings);
    await Promise.all([vault.ready, vault.ready, drained(vault.get("x")), drained(vault.get("y"))]);
    assertEquals(vault.steps, ["build", "authenticate"]);
  });

  // contract: service-9, life-5
  it("open constructs the session, waits for the login and returns the subclass's type", async () => {
    const { settings } = start([token, 200]);
    const vault: Vault = await Vault.open(settings);
    assertEquals(vault.steps, ["build", "authenticate"]);
    assertEquals(vault.httpSession.headers.get("X-Session-Token"), "t-1");
  });

  // contract: life-3, life-4, hook-2
  it("makes a session without hooks ready at once", async () => {
    const { settings } = start([200]);
    const { username: _, password: __, ...options } = settings;
    const session = await Session.open({ ...options, url: "https://a.example" });
    assertEquals((await session.get("x")).status, 200);
    await session.close();
  });

  // contract: reading-33
  it("builds the HTTP session on first access, without logging in", async () => {
    const { settings, transport } = start([token, 200]);
    const vault = new Vault(settings);
    const http = vault.httpSession;
    assertEquals([vault.steps, transport.calls.length], [["build"], 0]);
    assertStrictEquals(vault.httpSession, http);
    await vault.ready;
    assertStrictEquals(vault.httpSession, http);
    assertEquals(vault.steps, ["build", "authenticate"]);
  });

  it("uses the HTTP session that _buildSession returns, and rejects any other value", async () => {
    const { settings, transport } = start([200]);
    class Keyed extends Session {
      protected override _buildSession(options: SessionOptions): HttpSession {
        const http = super._buildSession(options);
        http.headers.set("X-API-Key", "k-1");
        return http;
      }
    }
    await drained(new Keyed({ ...settings, url: "https://a.example" } as SessionOptions).get("x"));
    assertEquals(transport.calls[0]!.init.headers["x-api-key"], "k-1");
    for (const wrong of [{}, undefined, null]) {
      class Broken extends Session {
        protected override _buildSession(): HttpSession {
          return wrong as never;
        }
      }
      const broken = new Broken({ ...settings, url: "https://a.example" } as SessionOptions);
      const error = await assertRejects(() => broken.get("x"), UnexpectedValueError);
      assertEquals(error.option, "_buildSession");
    }
  });

  // contract: life-3, life-4
  it("lets the hooks use fields, private members and endpoints of the subclass", async () => {
    const { settings, transport } = start([token, 204]);
    const vault = await Vault.open(settings);
    await vault.close();
    assertEquals(vault.steps, ["build", "authenticate", "deauthenticate"]);
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });
});

describeGenerations("a login", ({ Session }) => {
  const Vault = vaultOf(Session);

  // contract: service-2, auth-4, reading-33
  it("delays every other request until it is done, so that none is sent unauthenticated", async () => {
    const answers: ((response: Response) => void)[] = [];
    const slow = () => new Promise<Response>((resolve) => void answers.push(resolve));
    const { settings, transport } = start([slow, 200]);
    const vault = new Vault(settings);
    const calls = [drained(vault.get("a")), drained(vault.get("b"))];
    await turn();
    assertEquals(methods(transport), ["POST /session"]);
    answers[0]!(token());
    await Promise.all(calls);
    assertEquals(methods(transport), ["POST /session", "GET /a", "GET /b"]);
    const sent = transport.calls.map(({ init }) => init.headers["x-session-token"]);
    assertEquals(sent, [undefined, "t-1", "t-1"]);
  });

  // contract: service-2
  it("rejects open, ready and every later request with its error if it fails", async () => {
    const { settings, transport } = start([401]);
    await assertRejects(() => Vault.open(settings), UnauthorizedError);
    const vault = new Vault(settings);
    const error = await assertRejects(() => vault.ready, UnauthorizedError);
    assertStrictEquals(await assertRejects(() => vault.get("x"), UnauthorizedError), error);
    assertStrictEquals(await assertRejects(() => vault.ready, UnauthorizedError), error);
    assertEquals(methods(transport), ["POST /session", "POST /session"]);
  });

  it("causes no unhandled rejection if it fails and nothing waits for it", async () => {
    const { settings, transport } = start([401]);
    new Vault(settings);
    await turn();
    await turn();
    assertEquals(transport.calls.length, 1);
  });

  it("rejects a request through this in the hook at once, and suggests the parameter login", async () => {
    const { settings, transport } = start([200]);
    class Circular extends Session {
      protected override async _authenticate(): Promise<void> {
        await this.get("token");
      }
    }
    const session = new Circular({ ...settings, url: "https://a.example" } as SessionOptions);
    const error = await assertRejects(() => session.ready, SessionStateError);
    assertMatch(error.message, /send it through `login`/);
    assertEquals(transport.calls.length, 0);
  });

  it("logs a warning about a later request through this in the hook", async () => {
    const { settings, clock, log } = start([200]);
    class Circular extends Session {
      protected override async _authenticate(): Promise<void> {
        await Promise.resolve();
        await this.get("token");
      }
    }
    const session = new Circular({ ...settings, url: "https://a.example" } as SessionOptions);
    await turn();
    assertEquals(log.messages("warn"), []);
    await clock.advance(5);
    assertEquals(log.messages("warn").length, 1);
    assertMatch(log.messages("warn")[0]!, /waits for itself: send it through `login`/);
    void session;
  });

  it("logs a warning about close in the hook, because close waits for the login", async () => {
    const { settings, log, clock } = start([403]);
    class Closing extends Session {
      static override readonly url: string = "https://vault.example.com";
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        await login.post("session").catch(() => {});
        await this.close();
      }
    }
    const session = new Closing({ ...settings });
    void session.ready.catch(() => {});
    await until(() => clock.pending > 0);
    await clock.advance(5);
    assertEquals(log.messages("warn"), [
      "close has been waiting for the login for 5 s; if _authenticate calls it, it waits for " +
      "itself: throw an error instead; if the server is silent, a `timeout`, a `deadline` or the " +
      "`signal` of the client ends the wait",
    ]);
    assertEquals(clock.pending, 0);
  });

  it("ends with the signal of the client if the server is silent, so that close ends, too", async () => {
    const { settings, log, clock } = start([]);
    const silent = () => new Promise<Response>(() => {});
    const controller = new AbortController();
    const vault = new Vault({ ...settings, adapter: silent, signal: controller.signal });
    const ready = assertRejects(() => vault.ready, Error, "the program ends");
    const closed = vault.close();
    await until(() => clock.pending > 0);
    await clock.advance(5);
    assertMatch(log.messages("warn")[0]!, /the `signal` of the client ends the wait/);
    controller.abort(new Error("the program ends"));
    await Promise.all([ready, closed]);
    await assertRejects(() => vault.get("x"), SessionStateError);
  });

  it("leaves no timer behind", async () => {
    const { settings, clock } = start([token, 200]);
    const vault = new Vault(settings);
    await drained(vault.get("x"));
    assertEquals(clock.pending, 0);
  });

  // contract: hook-2
  it("has a handle with the request methods of the session", async () => {
    const seen: string[] = [];
    class AllMethods extends Session {
      protected override async _authenticate(
        _options: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        for (const method of ["get", "post", "put", "patch", "delete", "head"] as const) {
          seen.push(String((await drained(login[method]("token") as Promise<Response>)).status));
        }
      }
    }
    const { settings, transport } = start([200]);
    await new AllMethods({ ...settings, url: "https://a.example" } as SessionOptions).ready;
    assertEquals(seen, Array(6).fill("200"));
    assertEquals(methods(transport)[5], "HEAD /token");
  });

  // contract: auth-4
  it("shows neither the password nor the token in the log", async () => {
    const { settings, log } = start([token, 200]);
    await drained((await Vault.open(settings)).get("x"));
    assert(!/hunter2|t-1/.test(log.messages().join("\n")), log.messages().join("\n"));
  });

  it("leaves the session closed if the hook closes it", async () => {
    class Hasty extends Session {
      protected override async _authenticate(): Promise<void> {
        void this.close();
        await Promise.resolve();
      }
    }
    const session = new Hasty({ url: "https://a.example" });
    await session.ready;
    await assertRejects(() => session.get("x"), SessionStateError, "closed");
  });

  it("rejects if _buildSession reads session, and suggests super._buildSession", async () => {
    class Circular extends Session {
      protected override _buildSession(): HttpSession {
        return this.httpSession;
      }
    }
    const session = new Circular({ url: "https://a.example" });
    await assertRejects(() => session.ready, SessionStateError, "super._buildSession");
  });

  it("rejects with the unchanged error if _authenticate has a bug", async () => {
    const bug = new TypeError("undefined is not a function");
    class Broken extends Session {
      protected override _authenticate(): void {
        throw bug;
      }
    }
    const session = new Broken({ url: "https://a.example" });
    assertStrictEquals(await assertRejects(() => session.ready, TypeError), bug);
  });
});

describeGenerations("closing a session", ({ Session }) => {
  const Vault = vaultOf(Session);

  // contract: service-9, life-6, hook-3, auth-4, auth-rule-2
  it("rule 2: leaving the context calls _deauthenticate, which logs out and clears", async () => {
    const { settings, transport } = start([token, 200, 204]);
    const vault = await Vault.open(settings);
    await drained(vault.get("x"));
    await vault[Symbol.asyncDispose]();
    assertEquals(methods(transport), ["POST /session", "GET /x", "DELETE /session"]);
    assertEquals(transport.calls[2]!.init.headers["x-session-token"], "t-1");
    assertEquals(vault.httpSession.headers.get("X-Session-Token"), undefined);
  });

  // contract: hook-3
  it("does nothing the second time, and waits for the first close", async () => {
    const { settings, transport } = start([token, 204]);
    const vault = await Vault.open(settings);
    await Promise.all([vault.close(), vault.close()]);
    await vault.close();
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  it("makes later requests and ready reject", async () => {
    const { settings } = start([token, 204]);
    const vault = await Vault.open(settings);
    await vault.close();
    await assertRejects(() => vault.get("x"), SessionStateError, "closed");
    await assertRejects(() => vault.ready, SessionStateError, "closed");
  });

  // contract: life-6
  it("does not log out after a failed login", async () => {
    const { settings, transport } = start([401]);
    const vault = new Vault(settings);
    await assertRejects(() => vault.ready, UnauthorizedError);
    await vault.close();
    assertEquals([vault.steps, transport.calls.length], [["build", "authenticate"], 1]);
  });

  it("does not log in if the login has not started yet", async () => {
    const { settings, transport } = start([token]);
    const vault = new Vault(settings);
    await vault.close();
    await turn();
    assertEquals([vault.steps, transport.calls.length], [[], 0]);
  });

  it("waits for a login in progress", async () => {
    const { settings, transport } = start([token, 204]);
    const vault = new Vault(settings);
    const opened = vault.ready;
    await vault.close();
    await opened;
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  it("rejects if the logout fails, and closes the session anyway", async () => {
    const { settings } = start([token, 401]);
    const vault = await Vault.open(settings);
    await assertRejects(() => vault.close(), UnauthorizedError);
    await assertRejects(() => vault.get("x"), SessionStateError);
  });

  // contract: hook-3
  it("reports a failed logout once: closing again only waits", async () => {
    const { settings, transport } = start([token, 401]);
    const vault = await Vault.open(settings);
    const [first, second] = await Promise.allSettled([vault.close(), vault.close()]);
    assertEquals([first.status, second.status], ["rejected", "fulfilled"]);
    await vault.close();
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  // contract: hook-2, hook-3
  it("passes the options of the constructor to _deauthenticate, as the login does to _authenticate", async () => {
    const seen: Credentials[] = [];
    class Noting extends Session {
      protected override _authenticate(options: Credentials): Promise<void> {
        seen.push(options);
        return Promise.resolve();
      }
      protected override _deauthenticate(options: Credentials): Promise<void> {
        seen.push(options);
        return Promise.resolve();
      }
    }
    const { settings } = start([200]);
    const options: Credentials = { ...settings, url: "https://a.example" };
    const noting = await Noting.open(options);
    await noting.close();
    const known = { username: "ada", password: "hunter2", retries: 0 };
    assertEquals(
      seen.map(({ username, password, retries }) => ({ username, password, retries })),
      [known, known],
    );
  });

  // contract: life-6, fault-7
  it("logs out after an exception too, and leaves the exception to the caller", async () => {
    const { settings, transport } = start([token, 204]);
    const mine = new Error("mine");
    const use = async () => {
      const vault = await Vault.open(settings);
      try {
        throw mine;
      } finally {
        await vault.close();
      }
    };
    assertStrictEquals(await assertRejects(use, Error), mine);
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  it("closes an HTTP session that is used for the first time afterwards", async () => {
    class Plain extends Session {
      static override readonly url: string = "https://a.example";
    }
    const client = new Plain({ proxies: { https: "http://127.0.0.1:1" } });
    await client.close();
    await assertRejects(() => client.get("x"), SessionStateError, "closed");
    const { httpSession } = client;
    assertThrows(
      () => httpSession.transportFor("https://a.example/x"),
      SessionStateError,
      "closed",
    );
  });

  it("prevents the hook _buildSession if it comes first", async () => {
    const vault = new Vault(start([token]).settings);
    await vault.close();
    assertThrows(() => vault.httpSession, SessionStateError, "closed");
    await assertRejects(() => vault.get("x"), SessionStateError, "closed");
    assertEquals(vault.steps, []);
  });

  it("leaves the HTTP session readable if it was used before", async () => {
    const session = new Session({ url: "https://a.example", fetch: scripted(204) });
    const http = session.httpSession;
    await session.close();
    assertStrictEquals(session.httpSession, http);
  });

  it("leaves an HTTP session open that was passed in", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch });
    const one = new Session({ url: "https://a.example", session });
    const other = new Session({ url: "https://a.example", session });
    await drained(one.get("x"));
    await one.close();
    assertEquals((await drained(other.get("y"))).status, 200);
  });

  it("is not needed after invalid options, because the constructor throws", () => {
    assertThrows(() => new Vault({ retries: -1 }), UnexpectedValueError, "retries");
  });
});
