import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { APIError, APISession, type SessionOptions } from "../../mod.ts";
import { RedirectError } from "../../src/entries/errors.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { drained } from "../support/drained.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { type Nginx, nginxMissing, startNginx } from "../support/nginx.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

/** The request as httpbin echoes it. */
interface Echo {
  readonly args: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly data: string;
  readonly url: string;
  readonly method: string;
}

/** The request as nginx echoes it. */
interface PeerEcho {
  readonly authorization: string;
  readonly cookie: string;
  readonly apiKey: string;
  readonly own: string;
  readonly other: string;
  readonly method: string;
}

const locations = `
location = /echo {
  add_header X-Method $request_method;
  return 200 '{"authorization":"$http_authorization","cookie":"$http_cookie","apiKey":"$http_x_api_key","own":"$http_x_own","other":"$http_x_other","method":"$request_method"}';
}
location = /connection { return 200 "$connection"; }
location = /missing { return 404 "$connection"; }
location = /on { return 302 $arg_to; }
location = /hop { return 302 /connection; }
`;

class Api extends APISession {
  static override readonly crossOriginHeaders: readonly string[] = ["X-Other"];
}

describe("redirects between httpbin and nginx", () => {
  const missing = httpbinMissing() ?? nginxMissing();
  let httpbin: Httpbin;
  let nginx: Nginx;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing !== undefined) return;
    httpbin = await startHttpbin();
    nginx = await startNginx({ locations });
  });

  after(async () => {
    await httpbin?.stop();
    await nginx?.stop();
  });

  function api(options: SessionOptions = {}): Api {
    const logger = recordingLogger({ level: "info" });
    return new Api({ url: httpbin.url, retries: 0, finalWait: false, logger, ...options });
  }

  function toPeer(status = 302, path = "/echo"): string {
    return `redirect-to?status_code=${status}&url=${encodeURIComponent(nginx.url + path)}`;
  }

  for (const kind of ["redirect", "relative-redirect", "absolute-redirect"]) {
    // contract: reading-9
    test(`${kind} returns the last response with its URL`, async () => {
      const response = await api().get(`${kind}/4`);
      assertEquals([response.status, response.redirected], [200, true]);
      assertEquals(response.url, `${httpbin.url}/get`);
      assertEquals((await response.json() as Echo).url, `${httpbin.url}/get`);
    });
  }

  test("the last response has its URL with a timeout and a deadline, too", async () => {
    const clock = fakeClock();
    const watched = api({ clock, timeout: 5 });
    const response = await watched.get("redirect/2", { deadline: 5 });
    assertEquals([response.url, response.redirected], [`${httpbin.url}/get`, true]);
    await response.body?.cancel();
    const direct = await watched.get("get");
    assertEquals([direct.url, direct.redirected], [`${httpbin.url}/get`, false]);
    await direct.body?.cancel();
  });

  for (const status of [301, 302, 303, 307, 308]) {
    for (const method of ["get", "post", "put"] as const) {
      const toGet = status === 303 || (method === "post" && status < 303);
      const arrives = toGet && method !== "get" ? "GET without the body" : "the same request";
      // contract: http-7
      test(`${method.toUpperCase()} through a ${status} arrives as ${arrives}`, async () => {
        const path = `redirect-to?status_code=${status}&url=/anything/landed?x=1`;
        const body = method === "get" ? {} : { json: { a: "ü" } };
        const echo = await api()[method]<Echo>(path, {
          ...body,
          headers: { "X-Other": "o" },
          convJson: true,
        });
        const isWhole = method !== "get" && !toGet;
        assertEquals(echo.method, toGet ? "GET" : method.toUpperCase());
        assertEquals(echo.data, isWhole ? '{"a":"ü"}' : "");
        assertEquals(echo.headers["Content-Type"], isWhole ? "application/json" : undefined);
        assertEquals([echo.headers["X-Other"], echo.args], ["o", { x: "1" }]);
      });
    }

    // contract: http-7
    test(`HEAD through a ${status} stays HEAD`, async () => {
      const response = await api().head(toPeer(status));
      assertEquals([response.status, response.headers.get("x-method")], [200, "HEAD"]);
      assertEquals([response.url, await response.text()], [`${nginx.url}/echo`, ""]);
    });
  }

  // contract: http-11, fault-9
  test("headers are not sent to another origin, except those that the class names", async () => {
    const calls = [
      { auth: ["ada", "countess"] as const, headers: {} },
      { auth: null, headers: { Authorization: "Bearer by-hand" } },
    ];
    for (const { auth, headers } of calls) {
      const session = new HttpSession({ auth, headers: { "X-API-Key": "k-1" } });
      const callHeaders = { ...headers, Cookie: "c=1", "X-Own": "own", "X-Other": "other" };
      const echo = await api({ session }).get<PeerEcho>(toPeer(), {
        headers: callHeaders,
        convJson: true,
      });
      const removed = { authorization: "", cookie: "", apiKey: "", own: "" };
      assertEquals(echo, { ...removed, other: "other", method: "GET" });
    }
  });

  // contract: reading-19
  test("secrets are sent to a trusted origin", async () => {
    const session = new HttpSession({ auth: ["ada", "x"], headers: { "X-API-Key": "k-1" } });
    const trusting = api({ session, trustedOrigins: [nginx.url] });
    const echo = await trusting.get<PeerEcho>(toPeer(), {
      headers: { Cookie: "c=1", "X-Own": "own", "X-Other": "other" },
      convJson: true,
    });
    const authorization = `Basic ${btoa("ada:x")}`;
    const forwarded = { authorization, cookie: "c=1", apiKey: "k-1", own: "own" };
    assertEquals(echo, { ...forwarded, other: "other", method: "GET" });
  });

  // contract: fault-9
  test("secrets are not sent to another origin even if a 307 repeats the body there", async () => {
    const session = new HttpSession({ auth: ["ada", "x"], headers: { "X-API-Key": "k-1" } });
    const echo = await api({ session }).post<PeerEcho>(toPeer(307), {
      json: { a: 1 },
      headers: { "X-Own": "own", "X-Other": "other" },
      convJson: true,
    });
    const removed = { authorization: "", cookie: "", apiKey: "", own: "" };
    assertEquals(echo, { ...removed, other: "other", method: "POST" });
  });

  // contract: http-11, fault-9
  test("secrets that were removed at another origin are not sent again after a redirect back", async () => {
    const session = new HttpSession({ auth: ["ada", "x"], headers: { "X-API-Key": "k-1" } });
    const back = `/on?to=${httpbin.url}/headers`;
    const echo = await api({ session }).get<Echo>(toPeer(302, back), {
      headers: { "X-Own": "own", "X-Other": "other" },
      convJson: true,
    });
    const { headers } = echo;
    assertEquals(
      ["Authorization", "X-Api-Key", "X-Own", "X-Other"].map((name) => headers[name]),
      [undefined, undefined, undefined, "other"],
    );
  });

  // contract: http-11
  test("secrets are sent with a redirect within the origin of the session", async () => {
    const session = new HttpSession({ auth: ["ada", "x"], headers: { "X-API-Key": "k-1" } });
    const { headers } = await api({ session }).get<Echo>("redirect-to?url=/headers", {
      headers: { Cookie: "c=1", "X-Own": "own" },
      convJson: true,
    });
    assertEquals(
      ["Authorization", "X-Api-Key", "X-Own", "Cookie"].map((name) => headers[name]),
      [`Basic ${btoa("ada:x")}`, "k-1", "own", "c=1"],
    );
  });

  // contract: reading-18
  test("a full URI to another origin gets the headers of the call but none of the session", async () => {
    const session = new HttpSession({ auth: ["ada", "x"], headers: { "X-API-Key": "k-1" } });
    const headers = { "X-Own": "own", "X-Other": "other" };
    const echo = await api({ session }).get<PeerEcho>(`${nginx.url}/echo`, {
      headers,
      convJson: true,
    });
    assertEquals([echo.authorization, echo.apiKey], ["", ""]);
    assertEquals([echo.own, echo.other], ["own", "other"]);
    const trusting = api({ session, trustedOrigins: [nginx.url] });
    const known = await trusting.get<PeerEcho>(`${nginx.url}/echo`, { convJson: true });
    assertEquals([known.authorization, known.apiKey], [`Basic ${btoa("ada:x")}`, "k-1"]);
  });

  // contract: http-9
  test("30 redirects are followed, and the 31st is an error that is not retried", async () => {
    const log = recordingLogger({ level: "info" });
    const session = api({ retries: 3, logger: log });
    assertEquals((await drained(session.get("relative-redirect/30"))).status, 200);
    const error = await assertRejects(() => session.get("relative-redirect/31"), RedirectError);
    const message = `more than 30 redirects: GET ${error.request?.url}`;
    assertEquals([error.status, error.message], [302, message]);
    assertEquals(log.messages("warn"), []);
  });

  // contract: http-9
  test("maxRedirects of the session or of the call limits the redirects", async () => {
    const session = api({ maxRedirects: 2 });
    assertEquals((await drained(session.get("redirect/2"))).status, 200);
    await assertRejects(() => session.get("redirect/3"), RedirectError);
    assertEquals((await drained(session.get("redirect/3", { maxRedirects: 3 }))).status, 200);
    await assertRejects(() => session.get("redirect/1", { maxRedirects: 0 }), RedirectError);
  });

  // contract: http-10
  test("a redirect that is not followed throws an APIError with its status and Location", async () => {
    const stays = api({ followRedirects: false });
    for (const status of [301, 302, 303, 307, 308]) {
      const path = `redirect-to?status_code=${status}&url=/get`;
      const error = await assertRejects(() => stays.get(path), APIError);
      assertEquals([error.status, error.headers.get("location")], [status, "/get"]);
      const byCall = () => api().get(path, { followRedirects: false });
      assertEquals((await assertRejects(byCall, APIError)).status, status);
      assertEquals((await drained(stays.get(path, { followRedirects: true }))).status, 200);
    }
  });

  for (const status of [307, 308]) {
    // contract: http-8
    test(`a body from a function arrives complete after a ${status}`, async () => {
      let opened = 0;
      const text = "0123456789".repeat(10_000);
      const content = () => {
        opened++;
        return new Blob([text]).stream();
      };
      const echo = await api().put<Echo>(`redirect-to?status_code=${status}&url=/anything`, {
        content,
        headers: { "Content-Type": "application/octet-stream" },
        convJson: true,
      });
      assertEquals([echo.method, echo.data === text, opened], ["PUT", true, 2]);
    });

    // contract: http-8
    test(`a stream that can be read once is not sent again after a ${status}`, async () => {
      const content = new Blob(["once"]).stream();
      const path = `redirect-to?status_code=${status}&url=/anything`;
      const send = () => api({ retries: 3 }).post(path, { content });
      const error = await assertRejects(send, RedirectError, "can be read only once");
      assertEquals(error.status, status);
    });
  }

  test("a stream that can be read once is left out if the redirect changes the method to GET", async () => {
    const content = new Blob(["once"]).stream();
    const path = "redirect-to?status_code=303&url=/anything";
    const echo = await api().post<Echo>(path, { content, convJson: true });
    assertEquals([echo.method, echo.data], ["GET", ""]);
  });

  test("200 requests in sequence share a few connections, even if some fail", async () => {
    // Without HEAD, after which Node's fetch closes the connection.
    const session = api({ url: nginx.url, clock: fakeClock(), retries: 0 });
    const used = new Set<string>();
    for (let index = 0; index < 200; index++) {
      if (index % 4 === 0) {
        const error = await assertRejects(() => session.get("missing"), APIError);
        used.add(error.body);
      } else if (index % 4 === 1) {
        used.add(String(await session.get<number>("connection", { convJson: true, timeout: 5 })));
      } else used.add(await (await session.get("connection")).text());
    }
    // The runtime opens another connection if the test is suspended for some seconds.
    assert(used.size <= 20, `${used.size} connections`);
  });

  test("redirects within an origin share a few connections", async () => {
    const session = api({ url: nginx.url });
    const used = new Set<string>();
    for (let index = 0; index < 50; index++) used.add(await (await session.get("hop")).text());
    assert(used.size <= 10, `${used.size} connections`);
  });
});
