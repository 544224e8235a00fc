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
  HttpSession,
  type Login,
  type SessionOptions,
  SessionStateError,
  UnauthorizedError,
  UnexpectedValueError,
} from "../mod.ts";
import { drained } from "./support/drained.ts";
import { describeGenerations, type SessionClass } from "./support/generations.ts";
import { FakeClock } from "./support/fake_clock.ts";
import { recordingLogger } from "./support/recording_logger.ts";
import { type Answer, scripted } from "./support/scripted.ts";
import { turn, until } from "./support/until.ts";

interface Credentials extends SessionOptions {
  readonly username?: string;
  readonly password?: string;
}

/** An SDK whose API wants a login: a token by POST, given back by DELETE. */
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

    protected override async _authenticate(options: Credentials, login: Login): Promise<void> {
      this.steps.push("authenticate");
      const { username, password } = options;
      const answer = await login.post<{ token: string }>("session", {
        json: { username, password },
        convJson: true,
      });
      this.#token = answer.token;
      this.session.headers.set("X-Session-Token", this.#token);
    }

    protected override async _deauthenticate(): Promise<void> {
      this.steps.push("deauthenticate");
      await this.login.end();
      this.session.headers.set("X-Session-Token", null);
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
  const clock = new FakeClock({ jumps: false });
  const given = {
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
  return { transport, log, clock, given };
}

const methods = (transport: ReturnType<typeof scripted>) =>
  transport.calls.map(({ init, url }) => `${init.method} ${new URL(url).pathname}`);

describeGenerations("the life of a session", ({ Session }) => {
  const Vault = vaultOf(Session);

  // contract: life-3, life-4, reading-33
  it("the constructor calls no hook and makes no request", () => {
    const { transport, given } = start([token]);
    const vault = new Vault(given);
    assertEquals([vault.steps, transport.calls.length], [[], 0]);
  });

  // contract: life-3, life-4, reading-33
  it("the hooks run right after the construction, also where nobody asks for anything", async () => {
    const { transport, given } = start([token]);
    const vault = new Vault(given);
    await turn();
    assertEquals(vault.steps, ["build", "authenticate"]);
    // What the form of the login needs may have to be loaded first.
    await until(() => transport.calls.length > 0);
    assertEquals(methods(transport), ["POST /session"]);
  });

  // contract: life-3, life-4, hook-2, auth-rule-1
  it("rule 1: _authenticate runs after the session is built, once", async () => {
    const { given } = start([token, 200]);
    const vault = new Vault(given);
    await Promise.all([vault.ready, vault.ready, drained(vault.get("x")), drained(vault.get("y"))]);
    assertEquals(vault.steps, ["build", "authenticate"]);
  });

  // contract: service-9, life-5
  it("open is the same construction, awaited, and knows the subclass", async () => {
    const { given } = start([token, 200]);
    const vault: Vault = await Vault.open(given);
    assertEquals(vault.steps, ["build", "authenticate"]);
    assertEquals(vault.session.headers.get("X-Session-Token"), "t-1");
  });

  // contract: life-3, life-4, hook-2
  it("without hooks a session is ready at once", async () => {
    const { given } = start([200]);
    const { username: _, password: __, ...options } = given;
    const session = await Session.open({ ...options, url: "https://a.example" });
    assertEquals((await session.get("x")).status, 200);
    await session.close();
  });

  // contract: reading-33
  it("the first look at the HTTP session builds it, and only that", async () => {
    const { given, transport } = start([token, 200]);
    const vault = new Vault(given);
    const http = vault.session;
    assertEquals([vault.steps, transport.calls.length], [["build"], 0]);
    assertStrictEquals(vault.session, http);
    await vault.ready;
    assertStrictEquals(vault.session, http);
    assertEquals(vault.steps, ["build", "authenticate"]);
  });

  it("what _buildSession gives is used, and must be an HTTP session", async () => {
    const { given, transport } = start([200]);
    class Keyed extends Session {
      protected override _buildSession(options: SessionOptions): HttpSession {
        const http = super._buildSession(options);
        http.headers.set("X-API-Key", "k-1");
        return http;
      }
    }
    await drained(new Keyed({ ...given, url: "https://a.example" } as SessionOptions).get("x"));
    assertEquals(transport.calls[0]!.init.headers["x-api-key"], "k-1");
    for (const wrong of [{}, undefined, null]) {
      class Broken extends Session {
        protected override _buildSession(): HttpSession {
          return wrong as never;
        }
      }
      const broken = new Broken({ ...given, url: "https://a.example" } as SessionOptions);
      const error = await assertRejects(() => broken.get("x"), UnexpectedValueError);
      assertEquals(error.option, "_buildSession");
    }
  });

  // contract: life-3, life-4
  it("fields, private members and endpoints of a subclass work inside the hooks", async () => {
    const { given, transport } = start([token, 204]);
    const vault = await Vault.open(given);
    await vault.close();
    assertEquals(vault.steps, ["build", "authenticate", "deauthenticate"]);
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });
});

describeGenerations("a login", ({ Session }) => {
  const Vault = vaultOf(Session);

  // contract: service-2, auth-4, reading-33
  it("every other request waits until it is done, so nothing goes out unauthenticated", async () => {
    const answers: ((response: Response) => void)[] = [];
    const slow = () => new Promise<Response>((resolve) => void answers.push(resolve));
    const { given, transport } = start([slow, 200]);
    const vault = new Vault(given);
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
  it("that fails rejects open, ready and every later request with its error", async () => {
    const { given, transport } = start([401]);
    await assertRejects(() => Vault.open(given), UnauthorizedError);
    const vault = new Vault(given);
    const error = await assertRejects(() => vault.ready, UnauthorizedError);
    assertStrictEquals(await assertRejects(() => vault.get("x"), UnauthorizedError), error);
    assertStrictEquals(await assertRejects(() => vault.ready, UnauthorizedError), error);
    assertEquals(methods(transport), ["POST /session", "POST /session"]);
  });

  it("that fails and that nobody waits for is no unhandled rejection", async () => {
    const { given, transport } = start([401]);
    new Vault(given);
    await turn();
    await turn();
    assertEquals(transport.calls.length, 1);
  });

  it("a request through this in the hook is an error at once, and says what to use", async () => {
    const { given, transport } = start([200]);
    class Circular extends Session {
      protected override async _authenticate(): Promise<void> {
        await this.get("token");
      }
    }
    const session = new Circular({ ...given, url: "https://a.example" } as SessionOptions);
    const error = await assertRejects(() => session.ready, SessionStateError);
    assertMatch(error.message, /send it through the login handle/);
    assertEquals(transport.calls.length, 0);
  });

  it("a request through this later in the hook is told of by a warning", async () => {
    const { given, clock, log } = start([200]);
    class Circular extends Session {
      protected override async _authenticate(): Promise<void> {
        await Promise.resolve();
        await this.get("token");
      }
    }
    const session = new Circular({ ...given, url: "https://a.example" } as SessionOptions);
    await turn();
    assertEquals(log.of("warn"), []);
    clock.advance(5);
    assertEquals(log.of("warn").length, 1);
    assertMatch(log.of("warn")[0]!, /waits for itself: send it through the login handle/);
    void session;
  });

  it("close in the hook is told of by a warning, since it waits for the login", async () => {
    const { given, log, clock } = start([403]);
    class Closing extends Session {
      static override readonly url: string = "https://vault.example.com";
      protected override async _authenticate(_: SessionOptions, login: Login): Promise<void> {
        await login.post("session").catch(() => {});
        await this.close();
      }
    }
    const session = new Closing({ ...given });
    void session.ready.catch(() => {});
    await until(() => clock.pending > 0);
    clock.advance(5);
    assertEquals(log.of("warn"), [
      "close has been waiting for the login for 5 s; if _authenticate calls it, it waits for " +
      "itself: throw an error instead",
    ]);
    assertEquals(clock.pending, 0);
  });

  it("leaves no timer behind", async () => {
    const { given, clock } = start([token, 200]);
    const vault = new Vault(given);
    await drained(vault.get("x"));
    assertEquals(clock.pending, 0);
  });

  // contract: hook-2
  it("its handle has the verbs of the session, with retries and redaction", async () => {
    const seen: string[] = [];
    class Verbs extends Session {
      protected override async _authenticate(
        _options: SessionOptions,
        login: Login,
      ): Promise<void> {
        for (const verb of ["get", "post", "put", "patch", "delete", "head"] as const) {
          seen.push(String((await drained(login[verb]("token") as Promise<Response>)).status));
        }
      }
    }
    const { given, transport } = start([200]);
    await new Verbs({ ...given, url: "https://a.example" } as SessionOptions).ready;
    assertEquals(seen, Array(6).fill("200"));
    assertEquals(methods(transport)[5], "HEAD /token");
  });

  // contract: auth-4
  it("shows neither the password nor the token in the log", async () => {
    const { given, log } = start([token, 200]);
    await drained((await Vault.open(given)).get("x"));
    assert(!/hunter2|t-1/.test(log.all()), log.all());
  });

  it("a session that is closed in the hook itself stays closed", async () => {
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

  it("_buildSession that asks for the session that it makes is told what to use", async () => {
    class Circular extends Session {
      protected override _buildSession(): HttpSession {
        return this.session;
      }
    }
    const session = new Circular({ url: "https://a.example" });
    await assertRejects(() => session.ready, SessionStateError, "super._buildSession");
  });

  it("a bug in _authenticate is raised as it is", async () => {
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

describeGenerations("leaving a session", ({ Session }) => {
  const Vault = vaultOf(Session);

  // contract: service-9, life-6, hook-3, auth-4, auth-rule-2
  it("rule 2: leaving the context calls _deauthenticate, which logs out and clears", async () => {
    const { given, transport } = start([token, 200, 204]);
    const vault = await Vault.open(given);
    await drained(vault.get("x"));
    await vault[Symbol.asyncDispose]();
    assertEquals(methods(transport), ["POST /session", "GET /x", "DELETE /session"]);
    assertEquals(transport.calls[2]!.init.headers["x-session-token"], "t-1");
    assertEquals(vault.session.headers.get("X-Session-Token"), undefined);
  });

  // contract: hook-3
  it("a second close does nothing, and waits for the first", async () => {
    const { given, transport } = start([token, 204]);
    const vault = await Vault.open(given);
    await Promise.all([vault.close(), vault.close()]);
    await vault.close();
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  it("a request after it is an error, and so are ready and open", async () => {
    const { given } = start([token, 204]);
    const vault = await Vault.open(given);
    await vault.close();
    await assertRejects(() => vault.get("x"), SessionStateError, "closed");
    await assertRejects(() => vault.ready, SessionStateError, "closed");
  });

  // contract: life-6
  it("does not log out after a failed login", async () => {
    const { given, transport } = start([401]);
    const vault = new Vault(given);
    await assertRejects(() => vault.ready, UnauthorizedError);
    await vault.close();
    assertEquals([vault.steps, transport.calls.length], [["build", "authenticate"], 1]);
  });

  it("does not log in where it is left before anything has happened", async () => {
    const { given, transport } = start([token]);
    const vault = new Vault(given);
    await vault.close();
    await turn();
    assertEquals([vault.steps, transport.calls.length], [[], 0]);
  });

  it("waits for a login that is under way", async () => {
    const { given, transport } = start([token, 204]);
    const vault = new Vault(given);
    const opened = vault.ready;
    await vault.close();
    await opened;
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  it("a logout that fails is raised, and the session is closed all the same", async () => {
    const { given } = start([token, 401]);
    const vault = await Vault.open(given);
    await assertRejects(() => vault.close(), UnauthorizedError);
    await assertRejects(() => vault.get("x"), SessionStateError);
  });

  // contract: hook-3
  it("a failed logout is told once: to close it again only waits", async () => {
    const { given, transport } = start([token, 401]);
    const vault = await Vault.open(given);
    const [first, second] = await Promise.allSettled([vault.close(), vault.close()]);
    assertEquals([first.status, second.status], ["rejected", "fulfilled"]);
    await vault.close();
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  // contract: hook-2, hook-3
  it("_deauthenticate is given the options of the constructor, as _authenticate is", async () => {
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
    const { given } = start([200]);
    const options: Credentials = { ...given, url: "https://a.example" };
    const noting = await Noting.open(options);
    await noting.close();
    const known = { username: "ada", password: "hunter2", retries: 0 };
    assertEquals(
      seen.map(({ username, password, retries }) => ({ username, password, retries })),
      [known, known],
    );
  });

  // contract: life-6, fault-7
  it("on an exception it logs out too, and the exception is the caller's", async () => {
    const { given, transport } = start([token, 204]);
    const mine = new Error("mine");
    const use = async () => {
      const vault = await Vault.open(given);
      try {
        throw mine;
      } finally {
        await vault.close();
      }
    };
    assertStrictEquals(await assertRejects(use, Error), mine);
    assertEquals(methods(transport), ["POST /session", "DELETE /session"]);
  });

  it("an HTTP session that was passed in goes on", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch });
    const one = new Session({ url: "https://a.example", session });
    const other = new Session({ url: "https://a.example", session });
    await drained(one.get("x"));
    await one.close();
    assertEquals((await drained(other.get("y"))).status, 200);
  });

  it("a session of an SDK is told by what is wrong in its options at once", () => {
    assertThrows(() => new Vault({ retries: -1 }), UnexpectedValueError, "retries");
  });
});
