import { createServer, type Socket } from "node:net";
import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  after,
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  before,
  describe,
  it,
} from "#test";
import { APIError, APISession, type SessionOptions, UnexpectedValueError } from "../../mod.ts";
import { RedirectError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { TransportError, type TransportErrorKind } from "../../src/errors/transport_error.ts";
import { toTransportError, transportErrorKind } from "../../src/http/transport_failure.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { assertLinearTime } from "../support/linear_time.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import {
  blockedPorts,
  failures,
  made,
  mistakes,
  underFetchFailed,
} from "../support/transport_errors.ts";

/** Creates a system error as Node does. */
function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code} 127.0.0.1:80`), { code, errno: -24, syscall });
}

/** Creates an error as Bun's fetch does. */
function ofBun(code: string): Error {
  const error = made({ code, message: `${code} fetching "http://a.example/"` });
  return Object.assign(error, { errno: 0, path: "http://a.example/" });
}

const codesOfTheSystem =
  "EMFILE ENFILE EACCES EPERM ENOBUFS ENOMEM ENOTCONN EINVAL EADDRNOTAVAIL " +
  "EADDRINUSE EAFNOSUPPORT EHOSTUNREACH";

/** Errors that are less common. */
const rarer: readonly (readonly [string, Error, TransportErrorKind])[] = [
  ...codesOfTheSystem.split(" ").flatMap((code) => {
    const cause = systemError(code, "connect");
    const rows: readonly (readonly [string, Error, TransportErrorKind])[] = [
      [`Node, ${code}`, new TypeError("fetch failed", { cause }), "other"],
      [`Bun, ${code}`, ofBun(code), "other"],
      [`Deno by its node:https, ${code}`, cause, "other"],
    ];
    return rows;
  }),
  ["Node, no file for a name", underFetchFailed("getaddrinfo EMFILE a", "EMFILE"), "other"],
  [
    "Node, the first of several addresses",
    new TypeError("fetch failed", { cause: made({ message: "", code: "EACCES" }) }),
    "other",
  ],
  [
    "Node, a body shorter than its length",
    made({
      message: "terminated",
      cause: {
        code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
        message: "Response body length does not match content-length header",
      },
    }),
    "reset",
  ],
  ...["ERR__ERROR_FORMAT_PADDING_1", "ZSTD_error_prefix_unknown", "Z_DATA_ERROR"].map((code) => {
    const error = made({ message: "terminated", cause: { code, message: "Decompression failed" } });
    return [`Node, a body that cannot be inflated, ${code}`, error, "other"] as const;
  }),
  [
    "Deno, a body that cannot be inflated",
    made({ message: "deflate decompression error: invalid block type" }),
    "other",
  ],
  [
    "Deno, a reset in a body",
    made({ message: "Connection reset by peer (os error 104)" }),
    "reset",
  ],
  ...["InvalidHTTPResponse", "Malformed_HTTP_Response", "BrotliDecompressionError"].map((code) =>
    [`Bun, ${code}`, ofBun(code), "other"] as const
  ),
];

/** Errors from other sources that look similar. */
const lookalikes: readonly (readonly [string, Error])[] = [
  ["a code of the caller's own class", made({ code: "BadCredentials", message: "no such user" })],
  ["a code that begins like a proxy's", made({ code: "ProxyForbidden", message: "not for you" })],
  ["a message about another connection", new Error("Connection to the database is not set up")],
  ["a message about another reading", new Error("error reading the configuration")],
  ["a file that is not there", systemError("ENOENT", "open")],
  ["a file that may not be read", systemError("EACCES", "open")],
  ["too many open files", systemError("EMFILE", "open")],
  [
    "a file that may not be read, with its path",
    Object.assign(systemError("EACCES", "open"), { path: "/etc/shadow" }),
  ],
  [
    "a file that is not there, in a body that fetch reads",
    new TypeError("fetch failed", { cause: systemError("ENOENT", "open") }),
  ],
  [
    "too many open files, in a body that fetch reads",
    new TypeError("fetch failed", {
      cause: Object.assign(systemError("EMFILE", "open"), { path: "/srv/upload" }),
    }),
  ],
  ["a proxy's protocol, Bun", ofBun("UnsupportedProxyProtocol")],
  ["a body that is used up, Bun", ofBun("RequestBodyNotReusable")],
  ["a code of another library as the cause", underFetchFailed("no fixture", "UND_MOCK_ERR")],
  ["an assertion of an adapter", made({ code: "ERR_ASSERTION", message: "no fixture" })],
];

describe("distinguishing a failed connection from a mistake", () => {
  for (const [what, error, kind] of [...failures, ...rarer]) {
    it(`a transport-level exception: ${what} is ${kind}`, () => {
      assertEquals(transportErrorKind(error), kind);
    });
  }

  for (const [what, error] of [...mistakes, ...lookalikes]) {
    // contract: decision-14
    it(`a mistake is not retried: ${what}`, async () => {
      assertEquals(transportErrorKind(error), undefined);
      const known = { request: { method: "GET", url: "https://a.example/" }, retries: 0 };
      assert(toTransportError(error, known) === error, "the error is not replaced");
      const log = recordingLogger();
      let calls = 0;
      const session = new APISession({
        url: "https://a.example",
        adapter: () => {
          calls++;
          return Promise.reject(error);
        },
        logger: log,
        clock: fakeClock({ autoAdvance: true }),
      });
      assert(await assertRejects(() => session.get("x")) === error);
      assertEquals([calls, log.messages("error").length, log.messages("warn").length], [1, 0, 0]);
    });
  }

  it("a name that is not found is of the kind dns, even if it is called proxy (Node, Bun)", () => {
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND proxy.corp"), {
      code: "ENOTFOUND",
    });
    assertEquals(transportErrorKind(new TypeError("fetch failed", { cause })), "dns");
  });

  it("a Content-Length that does not fit the body is a mistake (Node)", () => {
    const cause = Object.assign(new Error("Request body length does not match"), {
      code: "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
    });
    assertEquals(transportErrorKind(new TypeError("fetch failed", { cause })), undefined);
  });

  it("an adapter's error that has a code is not a failed connection", () => {
    for (const code of ["ENOENT", "EACCES", "ERR_MODULE_NOT_FOUND", "ERR_OUT_OF_RANGE"]) {
      assertEquals(transportErrorKind(Object.assign(new Error("no"), { code })), undefined, code);
    }
  });
});

/** Errors that are not instances of this realm's Error, as in test runners with separate realms. */
const foreign: readonly (readonly [string, () => unknown])[] = [
  [
    "of another realm",
    () =>
      runInNewContext(
        `const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
         new TypeError("fetch failed for http://a.example/?token=t0ken", { cause });`,
      ),
  ],
  [
    "without the prototype of Error",
    () => {
      const cause = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
      const error = new TypeError("fetch failed for http://a.example/?token=t0ken", { cause });
      Object.setPrototypeOf(cause, { name: "Error" });
      return Object.setPrototypeOf(error, { name: "TypeError" });
    },
  ],
];

describe("an error that is not an instance of Error", () => {
  for (const [what, make] of foreign) {
    it(`is recognized as a failed connection: ${what}`, async () => {
      const thrown = make();
      assert(!(thrown instanceof Error));
      assertEquals(transportErrorKind(thrown), "refused");
      const log = recordingLogger();
      const session = new APISession({
        url: "https://a.example",
        adapter: () => Promise.reject(thrown),
        retries: 1,
        logger: log,
        clock: fakeClock({ autoAdvance: true }),
      });
      const error = await assertRejects(() => session.get("x"), TransportError);
      assertEquals([error.kind, error.retries, log.messages("error").length], ["refused", 1, 2]);
      assert(!inspect(error).includes("t0ken"));
    });
  }
});

describe("a port that fetch blocks", () => {
  const blocked = "http://127.0.0.1:1/x?token=t0ken";

  function start(...answers: readonly Answer[]) {
    const transport = scripted(...answers);
    const log = recordingLogger();
    const session = new APISession({
      url: "https://a.example",
      session: new HttpSession({ fetch: transport }),
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
    });
    return { session, transport, log };
  }

  for (const [runtime, thrown] of blockedPorts) {
    it(`is an invalid value, not a failed connection: on ${runtime}`, async () => {
      assertEquals(transportErrorKind(thrown), undefined);
      const { session, transport, log } = start(thrown);
      const error = await assertRejects(() => session.get(blocked), UnexpectedValueError);
      assertEquals([error.option, error.cause, transport.calls.length], ["port", thrown, 1]);
      assert(error.message.endsWith("but is 1"), error.message);
      assertEquals([...log.messages("error"), ...log.messages("warn")], []);
    });

    // contract: http-14
    it(`causes a RedirectError if a redirect leads to it: on ${runtime}`, async () => {
      const moved = new Response(null, { status: 303, headers: { location: blocked } });
      for (const options of [{}, { timeout: 9 }]) {
        const { session, transport, log } = start(moved, thrown);
        const error = await assertRejects(() => session.post("x", options), RedirectError);
        assertEquals([error.status, transport.calls.length], [303, 2]);
        assert(
          error.message.startsWith("the Location of a 303 has the port 1, which fetch blocks: "),
        );
        assert(!inspect(error).includes("t0ken"), inspect(error));
        assertEquals([...log.messages("error"), ...log.messages("warn")], []);
      }
    });
  }

  it("is not checked before an adapter or a custom fetch is called", async () => {
    const { session, transport } = start(200);
    for (const port of [1, 25, 6000, 10080]) await session.get(`http://a.example:${port}/`);
    assertEquals(transport.calls.length, 4);
  });
});

