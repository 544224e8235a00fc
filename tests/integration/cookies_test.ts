import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { APISession, NotFoundError, type SessionOptions } from "../../mod.ts";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import { ForbiddenError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { drained } from "../support/drained.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { startServer, type TestServer } from "../support/server.ts";

interface Cookies {
  readonly cookies: Record<string, string>;
}

function quietly(options: SessionOptions): APISession {
  const logger = recordingLogger({ level: "info" });
  return new APISession({ retries: 0, finalWait: false, logger, ...options });
}

describe("cookies against httpbin", () => {
  const missing = httpbinMissing();
  let httpbin: Httpbin;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing === undefined) httpbin = await startHttpbin();
  });

  after(async () => {
    await httpbin?.stop();
  });

  const api = (options: SessionOptions = {}) => quietly({ url: httpbin.url, ...options });

  async function seen(session: APISession, headers: Record<string, string> = {}): Promise<unknown> {
    return (await session.get<Cookies>("cookies", { convJson: true, headers })).cookies;
  }

  // contract: auth-5, http-4
  test("cookies that a redirect sets are sent with the redirected request and later ones", async () => {
    const session = api();
    assertEquals(await seen(session), {});
    const landed = await session.get<Cookies>("cookies/set?a=1&b=two", { convJson: true });
    assertEquals(landed.cookies, { a: "1", b: "two" });
    assertEquals(await seen(session), { a: "1", b: "two" });
  });

  test("cookies that a redirect sets are kept even if it is not followed", async () => {
    const session = api({ followRedirects: false });
    await assertRejects(() => session.get("cookies/set/a/1"));
    assertEquals(await seen(session), { a: "1" });
  });

  test("cookies that the server deletes are not sent any more", async () => {
    const session = api();
    await drained(session.get("cookies/set?a=1&b=2"));
    const left = await session.get<Cookies>("cookies/delete?a", { convJson: true });
    assertEquals(left.cookies, { b: "2" });
    assertEquals(await seen(session), { b: "2" });
  });

  // contract: http-6
  test("a jar is shared between two sessions", async () => {
    const cookies = new CookieJar();
    const one = api({ session: new HttpSession({ cookies }) });
    const other = api({ session: new HttpSession({ cookies }) });
    await drained(one.get("cookies/set?a=1"));
    assertEquals(await seen(other), { a: "1" });
    await drained(other.get("cookies/delete?a"));
    assertEquals(await seen(one), {});
  });

  test("sessions without a jar in common do not see each other's cookies", async () => {
    const [one, other] = [api(), api()];
    await drained(one.get("cookies/set?a=1"));
    assertEquals([await seen(one), await seen(other)], [{ a: "1" }, {}]);
  });

  // contract: http-6
  test("a jar can be serialized and used by another session", async () => {
    const session = api();
    await drained(session.get("cookies/set?a=1&b=two"));
    const text = JSON.stringify(session.httpSession.cookies);
    const later = api({ session: new HttpSession({ cookies: CookieJar.fromJson(text) }) });
    assertEquals(await seen(later), { a: "1", b: "two" });
    await drained(later.get("cookies/delete?a"));
    assertEquals([await seen(later), await seen(session)], [{ b: "two" }, { a: "1", b: "two" }]);
  });

  // contract: http-6
  test("with cookies: null no cookie is kept", async () => {
    const session = api({ session: new HttpSession({ cookies: null }) });
    const landed = await session.get<Cookies>("cookies/set?a=1", { convJson: true });
    assertEquals([landed.cookies, await seen(session)], [{}, {}]);
    assertEquals(session.httpSession.cookies, null);
  });

  // contract: http-5
  test("a cookie for another domain is ignored, and a valid one in the same response is kept", async () => {
    const session = api();
    for (const domain of ["example.com", "com", "localhost", "0.0.1", "127.0.0.2"]) {
      const params = {
        "Set-Cookie": [`foreign=1; Domain=${domain}; Path=/`, `${domain}=1; Path=/`],
      };
      await drained(session.get("response-headers", { params }));
      const stored = await seen(session) as Record<string, string>;
      assertEquals([stored["foreign"], stored[domain]], [undefined, "1"], domain);
    }
  });

  // contract: http-5
  test("cookies are limited to their path, expire, and are replaced", async () => {
    const session = api();
    const set = (...values: string[]) =>
      drained(session.get("response-headers", { params: { "Set-Cookie": values } }));
    await set("a=1; Path=/cookies", "b=1; Path=/anything", "c=1; Path=/; Max-Age=0", "d=1; Path=/");
    assertEquals(await seen(session), { a: "1", d: "1" });
    await set("d=2; Path=/", "a=; Path=/cookies; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
    assertEquals(await seen(session), { d: "2" });
  });

  test("a cookie with a name prefix is kept only if it meets the requirements of the prefix", async () => {
    const session = api();
    // Loopback counts as secure (RFC 6265bis §5.8.3 leaves it to the user agent), so Secure is kept.
    const invalid = ["__Secure-a=1; Path=/", "__Host-b=1; Secure", "__Host-c=1; Path=/"];
    const valid = ["__Secure-d=1; Secure; Path=/", "__Host-e=1; Secure; Path=/"];
    await drained(
      session.get("response-headers", { params: { "Set-Cookie": [...invalid, ...valid] } }),
    );
    assertEquals(await seen(session), { "__Secure-d": "1", "__Host-e": "1" });
  });

  // contract: auth-5
  test("a Cookie header that the caller sets replaces the cookies of the jar", async () => {
    const session = api();
    await drained(session.get("cookies/set?a=1"));
    assertEquals(await seen(session, { Cookie: "mine=1; other=2" }), { mine: "1", other: "2" });
    assertEquals(await seen(session), { a: "1" });
    session.httpSession.headers.set("Cookie", "fixed=1");
    assertEquals(await seen(session), { fixed: "1" });
    session.httpSession.headers.set("Cookie", null);
    assertEquals(await seen(session), { a: "1" });
  });
});

