import { Readable } from "node:stream";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { Adapters } from "../../src/http/transport.ts";
import type { Transport } from "../../src/http/transport.ts";
import { APISession, type SessionOptions, TransportError } from "../../mod.ts";
import type { Middleware } from "../../src/middleware/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

function transport(): Transport {
  return () => Promise.resolve(new Response());
}

describe("a mounted adapter", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["https://a.example/v1", "https://a.example/v1", true],
    ["https://a.example/v1", "https://a.example/v1/", true],
    ["https://a.example/v1", "https://a.example/v1/x", true],
    ["https://a.example/v1", "https://a.example/v1?q=1", true],
    ["https://a.example/v1", "https://a.example/v1#top", true],
    ["https://a.example/v1", "https://a.example/v10", false],
    ["https://a.example/v1", "https://a.example/v1.1/x", false],
    ["https://a.example/v1", "https://a.example/", false],
    ["https://a.example/v1", "http://a.example/v1/x", false],
    ["https://a.example/v1", "https://a.example:8443/v1/x", false],
    ["https://a.example/v1/", "https://a.example/v1/x", true],
    ["https://a.example/v1/", "https://a.example/v1", false],
    ["https://a.example", "https://a.example/x", true],
    ["https://a.example", "https://a.example/", true],
    ["https://a.example", "https://a.example.evil.example/x", false],
    ["https://a.example", "https://a.example:8443/x", false],
    ["https://a.example", "https://a.examples/x", false],
    ["https://a.example/", "https://a.example/x", true],
    ["HTTPS://A.Example/v1", "https://a.example/v1/x", true],
    ["https://a.example:443/v1", "https://a.example/v1/x", true],
    ["https://u:p@a.example/v1", "https://a.example/v1/x", true],
    ["https://a.example/V1", "https://a.example/v1/x", false],
    ["https://", "https://a.example/x", true],
    ["https://", "http://a.example/x", false],
    ["HTTP://", "http://a.example/x", true],
  ];
  for (const [prefix, url, isFound] of cases) {
    it(`at ${prefix} ${isFound ? "handles" : "does not handle"} ${url}`, () => {
      const adapters = new Adapters();
      const mounted = transport();
      adapters.mount(prefix, mounted);
      assert(adapters.find(url) === (isFound ? mounted : undefined));
    });
  }

  // contract: attr-8
  it("is chosen by the longest prefix, no matter in which order they were mounted", () => {
    const prefixes = [
      "https://",
      "https://a.example",
      "https://a.example/v1",
      "https://a.example/v1/x",
    ];
    for (const order of [prefixes, [...prefixes].reverse()]) {
      const adapters = new Adapters();
      const mounted = new Map(order.map((prefix) => [prefix, transport()] as const));
      for (const [prefix, each] of mounted) adapters.mount(prefix, each);
      const winner = (url: string) =>
        prefixes.find((prefix) => mounted.get(prefix) === adapters.find(url));
      assertEquals(winner("https://a.example/v1/x/y"), "https://a.example/v1/x");
      assertEquals(winner("https://a.example/v1/y"), "https://a.example/v1");
      assertEquals(winner("https://a.example/v2"), "https://a.example");
      assertEquals(winner("https://b.example/v1/x"), "https://");
      assertEquals(adapters.find("http://a.example/v1/x"), undefined);
    }
  });

  it("is replaced by a second one at the same prefix", () => {
    const adapters = new Adapters();
    const [first, second] = [transport(), transport()];
    adapters.mount("https://a.example/v1", first);
    adapters.mount("HTTPS://A.EXAMPLE/v1", second);
    assert(adapters.find("https://a.example/v1/x") === second);
  });

  it("is not found if none is mounted", () => {
    assertEquals(new Adapters().find("https://a.example/"), undefined);
  });

  for (
    const prefix of ["", "https", "/v1", "a.example", "ftp://a.example", "ftp://", "https://?"]
  ) {
    it(`is refused at a prefix that is neither a full URL nor a scheme: '${prefix}'`, () => {
      const error = assertThrows(
        () => new Adapters().mount(prefix, transport()),
        UnexpectedValueError,
      );
      assertEquals(error.option, "adapterPath");
    });
  }

  it("is found for a URL below a path that contains a space", () => {
    const adapters = new Adapters();
    const transport = scripted(200);
    adapters.mount("https://a.example/my files", transport);
    // The session joins the base URL and the path without encoding them.
    assert(adapters.find("https://a.example/my files/x") === transport);
  });
});