describe("the error that is thrown for a failed connection", () => {
  const known = {
    request: { method: "GET", url: "https://a.example/x?token=REDACTED" },
    retries: 2,
    note: undefined,
  };
  const secretUrl = "https://ada:hunter2@a.example/x?token=t0ken";

  it("names method, URL and reason, and has the transport's error as its cause", () => {
    const original = underFetchFailed("read ECONNRESET", "ECONNRESET");
    const error = toTransportError(original, known);
    assertInstanceOf(error, TransportError);
    assertEquals(
      error.message,
      "GET https://a.example/x?token=REDACTED failed: read ECONNRESET",
    );
    assertEquals([error.kind, error.retries, error.request], ["reset", 2, known.request]);
    assert(error.cause === original, "without a secret, it is the same error");
  });

  const hiding: readonly (readonly [string, Error])[] = [
    ["in the message", made({ code: "ECONNRESET", message: `reset: ${secretUrl}` })],
    ["in the message of the cause", underFetchFailed(`for url (${secretUrl}): connection reset`)],
    [
      "in a property",
      Object.assign(made({ code: "ECONNRESET", message: "no" }), { path: secretUrl }),
    ],
    [
      "in a property of the cause",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("connection reset"), { url: secretUrl }),
      }),
    ],
    ["with user name and password only", underFetchFailed("reset: https://ada:hunter2@a.example/")],
    ["in quotes", underFetchFailed(`connection reset, "${secretUrl}"`)],
    [
      "with the scheme in upper case",
      underFetchFailed(`reset: ${secretUrl.replace("https", "HTTPS")}`),
    ],
    [
      "with an apostrophe in its path",
      underFetchFailed("reset: https://a.example/users/O'Brien?token=t0ken"),
    ],
    [
      "with an apostrophe in its path, in a message of Deno",
      underFetchFailed(
        "error sending request for url (https://a.example/users/O'Brien?token=t0ken): " +
          "client error (Connect): tcp connect error: Connection refused (os error 111)",
      ),
    ],
    ["decoded, in its path", underFetchFailed("reset: https://a.example/a b?token=t0ken")],
    ["decoded, in its query", underFetchFailed("reset: https://a.example/?a=b c&token=t0ken")],
    ["decoded, in a value", underFetchFailed('reset: "https://a.example/?token=a "b" t0ken", 1')],
    [
      "decoded, with brackets",
      underFetchFailed("reset: (https://a.example/?a=(b): <c>&token=t0ken): 1"),
    ],
    ["after a URL without secrets", underFetchFailed(`reset: https://b.example/ ${secretUrl}`)],
    [
      "three causes down",
      made({
        message: "fetch failed",
        cause: { message: "a", cause: { message: "b", cause: { message: `reset ${secretUrl}` } } },
      }),
    ],
  ];
  for (const [where, original] of hiding) {
    it(`hides a URL with secrets: ${where}`, () => {
      const error = toTransportError(original, known);
      assertInstanceOf(error, TransportError);
      for (let each: unknown = error; each instanceof Error; each = each.cause) {
        const texts = Object.getOwnPropertyNames(each).map((name) =>
          String(Reflect.get(each, name))
        );
        for (const text of [...texts, String(each)]) {
          assert(!/hunter2|t0ken/.test(text), `${where}: ${text}`);
        }
      }
      assert(error.cause instanceof Error, "the cause is still an error");
      assertEquals(error.cause.name, original.name);
      assertEquals(Reflect.get(error.cause, "code"), Reflect.get(original, "code"));
      assert(
        /hunter2|t0ken/.test(JSON.stringify(textsOf(original))),
        "the original is not changed",
      );
    });
  }

  it("keeps the text after a URL in Deno's message, and the other lines", () => {
    const reason =
      "): client error (Connect): tcp connect error: Connection refused (os error 111)";
    const original = underFetchFailed(`no url (${secretUrl}${reason}\nbye`);
    const error = toTransportError(original, known);
    assertInstanceOf(error, TransportError);
    const { method, url } = known.request;
    assertEquals(error.message, `${method} ${url} failed: no url (${url}${reason}\nbye`);
  });

  it("removes secrets from the message of a DOMException, which is not an own property", () => {
    const original = new DOMException(`timed out: ${secretUrl}`, "TimeoutError");
    const error = toTransportError(original, known);
    assertInstanceOf(error, TransportError);
    const { cause } = error as { cause: Error };
    assertEquals([error.kind, cause.name], ["timeout", "TimeoutError"]);
    assertEquals(cause.message, `timed out: ${known.request.url}`);
    const shown = `${inspect(error)} ${cause} ${cause.stack} ${JSON.stringify(error)}`;
    assert(!/hunter2|t0ken/.test(shown), shown);
    const harmless = new DOMException("timed out", "TimeoutError");
    assertEquals((toTransportError(harmless, known) as Error).cause, harmless);
  });

  for (
    const [what, thrown, reason] of [
      ["no message", { name: "TimeoutError", stack: "x" }, "no reason given"],
      ["a code alone", { code: "ECONNRESET", stack: "" }, "no reason given"],
      ["a message that is not a string", {
        name: "TimeoutError",
        stack: "",
        cause: { stack: "", message: 7 },
      }, "7"],
    ] as const
  ) {
    it(`accepts an object that looks like an error and has ${what}`, () => {
      const error = toTransportError(thrown, known);
      assertInstanceOf(error, TransportError);
      assert(error.message.endsWith(` failed: ${reason}`), error.message);
    });
  }

  it("finds URLs in linear time", () => {
    assertLinearTime((length) => {
      const text = `${"https: ".repeat(length)}\n`.repeat(2);
      assertInstanceOf(toTransportError(underFetchFailed(text), known), TransportError);
    });
  });

  it("ends if the chain of causes is circular", () => {
    const original = underFetchFailed("connection reset");
    (original.cause as Error).cause = original;
    assertInstanceOf(toTransportError(original, known), TransportError);
  });

  it("does not repeat the message of a TransportError that already has a request", () => {
    const first = toTransportError(underFetchFailed("read ECONNRESET", "ECONNRESET"), known);
    const again = toTransportError(first, { ...known, retries: 3 });
    assertInstanceOf(first, TransportError);
    assertInstanceOf(again, TransportError);
    assertEquals([again.message, again.retries], [first.message, 3]);
    assert(again.cause === first.cause);
  });
});

