import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, assert, assertEquals, beforeEach, describe, it } from "#test";
import { APISession } from "../../../mod.ts";
import {
  builtinUndici,
  type DispatchedRequest,
  unlimited,
  unlimitedDispatcher,
} from "../../../src/http/transport/node_dispatcher.ts";
import { detectRuntime } from "../../../src/base/runtime.ts";
import { startServer } from "../../support/server.ts";

const isNode = detectRuntime().name === "Node";

const request = { origin: "https://a.example", path: "/x", headers: [], headersTimeout: 7 };

/** A dispatcher that records its requests. */
class Agent {
  readonly asked: unknown[] = [];

  /** @param options The options that undici stores */
  constructor(options?: object) {
    if (options !== undefined) Object.assign(this, { [Symbol("options")]: options });
  }

  dispatch(request: DispatchedRequest, handler: unknown): boolean {
    this.asked.push(request, handler);
    return this.asked.length > 2;
  }
}

/** The agent that Node creates if the environment names proxies. */
class EnvHttpProxyAgent extends Agent {
  /** @param options The options of the inner agent */
  constructor(options: object) {
    super();
    Object.assign(this, { [Symbol("no proxy agent")]: new Agent(options) });
  }
}

class MockAgent extends Agent {}

/** The wrapper that undici 8 puts around its dispatcher for earlier versions. */
class Dispatcher1Wrapper extends Agent {}

describe("a dispatcher without time limits", () => {
  it("passes a request on to another one, without limits for headers and body", () => {
    const agent = new Agent();
    const dispatcher = unlimited(agent);
    const handler = {};
    assertEquals([1, 2].map(() => dispatcher.dispatch(request, handler)), [false, true]);
    const asked = { ...request, headersTimeout: 0, bodyTimeout: 0 };
    assertEquals(agent.asked, [asked, handler, asked, handler]);
    assert(agent.asked[1] === handler);
  });
});

describe("the dispatcher for Node's fetch", () => {
  const places = [1, 2].map((number) => Symbol.for(`undici.globalDispatcher.${number}`));
  const place = places[builtinUndici < 8 ? 0 : 1]!;
  let before: readonly unknown[];

  beforeEach(() => void (before = places.map((each) => Reflect.get(globalThis, each))));
  afterEach(() => {
    for (const [index, each] of places.entries()) {
      Reflect.set(globalThis, each, before[index]);
      if (before[index] === undefined) Reflect.deleteProperty(globalThis, each);
    }
  });

  const like: readonly (readonly [string, Agent])[] = [
    ["one that Node created", new Agent({ connect: undefined })],
    ["one that only limits connections", new Agent({ connections: 2 })],
    ["one for proxies of the environment", new EnvHttpProxyAgent({})],
  ];
  for (const [what, agent] of like) {
    it(`has no time limits if the program's dispatcher is ${what}`, () => {
      Reflect.set(globalThis, place, agent);
      const dispatcher = unlimitedDispatcher();
      dispatcher?.dispatch(request, null);
      assertEquals(agent.asked[0], { ...request, headersTimeout: 0, bodyTimeout: 0 });
      assert(unlimitedDispatcher() === dispatcher, "it is created once");
    });
  }

  const others: readonly (readonly [string, unknown])[] = [
    ["has a limit for headers", new Agent({ headersTimeout: 5000 })],
    ["has a limit for the body", new Agent({ bodyTimeout: 5000 })],
    ["has a limit that was turned off", new Agent({ bodyTimeout: 0 })],
    [
      "has a limit in its agent for proxies of the environment",
      new EnvHttpProxyAgent({ bodyTimeout: 1 }),
    ],
    ["is of another class", new MockAgent({})],
    ["is of no class", Object.create(null)],
    ["does not exist", undefined],
  ];
  for (const [what, dispatcher] of others) {
    it(`is undefined if the program's dispatcher ${what}`, () => {
      Reflect.set(globalThis, place, dispatcher);
      assertEquals(unlimitedDispatcher(), undefined);
    });
  }

  it("depends on the dispatcher that undici 8 stored under the other symbol", () => {
    if (builtinUndici >= 8) return; // there, it is the only symbol
    for (const [options, isUsed] of [[{}, true], [{ bodyTimeout: 5000 }, false]] as const) {
      Reflect.set(globalThis, places[1]!, new Agent(options));
      const wrapper = new Dispatcher1Wrapper();
      Reflect.set(globalThis, place, wrapper);
      unlimitedDispatcher()?.dispatch(request, null);
      assertEquals(wrapper.asked.length, isUsed ? 2 : 0);
    }
    Reflect.set(globalThis, places[1]!, new Dispatcher1Wrapper());
    Reflect.set(globalThis, place, new Dispatcher1Wrapper());
    assertEquals(unlimitedDispatcher(), undefined);
  });

  it("is looked up at each request, so that a later one is used", () => {
    const [first, second] = [new Agent({}), new Agent({})];
    for (const agent of [first, second]) {
      Reflect.set(globalThis, place, agent);
      unlimitedDispatcher()?.dispatch(request, null);
    }
    assertEquals([first.asked.length, second.asked.length], [2, 2]);
    Reflect.set(globalThis, place, new MockAgent({}));
    assertEquals(unlimitedDispatcher(), undefined);
  });

  it("sets no time limit that the caller did not set", async () => {
    const server = await startServer((_, response) => void response.end("[1]"));
    const limits: unknown[] = [];
    const listen = (event: unknown) => {
      const { headersTimeout, bodyTimeout } = Object(event).request;
      limits.push([headersTimeout, bodyTimeout]);
    };
    subscribe("undici:request:create", listen);
    try {
      const session = new APISession({ url: server.url });
      for (const timeout of [undefined, null, 3600]) {
        assertEquals(await session.get("x", { timeout, convJson: true }), [1]);
      }
      await session.close();
    } finally {
      unsubscribe("undici:request:create", listen);
      await server.stop();
    }
    assertEquals(limits, isNode ? [[0, 0], [0, 0], [0, 0]] : []);
  });
  it("is replaced by a dispatcher that the call passes, which other runtimes ignore", async () => {
    const server = await startServer((_, response) => void response.end("[1]"));
    let asked = 0;
    const dispatcher = {
      dispatch() {
        asked++;
        throw new Error("mine");
      },
    };
    try {
      const session = new APISession({ url: server.url, fetchOptions: { dispatcher } });
      const call = session.get("x", { convJson: true, retries: 0, finalWait: false });
      const isRefused = await call.then(() => false, () => true);
      assertEquals([asked, isRefused], isNode ? [1, true] : [0, false]);
      await session.close();
    } finally {
      await server.stop();
    }
  });

  it("is not passed to a function that replaces Node's fetch", async () => {
    const { fetch: original } = globalThis;
    const passed: string[][] = [];
    globalThis.fetch = ((_: unknown, init: object) => {
      // A mock does not use dispatchers.
      passed.push(Object.keys(init).filter((name) => name === "dispatcher"));
      return Promise.resolve(Response.json([1]));
    }) as typeof fetch;
    try {
      const session = new APISession({ url: "https://a.example" });
      assertEquals(await session.get("x", { convJson: true }), [1]);
    } finally {
      globalThis.fetch = original;
    }
    assertEquals(passed, [[]]);
  });
});