describe("cookies of two origins", () => {
  let server: TestServer;
  let neighbour: TestServer;

  before(async () => {
    let failures = 0;
    const start = () =>
      startServer(({ url = "", headers }, response) => {
        const path = url.split("?")[0];
        if (path === "/forbidden") {
          response.writeHead(403, { "set-cookie": ["a=403", "b=403; HttpOnly"] });
        } else if (path === "/fails-once") {
          const status = failures++ === 0 ? 503 : 200;
          response.writeHead(status, { "set-cookie": `try=${failures}`, "retry-after": "0" });
        } else if (path === "/set") response.writeHead(200, { "set-cookie": "host=1" });
        else if (path === "/to") {
          response.writeHead(302, {
            "set-cookie": "hop=1",
            location: url.slice(url.indexOf("?") + 1),
          });
        } else if (path === "/gone") response.writeHead(404, { "set-cookie": "gone=1" });
        response.end(JSON.stringify(headers.cookie ?? ""));
      });
    server = await start();
    neighbour = await start();
  });

  after(async () => {
    await server?.stop();
    await neighbour?.stop();
  });

  const sent = (session: APISession, url = "x") => session.get<string>(url, { convJson: true });
  const byName = (url: string) => url.replace("127.0.0.1", "localhost");

  // contract: http-4
  it("are kept from error responses", async () => {
    const session = quietly({ url: server.url });
    await assertRejects(() => session.get("forbidden"), ForbiddenError);
    assertEquals(await sent(session), "a=403; b=403");
    await assertRejects(() => session.get("gone", { convJson: true }), NotFoundError);
    assertEquals(await sent(session), "a=403; b=403; gone=1");
  });

  // contract: http-4
  it("are sent on the retry of the call whose response set them", async () => {
    const session = quietly({ url: server.url, retries: 1 });
    assertEquals(await sent(session, "fails-once"), "try=1");
    assertEquals(await sent(session), "try=2");
  });

  it("are shared by the ports of a host", async () => {
    const session = quietly({ url: server.url });
    await drained(session.get("set"));
    assertEquals(await sent(session, `${neighbour.url}/x`), "host=1");
  });

  // contract: http-5
  it("are not sent to another host, in either direction", async () => {
    const session = quietly({ url: server.url });
    await drained(session.get("set"));
    assertEquals(await sent(session, byName(`${server.url}/x`)), "");
    await drained(session.get(byName(`${server.url}/set`)));
    const jar = session.httpSession.cookies;
    assert(jar !== undefined && jar !== null);
    assertEquals(await jar.cookieHeader(byName(server.url)), "host=1");
    const numbered = quietly({ url: byName(server.url) });
    await drained(numbered.get("set"));
    assertEquals(await sent(numbered, `${server.url}/x`), "");
    assertEquals(await sent(numbered), "host=1");
  });

  it("are sent with a redirect to the host that set them, and to no other", async () => {
    const session = quietly({ url: server.url });
    assertEquals(await sent(session, `to?${byName(neighbour.url)}/x`), "");
    assertEquals(await sent(session, `to?${neighbour.url}/x`), "hop=1");
    const back = `to?${byName(neighbour.url)}/to?${server.url}/x`;
    assertEquals(await sent(session, back), "hop=1");
  });

  it("from many simultaneous first responses are all stored in one jar", async () => {
    const session = quietly({ url: server.url });
    const paths = ["set", "forbidden", "gone", "set", "forbidden", "gone"];
    await Promise.allSettled(paths.map((path) => drained(session.get(path))));
    const cookies = (await sent(session)).split("; ").sort();
    assertEquals(cookies, ["a=403", "b=403", "gone=1", "host=1"]);
  });
});
