import { after, assert, assertEquals, assertThrows, before, describe, it } from "#test";
import type { SessionOptions } from "../../mod.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  checkedHeaders,
  type HeadersInput,
  mergeFields,
  withoutBrowsersOwn,
} from "../../src/http/headers.ts";
import { APISession } from "../../src/client/session.ts";
import { drained } from "../support/drained.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { framingHeaders } from "../support/framed_server.ts";
import { describeGenerations } from "../support/generations.ts";
import { assertLinearTime } from "../support/linear_time.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** Returns names and values in order. An object of header fields itself has no prototype. */
function entries(fields: Readonly<Record<string, string | null>>): [string, string | null][] {
  return Object.entries(fields);
}

describe("checking headers in all forms that a caller can pass", () => {
  const accepted: readonly (readonly [string, HeadersInput, [string, string | null][]])[] = [
    ["a mapping", { "X-Key": "a" }, [["x-key", "a"]]],
    ["a mapping without a prototype", Object.assign(Object.create(null), { a: "b" }), [["a", "b"]]],
    ["pairs", [["X-Key", "a"], ["If-Match", "b"]], [["x-key", "a"], ["if-match", "b"]]],
    ["Headers", new Headers([["X-Key", "a"]]), [["x-key", "a"]]],
    ["a number", { "X-Page": 2 }, [["x-page", "2"]]],
    ["zero", { "X-Page": 0 }, [["x-page", "0"]]],
    ["an empty string", { "X-Key": "" }, [["x-key", ""]]],
    ["null, which removes a header", { "X-Key": null }, [["x-key", null]]],
    ["undefined, which changes nothing", { "X-Key": undefined, a: "b" }, [["a", "b"]]],
    ["pairs of the same name, joined by a comma", [["X-Key", "a"], ["x-key", "b"]], [
      ["x-key", "a, b"],
    ]],
    [
      "three pairs of the same name in any case, joined by commas",
      [["X-Key", "a"], ["x-key", "b"], ["X-KEY", "c"]],
      [["x-key", "a, b, c"]],
    ],
    ["Headers with a name twice, joined by a comma", new Headers([["a", "1"], ["A", "2"]]), [
      ["a", "1, 2"],
    ]],
    ["names of a mapping that differ only in case: the last one wins", {
      "X-Key": "a",
      "x-key": "b",
      "X-KEY": "c",
    }, [["x-key", "c"]]],
    ["cookies whose names differ only in case: the last one wins", {
      Cookie: "a=1",
      cookie: "b=2",
    }, [["cookie", "b=2"]]],
    ["null after a value, which removes it", { "X-Key": "a", "x-key": null }, [["x-key", null]]],
    ["a value after null, which sets it", { "X-Key": null, "x-key": "a" }, [["x-key", "a"]]],
    ["undefined after a value, which keeps it", { "x-key": "a", "X-Key": undefined }, [
      ["x-key", "a"],
    ]],
    ["undefined for a framing header, which is left out", { Host: undefined, a: "b" }, [
      ["a", "b"],
    ]],
    ["names that only resemble framing headers", { "X-Host": "a", "content-lengths": "1" }, [
      ["x-host", "a"],
      ["content-lengths", "1"],
    ]],
    ["spaces and tabs around a value, which are removed", { a: " \t b c\t " }, [["a", "b c"]]],
    ["a tab within a value", { a: "b\tc" }, [["a", "b\tc"]]],
    ["Latin-1", { a: "Zoë \xa0\xff\x80" }, [["a", "Zoë \xa0\xff\x80"]]],
    ["a name of all characters that a token can have", { "!#$%&'*+-.^_`|~0Az": "a" }, [
      ["!#$%&'*+-.^_`|~0az", "a"],
    ]],
    ["__proto__ as a name", JSON.parse('{"__proto__":"a","constructor":"b"}'), [
      ["__proto__", "a"],
      ["constructor", "b"],
    ]],
    ["an empty object", {}, []],
    ["no pairs", [], []],
  ];
  for (const [what, input, expected] of accepted) {
    // contract: reading-34
    it(`accepts ${what}`, () => assertEquals(entries(checkedHeaders(input)), expected));
  }

  const refused: readonly (readonly [string, unknown, string])[] = [
    ["a line feed in a value", { "X-Key": "a\nX-Admin: 1" }, "headers.X-Key"],
    ["a carriage return in a value", { "X-Key": "a\rb" }, "headers.X-Key"],
    ["a line break in a pair", [["X-Key", "a\r\nb"]], "headers.X-Key"],
    ["a null character", { "X-Key": "a\0b" }, "headers.X-Key"],
    ["an escape character", { "X-Key": "a\x1bb" }, "headers.X-Key"],
    ["a delete character", { "X-Key": "a\x7fb" }, "headers.X-Key"],
    ["a line break at the end", { "X-Key": "a\n" }, "headers.X-Key"],
    ["a line break at the beginning", { "X-Key": "\na" }, "headers.X-Key"],
    ["text beyond Latin-1", { "X-Key": "€" }, "headers.X-Key"],
    ["a line separator", { "X-Key": "a\u2028b" }, "headers.X-Key"],
    ["a boolean", { "X-Key": true }, "headers.X-Key"],
    ["a list of values", { "X-Key": ["a", "b"] }, "headers.X-Key"],
    ["an object as a value", { "X-Key": { toString: () => "a" } }, "headers.X-Key"],
    ["a bigint", { "X-Key": 1n }, "headers.X-Key"],
    ["an empty name", { "": "a" }, "headers"],
    ["a name with a space", { "X Key": "a" }, "headers"],
    ["a name with a colon", { "X-Key:": "a" }, "headers"],
    ["a name with a line break", { "X-Key\n": "a" }, "headers"],
    ["a name beyond ASCII", { "X-Schlüssel": "a" }, "headers"],
    ["an invalid name whose value is undefined", { "X Key": undefined }, "headers"],
    ["a string", "X-Key: a", "headers"],
    ["null", null, "headers"],
    ["a Map, which has no fields", new Map([["X-Key", "a"]]), "headers"],
    ["a list that is not one of pairs", ["X-Key", "a"], "headers[0]"],
    ["a triple", [["X-Key", "a"], ["X-Key", "a", "b"]], "headers[1]"],
    ["a function", () => ({}), "headers"],
  ];
  for (const [what, input, option] of refused) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(
        () => checkedHeaders(input as HeadersInput),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
      assert(!error.message.includes("Admin"), "a value is never shown");
    });
  }

  for (const name of framingHeaders) {
    // contract: http-20
    it(`refuses the framing header ${name}, in upper and lower case and in all forms`, () => {
      const upper = name.toUpperCase();
      const shapes: readonly (readonly [string, HeadersInput])[] = [
        [name, { [name]: "hunter2" }],
        [upper, { "X-Key": "a", [upper]: "hunter2" }],
        [name, { [name]: 7 }],
        [name, { [name]: null }],
        [upper, [["X-Key", "a"], [upper, "hunter2"]]],
        [name.toLowerCase(), new Headers({ [name]: "hunter2" })],
      ];
      for (const [shown, input] of shapes) {
        const error = assertThrows(() => checkedHeaders(input), UnexpectedValueError);
        assertEquals(error.option, `headers.${shown}`);
        assert(error.message.startsWith(`"headers.${shown}" must be left out`), error.message);
        assert(error.message.includes("Blob or File"), error.message);
        assert(!error.message.includes("hunter2"), "a value is never shown");
      }
    });
  }

  it("reads a value that contains spaces in linear time", () => {
    assertLinearTime((length) => {
      const value = `x${" ".repeat(length)}x`;
      assertEquals(checkedHeaders({ "X-Key": ` ${value}\t` }), checkedHeaders({ "X-Key": value }));
    });
  });

  it("refuses a header with a line break before any request is sent", async () => {
    let calls = 0;
    const session = new APISession({
      url: "https://api.example.com",
      adapter: () => {
        calls++;
        return Promise.resolve(new Response());
      },
    });
    const headers = { "X-Key": "secret\r\nX-Admin: 1" };
    const rejected = await session.get("x", { headers }).then(() => undefined, (error) => error);
    assert(rejected instanceof UnexpectedValueError);
    assertEquals([rejected.option, calls], ["headers.X-Key", 0]);
    assert(!String(rejected).includes("secret"));
  });
});

