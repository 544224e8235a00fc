import { assertEquals, assertInstanceOf, assertRejects, it } from "#test";
import process from "node:process";
import {
  DeadlineExceededError,
  type LoginRequests,
  type Path,
  type RequestOptions,
  type SessionOptions,
} from "../../mod.ts";
import { SessionStateError } from "../../src/entries/errors.ts";
import type { HttpSession } from "../../src/http/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { scripted } from "../support/scripted.ts";
import { turn, until } from "../support/until.ts";

const url = "https://vault.example.com";
const never = () => new Promise<never>(() => {});

describeGenerations("a call that waits for the login", ({ Session }) => {
  /** A session whose login lasts until the test ends it. */
  class Vault extends Session {
    static override readonly url: string = url;
    logIn: () => void = () => {};
    fail: (error: Error) => void = () => {};
    protected override _authenticate(): Promise<void> {
      return new Promise((resolve, reject) => {
        this.logIn = resolve;
        this.fail = reject;
      });
    }
  }

  for (const [whose, isOfCall] of [["call", true], ["session", false]] as const) {
    it(`is aborted at once by the signal of the ${whose}`, async () => {
      const adapter = scripted(200);
      const controller = new AbortController();
      const { signal } = controller;
      const vault = new Vault({ adapter, ...isOfCall ? {} : { signal } });
      const call = vault.get("a", isOfCall ? { signal } : {});
      const refused = assertRejects(() => call, Error, "enough");
      await turn();
      controller.abort(new Error("enough"));
      await refused;
      vault.logIn();
      await vault.ready;
      assertEquals(adapter.calls.length, 0);
      await vault.close();
    });
  }

  it("rejects if its signal was aborted before, and sends nothing", async () => {
    const adapter = scripted(200);
    const vault = new Vault({ adapter });
    const signal = AbortSignal.abort(new Error("too late"));
    await assertRejects(() => vault.get("a", { signal }), Error, "too late");
    vault.logIn();
    await vault.close();
    assertEquals(adapter.calls.length, 0);
  });

  it("is aborted at its deadline, which counts from the call", async () => {
    const adapter = scripted(200);
    const clock = fakeClock();
    const vault = new Vault({ adapter, clock });
    const call = vault.get("a", { deadline: 3 });
    const refused = assertRejects(() => call, DeadlineExceededError);
    await until(() => clock.pending === 2); // the deadline and the login watchdog
    await clock.advance(3);
    await refused;
    vault.logIn();
    await vault.close();
    assertEquals([adapter.calls.length, clock.pending], [0, 0]);
  });

  it("rejects if the login fails, but not a second time if it was aborted before", async () => {
    const controller = new AbortController();
    const vault = new Vault({ adapter: scripted() });
    const { signal } = controller;
    const ended = assertRejects(() => vault.get("a", { signal }), Error, "enough");
    const waiting = assertRejects(() => vault.get("b", { signal: new AbortController().signal }));
    await turn();
    controller.abort(new Error("enough"));
    await ended;
    const wrong = new Error("wrong password");
    vault.fail(wrong);
    assertEquals(await waiting, wrong);
  });

  it("sends the options that it had when it was started", async () => {
    const adapter = scripted(200, 200);
    const vault = new Vault({ adapter });
    const json = { n: 1 };
    const params: Record<string, string> = { q: "a" };
    const headers: Record<string, string> = { "x-n": "1" };
    const call = vault.post("a", { json, params, headers });
    json.n = 2;
    params["q"] = "b";
    headers["x-n"] = "2";
    vault.logIn();
    await (await call).body?.cancel();
    const [{ url: sent, init }] = adapter.calls as [typeof adapter.calls[0] & object];
    assertEquals([sent, init.body], [`${url}/a?q=a`, '{"n":1}']);
    assertEquals(new Headers(init.headers).get("x-n"), "1");
    await vault.close();
  });

  it("rejects a mistake in its options at once, without waiting for the login", async () => {
    const vault = new Vault({ adapter: scripted() });
    await assertRejects(() => vault.get("a", { retries: -1 }), Error, "retries");
    vault.fail(new Error("wrong password"));
    await assertRejects(() => vault.ready, Error, "wrong password");
  });

  it("rejects a mistake in its options even if the session is closed, with one error", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const session = new Session({ url, adapter: scripted() });
      await session.ready;
      await session.close();
      await assertRejects(() => session.get("a", { retries: -1 }), Error, "retries");
      await turn();
    } finally {
      process.off("unhandledRejection", note);
    }
    assertEquals(unhandled, []);
  });

  it("is aborted by its signal on a derived session too", async () => {
    const adapter = scripted(200);
    const vault = new Vault({ adapter });
    const controller = new AbortController();
    const derived = vault.withOptions({ retries: 0 }).withOptions({ retries: 1 });
    const ended = assertRejects(
      () => derived.get("a", { signal: controller.signal }),
      Error,
      "enough",
    );
    await turn();
    controller.abort(new Error("enough"));
    await ended;
    vault.logIn();
    await vault.close();
    assertEquals(adapter.calls.length, 0);
  });
});

