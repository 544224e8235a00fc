import { mkdtemp, rm, writeFile } from "node:fs/promises";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  after,
  assert,
  assertEquals,
  assertRejects,
  assertThrows,
  before,
  beforeEach,
  describe,
  it,
} from "#test";
import {
  APIClient,
  APISession,
  type RequestOptions,
  type RetryOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { ApiKeyAuth, type Auth, SessionTokenAuth } from "../../src/auth/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { openBuiltinTransport } from "../../src/http/transport/node_http.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { type FramedServer, framingHeaders, startFramedServer } from "../support/framed_server.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { withoutProxyVariables } from "../support/tls_peers.ts";

const { name: runtime } = detectRuntime();

/** A request that an attacker hides in a body. */
const SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

describe("the framing of requests on each transport", () => {
  let server: FramedServer;
  let folder: string;
  let undo: () => void;

  before(async () => {
    undo = withoutProxyVariables();
    server = await startFramedServer();
    folder = await mkdtemp(join(tmpdir(), "restwright-framing-"));
  });
  beforeEach(() => void server.requests.splice(0));
  after(async () => {
    undo();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** The server is the proxy as well. As a proxy it receives a URL instead of a path. */
  const routes: readonly (readonly [string, () => SessionOptions])[] = [
    ["http", () => ({ url: server.url })],
    ["http through a proxy", () => ({
      url: "http://api.example.com",
      proxies: { http: server.url },
    })],
    // Deno sends these by node:http.
    ["http through a proxy with a password", () => ({
      url: "http://api.example.com",
      proxies: { http: server.url.replace("//", "//ada:countess@") },
    })],
  ];

  for (const [route, optionsOf] of routes) {
    const test = (name: string, body: (session: APISession) => Promise<void>) =>
      // contract: http-20
      it(`${route}: ${name}`, async () => {
        const usual = { retries: 0, finalWait: false, logger: recordingLogger() };
        const session = new APISession({ ...usual, ...optionsOf() });
        try {
          await body(session);
        } finally {
          await session.close();
        }
      });

    /** Calls, and returns the path that the server answered. */
    const call = async (answer: Promise<Response>): Promise<string> =>
      (await (await answer).text()).replace(/^http:\/\/[^/]*/, "");

    const pathsOf = () =>
      server.requests.map(({ target }) => target.replace(/^http:\/\/[^/]*/, ""));

    test("framing headers of the caller are rejected, and nothing is sent", async (session) => {
      for (const name of framingHeaders) {
        for (const value of ["0", "chunked", "evil.example", "upgrade", null]) {
          const error = await assertRejects(
            () => session.post("a", { content: SMUGGLED, headers: { [name]: value } }),
            UnexpectedValueError,
          );
          assertEquals(error.option, `headers.${name}`);
        }
      }
      assertEquals(server.requests, []);
    });

    const bytes = new TextEncoder().encode(SMUGGLED);
    const contents: readonly (readonly [string, () => RequestOptions["content"]])[] = [
      ["a string", () => SMUGGLED],
      ["bytes", () => bytes],
      ["a Blob", () => new Blob([bytes])],
      ["a stream", () => new Blob([bytes]).stream()],
      ["a function that opens a stream", () => () => new Blob([bytes]).stream()],
    ];
    for (const [kind, content] of contents) {
      test(`${kind} that contains a request is sent as one body, for every method`, async (session) => {
        for (const method of ["post", "put", "patch", "delete"] as const) {
          assertEquals(await call(session[method]("a", { content: content() })), "/a");
          assertEquals(await call(session.get("b")), "/b");
          const [first, second] = server.requests.splice(0);
          assertEquals([first?.body, second?.body], [SMUGGLED, ""]);
          assertEquals(second?.method, "GET");
          assertEquals(server.requests, []);
        }
      });
    }

    test("a request without content has no body, for every method", async (session) => {
      for (const method of ["get", "post", "put", "patch", "delete"] as const) {
        await call(session[method](method));
      }
      assertEquals(pathsOf(), ["/get", "/post", "/put", "/patch", "/delete"]);
      assert(server.requests.every(({ body }) => body === ""));
    });

    /** Returns the headers about the length of the last body, and its actual length. */
    const lengthSent = (): unknown[] => {
      const { fields, body } = server.requests.at(-1)!;
      return [fields.get("content-length")?.join(), fields.get("transfer-encoding"), body.length];
    };

    const uploads: readonly (readonly [string, number, () => Blob | Promise<Blob>])[] = [
      ["a Blob", 3, () => new Blob(["abc"], { type: "text/x-own" })],
      ["a File", 4, () => new File(["abcd"], "a.bin")],
      ["a part of a Blob", 2, () => new Blob(["abcdef"]).slice(1, 3)],
      ["a large Blob", 1 << 20, () => new Blob([new Uint8Array(1 << 20)])],
      ["a file on disk", 100_000, () => fileOnDisk(100_000)],
    ];
    for (const [kind, size, content] of uploads) {
      test(`the Content-Length of ${kind} is sent, after a 307 too`, async (session) => {
        await call(session.put("a", { content: await content() }));
        assertEquals(lengthSent(), [`${size}`, undefined, size]);
        assertEquals(await call(session.post("hop", { content: await content() })), "/end");
        assertEquals(lengthSent(), [`${size}`, undefined, size]);
        assertEquals(pathsOf(), ["/a", "/hop", "/end"]);
      });
    }

    test("the Content-Length of an empty Blob is sent, except by Deno's fetch", async (session) => {
      await call(session.put("a", { content: new Blob([]) }));
      const isChunked = runtime === "Deno" && !route.endsWith("password");
      assertEquals(lengthSent(), isChunked ? [undefined, ["chunked"], 0] : ["0", undefined, 0]);
    });

    test("a stream is sent in chunks", async (session) => {
      await call(session.put("a", { content: new Blob(["abc"]).stream() }));
      assertEquals(lengthSent(), [undefined, ["chunked"], 3]);
    });
  }

  it("headers of fetchOptions.proxy that do not affect framing are sent on Bun, and ignored elsewhere", async () => {
    const session = new APISession({ url: server.url });
    const proxy = { url: server.url, headers: { "X-Key": "a" } };
    await (await session.get("x", { fetchOptions: { proxy } })).text();
    assertEquals(server.requests[0]?.fields.get("x-key"), runtime === "Bun" ? ["a"] : undefined);
  });

  /** Returns a file on disk as a Blob of known length, by the method of each runtime. */
  async function fileOnDisk(size: number): Promise<Blob> {
    const path = join(folder, `${size}.bin`);
    await writeFile(path, new Uint8Array(size));
    const { Bun } = globalThis as { readonly Bun?: { file(path: string): Blob } };
    return Bun === undefined ? await fs.openAsBlob(path) : Bun.file(path);
  }

  describe("framing headers are rejected", () => {
    type SetHeaders = (headers: Record<string, string>, name: string) => unknown;

    /** The places at which an SDK or its user sets a header, and the name of each in the error. */
    const places: readonly (readonly [string, string, SetHeaders])[] = [
      [
        "in the option headers of a session",
        "headers.",
        (headers) => new APISession({ url: server.url, headers }),
      ],
      [
        "in the option headers of a client",
        "headers.",
        (headers) => new APIClient({ baseUrl: server.url, headers }),
      ],
      [
        "in the options of a derived session",
        "headers.",
        (headers) => new APISession({ url: server.url }).withOptions({ headers }),
      ],
      ["in the options of an HttpSession", "headers.", (headers) => new HttpSession({ headers })],
      [
        "by session.headers.set",
        "headers.",
        (headers, name) =>
          new APISession({ url: server.url }).httpSession.headers.set(name, headers[name]!),
      ],
      [
        "by session.headers.setAll",
        "headers.",
        (headers) =>
          new APISession({ url: server.url }).httpSession.headers.setAll(Object.entries(headers)),
      ],
      [
        "in the request option headers",
        "headers.",
        (headers) =>
          new APISession({ url: server.url }).get("x", { headers: new Headers(headers) }),
      ],
      ["in the options that _buildSession changes", "headers.", (headers) => {
        class Changing extends APISession {
          static override readonly url: string = server.url;
          protected override _buildSession(options: SessionOptions): HttpSession {
            return super._buildSession({ ...options, headers });
          }
        }
        return new Changing().ready;
      }],
      ["in what _retryRequest returns", "headers.", (headers) => {
        class Retrying extends APISession {
          static override readonly url: string = server.url;
          static override readonly backoff: number = 0;
          protected override _retryRequest(
            _response: Response,
            _retries: number,
            options: RetryOptions,
          ): RequestOptions {
            return { ...options, headers: { ...options.headers, ...headers } };
          }
        }
        const logger = recordingLogger();
        const failing = () => Promise.resolve(new Response(null, { status: 503 }));
        let count = 0;
        const fetch: typeof failing = () => {
          assertEquals(++count, 1);
          return failing();
        };
        return new Retrying({ fetch, logger }).get("x");
      }],
      ["in the headers that a scheme adds", "headers.", (headers) => {
        const auth: Auth = { authenticate: (_request, send) => send({ headers }) };
        return new APISession({ url: server.url, auth }).get("x");
      }],
      [
        "as the header of an API key",
        "header",
        (_headers, header) => new ApiKeyAuth("k-1", { header }),
      ],
      [
        "as the header of a session token",
        "header",
        (_headers, header) =>
          new SessionTokenAuth(new APISession({ url: server.url }), {
            login: () => Promise.resolve("t-1"),
            header,
          }),
      ],
      [
        "in fetchOptions",
        "fetchOptions.headers",
        (headers) => new APISession({ url: server.url, fetchOptions: { headers } }),
      ],
      [
        "in the request option fetchOptions",
        "fetchOptions.headers",
        (headers) => new APISession({ url: server.url }).get("x", { fetchOptions: { headers } }),
      ],
      [
        "in the headers of Bun's proxy, by fetchOptions",
        "fetchOptions.proxy.headers.",
        (headers) =>
          new APISession({ url: "http://api.example.com" })
            .get("x", { fetchOptions: { proxy: { url: server.url, headers } } }),
      ],
    ];
    for (const [place, option, setHeaders] of places) {
      // contract: http-20
      it(`${place}, and nothing is sent`, async () => {
        for (const each of framingHeaders) {
          for (const name of [each, each.toLowerCase()]) {
            const error = await assertRejects(
              async () => await setHeaders({ [name]: "hunter2" }, name),
              UnexpectedValueError,
            );
            const expected = option.endsWith(".") ? option + name : option;
            // `Headers` has names in lower case.
            assertEquals(error.option.toLowerCase(), expected.toLowerCase());
            assert(!error.message.includes("hunter2"), error.message);
          }
        }
        assertEquals(server.requests, []);
      });
    }

    it("and the session keeps its previous headers", () => {
      const { headers } = new HttpSession({ headers: { "X-Key": "a" } });
      assertThrows(
        () => headers.setAll({ "X-Key": "b", Host: "evil.example" }),
        UnexpectedValueError,
      );
      assertEquals(headers.get("x-key"), "a");
    });
  });

  // contract: http-20
  it("the node:http transport sets framing headers itself and ignores those of the caller", async () => {
    const { carry, close } = openBuiltinTransport({
      proxy: undefined,
      cert: undefined,
      ca: [],
      verify: true,
    });
    const known: Record<string, string> = { "content-length": "0", host: "evil.example" };
    const other: Record<string, string> = {
      "transfer-encoding": "chunked",
      expect: "100-continue",
    };
    const stream = () => new Blob([SMUGGLED]).stream();
    const rows: readonly (readonly [string, BodyInit | undefined])[] = [
      ["POST", SMUGGLED],
      ["POST", stream()],
      ["DELETE", stream()],
      ["DELETE", undefined],
      ["GET", undefined],
    ];
    for (const [method, body = null] of rows) {
      for (const headers of body instanceof ReadableStream ? [known] : [known, other]) {
        const init = { method, body, headers, redirect: "manual" } as const;
        assertEquals(await (await carry(`${server.url}/a`, init)).text(), "/a");
      }
    }
    close();
    const texts = [SMUGGLED, SMUGGLED, SMUGGLED, SMUGGLED, "", "", "", ""];
    assertEquals(server.requests.map(({ body }) => body), texts);
    for (const { fields } of server.requests) {
      assertEquals([fields.get("host"), fields.get("expect")], [
        [new URL(server.url).host],
        undefined,
      ]);
    }
  });
});