describe("merging headers", () => {
  const base = Object.assign(mergeFields(), { "user-agent": "x", "x-key": "a" });

  // contract: reading-24
  it("a value replaces a header, null removes it, and the others stay", () => {
    const overrides = checkedHeaders({ "X-Key": "b", "USER-AGENT": null, "x-new": "c" });
    assertEquals(entries(mergeFields(base, overrides)), [["x-key", "b"], ["x-new", "c"]]);
  });

  it("the first headers are not changed", () => {
    mergeFields(base, checkedHeaders({ "x-key": null, "user-agent": "y" }));
    assertEquals(entries(base), [["user-agent", "x"], ["x-key", "a"]]);
  });

  it("removing a header that does not exist changes nothing", () => {
    assertEquals(entries(mergeFields(base, checkedHeaders({ "x-no": null }))), entries(base));
  });

  it("__proto__ is a name like any other", () => {
    const merged = mergeFields(mergeFields(), checkedHeaders(JSON.parse('{"__proto__":"a"}')));
    assertEquals(entries(merged), [["__proto__", "a"]]);
    assertEquals("constructor" in merged || "toString" in merged, false);
  });
});

describe("headers that browsers set themselves", () => {
  it("are Cookie and User-Agent, and no other", () => {
    const fields = mergeFields();
    Object.assign(fields, { cookie: "a=1", "user-agent": "mine/1.0", "x-api-key": "k-123" });
    assertEquals({ ...withoutBrowsersOwn(fields) }, { "x-api-key": "k-123" });
    assertEquals(fields["cookie"], "a=1");
  });
});