describeGenerations("a login that sets auth of the HTTP session", ({ Session }) => {
  it("authenticates the calls that waited", async () => {
    const adapter = scripted(200);
    class Vault extends Session {
      static override readonly url: string = url;
      protected override async _authenticate(): Promise<void> {
        await turn();
        this.httpSession.auth = ["ada", "pw"];
      }
    }
    const vault = new Vault({ adapter });
    await Promise.all([vault.get("a", { deadline: 60 }), vault.get("b")]);
    const sent = adapter.calls.map(({ init }) => init.headers["authorization"]);
    assertEquals(sent, ["Basic YWRhOnB3", "Basic YWRhOnB3"]);
    await vault.close();
  });
});

describeGenerations("the options that the hooks of a login get", ({ Session }) => {
  interface Named extends SessionOptions {
    readonly username?: string;
  }
  const names: string[] = [];
  class Shop extends Session {
    static override readonly url: string = url;
    constructor(options: Named) {
      super(options);
    }
    protected override _buildSession(options: Named): HttpSession {
      names.push(`build ${options.username}`);
      return super._buildSession(options);
    }
    protected override _authenticate(options: Named, login: LoginRequests): void {
      void login;
      names.push(`in ${options.username}`);
    }
    protected override _deauthenticate(options: Named): void {
      names.push(`out ${options.username}`);
    }
  }

  it("are those that the constructor got, even if the caller's object changes", async () => {
    names.length = 0;
    const options: Record<string, unknown> = { adapter: scripted() };
    const shops = ["ada", "bob"].map((username) => new Shop(Object.assign(options, { username })));
    for (const shop of shops) await shop.ready;
    options["username"] = undefined;
    for (const shop of shops) await shop.close();
    assertEquals(names, ["build ada", "in ada", "build bob", "in bob", "out ada", "out bob"]);
  });
});

describeGenerations("a session that cannot be opened", ({ Session }) => {
  it("rejects at once, without waiting for its resources to close", async () => {
    class Vault extends Session {
      static override readonly url: string = url;
      protected override _buildSession(options: SessionOptions): HttpSession {
        const http = super._buildSession(options);
        http.auth = { authenticate: (_, send) => send(), close: never };
        return http;
      }
      protected override _authenticate(): void {
        throw new Error("wrong password");
      }
    }
    await assertRejects(() => Vault.open(), Error, "wrong password");
  });

  it("is closed by open, which rejects, and is not closed by ready", async () => {
    let opened: { closed: number } | undefined;
    class Vault extends Session {
      static override readonly url: string = url;
      closed = 0;
      constructor(options: SessionOptions = {}) {
        super(options);
        opened = this;
      }
      protected override _authenticate(): void {
        throw new Error("wrong password");
      }
      override close(): Promise<void> {
        this.closed++;
        return super.close();
      }
    }
    await assertRejects(() => Vault.open(), Error, "wrong password");
    assertEquals(opened?.closed, 1);
    const vault = new Vault();
    assertInstanceOf(await assertRejects(() => vault.ready), Error);
    assertEquals(vault.closed, 0);
  });
});

describeGenerations("the requests of a login", ({ Session }) => {
  it("call an override of _req like all other requests, and reject after the session is closed", async () => {
    let handle: LoginRequests | undefined;
    const seen: string[] = [];
    class Vault extends Session {
      static override readonly url: string = url;
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        handle = login;
        await login.post("session", { json: {} });
      }
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        seen.push(`${method} ${path}`);
        return super._req(method, path, { ...options, headers: { "x-tenant": "north" } });
      }
    }
    const adapter = scripted(200);
    const vault = new Vault({ adapter });
    await vault.get("a");
    await vault.close();
    assertEquals(seen, ["GET a", "POST session"]);
    assertEquals(adapter.calls.map(({ init }) => init.headers["x-tenant"]), ["north", "north"]);
    await assertRejects(() => handle!.post("session"), SessionStateError, "closed");
  });
});
