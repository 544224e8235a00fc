import { assert, assertEquals, assertRejects, assertStrictEquals, describe, it } from "#test";
import { APISession, type RequestOptions, type SessionOptions } from "../mod.ts";
import { allParts, onDemand, withPart } from "../src/on_demand.ts";
import { sourceRoot } from "./support/contract_page.ts";
import { FakeClock } from "./support/fake_clock.ts";
import { browserModules } from "./support/import_graph.ts";
import { recordingLogger } from "./support/recording_logger.ts";
import { scripted } from "./support/scripted.ts";

/** What is asked for first in this file, so that no part is at hand yet. */
function cold(): RequestOptions & { [key: string]: unknown } {
  return {
    headers: { "x-a": "before" },
    params: { p: "before", secret: "hidden" },
    data: { d: ["before"] },
    cookies: { c: "before" },
    redactFields: ["secret"],
  };
}

describe("keywords are read when the call is made", () => {
  for (const when of ["while parts are loaded", "when they are at hand"]) {
    it(`what the caller does with them afterwards does not matter: ${when}`, async () => {
      const transport = scripted(200);
      const logger = recordingLogger();
      const session = new APISession({ url: "https://a.example", adapter: transport, logger });
      const options = cold();
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
      assert(!logger.all().includes("hidden"), logger.all());
    });
  }
});

describe("a call that is ended while parts are loaded", () => {
  const silent = { authenticate: () => new Promise<Response>(() => {}) };
  const cases: readonly (readonly [string, Partial<SessionOptions>])[] = [
    ["with a scheme that never answers", { auth: silent }],
    ["with a scheme, and debug records", { auth: silent, logger: recordingLogger() }],
    ["with a timeout", { auth: silent, timeout: 5 }],
    ["with a fetch that never answers", { fetch: () => new Promise<Response>(() => {}) }],
  ];
  for (const [what, options] of cases) {
    it(`fails at once, whenever it is ended: ${what}`, async () => {
      for (let ticks = 0; ticks < 25; ticks++) {
        const session = new APISession({
          url: "https://a.example",
          clock: new FakeClock({ jumps: false }),
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

describe("a part on demand", () => {
  it("is a promise until it has been loaded, then at hand", async () => {
    const module = { name: "part" };
    const part = onDemand(() => Promise.resolve(module));
    const first = part();
    assert(first instanceof Promise);
    assertStrictEquals(await first, module);
    assertStrictEquals(part(), module);
  });

  it("is loaded once, also where several ask at the same time", async () => {
    let loads = 0;
    const part = onDemand(() => Promise.resolve(++loads));
    await Promise.all([part(), part(), part()]);
    assertEquals([loads, part()], [1, 1]);
  });

  it("that could not be loaded is loaded again the next time", async () => {
    let loads = 0;
    const part = onDemand(() => ++loads === 1 ? Promise.reject(new Error("offline")) : done(loads));
    await assertRejects(async () => await part(), Error, "offline");
    assertEquals(await part(), 2);
    assertEquals(part(), 2);
  });

  it("is used at once where it is at hand, else when it has been loaded", async () => {
    assertEquals(withPart(2, (part) => part + 1), 3);
    const later = withPart(Promise.resolve(2), (part) => part + 1);
    assert(later instanceof Promise);
    assertEquals(await later, 3);
  });
});

describe("waiting for parts", () => {
  it("gives what is at hand and what has been loaded", async () => {
    assertEquals(await allParts([1, Promise.resolve("two"), undefined], []), [1, "two", undefined]);
  });

  it("ends at once with the reason of a signal, and puts no listener on any", async () => {
    const controllers = [new AbortController(), new AbortController()];
    const signals = controllers.map(({ signal }) => signal);
    let listening = 0;
    for (const signal of signals) {
      const { addEventListener, removeEventListener } = signal;
      signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
        listening++;
        addEventListener.apply(signal, given);
      };
      signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
        listening--;
        removeEventListener.apply(signal, given);
      };
    }
    const never = new Promise<void>(() => {});
    const waiting = assertRejects(() => allParts([never], signals), Error, "enough");
    assertEquals(listening, 0);
    controllers[1]!.abort(new Error("enough"));
    await waiting;
    assertEquals(listening, 0);
    await allParts([Promise.resolve(1)], signals);
    assertEquals(listening, 0);
  });

  it("leaves no listener behind where a part cannot be loaded", async () => {
    const { any } = AbortSignal;
    const changes: string[] = [];
    AbortSignal.any = (signals) => {
      const signal = any.call(AbortSignal, signals);
      const { addEventListener, removeEventListener } = signal;
      const noted = { addEventListener, removeEventListener };
      for (const [name, change] of Object.entries(noted)) {
        Object.assign(signal, {
          [name]: (type: string, listener: EventListener) => {
            changes.push(`${name} ${type}`);
            change.call(signal, type, listener);
          },
        });
      }
      return signal;
    };
    try {
      const failing = Promise.reject(new Error("offline"));
      await assertRejects(
        () => allParts([failing], [AbortSignal.timeout(60_000)]),
        Error,
        "offline",
      );
    } finally {
      AbortSignal.any = any;
    }
    // As listeners: a handler put back to null keeps the timer of such a signal on Deno.
    assertEquals(changes, ["addEventListener abort", "removeEventListener abort"]);
  });

  it("fails where a part cannot be loaded", async () => {
    const { signal } = new AbortController();
    const failing = Promise.reject(new Error("offline"));
    await assertRejects(() => allParts([failing], [signal]), Error, "offline");
  });
});

function done<T>(value: T): Promise<T> {
  return Promise.resolve(value);
}

describe("what a program has that imports APIClient alone", () => {
  const loaded = browserModules(sourceRoot(), ["src/client.ts"], "static");
  const later = browserModules(sourceRoot(), ["src/client.ts"]);
  const parts: readonly (readonly [string, RegExp, boolean])[] = [
    ["XML", /^src\/xml\//, false],
    ["models", /^src\/models\/(?!model_class)/, true],
    ["Digest", /digest/, false],
    ["a cookie jar", /^src\/cookies\/(?!none)/, false],
    ["boxes", /^src\/box\/(?!box_attrs|original)/, true],
    ["redirects", /redirect\.ts$/, true],
    ["authentication", /http\/authentication\.ts$/, true],
    ["timeouts and deadlines", /exchange_watch|cancellation/, true],
    ["proxies and certificates", /transport\/(?:routes|proxies|certificates|deno|node|bun)/, false],
  ];
  for (const [what, pattern, isLater] of parts) {
    it(`has no code of ${what} before it is needed`, () => {
      assertEquals(loaded.filter((path) => pattern.test(path)), []);
      assertEquals(later.some((path) => pattern.test(path)), isLater);
    });
  }

  it("has what has to be there when nothing can be loaded", () => {
    for (
      const path of [
        "src/engine/engine.ts",
        "src/engine/failure.ts",
        "src/engine/retry_wait.ts",
        "src/errors/by_status.ts",
        "src/errors/transport_error.ts",
        "src/errors/decode_error.ts",
      ]
    ) {
      assert(loaded.includes(path), path);
    }
  });
});
