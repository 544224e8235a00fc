import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import process from "node:process";
import { APISession, type SessionOptions, TransportError } from "../../mod.ts";
import { BadRequestError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { startTlsPeers, tlsMissing, type TlsPeers } from "../support/tls_peers.ts";
import { turn } from "../support/until.ts";

/** The client certificate and the connection, as the servers report them. */
interface Seen {
  readonly client: string;
  readonly connection: string;
}

type PeerName = "good" | "expired" | "wrongHost" | "demanding";

describe("TLS, with real servers", () => {
  const missing = tlsMissing();
  let peers: TlsPeers;
  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing === undefined) peers = await startTlsPeers();
  });
  after(() => peers?.stop());

  const ca = () => peers.certificates.authority.pem[0];

  async function withSession<T>(
    options: SessionOptions,
    body: (session: APISession) => Promise<T>,
  ): Promise<T> {
    const usual = { url: peers.good, retries: 0, finalWait: false, logger: recordingLogger() };
    const session = new APISession({ ...usual, ...options });
    try {
      return await body(session);
    } finally {
      await session.close();
    }
  }

  const seenBy = (options: SessionOptions): Promise<Seen> =>
    withSession(options, (session) => session.get<Seen>("/", { convJson: true }));

  async function refused(options: SessionOptions): Promise<void> {
    const error = await assertRejects(() => seenBy(options), TransportError);
    assertEquals(error.kind, "tls");
  }

  test("ca: a server of a private authority is accepted only with that authority", async () => {
    await refused({});
    assert((await seenBy({ ca: ca() })).connection !== "");
    await refused({});
  });

  test("ca: the authority can be a path, and can be in a list with others", async () => {
    const { authority, stranger } = peers.certificates;
    assert((await seenBy({ ca: authority.certificate })).connection !== "");
    assert((await seenBy({ ca: [stranger.pem[0], authority.certificate] })).connection !== "");
    assert((await seenBy({ ca: stranger.pem[0] + ca() })).connection !== "");
    await refused({ ca: stranger.certificate });
  });

  const bad: readonly PeerName[] = ["expired", "wrongHost"];
  for (const peer of bad) {
    test(`verification: a server whose certificate is ${peer} is rejected`, async () => {
      await refused({ url: peers[peer], ca: ca() });
    });
  }

  const all: readonly PeerName[] = ["good", "expired", "wrongHost"];
  for (const peer of all) {
    // contract: attr-7
    test(`sslVerify false: a server whose certificate is ${peer} is accepted`, async () => {
      assert((await seenBy({ url: peers[peer], sslVerify: false })).connection !== "");
    });

    // contract: attr-7
    test(`sslVerify false: the next session still rejects a certificate that is ${peer}`, async () => {
      await withSession({ url: peers[peer], sslVerify: false }, async (open) => {
        await open.get("/", { convJson: true });
        await refused({ url: peers[peer] });
        // Verified and unverified requests never share a connection.
        await open.get("/", { convJson: true });
        await refused({ url: peers[peer] });
      });
      await assertRejects(async () => await (await fetch(peers[peer])).text());
    });
  }

  // contract: attr-7
  test("sslVerify: an option overrides the static property of the class", async () => {
    class Careless extends APISession {
      static override readonly url: string = peers.good;
      static override readonly sslVerify: boolean = false;
    }
    const options = { retries: 0, finalWait: false, logger: recordingLogger() };
    const careless = new Careless(options);
    assertEquals((await careless.get("/")).status, 200);
    assertEquals(careless.httpSession.sslVerify, false);
    await careless.close();
    const careful = new Careless({ ...options, sslVerify: true });
    await assertRejects(() => careful.get("/"), TransportError);
    await careful.close();
  });

  // contract: keyword-8, req-5-verify, decision-20
  test("verify: a call can turn verification off, and the next one still rejects", async () => {
    await withSession({}, async (session) => {
      await assertRejects(() => session.get("/"), TransportError);
      await session.get("/", { verify: false, convJson: true });
      await assertRejects(() => session.get("/"), TransportError);
      await assertRejects(() => session.get("/", { verify: true }), TransportError);
    });
  });

  // contract: keyword-8, req-5-verify
  test("verify: a call can turn verification on if the session turns it off", async () => {
    await withSession({ sslVerify: false }, async (session) => {
      await session.get("/", { convJson: true });
      await assertRejects(() => session.get("/", { verify: true }), TransportError);
      await session.get("/", { convJson: true });
    });
  });

  // contract: reading-12
  test("verify: the debug record shows it only if it is off", async () => {
    const logger = recordingLogger();
    await withSession({ logger, ca: ca() }, async (session) => {
      await session.get("/", { convJson: true });
      await session.get("/", { verify: false, convJson: true });
      session.httpSession.sslVerify = false;
      await session.get("/", { convJson: true });
    });
    assertEquals(logger.json("debug").map(({ verify }) => verify), [undefined, false, false]);
  });

  // contract: reading-12
  test("sslVerify false: no warning appears", async () => {
    const warned: unknown[] = [];
    const { warn, error } = console;
    const onWarning = (warning: Error) => void warned.push(warning.message);
    process.on("warning", onWarning);
    console.warn = console.error = (...all: unknown[]) => void warned.push(...all);
    const logger = recordingLogger();
    try {
      await seenBy({ sslVerify: false, logger });
      await seenBy({ sslVerify: false, logger });
      // The process emits warnings one turn later.
      await turn();
    } finally {
      Object.assign(console, { warn, error });
      process.removeListener("warning", onWarning);
    }
    assertEquals(warned, []);
    assertEquals([...logger.messages("warn"), ...logger.messages("error")], []);
  });

  // contract: attr-6, auth-6
  test("cert: a server that demands a certificate accepts the given one", async () => {
    const { client } = peers.certificates;
    const url = peers.demanding;
    assertEquals((await seenBy({ url, ca: ca(), cert: client.pem })).client, "CN=ada");
    const files = [client.certificate, client.key] as const;
    assertEquals((await seenBy({ url, ca: ca(), cert: files })).client, "CN=ada");
    assertEquals((await seenBy({ url, sslVerify: false, cert: files })).client, "CN=ada");
  });

  // contract: attr-6
  test("cert: another session does not send it, even while the first is open", async () => {
    const { client } = peers.certificates;
    const options = { url: peers.demanding, ca: ca() };
    await withSession({ ...options, cert: client.pem }, async (known) => {
      await known.get("/", { convJson: true });
      await assertRejects(() => seenBy(options), BadRequestError);
      await known.get("/", { convJson: true });
      await assertRejects(() => seenBy({ ...options, sslVerify: false }), BadRequestError);
    });
  });

  // contract: attr-6, hook-1
  test("cert and ca: options override the static properties of the class", async () => {
    const { client, stranger } = peers.certificates;
    class Trusted extends APISession {
      static override readonly url: string = peers.demanding;
      static override readonly cert: readonly [string, string] = client.pem;
      static override readonly ca: string = ca();
      static override readonly retries: number = 0;
      static override readonly finalWait: boolean = false;
    }
    const logger = recordingLogger();
    const trusted = new Trusted({ logger });
    assertEquals((await trusted.get<Seen>("/", { convJson: true })).client, "CN=ada");
    await trusted.close();
    const nobody = new Trusted({ logger, cert: null });
    await assertRejects(() => nobody.get("/"), BadRequestError);
    await nobody.close();
    const wary = new Trusted({ logger, ca: stranger.pem[0] });
    await assertRejects(() => wary.get("/"), TransportError);
    await wary.close();
  });

  test("cert: the server rejects a certificate of another authority", async () => {
    const { strangeClient: { pem } } = peers.certificates;
    await assertRejects(
      () => seenBy({ url: peers.demanding, ca: ca(), cert: pem }),
      BadRequestError,
    );
  });

  // contract: hook-1
  test("cert, ca and sslVerify are set on the HTTP session, even on one that the caller passes", async () => {
    const { client } = peers.certificates;
    const session = new HttpSession();
    await withSession(
      { session, url: peers.demanding, ca: ca(), cert: client.pem },
      async (api) => {
        assertEquals((await api.get<Seen>("/", { convJson: true })).client, "CN=ada");
      },
    );
    assertEquals([session.ca, session.cert, session.sslVerify], [
      [ca().trim()],
      client.pem[0].trim(),
      true,
    ]);
    await session.close();
  });

  test("an HTTP session that the caller passes keeps its TLS settings, and stays open", async () => {
    const session = new HttpSession({ sslVerify: false });
    for (let round = 0; round < 2; round++) {
      await withSession({ session }, (api) => api.get("/", { convJson: true }));
    }
    session.sslVerify = true;
    await withSession({ session }, (api) => assertRejects(() => api.get("/"), TransportError));
    session.ca = ca();
    await withSession({ session }, (api) => api.get("/", { convJson: true }));
    session.ca = null;
    await withSession({ session }, (api) => assertRejects(() => api.get("/"), TransportError));
    await session.close();
  });

  // contract: http-17
  test("a changed setting applies from the next request on", async () => {
    await withSession({ ca: ca() }, async (api) => {
      await api.get("/", { convJson: true });
      api.httpSession.ca = peers.certificates.stranger.pem[0];
      await assertRejects(() => api.get("/"), TransportError);
      api.httpSession.ca = ca();
      await api.get("/", { convJson: true });
    });
  });
});
