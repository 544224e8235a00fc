import { channel } from "node:diagnostics_channel";
import { afterEach, assert, assertEquals, assertRejects, beforeEach, describe, it } from "#test";
import { plainFetch } from "../../../src/http/transport/node_407.ts";
import type { TransportInit } from "../../../src/http/transport.ts";
import { detectRuntime } from "../../../src/runtime.ts";

const init: TransportInit = { method: "GET", headers: {}, redirect: "manual" };

/** What a fake of Node's fetch says on the channel before it rejects. */
interface Hidden {
  readonly status?: number;
  readonly statusText?: string;
  readonly origin?: string;
  readonly path?: string;
  readonly method?: string;
  readonly fields?: readonly (readonly [string, string])[];
}

function tell(
  { status = 407, statusText = "Proxy Authentication Required", fields = [], ...request }: Hidden,
): void {
  const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  channel("undici:request:headers").publish({
    request: { origin: "https://a.example", path: "/x", method: "GET", ...request },
    response: { statusCode: status, statusText, headers: fields.flat().map(latin1) },
  });
}

/** What Node's fetch rejects with on a 407: a failure whose cause says nothing. */
function silentFailure(): TypeError {
  return new TypeError("fetch failed", { cause: new Error("") });
}

let own: typeof fetch;

/** Puts a fetch in the place of the runtime's. */
function fetching(answer: () => Response | Promise<Response>): void {
  globalThis.fetch = async () => await answer();
}

/** Puts a fetch in its place that hides statuses. */
function hiding(...all: readonly Hidden[]): void {
  fetching(() => {
    for (const hidden of all) tell(hidden);
    throw silentFailure();
  });
}

describe("the runtime's own fetch", () => {
  beforeEach(() => void (own = globalThis.fetch));
  afterEach(() => void (globalThis.fetch = own));

  it("is read late, so that a mock in its place is used", async () => {
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
    ["a failure that says nothing, where no status was told", silentFailure()],
    ["an error without a cause", new TypeError("fetch failed")],
    ["an abort", new DOMException("aborted", "AbortError")],
    ["what is no error", "changed my mind"],
  ];
  for (const [what, failure] of failures) {
    it(`rejects as it is: ${what}`, async () => {
      fetching(() => Promise.reject(failure));
      const raised = await assertRejects(() => plainFetch("https://a.example/x", init));
      assert(raised === failure);
    });
  }
});

describe("a 407, which Node's fetch hides", () => {
  beforeEach(() => void (own = globalThis.fetch));
  afterEach(() => void (globalThis.fetch = own));

  /** A test of Node's fetch; that of another runtime is not made to give what nothing hid. */
  function onNode(name: string, body: () => Promise<void>): void {
    const isNode = detectRuntime().name === "Node";
    it(name, async () => {
      if (isNode) return await body();
      hiding({});
      await assertRejects(() => get(), TypeError, "fetch failed");
    });
  }

  const get = (url = "https://a.example/x", method = "GET") => plainFetch(url, { ...init, method });

  onNode("is given with its reason and its headers, without a body", async () => {
    hiding({
      fields: [["Proxy-Authenticate", "Basic"], ["Set-Cookie", "a=1"], ["Set-Cookie", "b=\xe9"]],
    });
    const { status, statusText, headers, body } = await get();
    assertEquals([status, statusText, body], [407, "Proxy Authentication Required", null]);
    assertEquals(headers.get("proxy-authenticate"), "Basic");
    assertEquals(headers.getSetCookie(), ["a=1", "b=\xe9"]);
  });

  onNode("is given once: it is not taken for the answer to a later request", async () => {
    hiding({});
    assertEquals((await get()).status, 407);
    hiding();
    await assertRejects(() => get(), TypeError);
  });

  onNode("of two at once each gets one", async () => {
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

  onNode("is given where the failure names its cause in no word only", async () => {
    fetching(() => {
      tell({});
      throw new TypeError("fetch failed", { cause: new Error("other side closed") });
    });
    await assertRejects(() => get(), TypeError, "fetch failed");
    hiding();
    assertEquals((await get()).status, 407, "what was told before is still there");
  });

  onNode("a reason that a Response refuses is left out", async () => {
    for (const statusText of ["\u20ac", "a\nb", "a\0b"]) {
      hiding({ statusText });
      const response = await get();
      assertEquals([response.status, response.statusText], [407, ""]);
    }
  });

  onNode("the newest 64 are remembered, and no more", async () => {
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
