import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnauthorizedError, UnexpectedValueError } from "../../../mod.ts";
import {
  DigestAuth,
  DigestChallengeError,
  type DigestOptions,
  DigestServerError,
} from "../../../src/auth/digest/mod.ts";
import { oneShotBody, openedBody } from "../../support/bodies.ts";
import type { RequestBody } from "../../../src/http/request_body.ts";
import { type DigestPolicy, DigestServer, paramsOf } from "../../support/digest_server.ts";
import { exchanging, redirectTo } from "../../support/exchanging.ts";
import { recordingLogger } from "../../../src/testing/recording_logger.ts";

interface StartOptions {
  readonly policy?: DigestPolicy;
  readonly username?: string;
  readonly password?: string;
  readonly options?: DigestOptions;
}

/** Creates a Digest scheme and a server that the scheme has no nonce of yet. */
function start({ policy, username = "ada", password = "countess", options }: StartOptions = {}) {
  const server = new DigestServer(policy);
  const auth = new DigestAuth(username, password, options);
  const { send } = exchanging({ answers: [], session: { auth, fetch: server.transport } });
  const ask = async (path = "/x", body: RequestBody = { kind: "none" }) => {
    const method = body.kind === "none" ? "GET" : "POST";
    const { response } = await send({ method, url: `https://a.example${path}`, body });
    await response.text();
    return response.status;
  };
  return { server, auth, ask, send };
}

/** Creates a server that answers every request with the same challenge. */
function refusing(
  challenge: string,
  body: RequestBody = { kind: "none" },
  options?: DigestOptions,
) {
  const bodies: Response[] = [];
  const auth = new DigestAuth("ada", "hunter2", options);
  const transport = () => {
    const response = new Response("who?", {
      status: 401,
      headers: { "www-authenticate": challenge },
    });
    bodies.push(response);
    return Promise.resolve(response);
  };
  const { send } = exchanging({ answers: [], session: { auth, fetch: transport } });
  const method = body.kind === "none" ? "GET" : "POST";
  return { bodies, send: () => send({ method, body }) };
}

const stream = () => new Response("hello").body!;
const text: RequestBody = { kind: "whole", content: "hello" };

