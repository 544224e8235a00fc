import { after, afterEach, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { gzipSync } from "node:zlib";
import {
  APIClient,
  type APIError,
  APISession,
  type RequestOptions,
  RestwrightError,
  type SessionOptions,
  TransportError,
} from "../../mod.ts";
import { UnsupportedOptionError } from "../../src/entries/errors.ts";
import { HttpSession, type Transport } from "../../src/http/mod.ts";
import { ResponseTooLargeError } from "../../src/errors/mod.ts";
import { DEFAULT_MAX_RESPONSE_BYTES } from "../../src/http/incoming_response.ts";
import { responseLike } from "../../src/http/response.ts";
import { openBuiltinTransport } from "../../src/http/transport/node_http.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import {
  type AnswerAny,
  type AnyMethodServer,
  okay,
  startAnyMethodServer,
} from "../support/any_method_server.ts";
import { type Certificates, makeCertificates } from "../support/certificates.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Squid, squidMissing, startSquid } from "../support/squid.ts";
import { tlsMissing, withoutProxyVariables } from "../support/tls_peers.ts";

/** A session whose `_req` a test can call. */
class Open extends APISession {
  req(method: string, path = "x", options?: RequestOptions): Promise<Response> {
    return this._req(method, path, options) as Promise<Response>;
  }
}

/** Methods that are sent in upper case, however they are written. */
const usual = ["get", "Post", "PUT", "patch", "Delete", "hEAD", "options"];

/** Methods that are sent as they are written. */
const others = [
  ..."PURGE purge FOO foo Foo BREW PROPFIND propfind M-SEARCH REPORT QUERY query LINK".split(" "),
  ..."UNLINK ACL MKCOL Source NOTIFY constructor __proto__ !#$%&'*+-.^_`|~0".split(" "),
  "X".repeat(100),
];

/** The route of `node:http` without any option. */
const plainRoute = { proxy: undefined, cert: undefined, ca: [], verify: true };

const bun = detectRuntime().name === "Bun";

