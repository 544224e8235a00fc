import { after, assertEquals, assertRejects, before, describe, it } from "#test";
import { HttpbinClient } from "../../examples/httpbin_client.ts";
import { Httpbin } from "../../examples/httpbin_session.ts";
import {
  APIError,
  type ClientOptions,
  NotFoundError,
  TransportError,
  UnauthorizedError,
} from "../../mod.ts";
import { ServiceUnavailableError } from "../../src/entries/errors.ts";
import { TeapotResponseError } from "../../src/errors/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { passUntil } from "../support/pass_until.ts";
import { type Httpbin as Server, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

const missing = httpbinMissing();
const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

/** The options of an SDK of either generation. */
type Options = Omit<ClientOptions, "baseUrl">;

/** The SDKs of the examples: the same calls, on a session and on a client. */
const sdks = {
  "a session": (url: string, options?: Options) => new Httpbin({ ...options, url }),
  "a client": (url: string, options?: Options) => new HttpbinClient({ ...options, baseUrl: url }),
};

for (const [what, make] of Object.entries(sdks)) {
  describe(`the httpbin SDK of the examples on ${what}`, () => {
    let server: Server;
    let httpbin: Httpbin | HttpbinClient;

    before(async () => {
      if (missing !== undefined) return;
      server = await startHttpbin();
      httpbin = make(server.url);
    });

    after(async () => {
      await server?.stop();
    });

    test("gets an echo of parameters and headers", async () => {
      const params = { page: 2, tag: ["a", "b"] };

      const echo = await httpbin.anything.get({ params, headers: { "X-Thing": "one" } });

      assertEquals([echo.method, echo.args], ["GET", { page: "2", tag: ["a", "b"] }]);
      assertEquals([echo.headers["X-Thing"], echo.json], ["one", null]);
    });

    test("sends JSON with every method that has a body", async () => {
      const seen: unknown[] = [];
      for (const method of ["post", "put", "patch", "delete"] as const) {
        const echo = await httpbin.anything[method]({ json: { by: method } });
        seen.push([echo.method, echo.json]);
      }

      assertEquals(seen, [
        ["POST", { by: "post" }],
        ["PUT", { by: "put" }],
        ["PATCH", { by: "patch" }],
        ["DELETE", { by: "delete" }],
      ]);
    });

    test("returns the status of a success", async () => {
      assertEquals([await httpbin.status(200), await httpbin.status(204)], [200, 204]);
    });

    test("rejects with an error for other statuses, after retries if they may help", async () => {
      const logger = recordingLogger({ level: "info" });
      const retrying = make(server.url, { clock: fakeClock({ autoAdvance: true }), logger });

      const teapot = await assertRejects(() => retrying.status(418), TeapotResponseError);
      const busy = await assertRejects(() => retrying.status(503), ServiceUnavailableError);

      assertEquals([teapot.retries, busy.retries], [0, 3]);
    });

    test("authenticates a user by name and password, whatever characters they contain", async () => {
      assertEquals(await httpbin.basicAuth("ada", "countess"), {
        authenticated: true,
        user: "ada",
      });
      assertEquals((await httpbin.basicAuth("zoë b", "50% & more?#")).user, "zoë b");
    });

    test("rejects a user with another password or none", async () => {
      const other = () => httpbin.basicAuth("ada", "countess", ["ada", "duchess"]);
      const none = () => httpbin.basicAuth("ada", "countess", null);

      assertEquals((await assertRejects(other, UnauthorizedError)).status, 401);
      assertEquals((await assertRejects(none, UnauthorizedError)).status, 401);
    });

    test("keeps its cookies separate from those of another instance", async () => {
      const own = make(server.url);

      const set = await own.setCookies({ theme: "dark", size: "2" });
      const read = await own.cookies();
      const others = await make(server.url).cookies();

      assertEquals(set.cookies, { theme: "dark", size: "2" });
      assertEquals([read.cookies, others.cookies], [set.cookies, {}]);
    });

    test("waits for an answer until its timeout", async () => {
      const logger = recordingLogger({ level: "info" });
      const clock = fakeClock();
      const hasty = make(server.url, { retries: 0, finalWait: false, logger, clock });

      assertEquals((await httpbin.delay(0)).url, `${server.url}/delay/0`);
      const failed = assertRejects(() => hasty.delay(10, { timeout: 2 }), TransportError);
      await passUntil(clock, failed);

      assertEquals((await failed).kind, "timeout");
    });

    test("follows redirects to the echo at their end", async () => {
      assertEquals((await httpbin.redirect(3)).url, `${server.url}/get`);
    });
  });
}

describe("the httpbin client of the examples", () => {
  let server: Server;
  let httpbin: HttpbinClient;

  before(async () => {
    if (missing !== undefined) return;
    server = await startHttpbin();
    httpbin = sdks["a client"](server.url);
  });

  after(async () => {
    await server?.stop();
  });

  test("rejects with a 302 if it is called without following redirects", async () => {
    const error = await assertRejects(() => httpbin.redirect(3, false), APIError);

    assertEquals([error.status, error.retries], [302, 0]);
  });

  test("sends a form, and files with fields", async () => {
    const form = await httpbin.anything.post({ data: { tag: ["a", "b"], draft: false } });
    const files = { notes: new File(["# Notes"], "notes.md", { type: "text/markdown" }) };
    const upload = await httpbin.anything.post({ files, data: { title: "On Fetch" } });

    assertEquals(form.form, { tag: ["a", "b"], draft: "false" });
    assertEquals([upload.form, upload.files], [{ title: "On Fetch" }, { notes: "# Notes" }]);
  });

  test("returns the response with the echo from withResponse", async () => {
    const { data, response } = await httpbin.anything.get().withResponse();

    assertEquals([data.method, response.status], ["GET", 200]);
    assertEquals(response.headers.get("content-type"), "application/json");
    assertEquals((await response.json()).url, data.url);
  });

  test("encodes a slash in a name, so that the name stays one segment", async () => {
    const error = await assertRejects(() => httpbin.basicAuth("a/b", "c"), NotFoundError);

    assertEquals(error.request?.url, `${server.url}/basic-auth/a%2Fb/c`);
  });
});