function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const texts = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)));
  return [...texts, ...textsOf(error.cause)];
}

/** Creates a response whose compressed body is corrupt from the middle of its first block. */
function broken(encoding: string, compress: (text: string) => Uint8Array): Uint8Array {
  const numbers = Array.from({ length: 2000 }, (_, index) => index * index % 7919);
  const body = compress(JSON.stringify(numbers)).map((byte, at) => at < 14 ? byte : byte ^ 0xa5);
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

describe("a connection that fails on the current runtime", () => {
  let port: number;
  let answer: (socket: Socket) => void;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => answer(socket));
  });

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(typeof address === "object" && address !== null);
    port = address.port;
  });

  after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  function session(url: string, options: SessionOptions = {}) {
    const log = recordingLogger();
    return {
      log,
      session: new APISession({
        url,
        logger: log,
        clock: fakeClock({ autoAdvance: true }),
        retries: 1,
        ...options,
      }),
    };
  }

  async function unusedPort(): Promise<number> {
    const unused = createServer();
    await new Promise<void>((resolve) => unused.listen(0, "127.0.0.1", resolve));
    const address = unused.address();
    assert(typeof address === "object" && address !== null);
    await new Promise((resolve) => unused.close(resolve));
    return address.port;
  }

  const partial =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n[1,";

  const cases: readonly (readonly [string, TransportErrorKind, (socket: Socket) => void])[] = [
    ["reset before headers", "reset", (socket) => void socket.resetAndDestroy()],
    ["closed before headers", "reset", (socket) => void socket.end()],
    ["reset within the headers", "reset", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-", () => socket.resetAndDestroy());
    }],
    ["closed in the body", "reset", (socket) => void socket.end(partial)],
    ["closed in the body of a last response", "reset", (socket) => {
      socket.end(partial.replace("\r\n", "\r\nConnection: close\r\n"));
    }],
    ["a body in gzip that is broken", "other", (socket) => socket.end(broken("gzip", gzipSync))],
    ["a body in brotli that is broken", "other", (socket) => {
      socket.end(broken("br", brotliCompressSync));
    }],
    ["closed in a chunked body", "reset", (socket) => {
      socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,");
    }],
  ];
  for (const [what, kind, behave] of cases) {
    // contract: attempts-5
    it(`is of the kind ${kind}, logged as an error and retried: ${what}`, async () => {
      let answers = 0;
      answer = (socket) => {
        answers++;
        behave(socket);
      };
      const { session: api, log } = session(`http://127.0.0.1:${port}`);
      const error = await assertRejects(() => api.get("x", { convJson: true }), TransportError);
      assertEquals([error.kind, error.retries, answers], [kind, 1, 2]);
      assertEquals(log.messages("error").length, 2);
      assertEquals(error.message, log.json("error")[1]?.["error"]);
    });
  }

  it("returns the body if it is complete at the second attempt", async () => {
    const whole = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\n[1,2]";
    let answers = 0;
    answer = (socket) => void socket.end(answers++ === 0 ? partial : whole);
    const { session: api } = session(`http://127.0.0.1:${port}`);
    assertEquals(await api.get("x", { convJson: true }), [1, 2]);
  });

  it("rejects the read of a raw body, with a TransportError if there is a timeout", async () => {
    answer = (socket) => void socket.end(partial);
    const clock = fakeClock();
    const { session: api } = session(`http://127.0.0.1:${port}`, { clock });
    const watched = await api.get("x?token=t0ken", { timeout: 60, redactFields: ["token"] });
    const error = await assertRejects(() => watched.text(), TransportError);
    assertEquals([error.kind, error.request?.url], [
      "reset",
      `http://127.0.0.1:${port}/x?token=REDACTED`,
    ]);
    const straight = await api.get("x");
    await assertRejects(() => straight.text(), Error);
  });

  it("rejects the read of a raw body with a TransportError after a reset", async () => {
    let reset = () => {};
    answer = (socket) => {
      socket.write(partial);
      reset = () => void socket.resetAndDestroy();
    };
    const clock = fakeClock();
    const { session: api } = session(`http://127.0.0.1:${port}`, { clock });
    const response = await api.get("x", { timeout: 60 });
    reset();
    const error = await assertRejects(() => response.text(), TransportError);
    assertEquals(error.kind, "reset");
  });

  it("causes a TransportError if the server does not speak HTTP", async () => {
    answer = (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n");
    const { session: api } = session(`http://127.0.0.1:${port}`, { retries: 0 });
    await assertRejects(() => api.get("x"), TransportError);
  });

  const isOnBun = detectRuntime().name === "Bun";
  for (const status of ["099 Low", "000 None", "001 Lower", "101 Switching Protocols"]) {
    const [number] = status.split(" ");

    // contract: decision-26
    it(`has a status line with ${number}, and is logged and retried if fetch returns no response`, async () => {
      answer = (socket) =>
        void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok`);
      const { session: api, log } = session(`http://127.0.0.1:${port}`);
      const error = await assertRejects(() => api.get("x"));
      if (error instanceof TransportError) {
        assertEquals([error.retries, log.messages("error").length], [1, 2]);
      } else {
        // Bun's fetch returns a response with such a status, and Deno's returns one with 101.
        assertInstanceOf(error, APIError);
        assert(isOnBun || number === "101", String(error));
        assertEquals(error.status, Number(number));
      }
    });
  }

  it("causes an UnexpectedValueError if fetch blocks the port, and a RedirectError after a redirect", async () => {
    answer = (socket) =>
      void socket.end(
        "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
      );
    const direct = session("http://127.0.0.1:1");
    const redirected = session(`http://127.0.0.1:${port}`);
    const errors = [
      await assertRejects(() => direct.session.get("x")),
      await assertRejects(() => redirected.session.get("x")),
    ];
    const names = errors.map((error) => (error as Error).name);
    // Bun blocks no port, and nothing listens on this one.
    const expected = isOnBun
      ? ["TransportError", "TransportError"]
      : ["UnexpectedValueError", "RedirectError"];
    assertEquals(names, expected);
    assertEquals(direct.log.messages("error").length, isOnBun ? 2 : 0);
  });

  it("causes a TransportError if the server does not speak TLS", async () => {
    answer = (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    const { session: api } = session(`https://127.0.0.1:${port}`, { retries: 0 });
    await assertRejects(() => api.get("x"), TransportError);
  });

  it("is of the kind refused if nothing listens on the port", async () => {
    const { session: api, log } = session(`http://127.0.0.1:${await unusedPort()}`);
    const error = await assertRejects(() => api.get("x"), TransportError);
    assertEquals([error.kind, error.retries, log.messages("error").length], ["refused", 1, 2]);
  });

  it("is of the kind dns if the host name does not exist", async () => {
    const { session: api } = session("http://restwright.invalid", { retries: 0 });
    const error = await assertRejects(() => api.get("x"), TransportError);
    assertEquals(error.kind, "dns");
  });

  it("does not send a body again whose stream from the caller fails", async () => {
    answer = () => {};
    const { session: api } = session(`http://127.0.0.1:${port}`);
    let opened = 0;
    const content = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (opened++ === 0) controller.enqueue(Buffer.from("a"));
        else controller.error(new Error("the disk is gone"));
      },
    });
    await assertRejects(() => api.post("x", { content }), Error);
    assert(opened <= 2);
  });

  it("shows no secret if the server closes it", async () => {
    answer = (socket) => void socket.end();
    const { session: api, log } = session(`http://ada:hunter2@127.0.0.1:${port}`);
    const error = await assertRejects(
      () => api.get("x", { params: { token: "t0ken", "a b": "(c)" }, redactFields: ["token"] }),
      TransportError,
    );
    const texts = [...textsOf(error), JSON.stringify(error), log.messages().join("\n")].join("\n");
    assert(!/hunter2|t0ken|aHVudGVyMg/.test(texts), texts);
  });

  it("shows no secret if nothing listens, even after a path with an apostrophe", async () => {
    const { session: api, log } = session(`http://127.0.0.1:${await unusedPort()}`);
    const options = { params: { token: "t0ken" }, redactFields: ["token"] };
    for (const path of ["users/O'Brien", "users/(a) b's"]) {
      const error = await assertRejects(() => api.get(path, options), TransportError);
      const texts = [
        ...textsOf(error),
        inspect(error),
        JSON.stringify(error),
        log.messages().join("\n"),
      ].join(
        "\n",
      );
      assert(!texts.includes("t0ken"), texts);
      assert(texts.includes("users/"), texts);
    }
  });

  it("is retried in the same way if an adapter rejects", async () => {
    const { session: api } = session("https://a.example", {
      adapter: scripted(...failures.map(([, error]) => error)),
      retries: failures.length - 1,
    });
    const error = await assertRejects(() => api.get("x"), TransportError);
    assertEquals(error.retries, failures.length - 1);
  });
});