describe("the adapter of a session", () => {
  const cases: readonly (readonly [string, SessionOptions, string, string])[] = [
    ["the base URL and a slash", { url: "https://a.example/v1" }, "x", "https://a.example/v1/x"],
    [
      "a base URL with a slash at its end",
      { url: "https://a.example/v1/" },
      "x",
      "https://a.example/v1/x",
    ],
    [
      "the base URL, a slash and the base path",
      { url: "https://a.example", basePath: "v1" },
      "x",
      "https://a.example/v1/x",
    ],
    [
      "a base path with slashes around it",
      { url: "https://a.example", basePath: "/v1/" },
      "/x",
      "https://a.example/v1/x",
    ],
    [
      "the prefix that the option sets",
      { url: "https://a.example/v1", adapterPath: "https://" },
      "https://b.example/x",
      "https://b.example/x",
    ],
  ];
  for (const [what, options, path, url] of cases) {
    // contract: attr-9
    it(`is mounted at adapterPath: ${what}`, async () => {
      const adapter = scripted(200);
      await new APISession({ ...options, adapter }).get(path);
      assertEquals(adapter.calls.map((call) => call.url), [url]);
    });
  }
});

describeGenerations("an adapter of a session or client", ({ Session }) => {
  function start(options: SessionOptions = {}) {
    const log = recordingLogger();
    const defaults = {
      url: "https://a.example",
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
      retries: 1,
    };
    return { session: new Session({ ...defaults, ...options }), log };
  }

  it("is not retried if it returns a response that was already read", async () => {
    let calls = 0;
    const used = new Response("[1]");
    await used.text();
    const { session } = start({
      adapter: () => {
        calls++;
        return Promise.resolve(used);
      },
    });
    const error = await assertRejects(() => session.get("x", { convJson: true }), Error);
    assert(!(error instanceof TransportError), String(error));
    assertEquals(calls, 1);
  });

  it("may throw a subclass of TransportError, which the caller gets", async () => {
    class PigeonLostError extends TransportError {}
    const { session } = start({
      adapter: scripted(new PigeonLostError("lost")),
      retries: 0,
    });
    const error = await assertRejects(() => session.get("x"), TransportError);
    assert(error instanceof PigeonLostError || error.cause instanceof PigeonLostError);
  });

  it("may return a response without a promise, with a timeout and without", async () => {
    const adapter = (() => new Response("hello")) as never;
    const { session } = start({ adapter });
    assertEquals(await (await session.get("x")).text(), "hello");
    assertEquals(await (await session.get("x", { timeout: 5 })).text(), "hello");
  });

  /** Headers as those of node-fetch, which have no `getSetCookie`. */
  function oldHeaders(fields: Readonly<Record<string, string>> = {}) {
    return { get: (name: string) => fields[name] ?? null, has: (name: string) => name in fields };
  }

  const incomplete: readonly (readonly [string, () => object, RegExp])[] = [
    [
      "whose body is a stream of Node",
      () => ({ status: 200, headers: new Headers(), body: Readable.from(["[1]"]) }),
      /but is a function that returned a response whose body is an instance of Readable and not a ReadableStream\. Leave the option out, or pass the fetch of the runtime/,
    ],
    [
      "whose body is a stream of Node, of a package that replaces the global Response",
      () => {
        const body = { value: Readable.from(["[1]"]) };
        const parts = { status: { value: 200 }, headers: { value: oldHeaders() }, body };
        return Object.create(Response.prototype, parts);
      },
      /whose body is an instance of Readable and not a ReadableStream/,
    ],
    [
      "without a property body",
      () => ({ status: 200, headers: oldHeaders(), text: () => Promise.resolve("[1]") }),
      /whose body is undefined and not a ReadableStream/,
    ],
    [
      "with a cookie, but without getSetCookie",
      () => ({ status: 200, headers: oldHeaders({ "set-cookie": "a=1" }), body: null }),
      /a response with cookies, whose headers have no method getSetCookie/,
    ],
  ];
  for (const [what, answer, message] of incomplete) {
    it(`is refused after one request if it returns a response ${what}`, async () => {
      for (const middleware of [[], [inNetwork]]) {
        const seen: string[] = [];
        const { session } = start({
          middleware,
          adapter: (url) => {
            seen.push(url);
            return Promise.resolve(answer() as Response);
          },
        });
        const get = () => session.get("x", { convJson: true });
        const error = await assertRejects(get, UnexpectedValueError);
        assert(message.test(error.message), error.message);
        assertEquals(seen.length, 1);
      }
    });
  }
});

/** A middleware whose function gets the request at the network. */
const inNetwork: Middleware = (request, next) => {
  request.network = (_sent, send) => send();
  return next(request);
};
