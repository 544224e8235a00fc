import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { createHash } from "node:crypto";
import { APISession, NotFoundError, type SessionOptions, UnauthorizedError } from "../../mod.ts";
import {
  ApiKeyAuth,
  type Auth,
  type AuthInput,
  BasicAuth,
  BearerAuth,
} from "../../src/auth/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { type Nginx, nginxMissing, startNginx } from "../support/nginx.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

interface Echo {
  readonly args: Record<string, string>;
  readonly headers: Record<string, string>;
}

function api(url: string, auth: AuthInput, options: SessionOptions = {}): APISession {
  const logger = recordingLogger({ level: "info" });
  const session = new HttpSession({ auth });
  return new APISession({ url, session, retries: 0, finalWait: false, logger, ...options });
}

describe("authentication against httpbin", () => {
  const missing = httpbinMissing();
  let httpbin: Httpbin;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing === undefined) httpbin = await startHttpbin();
  });

  after(async () => {
    await httpbin?.stop();
  });

  const headersSent = async (session: APISession) =>
    (await session.get<Echo>("headers", { convJson: true })).headers;

  // contract: auth-2
  test("Basic authentication accepts a pair and an object of the class", async () => {
    for (const auth of [["ada", "countess"] as const, new BasicAuth("ada", "countess")]) {
      const known = await api(httpbin.url, auth).get("basic-auth/ada/countess", { convJson: true });
      assertEquals(known, { authenticated: true, user: "ada" });
    }
  });

  test("Basic authentication is sent with the first request, without a challenge", async () => {
    const known = api(httpbin.url, ["ada", "countess"]);
    const answer = await known.get("hidden-basic-auth/ada/countess", { convJson: true });
    assertEquals(answer, { authenticated: true, user: "ada" });
    const unknown = api(httpbin.url, null);
    await assertRejects(() => unknown.get("hidden-basic-auth/ada/countess"), NotFoundError);
  });

  // contract: auth-2
  test("Basic authentication supports UTF-8, an empty password and a colon in it", async () => {
    for (const [name, password] of [["adá", "çountéss"], ["ada", ""], ["ada", "a:b"]] as const) {
      const { Authorization } = await headersSent(api(httpbin.url, [name, password]));
      const bytes = Uint8Array.from(atob(Authorization!.slice(6)), (c) => c.charCodeAt(0));
      assertEquals(new TextDecoder().decode(bytes), `${name}:${password}`);
    }
  });

  test("a wrong or missing password throws UnauthorizedError, which shows no secret", async () => {
    for (const auth of [["ada", "wr0ng"] as const, null]) {
      const log = recordingLogger();
      const stranger = api(httpbin.url, auth, { logger: log });
      const get = () => stranger.get("basic-auth/ada/countess");
      const error = await assertRejects(get, UnauthorizedError);
      assertEquals(error.headers.get("www-authenticate"), 'Basic realm="Fake Realm"');
      const shown = log.messages().join("\n") + JSON.stringify(error) + error.stack;
      assert(!/wr0ng|YWRh/.test(shown), shown);
    }
  });

  // contract: auth-8
  test("a bearer token is sent, whether it is a string or from a function", async () => {
    let tokens = 0;
    const lookups = new BearerAuth(() => Promise.resolve(`token-${++tokens}`));
    for (const auth of [new BearerAuth("token-0"), lookups]) {
      const session = api(httpbin.url, auth);
      const expected = {
        authenticated: true,
        token: `token-${tokens + (auth === lookups ? 1 : 0)}`,
      };
      assertEquals(await session.get("bearer", { convJson: true }), expected);
    }
    await assertRejects(() => api(httpbin.url, null).get("bearer"), UnauthorizedError);
  });

  // contract: auth-1
  test("an API key is sent in X-API-Key or in the header with the given name", async () => {
    const usual = await headersSent(api(httpbin.url, new ApiKeyAuth("k-123")));
    assertEquals(usual["X-Api-Key"], "k-123");
    const named = new ApiKeyAuth("k-123", { header: "X-Vendor-Key" });
    const sent = await headersSent(api(httpbin.url, named));
    assertEquals([sent["X-Vendor-Key"], sent["X-Api-Key"]], ["k-123", undefined]);
  });

  // contract: auth-1
  test("an API key is added to the query, and is never logged or printed", async () => {
    const log = recordingLogger();
    const auth = new ApiKeyAuth("k&1 2", { query: "api_key" });
    const session = api(httpbin.url, auth, { logger: log });
    const echo = await session.get<Echo>("get?a=1", { params: { b: "x y" }, convJson: true });
    assertEquals(echo.args, { a: "1", b: "x y", api_key: "k&1 2" });
    const error = await assertRejects(() => session.get("status/404"), NotFoundError);
    const shown = log.messages().join("\n") + JSON.stringify(error) + error.stack + error.message;
    assert(!/k&1|k%261/.test(shown), shown);
  });

  // contract: auth-2, reading-25
  test("auth can be set, changed and removed while the session is open", async () => {
    const session = api(httpbin.url, null);
    const authorization = async () => (await headersSent(session))["Authorization"];
    assertEquals(await authorization(), undefined);
    session.httpSession.auth = ["ada", "x"];
    assertEquals(await authorization(), `Basic ${btoa("ada:x")}`);
    session.httpSession.auth = new BearerAuth("t");
    assertEquals(await authorization(), "Bearer t");
    session.httpSession.auth = null;
    assertEquals(await authorization(), undefined);
  });

  // contract: http-12
  test("an Authorization header of the call overrides auth, and null sends none", async () => {
    const session = api(httpbin.url, ["ada", "x"]);
    const with_ = (Authorization: string | null) =>
      session.get<Echo>("headers", { headers: { Authorization }, convJson: true });
    assertEquals((await with_("Bearer own")).headers["Authorization"], "Bearer own");
    assertEquals((await with_(null)).headers["Authorization"], undefined);
  });

  // contract: auth-9
  test("a custom scheme answers a challenge of the server", async () => {
    const statuses: number[] = [];
    const onDemand: Auth = {
      async authenticate(_request, send) {
        const response = await send();
        statuses.push(response.status);
        if (response.status !== 401) return response;
        await response.body?.cancel();
        return await send({ headers: { authorization: `Basic ${btoa("ada:countess")}` } });
      },
    };
    const session = api(httpbin.url, onDemand);
    const answer = await session.get("basic-auth/ada/countess", { convJson: true });
    assertEquals([answer, statuses], [{ authenticated: true, user: "ada" }, [401]]);
  });

  // contract: auth-9
  test("the scheme is called again for each retry", async () => {
    let calls = 0;
    const auth = new BearerAuth(() => `t-${++calls}`);
    const session = api(httpbin.url, auth, { retries: 2, backoff: 0 });
    await assertRejects(() => session.get("status/503"));
    assertEquals(calls, 3);
  });
});