describeGenerations("a failed connection of a session or client", ({ Session }) => {
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

  /** Runs `use` with a server that answers the first data of each connection, HTTP or not. */
  async function serving<T>(
    answer: (socket: Socket) => void,
    use: (url: string) => Promise<T>,
  ): Promise<T> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(typeof address === "object" && address !== null);
    try {
      return await use(`http://127.0.0.1:${address.port}`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it("shows no secret after a parenthesis in the URL (Deno)", async () => {
    await serving((socket) => void socket.end(), async (url) => {
      const { session, log } = start({ url });
      const error = await assertRejects(
        () => session.get("x?filter=(a)&token=t0ken", { redactFields: ["token"] }),
        TransportError,
      );
      const shown = inspect(error, { depth: 10 }) + log.messages().join("\n");
      assert(!shown.includes("t0ken"), shown);
    });
  });

  it("has a kind that does not depend on words in the URL (Deno)", async () => {
    for (const path of ["proxy/x", "certificates", "tls", "reset-timeout"]) {
      await serving((socket) => void socket.end(), async (url) => {
        const error = await assertRejects(() => start({ url }).session.get(path), TransportError);
        assertEquals([path, error.kind], [path, "reset"]);
      });
    }
  });

  it("is not reported if a stream of the caller fails (Deno, Node)", async () => {
    await serving(
      (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      async (url) => {
        let opened = 0;
        const content = () => {
          opened++;
          return new ReadableStream<Uint8Array>({
            pull() {
              throw new Error("the disk is gone");
            },
          });
        };
        const error = await assertRejects(
          () => start({ url }).session.post("x", { content }),
          Error,
        );
        assertEquals([opened, error.message], [1, "the disk is gone"]);
      },
    );
  });

  it("is of the kind tls if the server does not speak TLS (Deno)", async () => {
    await serving((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), async (url) => {
      const { session } = start({ url: url.replace("http:", "https:"), retries: 0 });
      assertEquals((await assertRejects(() => session.get("x"), TransportError)).kind, "tls");
    });
  });
});

describe("secrets in the cause of a transport error", () => {
  it("are not shown after a parenthesis in a URL", () => {
    const secret = "http://a.example/x?filter=(a)&token=t0ken";
    const error = toTransportError(
      new TypeError("fetch failed", { cause: new Error(`connection closed: ${secret}`) }),
      { request: { method: "GET", url: "http://a.example/x?token=REDACTED" }, retries: 0 },
    );
    assert(!inspect(error, { depth: 10 }).includes("t0ken"), inspect(error));
  });

  it("are not shown in a property of a cause that is not an Error", () => {
    const original = new TypeError("fetch failed", {
      cause: { url: "https://ada:hunter2@a.example/", code: "ECONNRESET" },
    });
    const error = toTransportError(original, {
      request: { method: "GET", url: "https://a.example/" },
      retries: 0,
    });
    assert(!inspect(error, { depth: 10 }).includes("hunter2"), inspect(error, { depth: 10 }));
  });

  it("are not shown in the errors of an AggregateError", () => {
    const cause = new AggregateError(
      [new Error("reset https://ada:hunter2@a.example/")],
      "connect",
    );
    const error = toTransportError(
      new TypeError("fetch failed", { cause: Object.assign(cause, { code: "ECONNREFUSED" }) }),
      { request: { method: "GET", url: "https://a.example/" }, retries: 0 },
    );
    assert(!inspect(error, { depth: 10 }).includes("hunter2"), inspect(error, { depth: 10 }));
  });
});