describe("Digest authentication (RFC 7616)", () => {
  const forms = ["MD5", "SHA-256", "SHA-512"].flatMap((name) => [name, `${name}-sess`]);
  for (const algorithm of forms) {
    for (const qop of ["auth", "auth-int", null]) {
      it(`is accepted by an independent server: ${algorithm}, qop ${qop ?? "none"}`, async () => {
        const { server, ask } = start({ policy: { algorithm, qop } });
        assertEquals([await ask("/x?a=b%20c"), await ask("/y", text)], [200, 200]);
        assertEquals(server.refusals, ["no answer"]);
      });
    }
  }

  // contract: auth-3
  it("makes one extra round trip if it has no nonce yet, and then counts its requests", async () => {
    const { server, ask } = start();
    for (const path of ["/a", "/b", "/a"]) assertEquals(await ask(path), 200);
    assertEquals(server.seen, [
      "GET /a -",
      "GET /a n1 00000001",
      "GET /b n1 00000002",
      "GET /a n1 00000003",
    ]);
  });

  it("shares a nonce between requests at the same time, each with another count", async () => {
    const { server, ask } = start();
    await ask();
    assertEquals(await Promise.all([ask("/1"), ask("/2"), ask("/3")]), [200, 200, 200]);
    assertEquals(server.seen.slice(2), [
      "GET /1 n1 00000002",
      "GET /2 n1 00000003",
      "GET /3 n1 00000004",
    ]);
  });

  it("uses the nonce of the first challenge for all first requests at the same time", async () => {
    const { server, ask } = start();
    let open = () => {};
    server.gate = new Promise((resolve) => open = resolve);
    const requests = [ask("/1"), ask("/2"), ask("/3")];
    open();
    assertEquals(await Promise.all(requests), [200, 200, 200]);
    const answered = server.seen.filter((each) => !each.endsWith("-"));
    assertEquals(answered, ["GET /1 n1 00000001", "GET /2 n1 00000002", "GET /3 n1 00000003"]);
  });

  for (const saysStale of [true, false]) {
    it(`replaces a nonce that has expired, stale=${saysStale}`, async () => {
      const { server, ask } = start({ policy: { uses: 2, saysStale } });
      for (const path of ["/1", "/2", "/3"]) assertEquals(await ask(path), 200);
      assertEquals(server.seen, [
        "GET /1 -",
        "GET /1 n1 00000001",
        "GET /2 n1 00000002",
        "GET /3 n1 00000003",
        "GET /3 n2 00000001",
      ]);
    });
  }

  it("answers again if the server has forgotten every nonce, also for requests at the same time", async () => {
    const { server, ask } = start();
    await ask("/1");
    server.forget();
    assertEquals(await Promise.all([ask("/2"), ask("/3")]), [200, 200]);
    assertEquals(server.refusals, ["no answer", "stale", "stale"]);
    const answered = server.seen.slice(-2).map((each) => each.split(" ")[2]);
    assertEquals(answered, ["n2", "n2"]);
  });

  it("uses the next nonce that the server names, with a count from one", async () => {
    for (const algorithm of ["MD5", "MD5-sess"]) {
      const { server, ask } = start({ policy: { nextAfter: 2, algorithm } });
      for (const path of ["/1", "/2", "/3", "/4", "/5"]) assertEquals(await ask(path), 200);
      assertEquals(server.seen, [
        "GET /1 -",
        "GET /1 n1 00000001",
        "GET /2 n1 00000002",
        "GET /3 n2 00000001",
        "GET /4 n2 00000002",
        "GET /5 n3 00000001",
      ]);
    }
  });

  it("uses the first next nonce if several responses to one nonce name one", async () => {
    const { server, ask } = start({ policy: { nextAfter: 1 } });
    await ask("/1");
    await Promise.all([ask("/2"), ask("/3")]);
    await ask("/4");
    assertEquals(server.seen, [
      "GET /1 -",
      "GET /1 n1 00000001",
      "GET /2 n2 00000001",
      "GET /3 n2 00000002",
      "GET /4 n3 00000001",
    ]);
  });

  it("does not count from one again if the next nonce is the same", async () => {
    const { server } = start();
    const auth = new DigestAuth("ada", "countess");
    const { send } = exchanging({
      answers: [],
      session: {
        auth,
        fetch: async (url, init) => {
          const response = await server.transport(url, init);
          if (response.ok) response.headers.set("authentication-info", 'nextnonce="n1"');
          return response;
        },
      },
    });
    for (let index = 0; index < 3; index++) await (await send()).response.text();
    assertEquals(server.seen.at(-1), "GET /x n1 00000003");
  });

  // contract: auth-3
  it("answers the strongest supported challenge, also after one of another scheme", async () => {
    const before = 'Basic realm="b", Digest realm=weak, nonce=w, algorithm=MD5, ' +
      "Digest realm=odd, nonce=o, algorithm=SHA3-512, Negotiate";
    const { server, ask } = start({ policy: { algorithm: "SHA-256", before } });
    assertEquals(await ask(), 200);
    assertEquals(paramsOf(server.authorizations[1]).get("algorithm"), "SHA-256");
  });

  describe("user names and passwords", () => {
    const users = {
      ada: "countess",
      'a"b\\c, d=e': 'p"\\:',
      "zo\u00eb": "p\u00e4ss",
      "\u20ac\u{1f511}": "\u20ac",
      "": "",
      "a:b": "x",
    };
    for (const [index, [username, password]] of Object.entries(users).entries()) {
      for (
        const more of [undefined, "charset=UTF-8", "userhash=true", "charset=UTF-8, userhash=true"]
      ) {
        it(`number ${index + 1} is accepted, ${more ?? "without further parameters"}`, async () => {
          const policy = { users, ...(more === undefined ? {} : { more }), algorithm: "SHA-256" };
          const { server, ask } = start({ policy, username, password });
          assertEquals(await ask(), 200);
          const sent = paramsOf(server.authorizations[1]);
          const isHashed = more?.includes("userhash") === true;
          assertEquals(sent.get("userhash"), isHashed ? "true" : undefined);
          assert(!isHashed || /^[0-9a-f]{64}$/.test(sent.get("username")!));
        });
      }
    }

    const bad: readonly (readonly [string, string, unknown, unknown])[] = [
      ["a line break", "username", "hunter2\r\nX-Evil: 1", "x"],
      ["a line feed", "username", "hunter2\n", "x"],
      ["a null character", "username", "hunter2\0", "x"],
      ["a control character of Latin-1", "username", "hunter2\u0085", "x"],
      ["a lone surrogate", "username", "hunter2\ud83d", "x"],
      ["no user name", "username", undefined, "hunter2"],
      ["a number", "username", 7, "hunter2"],
      ["no password", "password", "hunter2", undefined],
      ["null as a password", "password", "hunter2", null],
    ];
    for (const [what, option, username, password] of bad) {
      it(`bad input: ${what} is refused at once, and not shown`, () => {
        const error = assertThrows(
          () => new DigestAuth(username as string, password as string),
          UnexpectedValueError,
        );
        assertEquals(error.option, option);
        assert(!inspect(error).includes("hunter2"), inspect(error));
      });
    }

    it("bad input: an option that is not a boolean is refused", () => {
      for (const option of ["integrity", "verifyServer"]) {
        const options = { [option]: "yes" } as DigestOptions;
        const error = assertThrows(() => new DigestAuth("a", "b", options), UnexpectedValueError);
        assertEquals(error.option, option);
      }
      for (const options of [null, "yes"]) {
        const create = () => new DigestAuth("a", "b", options as unknown as DigestOptions);
        assertEquals(assertThrows(create, UnexpectedValueError).option, "options");
      }
    });
  });

  describe("that is refused", () => {
    // contract: auth-3
    it("returns the 401 to a new nonce, after two requests", async () => {
      const { server, ask } = start({ password: "wrong" });
      assertEquals(await ask(), 401);
      assertEquals(server.seen, ["GET /x -", "GET /x n1 00000001"]);
      assertEquals(await ask(), 401);
      assertEquals(server.seen.slice(2), ["GET /x -", "GET /x n3 00000001"]);
    });

    it("returns a second 401 even if it has stale=true", async () => {
      const { bodies, send } = refusing("Digest realm=r, nonce=n, qop=auth, stale=true");
      const { response } = await send();
      assertEquals([response.status, await response.text(), bodies.length], [401, "who?", 2]);
    });

    it("cancels the body of the challenge before the request is sent again", async () => {
      const events: string[] = [];
      const auth = new DigestAuth("ada", "countess");
      const headers = { "www-authenticate": "Digest realm=r, nonce=n" };
      const { send } = exchanging({
        answers: [],
        session: {
          auth,
          fetch: () => {
            events.push("sent");
            if (events.length > 1) return Promise.resolve(new Response("ok"));
            const body = new ReadableStream({ cancel: () => void events.push("cancelled") });
            return Promise.resolve(new Response(body, { status: 401, headers }));
          },
        },
      });
      assertEquals(await (await send()).response.text(), "ok");
      assertEquals(events, ["sent", "cancelled", "sent"]);
    });

    it("returns the 401 after two requests if the password changes while a nonce is valid", async () => {
      const users: Record<string, string> = { ada: "countess" };
      const { server, ask } = start({ policy: { users } });
      assertEquals(await ask(), 200);
      users["ada"] = "other";
      assertEquals(await ask(), 401);
      assertEquals(server.seen.slice(2), ["GET /x n1 00000002", "GET /x n2 00000001"]);
    });

    it("returns a 401 to each of several requests with a wrong password at the same time", async () => {
      const { server, ask } = start({ password: "wrong" });
      assertEquals(await Promise.all(Array.from({ length: 5 }, () => ask())), Array(5).fill(401));
      assert(server.seen.length <= 15, `${server.seen.length} requests`);
    });

    it("succeeds with nonces that are valid for one request only, also at the same time", async () => {
      const { server, ask } = start({ policy: { uses: 1 } });
      assertEquals([await ask(), await ask(), await ask()], [200, 200, 200]);
      const statuses = await Promise.all(Array.from({ length: 10 }, () => ask()));
      assertEquals(statuses, Array(10).fill(200));
      assert(server.seen.length <= 6 + 30, `${server.seen.length} requests`);
    });

    for (
      const challenge of ["", 'Basic realm="b"', "Negotiate", 'Bearer error="x"', "digestive a=b"]
    ) {
      it(`returns a 401 without a Digest challenge: ${challenge.replaceAll('"', "'")}`, async () => {
        const { bodies, send } = refusing(challenge);
        const { response } = await send();
        assertEquals([response.status, bodies.length, await response.text()], [401, 1, "who?"]);
      });
    }

    const bad: readonly (readonly [string, string, string])[] = [
      ["an unknown algorithm", "realm=r, nonce=n, algorithm=SHA-1", "SHA-1"],
      ["an unknown qop", "realm=r, nonce=n, qop=auth-conf", "auth-conf"],
      ["an empty nonce", 'realm=r, nonce=""', "nonce"],
      ["no parameter at all", "", "realm"],
      ["a parameter twice", "realm=r, realm=q, nonce=n", "realm twice"],
      ["a quote without an end", 'nonce=n, realm="r', "read"],
    ];
    for (const [what, params, reason] of bad) {
      it(`bad input: explains why a challenge cannot be answered: ${what}`, async () => {
        const { bodies, send } = refusing(`Digest ${params}`);
        const error = await assertRejects(() => send(), DigestChallengeError);
        assert(error instanceof UnauthorizedError && error.name === "DigestChallengeError");
        assert(error.message.includes(reason), error.message);
        assertEquals([error.status, bodies.length], [401, 1]);
        assertEquals(await error.response.text(), "");
        assertEquals(await bodies[0]!.body?.getReader().read().then(({ done }) => done), true);
        assert(!(inspect(error) + JSON.stringify(error)).includes("hunter2"), inspect(error));
      });
    }

    it("bad input: explains ten thousand challenges that cannot be answered in one line", async () => {
      const challenges = Array.from({ length: 10_000 }, (_, index) => `Digest realm=r${index}`);
      const { send } = refusing(challenges.concat("Digest a=b", "Digest a=b").join(", "));
      const { message } = await assertRejects(() => send(), DigestChallengeError);
      const start = "401: the Digest challenge cannot be answered: it ";
      assertEquals(message, `${start}has no nonce; another has no realm`);
    });

    it("bad input: does not repeat the name of an algorithm that is not a valid token", async () => {
      const { send } = refusing('Digest realm=r, nonce=n, algorithm="\u00e9 <b>hunter2"');
      const error = await assertRejects(() => send(), DigestChallengeError);
      assert(!error.message.includes("hunter2"), error.message);
    });
  });

  describe("the integrity of the body (auth-int)", () => {
    const form = new FormData();
    form.set("a", "b");
    const bodies: readonly (readonly [string, RequestBody, boolean])[] = [
      ["none", { kind: "none" }, true],
      ["a string", text, true],
      ["beyond ASCII", { kind: "whole", content: "h\u00e9llo\u20ac" }, true],
      ["bytes", { kind: "whole", content: new TextEncoder().encode("hello") }, true],
      ["a Blob", { kind: "whole", content: new Blob(["hello"]) }, true],
      ["a function that opens a stream", openedBody(stream), true],
      ["a form of parts", { kind: "whole", content: form }, false],
    ];
    for (const [what, body, canHash] of bodies) {
      const offers = [["auth-int", {}], ["auth, auth-int", {}], ["auth, auth-int", {
        integrity: true,
      }]] as const;
      for (const [index, [qop, options]] of offers.entries()) {
        const isForced = index === 0;
        if (isForced && !canHash) continue;
        const expected = isForced || (index === 2 && canHash) ? "auth-int" : "auth";
        it(`${what}, offered ${qop}, integrity ${index === 2}: is sent with ${expected}`, async () => {
          const { server, ask } = start({ policy: { qop }, options });
          assertEquals(await ask("/x", body), 200);
          assertEquals(paramsOf(server.authorizations[1]).get("qop"), expected);
          assertEquals(await ask("/x", body), 200);
          assertEquals(server.refusals, ["no answer"]);
        });
      }
    }

    it("bad input: a body with unknown bytes causes an error if nothing else is offered", async () => {
      const once: RequestBody = oneShotBody(stream());
      for (const body of [once, { kind: "whole", content: form }] as const) {
        const { bodies, send } = refusing("Digest realm=r, nonce=n, qop=auth-int", body);
        const error = await assertRejects(() => send(), DigestChallengeError);
        assert(error.message.includes("auth-int"), error.message);
        assertEquals(bodies.length, 1);
      }
    });

    it("a body that cannot be hashed does not use the auth-int of another request", async () => {
      const challenges = "Digest realm=r, nonce=n, algorithm=SHA-256, qop=auth-int, " +
        "Digest realm=r, nonce=m, qop=auth";
      const sent: (string | undefined)[] = [];
      const auth = new DigestAuth("ada", "countess");
      const { send } = exchanging({
        answers: [],
        session: {
          auth,
          fetch: (_url, { headers: { authorization } }) => {
            sent.push(paramsOf(authorization).get("qop"));
            const status = authorization === undefined ? 401 : 200;
            const headers = { "www-authenticate": challenges };
            return Promise.resolve(new Response(null, { status, headers }));
          },
        },
      });
      const method = "POST";
      await Promise.all([
        send({ method, body: text }),
        send({ method, body: { kind: "whole", content: form } }),
      ]);
      assertEquals(sent.sort(), ["auth", "auth-int", undefined, undefined]);
    });

    it("a body that cannot be hashed leads to a challenge with auth, even if it is weaker", async () => {
      const before = "Digest realm=s, nonce=s, algorithm=SHA-256, qop=auth-int";
      const { server, ask } = start({ policy: { before } });
      assertEquals(await ask("/x", { kind: "whole", content: form }), 200);
      assertEquals(paramsOf(server.authorizations[1]).get("realm"), "the realm");
    });
  });

  describe("a stream that can be read once", () => {
    const once = (): RequestBody => oneShotBody(stream());

    it("returns the 401 of its first challenge, and the next request has the nonce", async () => {
      const { server, ask } = start();
      assertEquals(await ask("/x", once()), 401);
      assertEquals(await ask("/x", once()), 200);
      assertEquals(server.seen, ["POST /x -", "POST /x n1 00000001"]);
    });

    it("uses auth even if integrity is set, since it cannot be hashed", async () => {
      const policy = { qop: "auth-int, auth" };
      const { server, ask } = start({ policy, options: { integrity: true } });
      assertEquals([await ask(), await ask("/x", once())], [200, 200]);
      assertEquals(paramsOf(server.authorizations[2]).get("qop"), "auth");
    });
  });

  describe("protection spaces", () => {
    it("a nonce is sent to no other origin, and not to a trusted one either", async () => {
      const servers = { a: new DigestServer(), b: new DigestServer() };
      const auth = new DigestAuth("ada", "countess");
      const { http, send } = exchanging({
        answers: [],
        session: { auth },
        trust: { origins: ["https://b.example"] },
      });
      http.mount("https://a.example/", servers.a.transport);
      http.mount("https://b.example/", servers.b.transport);
      for (const url of ["https://a.example/x", "https://b.example/x", "https://b.example/y"]) {
        await (await send({ url })).response.text();
      }
      assertEquals(servers.a.seen, ["GET /x -", "GET /x n1 00000001"]);
      assertEquals(servers.b.seen, ["GET /x -", "GET /x n1 00000001", "GET /y n1 00000002"]);
    });

    it("no challenge of an origin that is not trusted is answered, and not after a redirect either", async () => {
      const stranger = new DigestServer();
      const auth = new DigestAuth("ada", "countess");
      const { http, send } = exchanging({
        answers: [redirectTo("https://c.example/y")],
        session: { auth },
      });
      http.mount("https://c.example/", stranger.transport);
      for (const url of ["https://c.example/x", "https://a.example/x"]) {
        const { response } = await send({ url });
        assertEquals([response.status, await response.text()], [401, "who?"]);
      }
      assertEquals(stranger.authorizations, [undefined, undefined]);
    });

    it("a redirect within the origin uses the next count", async () => {
      const { server } = start();
      const auth = new DigestAuth("ada", "countess");
      const { send } = exchanging({
        answers: [],
        session: {
          auth,
          fetch: async (url, init) => {
            const response = await server.transport(url, init);
            return response.ok && url.endsWith("/x") ? redirectTo("/y") : response;
          },
        },
      });
      assertEquals((await send()).response.status, 200);
      assertEquals(server.seen.slice(1), ["GET /x n1 00000001", "GET /y n1 00000002"]);
    });

    it("domain determines which requests have an answer before they are challenged", async () => {
      const more = 'domain="/in https://a.example/also https://b.example/in http://["';
      const { server, ask } = start({ policy: { more } });
      for (const path of ["/in/1", "/in/2", "/also/3", "/out/4", "/in/5"]) await ask(path);
      assertEquals(server.seen, [
        "GET /in/1 -",
        "GET /in/1 n1 00000001",
        "GET /in/2 n1 00000002",
        "GET /also/3 n1 00000003",
        "GET /out/4 -",
        "GET /out/4 n2 00000001",
        "GET /in/5 n2 00000002",
      ]);
    });

    /** Creates a server whose realm and domain are the first part of the path. */
    function realms() {
      const server = new DigestServer({ realm: (path) => path.split("/")[1]! });
      const auth = new DigestAuth("ada", "countess");
      const { send } = exchanging({
        answers: [],
        session: {
          auth,
          fetch: async (url, init) => {
            const response = await server.transport(url, init);
            const challenge = response.headers.get("www-authenticate");
            const domain = `/${new URL(url).pathname.split("/")[1]}/`;
            if (challenge !== null) {
              response.headers.set("www-authenticate", `${challenge}, domain="${domain}"`);
            }
            return response;
          },
        },
      });
      const ask = async (path: string) => {
        const { response } = await send({ url: `https://a.example${path}` });
        await response.text();
        return server.seen.at(-1);
      };
      return { server, ask };
    }

    it("two realms of one origin keep a nonce each if they have different domains", async () => {
      const { server, ask } = realms();
      for (const path of ["/a/1", "/b/1", "/a/2", "/b/2"]) await ask(path);
      assertEquals(server.seen.slice(-2), ["GET /a/2 n1 00000002", "GET /b/2 n2 00000002"]);
      // New nonces of one realm do not affect the other.
      for (let index = 0; index < 12; index++) {
        server.forget();
        await ask("/a/3");
      }
      const before = server.seen.length;
      await ask("/b/3");
      assertEquals(server.seen[before], "GET /b/3 n2 00000003");
    });

    it("the last ten realms of an origin are remembered", async () => {
      const { server, ask } = realms();
      for (let index = 1; index <= 11; index++) await ask(`/r${index}/x`);
      assertEquals(await ask("/r2/y"), "GET /r2/y n2 00000002");
      const before = server.seen.length;
      await ask("/r1/y");
      assertEquals(server.seen[before], "GET /r1/y -");
    });

    it("first requests at the same time to two realms are answered with the realm of each", async () => {
      const { server, ask } = start({ policy: { realm: (path) => path.slice(1, 2) } });
      assertEquals(await Promise.all([ask("/a"), ask("/b"), ask("/b2")]), [200, 200, 200]);
      assertEquals(server.refusals, ["no answer", "no answer", "no answer"]);
    });

    it("two realms without domain need a round trip at each change", async () => {
      const { server, ask } = start({ policy: { realm: (path) => path.slice(1, 2) } });
      for (const path of ["/a", "/b", "/a"]) assertEquals(await ask(path), 200);
      assertEquals(server.refusals, ["no answer", "realm", "realm"]);
    });

    it("a server with a new realm each time is answered, and its realms are not remembered forever", async () => {
      let realms = 0;
      const auth = new DigestAuth("ada", "countess");
      const { send } = exchanging({
        answers: [],
        session: {
          auth,
          fetch: () =>
            Promise.resolve(
              new Response(null, {
                status: realms % 2 === 0 ? 401 : 200,
                headers: {
                  "www-authenticate": `Digest realm=r${realms++}, nonce=n, domain="/${realms}"`,
                },
              }),
            ),
        },
      });
      for (let index = 0; index < 50; index++) {
        assertEquals((await send()).response.status, 200);
      }
      assertEquals(realms, 100);
    });
  });

  describe("the server's proof (rspauth)", () => {
    for (const algorithm of ["MD5", "SHA-256-sess"]) {
      it(`is accepted if it is right, ${algorithm}`, async () => {
        const { ask } = start({ policy: { proof: "right", algorithm } });
        assertEquals([await ask(), await ask()], [200, 200]);
      });
    }

    it("causes an error if it is wrong, and cancels the body", async () => {
      const { ask } = start({ policy: { proof: "wrong" } });
      const error = await assertRejects(() => ask(), DigestServerError);
      assertEquals(error.name, "DigestServerError");
      assert(!inspect(error).includes("countess"), inspect(error));
    });

    it("is ignored with verifyServer: false", async () => {
      const { ask } = start({ policy: { proof: "wrong" }, options: { verifyServer: false } });
      assertEquals(await ask(), 200);
    });

    it("is not checked if it covers the body of the response", async () => {
      const { ask } = start({ policy: { proof: "wrong", qop: "auth-int" } });
      assertEquals(await ask(), 200);
    });
  });

  it("causes one UnauthorizedError in a session, and shows no secret anywhere", async () => {
    const server = new DigestServer();
    const logger = recordingLogger();
    const api = new APISession({ url: "https://a.example", adapter: server.transport, logger });
    api.httpSession.auth = new DigestAuth("ada", "hunter2");
    const error = await assertRejects(() => api.get("x"), UnauthorizedError);
    assertEquals([error.status, error.body, server.seen.length], [401, "who?", 2]);
    const response = paramsOf(server.authorizations[1]).get("response")!;
    const shown = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error) +
      error.stack + logger.messages().join("\n") + inspect(api, { depth: 20, showHidden: true });
    assert(!shown.includes("hunter2") && !shown.includes(response), shown);
    await api.close();
  });

  it("shows no secret when it is printed after a login", async () => {
    const { auth, ask } = start();
    await ask();
    const shown = inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth) + auth;
    assert(!/countess|ada|n1/.test(shown), shown);
  });
});