describe("headers on the wire", () => {
  let server: TestServer;
  let received: string[] = [];

  before(async () => {
    server = await startServer((request, response) => {
      received = request.rawHeaders;
      response.end();
    });
  });
  after(() => server.stop());

  /** Returns the values of a header that the server got, in order. */
  function got(name: string): string[] {
    return received.filter((_, index) =>
      index % 2 === 1 && received[index - 1]!.toLowerCase() === name
    );
  }

  // contract: reading-34
  it("a header of a request arrives once, with those of the session", async () => {
    const session = new APISession({ url: server.url });
    await drained(session.get("x", { headers: { "X-Key": "a", "x-KEY": "b", "X-Page": 2 } }));
    assertEquals([got("x-key"), got("x-page")], [["b"], ["2"]]);
    await drained(session.get("x", { headers: [["X-Key", "a"], ["x-KEY", "b"]] }));
    assertEquals(got("x-key"), ["a, b"]);
    assertEquals(got("user-agent").length, 1);
    assert(got("user-agent")[0]!.startsWith("Integration/1.0 ("), got("user-agent")[0]);
  });

  it("Latin-1 arrives as one byte per character", async () => {
    await drained(new APISession({ url: server.url }).get("x", { headers: { "X-Name": "Zoë" } }));
    assertEquals(got("x-name"), ["Zoë"]);
  });

  it("a header named __proto__ reaches the transport, with a body and without", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url: "https://api.example.com", adapter });
    const headers: HeadersInput = JSON.parse('{"__proto__":"a"}');
    await drained(session.get("x", { headers }));
    await drained(session.post("x", { headers, json: 1 }));
    for (const { init } of adapter.calls) {
      assertEquals(Object.getOwnPropertyDescriptor(init.headers, "__proto__")?.value, "a");
    }
    assertEquals(adapter.calls[1]?.init.headers["content-type"], "application/json");
  });

  // contract: reading-24
  it("a request's Authorization replaces the one of the base URL, and null removes it", async () => {
    const session = new APISession({ url: server.url.replace("//", "//ada:secret@") });
    await drained(session.get("x"));
    assertEquals(got("authorization"), [`Basic ${btoa("ada:secret")}`]);
    await drained(session.get("x", { headers: { Authorization: "Bearer a" } }));
    assertEquals(got("authorization"), ["Bearer a"]);
    await drained(session.get("x", { headers: { AUTHORIZATION: null } }));
    assertEquals(got("authorization"), []);
  });

  it("a request's Content-Type replaces the one of its body", async () => {
    const session = new APISession({ url: server.url });
    await drained(session.post("x", {
      json: 1,
      headers: { "content-type": "application/merge-patch+json" },
    }));
    assertEquals(got("content-type"), ["application/merge-patch+json"]);
  });
});

describeGenerations("several values of one header", ({ Session }) => {
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

  it("are joined by a semicolon if it is Cookie (RFC 6265)", async () => {
    const adapter = scripted(200);
    await start({ adapter }).session.get("x", {
      headers: [["cookie", "a=1"], ["cookie", "b=2"]],
    });
    assertEquals(adapter.calls[0]?.init.headers["cookie"], "a=1; b=2");
  });
});
