import { channel } from "node:diagnostics_channel";
import { afterEach, assert, assertEquals, assertRejects, beforeEach, describe, it } from "#test";
import { plainFetch } from "../../../src/http/transport/node_407.ts";
import type { TransportInit } from "../../../src/http/transport.ts";
import { detectRuntime } from "../../../src/base/runtime.ts";

const init: TransportInit = { method: "GET", headers: {}, redirect: "manual" };

/** A response that a fake of Node's fetch publishes on the channel before it rejects. */
interface Hidden {
  readonly status?: number;
  readonly statusText?: string;
  readonly origin?: string;
  readonly path?: string;
  readonly method?: string;
  readonly fields?: readonly (readonly [string, string])[];
}

function publish(
  { status = 407, statusText = "Proxy Authentication Required", fields = [], ...request }: Hidden,
): void {
  const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  channel("undici:request:headers").publish({
    request: { origin: "https://a.example", path: "/x", method: "GET", ...request },
    response: { statusCode: status, statusText, headers: fields.flat().map(latin1) },
  });
}

/** Creates the error of Node's fetch for a 407: its cause has no message. */
function silentFailure(): TypeError {
  return new TypeError("fetch failed", { cause: new Error("") });
}

let runtimeFetch: typeof fetch;

/** Replaces the runtime's fetch. */
function fetching(answer: () => Response | Promise<Response>): void {
  globalThis.fetch = async () => await answer();
}

/** Replaces the runtime's fetch with one that hides statuses. */
function hiding(...all: readonly Hidden[]): void {
  fetching(() => {
    for (const hidden of all) publish(hidden);
    throw silentFailure();
  });
}

describe("the runtime's own fetch", () => {
  beforeEach(() => void (runtimeFetch = globalThis.fetch));
  afterEach(() => void (globalThis.fetch = runtimeFetch));

  it("is looked up at each call, so that a mock is used", async () => {
    const calls: unknown[] = [];
    globalThis.fetch = (...args: unknown[]) => {
      calls.push(args);
      return Promise.resolve(new Response("mocked"));
    };
    assertEquals(await (await plainFetch("https://a.example/x", init)).text(), "mocked");
    assertEquals(calls, [["https://a.example/x", init]]);
  });

  const failures: readonly (readonly [string, unknown])[] = [
    ["a failed connection", new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })],
    ["a failure without a message, if no status was published", silentFailure()],
    ["an error without a cause", new TypeError("fetch failed")],
    ["an abort", new DOMException("aborted", "AbortError")],
    ["a value that is not an error", "changed my mind"],
  ];
  for (const [what, failure] of failures) {
    it(`rejects with the same error: ${what}`, async () => {
      fetching(() => Promise.reject(failure));
      const thrown = await assertRejects(() => plainFetch("https://a.example/x", init));
      assert(thrown === failure);
    });
  }
});

describe("a 407, which Node's fetch hides", () => {
  beforeEach(() => void (runtimeFetch = globalThis.fetch));
  afterEach(() => void (globalThis.fetch = runtimeFetch));

  /** Defines a test for Node. On other runtimes, it checks that a failure stays a failure. */
  function onNode(name: string, body: () => Promise<void>): void {
    const isNode = detectRuntime().name === "Node";
    it(name, async () => {
      if (isNode) return await body();
      hiding({});
      await assertRejects(() => get(), TypeError, "fetch failed");
    });
  }

  const get = (url = "https://a.example/x", method = "GET") => plainFetch(url, { ...init, method });

  onNode("is returned with its reason phrase and headers, without a body", async () => {
    hiding({
      fields: [["Proxy-Authenticate", "Basic"], ["Set-Cookie", "a=1"], ["Set-Cookie", "b=\xe9"]],
    });
    const { status, statusText, headers, body } = await get();
    assertEquals([status, statusText, body], [407, "Proxy Authentication Required", null]);
    assertEquals(headers.get("proxy-authenticate"), "Basic");
    assertEquals(headers.getSetCookie(), ["a=1", "b=\xe9"]);
  });

  onNode("is returned once, and is not mistaken for the response to a later request", async () => {
    hiding({});
    assertEquals((await get()).status, 407);
    hiding();
    await assertRejects(() => get(), TypeError);
  });

  onNode("is returned for each of two requests at the same time", async () => {
    hiding({});
    const all = await Promise.all([get(), get()]);
    assertEquals(all.map(({ status }) => status), [407, 407]);
  });

  const others: readonly (readonly [string, Hidden])[] = [
    ["another origin", { origin: "https://b.example" }],
    ["another path", { path: "/y" }],
    ["another query", { path: "/x?a=1" }],
    ["another method", { method: "POST" }],
    ["another status", { status: 408 }],
  ];
  for (const [what, hidden] of others) {
    onNode(`is not taken from another request: ${what}`, async () => {
      hiding(hidden);
      await assertRejects(() => get(), TypeError, "fetch failed");
    });
  }

  onNode("is found by method, origin, path and query, without the fragment", async () => {
    hiding({ method: "POST", origin: "http://a.example:8080", path: "/a/b?c=%20d" });
    assertEquals((await get("http://a.example:8080/a/b?c=%20d#top", "POST")).status, 407);
  });

  onNode("is returned only if the failure has no message", async () => {
    fetching(() => {
      publish({});
      throw new TypeError("fetch failed", { cause: new Error("other side closed") });
    });
    await assertRejects(() => get(), TypeError, "fetch failed");
    hiding();
    assertEquals((await get()).status, 407, "the published response is still there");
  });

  onNode("may have a reason phrase that a Response refuses, which is left out", async () => {
    for (const statusText of ["\u20ac", "a\nb", "a\0b"]) {
      hiding({ statusText });
      const response = await get();
      assertEquals([response.status, response.statusText], [407, ""]);
    }
  });

  onNode("is remembered for the newest 64 requests only", async () => {
    const all = Array.from({ length: 65 }, (_, index) => ({ path: `/${index}` }));
    hiding(...all);
    await assertRejects(() => get("https://a.example/none"), TypeError);
    hiding();
    await assertRejects(() => get("https://a.example/0"), TypeError);
    for (let index = 1; index < 65; index++) {
      assertEquals((await get(`https://a.example/${index}`)).status, 407);
    }
  });
});
