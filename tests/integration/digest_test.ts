import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { Buffer } from "node:buffer";
import { APIClient, APISession, UnauthorizedError } from "../../mod.ts";
import { DigestAuth, type DigestOptions } from "../../src/auth/digest/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { type DigestPolicy, DigestServer, paramsOf } from "../support/digest_server.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { bodyOf, startServer, type TestServer } from "../support/server.ts";

class Peer extends APIClient {
  who(): Promise<unknown> {
    return this._get("/digest-auth/auth/ada/countess/SHA-256", { convJson: true });
  }
}

function api(url: string, auth: DigestAuth): APISession {
  const logger = recordingLogger({ level: "info" });
  const session = new HttpSession({ auth });
  return new APISession({ url, session, retries: 0, finalWait: false, logger });
}

describe("Digest authentication against httpbin", () => {
  const missing = httpbinMissing();
  let httpbin: Httpbin;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing === undefined) httpbin = await startHttpbin();
  });

  after(async () => {
    await httpbin?.stop();
  });

  for (const algorithm of ["MD5", "SHA-256", "SHA-512"]) {
    for (const qop of ["auth", "auth-int"]) {
      // contract: auth-3
      test(`succeeds with ${algorithm} and ${qop}`, async () => {
        const known = api(httpbin.url, new DigestAuth("ada", "countess"));
        const path = `digest-auth/${qop}/ada/countess/${algorithm}`;
        for (let index = 0; index < 2; index++) {
          const answer = await known.get(path, { convJson: true });
          assertEquals(answer, { authenticated: true, user: "ada" });
        }
      });

      // contract: auth-3
      test(`fails for a wrong password with ${algorithm} and ${qop}`, async () => {
        const stranger = api(httpbin.url, new DigestAuth("ada", "wr0ng"));
        const path = `digest-auth/${qop}/ada/countess/${algorithm}`;
        const error = await assertRejects(() => stranger.get(path), UnauthorizedError);
        assertEquals(error.status, 401);
      });
    }
  }

  test("succeeds if auth and auth-int are offered, with and without integrity", async () => {
    for (const integrity of [false, true]) {
      const known = api(httpbin.url, new DigestAuth("ada", "countess", { integrity }));
      const answer = await known.get("digest-auth/any/ada/countess", { convJson: true });
      assertEquals(answer, { authenticated: true, user: "ada" });
    }
  });

  test("replaces a nonce that httpbin calls stale after two requests", async () => {
    const known = api(httpbin.url, new DigestAuth("ada", "countess"));
    for (let index = 0; index < 5; index++) {
      const answer = await known.get("digest-auth/auth/ada/countess/MD5/2", { convJson: true });
      assertEquals(answer, { authenticated: true, user: "ada" });
    }
  });

  // contract: auth-3
  test("succeeds with an APIClient, whose constructor takes the auth object", async () => {
    const auth = new DigestAuth("ada", "countess");
    const logger = recordingLogger({ level: "info" });
    const client = new Peer({ baseUrl: httpbin.url, auth, retries: 0, logger });
    assertEquals(await client.who(), { authenticated: true, user: "ada" });
    await client.close();
  });
});

