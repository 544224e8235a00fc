import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { after, assertEquals, assertRejects, before, describe, it } from "#test";
import { APISession, type RequestOptions, type SessionOptions, TransportError } from "../../mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { type Certificates, makeCertificates } from "../support/certificates.ts";
import { type FramedRequest, takeRequest } from "../support/framed_server.ts";
import { tlsMissing } from "../support/tls_peers.ts";

const isDeno = detectRuntime().name === "Deno";

/** The certificate and the key of a server, as PEM. */
interface ServerTls {
  readonly cert: string;
  readonly key: string;
}

/** Starts a server that reads each request, and closes the connections of the first ones to `/lost`. */
async function startServer(failing = Infinity, tls?: ServerTls) {
  const sockets = new Set<Socket>();
  const requests: FramedRequest[] = [];
  const serve = (socket: Socket) => {
    sockets.add(socket);
    let read = "";
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      read += chunk.toString("latin1");
      for (let next = takeRequest(read); next !== undefined; next = takeRequest(read)) {
        read = next.rest;
        const isLost = next.request.target.endsWith("/lost"); // a proxy gets the whole URL
        if (isLost) requests.push(next.request);
        if (isLost && requests.length <= failing) return void socket.end();
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }
    });
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${address.port}`,
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A session with public methods for any method. */
class AnySession extends APISession {
  send(method: string, path: string, options: RequestOptions): Promise<unknown> {
    return this._req(method, path, options);
  }
}

/**
 * Sends a request over a kept-alive connection that the server closes when it has read the request.
 *
 * @returns The requests that the server has read
 */
async function lose(
  method: string,
  options: RequestOptions,
  own: SessionOptions = {},
  { failing, isProxy = false, tls }: {
    readonly failing?: number | undefined;
    readonly isProxy?: boolean;
    readonly tls?: ServerTls;
  } = {},
): Promise<readonly FramedRequest[]> {
  const server = await startServer(failing, tls);
  const clock = fakeClock({ autoAdvance: true });
  const to = isProxy
    ? { url: "http://api.example.com", proxies: { http: server.url } }
    : { url: server.url };
  const session = new AnySession({ ...to, clock, logger: silentLogger, retries: 0, ...own });
  try {
    await (await session.get("warm")).text();
    const call = session.send(method, "lost", options);
    if (failing === undefined) await assertRejects(() => call, TransportError);
    else await ((await call) as Response).text();
    return server.requests;
  } finally {
    await session.close();
    await server.stop();
  }
}

const bytes = new TextEncoder().encode("hello");

describe("a request over a kept-alive connection that closes before the response", () => {
  const form = new FormData();
  form.append("a", "b");
  const bodies: readonly (readonly [string, RequestOptions])[] = [
    ["JSON", { json: { a: 1 } }],
    ["text", { content: "hello" }],
    ["an empty string", { content: "" }],
    ["bytes", { content: bytes }],
    ["a part of bytes", { content: bytes.subarray(1, 3) }],
    ["a buffer", { content: bytes.buffer }],
    ["a Blob", { content: new Blob(["hello"]) }],
    ["a form", { data: { a: "b" } }],
    ["a form of several parts", { data: form }],
    ["a stream", { content: () => new Blob(["hello"]).stream() }],
    ["nothing", {}],
  ];
  for (const [what, options] of bodies) {
    it(`is sent once, if it is a POST with ${what}`, async () => {
      assertEquals((await lose("POST", options)).length, 1);
    });
  }

  for (const method of ["PATCH", "PURGE", "FOO", "LOCK"]) {
    it(`is sent once, if it is a ${method}`, async () => {
      assertEquals((await lose(method, {})).length, 1);
      assertEquals((await lose(method, { json: 1 })).length, 1);
    });
  }

  it("is sent once through a proxy", async () => {
    assertEquals((await lose("POST", { json: 1 }, {}, { isProxy: true })).length, 1);
    assertEquals((await lose("POST", {}, {}, { isProxy: true })).length, 1);
  });

  const missing = tlsMissing();
  let certificates: Certificates | undefined;
  before(async () => {
    if (missing === undefined) certificates = await makeCertificates();
  });
  after(() => certificates?.remove());
  for (const how of ["with an authority of the session", "without verification"]) {
    it(`is sent once over TLS ${how}`, async () => {
      const { authority, server: { pem: [cert, key] } } = certificates!;
      const own = how.startsWith("with ") ? { ca: authority.pem[0] } : { sslVerify: false };
      for (const body of [{ json: 1 }, {}]) {
        assertEquals((await lose("POST", body, own, { tls: { cert, key } })).length, 1);
      }
    }, { ignore: missing });
  }

  it("is repeated by the session, as often as its retries say", async () => {
    assertEquals((await lose("POST", { json: 1 }, { retries: 2 })).length, 3);
    assertEquals((await lose("POST", {}, { retries: 2 }, { failing: 2 })).length, 3);
  });

  // Only Deno's fetch repeats such requests.
  const repeated: readonly (readonly [string, RequestOptions, SessionOptions])[] = [
    ["it has an idempotency key", { headers: { "Idempotency-Key": "k" } }, {}],
    ["the session adds a key", {}, { idempotencyHeader: "X-Key" }],
    ["the session allows it", {}, { runtimeRetries: "any" }],
    ["the call allows it", { runtimeRetries: "any" }, {}],
  ];
  for (const [when, options, own] of repeated) {
    it(`may be repeated by the runtime, if ${when}`, async () => {
      for (const body of [{ json: 1 }, {}]) {
        const failing = isDeno ? 1 : undefined;
        const requests = await lose("POST", { ...body, ...options }, own, { failing });
        assertEquals(requests.length, isDeno ? 2 : 1);
      }
    });
  }

  it("is sent with the client that the caller has chosen", async () => {
    if (!isDeno) return;
    const { Deno } = globalThis as unknown as {
      Deno: { createHttpClient(options: object): { close(): void } };
    };
    const client = Deno.createHttpClient({});
    try {
      const requests = await lose("POST", { json: 1 }, { fetchOptions: { client } }, {
        failing: 1,
      });
      assertEquals(requests.length, 2);
    } finally {
      client.close();
    }
  });

  it("has the same headers and the same body as any other", async () => {
    const headersOf = ({ fields }: FramedRequest) =>
      ["content-type", "content-length", "transfer-encoding"].map((name) => fields.get(name)?.[0]);
    const kinds = bodies.filter(([what]) => what !== "a form of several parts");
    for (const [what, options] of kinds) {
      const [once] = await lose("POST", options, {}, { failing: 0 });
      const [usual] = await lose("POST", options, { runtimeRetries: "any" }, { failing: 0 });
      assertEquals([headersOf(once!), once!.body], [headersOf(usual!), usual!.body], what);
    }
  });

  it("does not end the reading of a long response", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        const head = ["HTTP/1.1 200 OK", "Content-Length: 1000000", "Connection: close", "", ""];
        socket.write(head.join("\r\n"));
        setImmediate(() => socket.end(new Uint8Array(1_000_000)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as { port: number };
      const session = new APISession({ url: `http://127.0.0.1:${port}` });
      const response = await session.post("x");
      assertEquals((await response.arrayBuffer()).byteLength, 1_000_000);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
