// Faults that a review found, each mended: inputs and answers that real callers, servers and
// runtimes come up with.
import { createServer, type Socket } from "node:net";
import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import {
  APIError,
  APISession,
  DecodeError,
  NotFoundError,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { joinPath } from "../../src/engine/url.ts";
import { prepareRequest } from "../../src/engine/request.ts";
import { nextOptions } from "../../src/engine/retry_hook.ts";
import { resolveSettings } from "../../src/engine/settings.ts";
import { Adapters } from "../../src/http/adapters.ts";
import { Cancellation } from "../../src/http/cancellation.ts";
import { toTransportError, transportErrorKind } from "../../src/http/transport_failure.ts";
import { defaults, nothingUsual } from "../support/engine_defaults.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { recordingLogger } from "../support/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

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

const making = (Session: SessionClass) => (url: string, options: SessionOptions = {}) => {
  const log = recordingLogger();
  const session = new Session({
    url,
    logger: log,
    clock: new FakeClock(),
    retries: 1,
    ...options,
  });
  return { session, log };
};

describeGenerations("edge cases", ({ Session }) => {
  const make = making(Session);

  it("a reason phrase beyond Latin-1 does not hide the status (Node)", async () => {
    await serving(
      (socket) => void socket.end("HTTP/1.1 404 未找到\r\nContent-Length: 2\r\n\r\nhi"),
      async (url) => {
        const error = await assertRejects(() => make(url).session.get("x"), Error);
        assertInstanceOf(error, NotFoundError);
      },
    );
  });

  it("a 407 with a reason phrase beyond Latin-1 does not end the process (Node)", async () => {
    await serving(
      (socket) => void socket.end("HTTP/1.1 407 需要\r\nContent-Length: 2\r\n\r\nhi"),
      async (url) => {
        const error = await assertRejects(() => make(url).session.get("x"), Error);
        assertEquals(error.name, "ProxyAuthenticationError");
      },
    );
  });

  it("a secret behind a parenthesis in the URL is not shown by the transport's error (Deno)", async () => {
    await serving((socket) => void socket.end(), async (url) => {
      const { session, log } = make(url);
      const error = await assertRejects(
        () => session.get("x?filter=(a)&token=t0ken", { redactFields: ["token"] }),
        TransportError,
      );
      const shown = inspect(error, { depth: 10 }) + log.all();
      assert(!shown.includes("t0ken"), shown);
    });
  });

  it("the kind does not depend on words of the URL (Deno)", async () => {
    for (const path of ["proxy/x", "certificates", "tls", "reset-timeout"]) {
      await serving((socket) => void socket.end(), async (url) => {
        const error = await assertRejects(() => make(url).session.get(path), TransportError);
        assertEquals([path, error.kind], [path, "reset"]);
      });
    }
  });

  it("a compressed body that cannot be inflated is a transport error (Deno)", async () => {
    const whole = gzipSync(Buffer.from(JSON.stringify({ a: "b".repeat(5000) })));
    const cut = Buffer.concat([whole.subarray(0, whole.length - 8), Buffer.alloc(8)]);
    const head =
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${cut.length}\r\n\r\n`;
    await serving(
      (socket) => void socket.end(Buffer.concat([Buffer.from(head), cut])),
      async (url) => {
        const error = await assertRejects(
          () => make(url).session.get("x", { convJson: true }),
          Error,
        );
        assertInstanceOf(error, TransportError);
      },
    );
  });

  it("a response that was read before is a mistake of the adapter, on Bun too", async () => {
    let calls = 0;
    const used = new Response("[1]");
    await used.text();
    const { session } = make("https://a.example", {
      adapter: () => {
        calls++;
        return Promise.resolve(used);
      },
    });
    const error = await assertRejects(() => session.get("x", { convJson: true }), Error);
    assert(!(error instanceof TransportError), String(error));
    assertEquals(calls, 1);
  });

  it("a bigint in params can be logged", async () => {
    const { session, log } = make("https://a.example", { adapter: scripted(200) });
    await session.get("x", { params: { id: 12345678901234567890n } });
    assertEquals(log.json("debug")[0]?.["params"], { id: "12345678901234567890" });
  });

  it("a bigint in redacted params can be logged", async () => {
    const { session, log } = make("https://a.example", { adapter: scripted(200) });
    await session.get("x", { params: { id: 1n, t: 1 }, redactFields: ["t"] });
    assertEquals(log.json("debug")[0]?.["params"], { id: "1", t: "REDACTED" });
  });

  it("a body that is not JSON is not shown when the error is printed", async () => {
    const { session } = make("https://a.example", {
      adapter: scripted(new Response("hunter2 t0ken")),
    });
    const error = await assertRejects(() => session.get("x", { convJson: true }), DecodeError);
    const shown = inspect(error, { depth: 10 });
    assert(!/t0ken|hunter2/.test(shown), shown);
  });

  it("a full URI to the base URL's own origin carries the base URL's credentials", async () => {
    const adapter = scripted(200);
    const { session } = make("https://ada:secret@a.example/v1", {
      adapter,
      adapterPath: "https://",
    });
    for (
      const path of ["https://a.example/v1/x", "https://a.example/x", "HTTPS://A.Example:443/"]
    ) {
      await session.get(path);
    }
    assertEquals(
      adapter.calls.map(({ init }) => init.headers["authorization"]),
      Array.from({ length: 3 }, () => `Basic ${btoa("ada:secret")}`),
    );
  });

  it("an abort in a logger or error function ends the wait at once", async () => {
    const controller = new AbortController();
    const log = recordingLogger();
    const session = new Session({
      url: "https://a.example",
      adapter: scripted(503),
      clock: new FakeClock({ jumps: false }),
      logger: { ...log, warn: () => controller.abort("changed my mind") },
    });
    const call = session.get("x", { signal: controller.signal });
    // The clock stands still: what waited for it would wait for ever.
    const state = await call.then(() => "done", () => "ended");
    assertEquals(state, "ended");
  });

  it("a restricted path is restricted in every spelling that leads there", async () => {
    class Vault extends Session {
      static override readonly url: string = "https://a.example/v1";
      static override readonly restrictedPaths: readonly string[] = ["auth/login"];
    }
    for (const path of ["auth/./login", "x/../auth/login", "auth/log%69n", "auth\\login"]) {
      const log = recordingLogger();
      await new Vault({ adapter: scripted(200), logger: log }).post(path, {
        json: { pin: "t0ken" },
      });
      assert(!log.all().includes("t0ken"), `${path}: ${log.all()}`);
    }
  });

  it("a redact value that URLs cannot hold does not break the call", async () => {
    const { session, log } = make("https://a.example", { adapter: scripted(200) });
    await session.get("x?pin=1", { redactFields: ["pin"], redactValue: "\ud800" });
    assertEquals(log.json("debug")[0]?.["url"], "https://a.example/x?pin=%EF%BF%BD");
  });

  it("a TransportError of an SDK's own class is still there for who asks", async () => {
    class PigeonLostError extends TransportError {}
    const { session } = make("https://a.example", {
      adapter: scripted(new PigeonLostError("lost")),
      retries: 0,
    });
    const error = await assertRejects(() => session.get("x"), TransportError);
    assert(error instanceof PigeonLostError || error.cause instanceof PigeonLostError);
  });

  it("an adapter that answers without a promise works with a timeout as without", async () => {
    const adapter = (() => new Response("hello")) as never;
    const { session } = make("https://a.example", { adapter });
    assertEquals(await (await session.get("x")).text(), "hello");
    assertEquals(await (await session.get("x", { timeout: 5 })).text(), "hello");
  });

  it("null in an error map is named", () => {
    class Bare extends Session {
      static override readonly url: string = "https://a.example";
      static override readonly errorMap = null as never;
    }
    let raised: unknown;
    try {
      new Bare();
    } catch (error) {
      raised = error;
    }
    assertInstanceOf(raised, UnexpectedValueError);
  });

  it("what is logged of the body is what is sent, also where the caller changes it meanwhile", async () => {
    const json = { a: 1, pin: 2 };
    const { session, log } = make("https://a.example", {
      adapter: scripted(() => {
        json.a = 99;
        return new Response(null, { status: 503 });
      }, 200),
    });
    await session.post("x", { json, redactFields: ["pin"] });
    assertEquals(log.json("debug").map(({ body }) => body), [
      { a: 1, pin: "REDACTED" },
      { a: 1, pin: "REDACTED" },
    ]);
  });

  it("a clone of a response that was rebuilt has its status", async () => {
    const answer = new Response("odd");
    Object.defineProperty(answer, "status", { value: 600 });
    const { session } = make("https://a.example", { adapter: scripted(() => answer) });
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals(error.response.clone().status, 600);
  });

  it("a stream of the caller that fails is not a failed connection (Deno, Node)", async () => {
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
        const error = await assertRejects(() => make(url).session.post("x", { content }), Error);
        assertEquals([opened, error.message], [1, "the disk is gone"]);
      },
    );
  });

  it("no TLS on that port is of the kind tls (Deno)", async () => {
    await serving((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), async (url) => {
      const { session } = make(url.replace("http:", "https:"), { retries: 0 });
      assertEquals((await assertRejects(() => session.get("x"), TransportError)).kind, "tls");
    });
  });

  it("the fragment of a restricted path is hidden too", async () => {
    class Vault extends Session {
      static override readonly url: string = "https://a.example/v1";
      static override readonly restrictedPaths: readonly string[] = ["login"];
    }
    const log = recordingLogger();
    await new Vault({ adapter: scripted(200), logger: log }).get("login#token=t0ken");
    assert(!log.all().includes("t0ken"), log.all());
  });

  it("two values of a Cookie header are joined by a semicolon (RFC 6265)", async () => {
    const adapter = scripted(200);
    await make("https://a.example", { adapter }).session.get("x", {
      headers: [["cookie", "a=1"], ["cookie", "b=2"]],
    });
    assertEquals(adapter.calls[0]?.init.headers["cookie"], "a=1; b=2");
  });
});

// What goes through no session, or is of generation 1 alone.
describe("edge cases", () => {
  it("the same with a synthetic error", () => {
    const secret = "http://a.example/x?filter=(a)&token=t0ken";
    const error = toTransportError(
      new TypeError("fetch failed", { cause: new Error(`connection closed: ${secret}`) }),
      { request: { method: "GET", url: "http://a.example/x?token=REDACTED" }, retries: 0 },
    );
    assert(!inspect(error, { depth: 10 }).includes("t0ken"), inspect(error));
  });

  it("a name that is not found is dns, also where it is called proxy (Node, Bun)", () => {
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

  it("an adapter's own error that has a code is not a failed connection", () => {
    for (const code of ["ENOENT", "EACCES", "ERR_MODULE_NOT_FOUND", "ERR_OUT_OF_RANGE"]) {
      assertEquals(transportErrorKind(Object.assign(new Error("no"), { code })), undefined, code);
    }
  });

  it("dot segments that the URL parser sees do not climb: a blank at the end", () => {
    for (const path of [".. ", "a/../.. ", "..\x1f", "%2e%2e\0"]) {
      let url: string;
      try {
        url = joinPath("https://a.example/v1", path);
      } catch {
        continue;
      }
      assert(new URL(url).pathname.startsWith("/v1/"), JSON.stringify(path));
    }
  });

  it("dot segments that the URL parser sees do not climb: a tab within an encoded dot", () => {
    const path = "%2\te%2\te/x";
    let url: string | undefined;
    try {
      url = joinPath("https://a.example/v1", path);
    } catch {
      return;
    }
    assert(new URL(url).pathname.startsWith("/v1/"), url);
  });

  it("an SDK's error class can set its name, as error classes commonly do", () => {
    class ScanError extends APIError {
      constructor(response: Response) {
        super(response);
        (this as { name: string }).name = "ScanError";
      }
    }
    assertEquals(new ScanError(new Response()).name, "ScanError");
  });

  it("what is set under way when the call has ended is interrupted at once", () => {
    const controller = new AbortController();
    const cancellation = new Cancellation([controller.signal], undefined, new FakeClock());
    controller.abort("changed my mind");
    const interrupts: unknown[] = [];
    cancellation.onAbort((reason) => interrupts.push(reason));
    assertEquals(interrupts, ["changed my mind"]);
  });

  it("an adapter mounted below a path with a blank carries what is sent there", () => {
    const adapters = new Adapters();
    const transport = scripted(200);
    adapters.mount("https://a.example/my files", transport);
    // What the engine hands over: the base, and the path as it was given.
    assert(adapters.find("https://a.example/my files/x") === transport);
  });

  it("an unknown keyword is told as such", async () => {
    const address = { url: "https://a.example", generation: { baseUrl: "url" }, basePath: "" };
    const settings = resolveSettings({}, defaults, address);
    const call = { method: "GET", path: "x", options: { jsn: 1 } as never };
    const { message } = await assertRejects(
      async () => await prepareRequest(call, settings, nothingUsual),
      UnexpectedValueError,
    );
    assert(!message.includes("but is a string of"), message);
  });

  it("a keyword that shapes the request holds where the hook gave undefined for it", () => {
    const next = nextOptions({ redactFields: ["pin"] }, { json: 1, redactFields: undefined });
    assertEquals(next.redactFields, ["pin"]);
  });

  it("a base path with a query, a fragment or dots that climb is refused", () => {
    for (const basePath of ["v1?key=1", "v1#top", ".."]) {
      let raised: unknown;
      try {
        new APISession({ url: "https://a.example/v1", basePath });
      } catch (error) {
        raised = error;
      }
      assertInstanceOf(raised, UnexpectedValueError, basePath);
    }
  });

  it("a secret in a property of a cause that is no error is not shown", () => {
    const beneath = new TypeError("fetch failed", {
      cause: { url: "https://ada:hunter2@a.example/", code: "ECONNRESET" },
    });
    const error = toTransportError(beneath, {
      request: { method: "GET", url: "https://a.example/" },
      retries: 0,
    });
    assert(!inspect(error, { depth: 10 }).includes("hunter2"), inspect(error, { depth: 10 }));
  });

  it("a secret in the errors of an AggregateError is not shown", () => {
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
