import process from "node:process";
import {
  after,
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  before,
  describe,
  it,
} from "#test";
import {
  APISession,
  type RequestOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

/** A class of the caller. */
class Form {
  a = "1";
}

/** An object of the runtime, with private state. */
class Agent {
  #sockets = 7;
  get sockets(): number {
    return this.#sockets;
  }
}

/** Creates options of each kind, which the test changes after the call. */
function changeable(): RequestOptions & { [key: string]: unknown } {
  return {
    headers: { "x-a": "before" },
    params: { p: "before", secret: "hidden" },
    data: { d: ["before"] },
    cookies: { c: "before" },
    redactFields: ["secret"],
  };
}

describe("two mistakes in one call", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  before(() => void process.on("unhandledRejection", note));
  after(() => void process.off("unhandledRejection", note));

  it("throw one error, and leave no unhandled rejection", async () => {
    const session = new APISession({ url: "https://a.example", adapter: scripted(200) });
    const twoBad: readonly RequestOptions[] = [
      { data: 5 as never, headers: { "x y": "1" } },
      { files: { f: "text" as never }, boxAttrs: 5 as never },
      { redactFields: 7 as never, cookies: 7 as never },
    ];
    for (const options of twoBad) {
      await assertRejects(() => session.post("x", options), UnexpectedValueError);
    }
    await turn();
    assertEquals(unhandled, []);
  });
});

describe("a request option", () => {
  it("keeps the value that it had when the call was made, even if the caller changes it later", async () => {
    const transport = scripted(200);
    const logger = recordingLogger();
    const session = new APISession({ url: "https://a.example", adapter: transport, logger });
    const options = changeable();
    const call = session.post("x", options);
    (options.headers as Record<string, string>)["x-a"] = "after";
    (options.params as Record<string, string>)["p"] = "after";
    (options.data as Record<string, string[]>)["d"]![0] = "after";
    (options.cookies as Record<string, string>)["c"] = "after";
    (options.redactFields as string[]).length = 0;
    await call;
    const { url, init: { headers, body } } = transport.calls[0]!;
    assertEquals(
      [url, headers["x-a"], headers["cookie"], String(body)],
      ["https://a.example/x?p=before&secret=hidden", "before", "c=before", "d=before"],
    );
    assert(!logger.messages().join("\n").includes("hidden"), logger.messages().join("\n"));
  });

  it("reaches the transport as the same object if it is in fetchOptions, even if they change later", async () => {
    const transport = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter: transport });
    const hidden = Symbol("hidden");
    const dispatcher = Object.assign(new Agent(), { [hidden]: { size: 1 } });
    const passed: Record<string, unknown> = { dispatcher, cf: { ttl: 1 } };
    const data: Record<string, string> = { a: "1" };
    const adapters: Record<string, typeof transport> = { "https://": transport };
    const call = session.post("x", { fetchOptions: passed, data, adapters });
    passed["dispatcher"] = undefined;
    data["a"] = "2";
    delete adapters["https://"];
    await (await call).body?.cancel();
    const [{ init }] = transport.calls as [typeof transport.calls[0] & object];
    const sent: unknown = Reflect.get(init, "dispatcher");
    assertStrictEquals(sent, dispatcher);
    assert(sent instanceof Agent && sent.sockets === 7 && hidden in sent);
    assertEquals([Reflect.get(init, "cf"), String(init.body)], [{ ttl: 1 }, "a=1"]);
  });

  it("is not copied if it is a cookie storage, even if that is a plain object", async () => {
    const store = {
      stored: "",
      cookieHeader: (): string => store.stored,
      keep(setCookies: readonly string[]): void {
        this.stored = setCookies.join();
      },
    };
    const answer = () => new Response(null, { headers: { "set-cookie": "a=1" } });
    const session = new APISession({
      url: "https://a.example",
      adapter: scripted(answer),
      logger: recordingLogger(),
    });
    await session.get("x", { cookies: store });
    assertEquals(store.stored, "a=1");
  });

  it("keeps its value as URLSearchParams, class instance, object without a prototype and pair", async () => {
    const transport = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter: transport });
    const data = new URLSearchParams("a=1");
    const form = new Form();
    const bare = Object.assign(Object.create(null), { a: ["1"] });
    const auth: [string, string] = ["ada", "one"];
    const calls = [
      session.post("x", { data }),
      session.post("x", { data: form as never }),
      session.post("x", { data: bare }),
      session.post("x", { auth, data: { a: "1" } }),
    ];
    data.set("a", "2");
    form.a = "2";
    bare.a[0] = "2";
    auth[1] = "two";
    await Promise.all(calls);
    assertEquals(transport.calls.map(({ init: { body } }) => String(body)), Array(4).fill("a=1"));
    const sent = transport.calls.map(({ init: { headers } }) => headers["authorization"]);
    assertEquals(sent.filter((value) => value !== undefined), [`Basic ${btoa("ada:one")}`]);
  });

  it("keeps the value that it had when a session with a shared HTTP session was created", async () => {
    const transport = scripted(200);
    const home = new APISession({ url: "https://a.example", adapter: transport });
    const auth: [string, string] = ["ada", "one"];
    const options = { url: "https://a.example", session: home.httpSession, auth };
    const session = new APISession(options);
    auth[1] = "two";
    await session.get("x");
    const { headers } = transport.calls[0]!.init;
    assertEquals(headers["authorization"], `Basic ${btoa("ada:one")}`);
  });
});

describe("the log of a call", () => {
  it("begins with the first attempt after debug records are turned on", async () => {
    let isOn = false;
    const recorded = recordingLogger();
    const logger = { ...recorded, isLevelEnabled: () => isOn };
    const transport = scripted(503, 200);
    const session = new APISession({
      url: "https://a.example",
      adapter: (url, init) => {
        isOn = true;
        return transport(url, init);
      },
      backoff: 0,
      logger,
    });
    await session.get("x");
    assertEquals([transport.calls.length, recorded.messages("debug").length], [2, 1]);
  });
});

describe("a call that is aborted", () => {
  const silent = { authenticate: () => new Promise<Response>(() => {}) };
  const cases: readonly (readonly [string, Partial<SessionOptions>])[] = [
    ["with a scheme that never answers", { auth: silent }],
    ["with a scheme, and debug records", { auth: silent, logger: recordingLogger() }],
    ["with a timeout", { auth: silent, timeout: 5 }],
    ["with a fetch that never answers", { fetch: () => new Promise<Response>(() => {}) }],
  ];
  for (const [what, options] of cases) {
    it(`fails at once, no matter when it is aborted: ${what}`, async () => {
      for (let ticks = 0; ticks < 25; ticks++) {
        const session = new APISession({
          url: "https://a.example",
          clock: fakeClock(),
          ...options,
        });
        const controller = new AbortController();
        const call = session.get("x", { signal: controller.signal });
        const failed = assertRejects(() => call, Error, `ended after ${ticks}`);
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        controller.abort(new Error(`ended after ${ticks}`));
        await failed;
      }
    });
  }
});