describe("Digest authentication on the wire", () => {
  let server: TestServer | undefined;

  after(async () => {
    await server?.stop();
  });

  /** Starts an HTTP server with Digest authentication, and returns a session for it. */
  async function start(
    policy: DigestPolicy = {},
    [username, password]: readonly [string, string] = ["ada", "countess"],
    options: DigestOptions = {},
  ) {
    await server?.stop();
    const digest = new DigestServer(policy);
    server = await startServer(async (request, response) => {
      const body = await bodyOf(request);
      const { authorization } = request.headers;
      const { status, headers } = digest.answer({
        method: request.method!,
        uri: request.url!,
        // Node decodes headers as Latin-1, so each character is one byte.
        authorization,
        body,
      });
      response.writeHead(status, headers);
      response.end(status === 200 ? "well kept" : "who?".repeat(10_000));
    });
    return { digest, session: api(server.url, new DigestAuth(username, password, options)) };
  }

  const read = async (response: Promise<Response>) => await (await response).text();

  // contract: auth-3
  it("sends ten requests in eleven round trips, with counts from 1 to 10", async () => {
    const { digest, session } = await start();
    for (let index = 1; index <= 10; index++) {
      assertEquals(await read(session.get(`x?i=${index}`)), "well kept");
    }
    const expected = Array.from(
      { length: 10 },
      (_, index) => `GET /x?i=${index + 1} n1 ${(index + 1).toString(16).padStart(8, "0")}`,
    );
    assertEquals(digest.seen, ["GET /x?i=1 -", ...expected]);
  });

  it("counts simultaneous requests with one nonce so that all of them succeed", async () => {
    const { digest, session } = await start();
    await read(session.get("first"));
    const paths = Array.from({ length: 20 }, (_, index) => `${index}`);
    const answers = await Promise.all(paths.map((path) => read(session.get(path))));
    assertEquals(answers, Array(20).fill("well kept"));
    assertEquals(digest.refusals, ["no answer"]);
  });

  for (const qop of ["auth", "auth-int"]) {
    it(`sends the body with the second request too, with ${qop}`, async () => {
      const { digest, session } = await start({ qop, algorithm: "SHA-256" });
      const json = { text: "zo\u00eb \u20ac" };
      assertEquals(await read(session.post("x", { json })), "well kept");
      assertEquals(await read(session.put("x", { content: "a".repeat(2 ** 20) })), "well kept");
      const content = async function* () {
        for (const part of ["a", "", "b"]) yield await Promise.resolve(Buffer.from(part));
      };
      assertEquals(await read(session.patch("x", { content })), "well kept");
      assertEquals(digest.refusals, ["no answer"]);
    });
  }

  it("sends a stream from a function again after the challenge", async () => {
    const { digest, session } = await start();
    const open = () => new Response("hello".repeat(10_000)).body!;
    assertEquals(await read(session.post("x", { content: open })), "well kept");
    assertEquals(digest.seen, ["POST /x -", "POST /x n1 00000001"]);
  });

  it("fails for a one-shot stream at the first challenge, and succeeds for the next one", async () => {
    const { session } = await start();
    const content = () => new Response("hello").body!;
    const error = await assertRejects(() => session.post("x", { content: content() }));
    assert(error instanceof UnauthorizedError, String(error));
    assertEquals(await read(session.post("x", { content: content() })), "well kept");
  });

  for (const more of [undefined, "charset=UTF-8", "charset=UTF-8, userhash=true"]) {
    it(`supports a user name beyond Latin-1, ${more ?? "without parameters"}`, async () => {
      const user = ["zo\u00eb \u20ac", "p\u00e4ss\u20ac"] as const;
      const users = { [user[0]]: user[1] };
      const policy = { users, algorithm: "SHA-256", ...(more === undefined ? {} : { more }) };
      const { digest, session } = await start(policy, user);
      assertEquals(await read(session.get("x")), "well kept");
      assert(digest.authorizations[1]!.startsWith("Digest username"));
    });
  }

  it("hashes and returns a realm in UTF-8 byte for byte", async () => {
    const realm = "K\u00fcche \u20ac";
    const { digest, session } = await start({ realm: () => realm });
    assertEquals(await read(session.get("x")), "well kept");
    const bytes = Buffer.from(realm).toString("latin1");
    assertEquals(paramsOf(digest.authorizations[1]).get("realm"), bytes);
  });

  it("hashes a path and a query as they are sent", async () => {
    const { digest, session } = await start();
    for (const path of ["a%2Fb/\u00e9/c d?q=%20&r=\u20ac&s='\"#part", "x?", "?y=1"]) {
      assertEquals(await read(session.get(path)), "well kept");
    }
    assertEquals(digest.refusals, ["no answer"]);
  });

  it("succeeds for HEAD and DELETE requests", async () => {
    const { session } = await start({ qop: "auth-int" });
    assertEquals((await session.head("x")).status, 200);
    assertEquals(await read(session.delete("x")), "well kept");
  });

  it("throws an UnauthorizedError with the body for a wrong password, after two requests", async () => {
    const { digest, session } = await start({}, ["ada", "wr0ng"]);
    const error = await assertRejects(() => session.get("x"), UnauthorizedError);
    assertEquals([error.body.length, digest.seen.length], [40_000, 2]);
  });
});
