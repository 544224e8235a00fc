import { after, afterEach, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { APISession, type SessionOptions, TransportError } from "../../mod.ts";
import { ProxyAuthenticationError, ServiceUnavailableError } from "../../src/entries/errors.ts";
import type { Proxies } from "../../src/http/mod.ts";
import type { Middleware } from "../../src/middleware/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { type RawServer, respond, stall, startRawServer } from "../support/raw_server.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type Squid, squidMissing, startSquid } from "../support/squid.ts";
import {
  startTlsPeers,
  tlsMissing,
  type TlsPeers,
  withoutProxyVariables,
} from "../support/tls_peers.ts";
import { passUntil } from "../support/pass_until.ts";
import { until } from "../support/until.ts";

/** The headers and the client certificate that a server received. */
interface Seen {
  readonly via?: string;
  readonly secret?: string;
  readonly client?: string;
}

const PASSWORD = "p@ss:/w\u00f6rd";

/** A URL at which no server listens. */
const NOBODY = "http://127.0.0.1:2";

describe("proxies, with squid", () => {
  const missing = squidMissing() ?? tlsMissing();
  let peers: TlsPeers;
  let plain: TestServer;
  let squid: Squid;
  let open: Squid;
  let undo: () => void;
  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    undo = withoutProxyVariables();
    if (missing !== undefined) return;
    peers = await startTlsPeers();
    plain = await startServer((request, response) => {
      const { via, "proxy-authorization": secret } = request.headers;
      const status = Number(/^\/(\d{3})$/.exec(request.url ?? "")?.[1] ?? 200);
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ via, secret }));
    });
    const { server } = peers.certificates;
    squid = await startSquid({ user: ["ada", PASSWORD], tls: server });
    open = await startSquid({ tls: server });
  });
  after(async () => {
    undo();
    await Promise.all([peers?.stop(), plain?.stop(), squid?.stop(), open?.stop()]);
  });

  /** The servers by protocol. */
  const servers = { http: () => plain.url, https: () => peers.good };
  const protocols = ["http", "https"] as const;

  const known = (url: string, password = PASSWORD) =>
    url.replace("//", `//ada:${encodeURIComponent(password)}@`);

  async function withSession<T>(
    options: SessionOptions,
    body: (session: APISession) => Promise<T>,
  ): Promise<T> {
    const ca = peers.certificates.authority.pem[0];
    const usual = { ca, retries: 0, finalWait: false, logger: recordingLogger() };
    const session = new APISession({ ...usual, ...options });
    try {
      return await body(session);
    } finally {
      await session.close();
    }
  }

  const seenBy = (options: SessionOptions): Promise<Seen> =>
    withSession(options, (session) => session.get<Seen>("/", { convJson: true }));

  /** The ways to reach squid: with and without TLS, with and without a password. */
  const routes: readonly (readonly [string, () => string])[] = [
    ["an http proxy", () => open.url],
    ["an http proxy with a password", () => known(squid.url)],
    ["an https proxy", () => open.secureUrl],
    ["an https proxy with a password", () => known(squid.secureUrl)],
  ];
  for (const [route, proxy] of routes) {
    for (const protocol of protocols) {
      const url = () => servers[protocol]();

      // contract: attr-5, auth-7, http-19
      test(`${protocol} goes through ${route}, and only the proxy gets the password`, async () => {
        const seen = await seenBy({ url: url(), proxies: { all: proxy() } });
        assertEquals(seen.secret ?? "", "");
        // A proxy cannot add a header to the requests in a tunnel.
        assertEquals(/squid/.test(seen.via ?? ""), protocol === "http");
      });

      test(`${protocol} goes through ${route} without verification`, async () => {
        const options = { url: url(), proxies: { all: proxy() }, ca: null, sslVerify: false };
        assertEquals((await seenBy(options)).secret ?? "", "");
      });
    }

    test(`the certificate of a server behind ${route} is verified`, async () => {
      const proxies = { https: proxy() };
      for (const url of [peers.expired, peers.wrongHost]) {
        const error = await assertRejects(() => seenBy({ url, proxies }), TransportError);
        assertEquals(error.kind, "tls");
      }
    });

    // contract: auth-6
    test(`a client certificate is sent through ${route}`, async () => {
      const { client } = peers.certificates;
      const options = { url: peers.demanding, proxies: { all: proxy() }, cert: client.pem };
      assertEquals((await seenBy(options)).client, "CN=ada");
    });
  }

  for (const protocol of protocols) {
    test(`middleware surrounds ${protocol} requests that go through a proxy`, async () => {
      let sent: Response | undefined;
      const viaProxy: Middleware = async (request, next) => {
        sent = await next(request);
        const seen = await sent.json();
        return Response.json({ ...seen, secret: request.url });
      };
      const url = servers[protocol]();
      const proxies = { all: known(squid.url) };
      const seen = await seenBy({ url, proxies, middleware: [viaProxy] });
      assertEquals([sent?.status, seen.secret], [200, `${url}/`]);
      assertEquals(/squid/.test(seen.via ?? ""), protocol === "http");
    });
  }

  test("the certificate of an https proxy is verified", async () => {
    for (const protocol of protocols) {
      const options = { url: servers[protocol](), proxies: { all: open.secureUrl }, ca: null };
      const error = await assertRejects(() => seenBy(options), TransportError);
      assertEquals(error.kind, "tls");
    }
  });

  // contract: attr-5
  test("each protocol can have a different proxy, and null means no proxy", async () => {
    const rows: readonly (readonly [Proxies, boolean, boolean])[] = [
      [{ http: open.url }, true, true],
      [{ http: open.url, https: NOBODY }, true, false],
      [{ all: NOBODY, http: open.url }, true, false],
      [{ all: NOBODY, https: open.url }, false, true],
      [{ all: NOBODY, https: null }, false, true],
      [[["http", open.url], ["https", NOBODY]], true, false],
      [[["all", NOBODY], ["http", open.url]], true, false],
      [[], true, true],
    ];
    for (const [proxies, http, https] of rows) {
      const works = (url: string) => seenBy({ url, proxies }).then(() => true, () => false);
      const message = JSON.stringify(proxies);
      assertEquals([await works(plain.url), await works(peers.good)], [http, https], message);
    }
  });

  // contract: attr-5
  test("an option overrides the static property proxies of the class", async () => {
    class Behind extends APISession {
      static override readonly url: string = plain.url;
      static override readonly proxies: Proxies = { all: open.url };
    }
    const via = async (options: SessionOptions) => {
      const session = new Behind(options);
      const { via } = await session.get<Seen>("/", { convJson: true });
      await session.close();
      return via ?? "";
    };
    assert(/squid/.test(await via({})));
    assertEquals(await via({ proxies: null }), "");
  });

  const refusals: readonly (readonly [string, () => string])[] = [
    ["no password", () => squid.url],
    ["no password, by TLS", () => squid.secureUrl],
    ["a wrong password", () => known(squid.url, "guess")],
    ["a wrong password, by TLS", () => known(squid.secureUrl, "guess")],
  ];
  for (const [credentials, proxy] of refusals) {
    for (const protocol of protocols) {
      for (const verify of [true, false]) {
        const how = verify ? "" : ", unverified";
        // contract: auth-7, http-19
        test(`a proxy that gets ${credentials} causes a 407 error for ${protocol}${how}`, async () => {
          const options = { url: servers[protocol](), proxies: { all: proxy() }, retries: 3 };
          await withSession(options, async (session) => {
            const get = () => session.get("/", { verify });
            const error = await assertRejects(get, ProxyAuthenticationError);
            assertEquals([error.status, error.retries], [407, 0]);
            assert(!`${error}${JSON.stringify(error)}`.includes("guess"));
            // The next calls fail in the same way.
            await assertRejects(get, ProxyAuthenticationError);
            const all = await Promise.allSettled([get(), get(), get()]);
            for (const each of all) {
              assert(each.status === "rejected" && each.reason instanceof ProxyAuthenticationError);
            }
          });
        });
      }
    }
  }

  test("a tunnel of one session is not used by another session without the password", async () => {
    const url = peers.good;
    await withSession({ url, proxies: { all: known(squid.url) } }, async (session) => {
      await session.get("/", { convJson: true });
      for (const proxy of [squid.url, known(squid.url, "guess")]) {
        const denied = () => seenBy({ url, proxies: { all: proxy } });
        await assertRejects(denied, ProxyAuthenticationError);
      }
      await session.get("/", { convJson: true });
    });
  });

  test("a 407 of a server behind a proxy throws ProxyAuthenticationError", async () => {
    for (const proxy of [open.url, known(squid.url)]) {
      await withSession({ url: plain.url, proxies: { all: proxy } }, async (session) => {
        await assertRejects(() => session.get("/407"), ProxyAuthenticationError);
      });
    }
  });

  test("a server that is down behind a proxy causes an error of the proxy", async () => {
    const proxies = { all: known(squid.url) };
    // The proxy answers instead of the server, or opens no tunnel.
    await assertRejects(() => seenBy({ url: NOBODY, proxies }), ServiceUnavailableError);
    const url = NOBODY.replace("http:", "https:");
    const error = await assertRejects(() => seenBy({ url, proxies }), TransportError);
    assertEquals(error.kind, "proxy");
    const open = () => seenBy({ url, proxies, sslVerify: false });
    assertEquals((await assertRejects(open, TransportError)).kind, "proxy");
  });
});