describe("authentication against nginx", () => {
  const missing = nginxMissing();
  let nginx: Nginx;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing !== undefined) return;
    const sha = createHash("sha1").update("pässword:2").digest("base64");
    nginx = await startNginx({
      locations: `
        location / {
          auth_basic "peer";
          auth_basic_user_file htpasswd;
        }
        location = /moved { return 301 /secret.txt; }
        location = /who { return 200 "$remote_user"; }
      `,
      files: { htpasswd: `ada:{PLAIN}countess\nzoë:{SHA}${sha}\n`, "secret.txt": "well kept" },
    });
  });

  after(async () => {
    await nginx?.stop();
  });

  const read = async (auth: AuthInput, path = "secret.txt") =>
    await (await api(nginx.url, auth).get(path)).text();

  test("the right password is accepted, in UTF-8 too", async () => {
    assertEquals(await read(["ada", "countess"]), "well kept");
    assertEquals(await read(["zoë", "pässword:2"]), "well kept");
    assertEquals(await read(["ada", "countess"], "who"), "ada");
  });

  test("a wrong password, another scheme and missing credentials are rejected", async () => {
    for (const auth of [["ada", "wrong"] as const, new BearerAuth("countess"), null]) {
      const error = await assertRejects(() => read(auth), UnauthorizedError);
      assertEquals(error.headers.get("www-authenticate"), 'Basic realm="peer"');
    }
  });

  test("the password is sent with a redirect within the origin", async () => {
    assertEquals(await read(["ada", "countess"], "moved"), "well kept");
  });

  test("a HEAD request is authenticated as well", async () => {
    const response = await api(nginx.url, ["ada", "countess"]).head("secret.txt");
    assertEquals(response.headers.get("content-length"), "9");
  });
});