describe("the method of a request", () => {
  const servers: AnyMethodServer[] = [];
  const sessions: APISession[] = [];
  let undo: () => void;

  before(() => void (undo = withoutProxyVariables()));
  after(() => undo());
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.close()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function serve(
    answer?: AnswerAny,
    tls?: readonly [string, string],
  ): Promise<AnyMethodServer> {
    const server = await startAnyMethodServer(answer, tls);
    servers.push(server);
    return server;
  }

  function open(options: SessionOptions): Open {
    const usual = { logger: recordingLogger(), retries: 0, finalWait: false };
    const session = new Open({ ...usual, ...options });
    sessions.push(session);
    return session;
  }

  /** Calls a session with each method, and returns the request lines. */
  async function linesOf(server: AnyMethodServer, options: SessionOptions): Promise<string[]> {
    const session = open({ url: server.url, ...options });
    for (const method of [...usual, ...others]) {
      const response = await session.req(method);
      assertEquals(response.url, `${server.url}/x`);
      await response.text();
    }
    return server.requests.map(({ line }) => line);
  }

  const expected = (target: string) =>
    [...usual.map((method) => method.toUpperCase()), ...others]
      .map((method) => `${method} ${target} HTTP/1.1`);

  // contract: reading-35
  it("is sent as written, except that standard methods are sent in upper case", async () => {
    assertEquals(await linesOf(await serve(), {}), expected("/x"));
  });

  it("is sent as written by a client with a timeout, too", async () => {
    class Client extends APIClient {
      req(method: string): Promise<Response> {
        return this._req(method, "/x") as Promise<Response>;
      }
    }
    const server = await serve();
    const client = new Client({ baseUrl: server.url, timeout: 60, logger: recordingLogger() });
    for (const method of [...usual, ...others]) await (await client.req(method)).text();
    await client.close();
    assertEquals(server.requests.map(({ line }) => line), expected("/x"));
  });

  // contract: reading-35
  it("is passed as written to an adapter and to a custom fetch", async () => {
    for (const kind of ["adapter", "fetch"] as const) {
      const seen: string[] = [];
      const custom: Transport = (_url, { method }) => {
        seen.push(method);
        return Promise.resolve(new Response());
      };
      const url = "https://a.example";
      const session = kind === "adapter"
        ? open({ url, adapter: custom })
        : open({ url, session: new HttpSession({ fetch: custom }) });
      for (const method of [...usual, ...others]) await session.req(method);
      assertEquals(seen, [...usual.map((method) => method.toUpperCase()), ...others], kind);
    }
  });

  it("is never changed to another one if an adapter passes it to the transport for GET", async () => {
    const server = await serve();
    const http = new HttpSession();
    const adapter: Transport = (url, init) => http.transportFor(url)(url, init);
    const session = open({ url: server.url, adapter });
    for (const method of others) {
      try {
        await (await session.req(method)).text();
      } catch (error) {
        assert(error instanceof UnsupportedOptionError, String(error));
        assert(error.message.includes(method), error.message);
      }
    }
    const sent = server.requests.map(({ method }) => method);
    assertEquals(sent, others.filter((method) => sent.includes(method)));
    await http.close();
  });

  it("allows a body of any kind, except for GET and HEAD", async () => {
    const server = await serve();
    const session = open({ url: server.url });
    const form = new FormData();
    form.append("a", "1");
    const bytes = new TextEncoder().encode("bytes");
    const rows: readonly (readonly [RequestOptions, RegExp])[] = [
      [{ json: { a: 1 } }, /^\{"a":1\}$/],
      [{ data: { a: "b c" } }, /^a=b\+c$/],
      [{ data: form }, /name="a"\r\n\r\n1\r\n/],
      [{ content: "text" }, /^text$/],
      [{ content: bytes }, /^bytes$/],
      [{ content: new Blob(["blob"]) }, /^blob$/],
      [{ content: () => new Blob(["stream"]).stream() }, /^stream$/],
      [{ content: "" }, /^$/],
    ];
    for (const method of ["PURGE", "BREW", "foo", "query", "DELETE", "OPTIONS"]) {
      for (const [options, body] of rows) {
        await (await session.req(method, "x", options)).text();
        const last = server.requests.at(-1)!;
        assertEquals(last.method, method);
        assert(body.test(last.body), `${method}: ${last.body}`);
        const length = last.headers["content-length"];
        assert(length === undefined || Number(length) === last.body.length, length);
      }
    }
    assertEquals(server.requests.length, 6 * rows.length);
  });

  it("is kept by redirects, except that 303 changes it to GET, and 301 and 302 change POST to GET", async () => {
    const server = await serve(({ target }) => {
      const status = /^\/(\d+)/.exec(target)?.[1];
      if (status === undefined) return okay("");
      return `HTTP/1.1 ${status} Moved\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n`;
    });
    const session = open({ url: server.url });
    for (const method of ["BREW", "purge", "PROPFIND", "post", "HEAD"]) {
      for (const status of [301, 302, 303, 307, 308]) {
        await (await session.req(method, `${status}`)).text();
        const sent = method === "post" ? "POST" : method;
        const isGet = method === "post" ? status < 304 : status === 303 && method !== "HEAD";
        const both = server.requests.slice(-2).map(({ line }) => line);
        assertEquals(both, [
          `${sent} /${status} HTTP/1.1`,
          `${isGet ? "GET" : sent} /end HTTP/1.1`,
        ]);
      }
    }
  });

  it("is the same in a retry, in the log and in errors", async () => {
    const server = await serve(() => "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
    const logger = recordingLogger();
    const session = open({ url: server.url, retries: 1, backoff: 0, finalWait: false, logger });
    const error = await assertRejects(() => session.req("Brew"));
    assertEquals(server.requests.map(({ method }) => method), ["Brew", "Brew"]);
    assertEquals(logger.json("debug").map(({ method }) => method), ["Brew", "Brew"]);
    assert(String(error).includes("Brew http"), String(error));
  });

  it("does not affect the response: headers, gzip, no body, an odd status", async () => {
    const server = await serve(({ target }) => {
      if (target === "/gzip") {
        const body = gzipSync("compressed").toString("latin1");
        return new Uint8Array(
          [...okay(body, ["Content-Encoding: gzip"])].map((each) => each.charCodeAt(0)),
        );
      }
      if (target === "/none") return "HTTP/1.1 204 None\r\n\r\n";
      return okay("{}", ["Content-Type: application/json", "Set-Cookie: a=1", "Set-Cookie: b=2"]);
    });
    const session = open({ url: server.url });
    for (const method of ["BREW", "purge", "PURGE"]) {
      assertEquals(await (await session.req(method, "gzip")).text(), "compressed");
      assertEquals((await session.req(method, "none")).status, 204);
      assertEquals(await session.req(method, "x", { convJson: true }) as unknown, {});
    }
    assertEquals(server.requests.at(-1)?.headers["cookie"], "a=1; b=2");
    assert(server.requests.every(({ headers }) => headers["user-agent"]?.includes("restwright")));
  });

  it("over node:http does not affect keep-alive: the connection stays until the transport is closed", async () => {
    const server = await serve();
    const { carry, close } = openBuiltinTransport(plainRoute);
    for (const method of ["BREW", "BREW", "purge"]) {
      const init = { method, headers: {}, redirect: "manual" } as const;
      assertEquals(await (await carry(server.url, init)).text(), method);
    }
    assertEquals(server.requests.map(({ connection }) => connection), [1, 1, 1]);
    close();
    await server.hungUp();
  });

  it("over node:http does not affect the URL of the response, also after a redirect", async () => {
    const server = await serve(({ target }) =>
      target === "/x"
        ? okay("")
        : "HTTP/1.1 302 Moved\r\nLocation: /x#b\r\nContent-Length: 0\r\n\r\n"
    );
    const { carry, close } = openBuiltinTransport(plainRoute);
    const session = open({ url: server.url, adapter: carry });
    for (const method of ["BREW", "HEAD"]) {
      for (const [path, redirected] of [["x", false], ["moved", true]] as const) {
        const response = await session.req(method, path);
        const expected = [`${server.url}/x`, redirected];
        assertEquals([response.url, response.redirected], expected);
        assertEquals([response.clone().url, await response.text()], [expected[0], ""]);
      }
    }
    const init = { method: "BREW", headers: {}, redirect: "manual" } as const;
    assertEquals((await carry(`${server.url}/x#a`, init)).url, `${server.url}/x`);
    close();
  });

  it("over node:http does not affect the default limit: a longer body is counted while it is read", async () => {
    const server = await serve((_request, socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const { carry, close } = openBuiltinTransport(plainRoute);
    // One piece of memory, sent again and again. Without the count, the body would be read to its end.
    const blanks = new Uint8Array(2 ** 20).fill(32);
    let left = DEFAULT_MAX_RESPONSE_BYTES / blanks.length + 2;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        controller.enqueue(blanks);
        if (--left === 0) controller.close();
      },
    }, { highWaterMark: 0 });
    const adapter: Transport = async (...request) => {
      const response = await carry(...request);
      await response.text();
      return responseLike(response, body);
    };
    const session = open({ url: server.url, adapter });
    await assertRejects(() => session.req("PURGE", "x", { convJson: true }), ResponseTooLargeError);
    assert(left > 0, "the body was read to its end");
    close();
  });

  it("over node:http does not affect framing: a stream never becomes a second request", async () => {
    const server = await serve();
    const { carry, close } = openBuiltinTransport(plainRoute);
    const smuggled = "GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n";
    for (const method of ["DELETE", "OPTIONS", "POST", "BREW", "delete"]) {
      const body = new Blob([smuggled]).stream();
      const init = { method, headers: {}, redirect: "manual", body } as const;
      await (await carry(server.url, init)).text();
      assertEquals([server.requests.at(-1)?.method, server.requests.at(-1)?.body], [
        method,
        smuggled,
      ]);
    }
    assertEquals(server.requests.length, 5);
    close();
  });

  it("does not affect failures: a lost connection causes a TransportError and is retried", async () => {
    const server = await serve(({ target }, socket) => {
      if (target === "/cut") socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na part");
      else socket.destroy();
      return undefined;
    });
    const logger = recordingLogger();
    for (const method of ["BREW", "purge"]) {
      for (const path of ["gone", "cut"]) {
        const session = open({ url: server.url, logger });
        const call = () => session.req(method, path, { convJson: true });
        assertEquals((await assertRejects(call, TransportError)).kind, "reset", path);
      }
    }
    assertEquals(logger.messages("error").length, 4);
    const url = server.url;
    await server.stop();
    const refused = () => open({ url }).req("BREW");
    assertEquals((await assertRejects(refused, TransportError)).kind, "refused");
  });

  const faulty: readonly (readonly [string, string])[] = [
    ["bytes that are not HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
    ["no final response", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 On\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n"],
    ["a body that is not gzip", okay("it is not gzip", ["Content-Encoding: gzip"])],
  ];
  for (const [fault, response] of faulty) {
    it(`does not affect the error if a server sends ${fault}`, async () => {
      const server = await serve((_request, socket) => void socket.end(response));
      for (const method of ["BREW", "purge", "GET"]) {
        const call = () => open({ url: server.url }).req(method, "x", { convJson: true });
        const error = await assertRejects(call, RestwrightError);
        // Deno's fetch returns a response with the status 101.
        assert(error instanceof TransportError || (error as APIError).status === 101, `${error}`);
      }
    });
  }

  it("does not affect timeouts and signals, for headers and for the body", async () => {
    const server = await serve(({ target }) =>
      target === "/begun" ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na part" : undefined
    );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (const method of ["BREW", "purge"]) {
      for (const path of ["begun", "never"]) {
        const clock = fakeClock();
        const session = open({ url: server.url, clock });
        const requestReceived = async () => {
          const before = server.requests.length;
          while (server.requests.length === before) await turn();
        };

        let isOver = false;
        const late = session.req(method, path, { timeout: 8, convJson: true });
        late.catch(() => {}).finally(() => void (isOver = true));
        await requestReceived();
        for (; !isOver; await turn()) await clock.advance(2);
        assertEquals((await assertRejects(() => late, TransportError)).kind, "timeout");

        const abort = new AbortController();
        const ended = session.req(method, path, { signal: abort.signal, convJson: true });
        ended.catch(() => {});
        await requestReceived();
        abort.abort(new RangeError("enough"));
        await assertRejects(() => ended, RangeError, "enough");
      }
    }
  });

  it("over node:http does not hide wrong options: those that only fetch supports throw", async () => {
    const server = await serve();
    const session = open({ url: server.url });
    const call = () => session.req("BREW", "x", { fetchOptions: { keepalive: true } });
    if (!bun) return void await (await call()).text();
    const error = await assertRejects(call, UnsupportedOptionError);
    assertEquals([error.option, server.requests.length], ["fetchOptions.keepalive", 0]);
  });

  describe("through TLS and proxies", () => {
    const missing = squidMissing() ?? tlsMissing();
    let certificates: Certificates;
    let squid: Squid;
    const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

    before(async () => {
      if (missing !== undefined) return;
      certificates = await makeCertificates();
      squid = await startSquid({ user: ["ada", "countess"] });
    });
    after(async () => {
      await squid?.stop();
      await certificates?.remove();
    });

    const proxies = () => ({ all: squid.url.replace("//", "//ada:countess@") });
    const rows: readonly (readonly [string, () => SessionOptions])[] = [
      ["with a private certificate authority", () => ({ ca: certificates.authority.pem[0] })],
      ["unverified", () => ({ sslVerify: false })],
      [
        "through a tunnel",
        () => ({ proxies: proxies(), ca: certificates.authority.pem[0] }),
      ],
      ["through a tunnel, unverified", () => ({ proxies: proxies(), sslVerify: false })],
    ];
    for (const [route, options] of rows) {
      test(`is sent as written over TLS ${route}`, async () => {
        const server = await serve(undefined, certificates.server.pem);
        assertEquals(await linesOf(server, options()), expected("/x"));
      });
    }

    test("does not affect verification: a wrong certificate is rejected", async () => {
      const server = await serve(undefined, certificates.wrongHost.pem);
      for (const method of ["BREW", "purge", "PURGE"]) {
        const ca = certificates.authority.pem[0];
        for (const options of [{}, { ca }, { ca, proxies: proxies() }]) {
          const call = () => open({ url: server.url, ...options }).req(method);
          assertEquals((await assertRejects(call, TransportError)).kind, "tls");
        }
      }
      assertEquals(server.requests.length, 0);
    });

    test("is sent as written to a proxy, with the full URL", async () => {
      const proxy = await serve();
      const target = "http://a.example/x";
      const session = open({ url: "http://a.example", proxies: { http: proxy.url } });
      for (const method of [...usual, ...others]) await (await session.req(method)).text();
      assertEquals(proxy.requests.map(({ line }) => line), expected(target));
    });
  });
});