describe("proxies that misbehave", () => {
  const servers: RawServer[] = [];
  let undo: () => void;

  before(() => void (undo = withoutProxyVariables()));
  after(() => undo());
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function serve(...answers: Parameters<typeof startRawServer>): Promise<RawServer> {
    const server = await startRawServer(...answers);
    servers.push(server);
    return server;
  }

  const targets = ["http://127.0.0.1:9999", "https://127.0.0.1:9999", "https://[::1]:9999"];

  /** Returns proxies with and without a password. On Deno they use different transports. */
  function proxiesOf(url: string): Proxies[] {
    return [{ all: url }, { all: url.replace("//", "//ada:countess@") }];
  }

  async function failing(options: SessionOptions): Promise<TransportError> {
    const session = new APISession({
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retries: 2,
      ...options,
    });
    try {
      const error = await assertRejects(() => session.get("/x"), TransportError);
      for (const shown of [String(error), JSON.stringify(error), String(error.cause)]) {
        assert(!shown.includes("countess"), shown);
      }
      return error;
    } finally {
      await session.close();
    }
  }

  for (const url of targets) {
    for (const sslVerify of [true, false]) {
      const target = `for ${url}${sslVerify ? "" : ", unverified"}`;

      it(`a proxy that is down causes a TransportError and is retried, ${target}`, async () => {
        for (const proxies of proxiesOf(NOBODY)) {
          const error = await failing({ url, proxies, sslVerify });
          assertEquals([error.kind, error.retries], ["refused", 2]);
        }
      });

      // contract: http-19
      it(`a proxy that answers with invalid HTTP causes a TransportError and is retried, ${target}`, async () => {
        for (const nonsense of ["what is this\r\n\r\n", "\0\x01\x02\r\n\r\n"]) {
          const proxy = await serve((socket) => void socket.end(nonsense));
          for (const proxies of proxiesOf(proxy.url)) {
            assertEquals((await failing({ url, proxies, sslVerify })).retries, 2);
          }
          assert(proxy.requests >= 6, `${proxy.requests} requests`);
        }
      });

      it(`a proxy that closes the connection causes a TransportError and is retried, ${target}`, async () => {
        const proxy = await serve((socket) => void socket.destroy());
        for (const proxies of proxiesOf(proxy.url)) {
          assertEquals((await failing({ url, proxies, sslVerify })).retries, 2);
        }
      });

      it(`a proxy that sends nothing causes a timeout, ${target}`, async () => {
        const proxy = await serve(stall(""));
        for (const proxies of proxiesOf(proxy.url)) {
          const { requests } = proxy;
          const clock = fakeClock();
          const options = { url, proxies, sslVerify, clock, retries: 0, finalWait: false };
          const failed = failing({ ...options, timeout: 10 });
          await until(() => proxy.requests > requests);
          await passUntil(clock, failed);
          assertEquals((await failed).kind, "timeout");
          await proxy.hungUp();
        }
      });
    }
  }

  for (const url of targets.slice(1)) {
    it(`a proxy that opens no tunnel causes a TransportError of the kind proxy, for ${url}`, async () => {
      for (const status of ["403 Forbidden", "503 Service Unavailable", "302 Found"]) {
        const proxy = await serve(respond("no", { status }));
        for (const proxies of proxiesOf(proxy.url)) {
          for (const sslVerify of [true, false]) {
            const error = await failing({ url, proxies, sslVerify });
            assertEquals([error.kind, error.retries], ["proxy", 2], `${status}: ${error}`);
          }
        }
      }
    });
  }
});
