import {
  after,
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertRejects,
  before,
  describe,
  it,
} from "#test";
import { APIError, APISession, NotFoundError, TooManyRequestsError } from "../../mod.ts";
import { baseErrorMap, ServiceUnavailableError } from "../../src/entries/errors.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { passUntil } from "../support/pass_until.ts";
import { type Httpbin, httpbinMissing, startHttpbin } from "../support/httpbin.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

/** The request as httpbin echoes it. */
interface Echo {
  readonly args: Record<string, string | string[]>;
  readonly headers: Record<string, string>;
  readonly json: unknown;
  readonly data: string;
  readonly form: Record<string, string | string[]>;
  readonly files: Record<string, string>;
  readonly url: string;
  readonly method?: string;
}

describe("a session against httpbin", () => {
  const missing = httpbinMissing();
  let httpbin: Httpbin;
  let session: APISession;

  const test = (name: string, body: () => Promise<void>) => it(name, body, { ignore: missing });

  before(async () => {
    if (missing !== undefined) return;
    httpbin = await startHttpbin();
    session = new APISession({
      url: httpbin.url,
      clock: fakeClock({ autoAdvance: true }),
      logger: quiet(),
    });
  });

  after(async () => {
    await httpbin?.stop();
  });

  function quiet() {
    return recordingLogger({ level: "info" });
  }

  // contract: service-5, op-1, op-2, op-3, op-4, op-5, op-6
  test("sends GET, POST, PUT, PATCH, DELETE and HEAD requests", async () => {
    const seen: unknown[] = [];
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      const echo = await session[method]<Echo>("anything/x", { convJson: true });
      seen.push(echo.method);
    }
    assertEquals(seen, ["GET", "POST", "PUT", "PATCH", "DELETE"]);
    const head = await session.head("get");
    assertEquals([head.status, await head.text()], [200, ""]);
    assertMatch(head.headers.get("content-type") ?? "", /^application\/json/);
  });

  for (const [status, expected] of Object.entries(baseErrorMap)) {
    // contract: status-*, service-6, auth-rule-5, reading-28
    test(`throws ${expected.name} for status ${status}`, async () => {
      const once = new APISession({ url: httpbin.url, retries: 0, finalWait: false });
      const error = await assertRejects(() => once.get(`status/${status}`), APIError);
      assertEquals([error.status, error.constructor], [Number(status), expected]);
      assertEquals(error.request, { method: "GET", url: `${httpbin.url}/status/${status}` });
    });
  }

  // contract: attempts-4, decision-26
  test("throws the generic APIError for other statuses outside 200 to 298", async () => {
    for (const status of [299, 300, 304, 402, 499, 505, 599, 600, 999]) {
      const error = await assertRejects(() => session.get(`status/${status}`), APIError);
      assertEquals([error.status, error.constructor], [status, APIError]);
    }
  });

  // contract: attempts-3
  test("returns the response for success statuses", async () => {
    for (const status of [200, 201, 202, 204, 206, 298]) {
      const response = await session.get(`status/${status}`);
      assertEquals([response.status, await response.text()], [status, ""]);
    }
  });

  // contract: attempts-7, limit-1
  test("retries retryable statuses, and throws the last error", async () => {
    const log = quiet();
    const retrying = new APISession({
      url: httpbin.url,
      clock: fakeClock({ autoAdvance: true }),
      logger: log,
    });
    const error = await assertRejects(() => retrying.get("status/503"), ServiceUnavailableError);
    assertEquals([error.retries, log.messages("warn").length], [3, 3]);
    const limited = await assertRejects(() => retrying.get("status/429"), TooManyRequestsError);
    assertEquals(limited.retries, 3);
  });

  test("sends a body in JSON", async () => {
    const json = { name: "Zoë", list: [1, 2.5, null, true], nested: { deep: "ünïcödé 🦊" } };
    const echo = await session.post<Echo>("post", { json, convJson: true });
    assertEquals(echo.json, json);
    assertEquals(echo.headers["Content-Type"], "application/json");
  });

  test("sends an object of data as form fields", async () => {
    const data = { user: "ada", tags: ["a b", "ü&="], none: null, draft: false };
    const echo = await session.post<Echo>("post", { data, convJson: true });
    assertEquals(echo.form, { user: "ada", tags: ["a b", "ü&="], draft: "false" });
  });

  test("sends FormData as multipart, files included", async () => {
    const data = new FormData();
    data.set("note", "hello");
    data.set("file", new File(["content"], "a.txt", { type: "text/plain" }));
    const echo = await session.post<Echo>("post", { data, convJson: true });
    assertEquals([echo.form, echo.files], [{ note: "hello" }, { file: "content" }]);
    assertMatch(echo.headers["Content-Type"]!, /^multipart\/form-data; boundary=/);
  });

  test("sends text, bytes, a Blob, streams and iterables as raw content", async () => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("in ");
      yield new TextEncoder().encode("parts");
    }
    const bytes = new TextEncoder().encode("in parts");
    const contents = [
      "in parts",
      bytes,
      bytes.buffer,
      new Blob(["in parts"]),
      new Blob(["in parts"]).stream(),
      chunks(),
      () => new Blob(["in parts"]).stream(),
    ];
    for (const content of contents) {
      const headers = { "content-type": "application/octet-stream" };
      const echo = await session.put<Echo>("put", { content, headers, convJson: true });
      assertEquals(echo.data, "in parts");
    }
  });

  // contract: keyword-9, reading-23
  test("adds params to the parameters of the path", async () => {
    const params = { q: "a b&c", list: [1, 2], yes: true, no: null };
    const echo = await session.get<Echo>("get?page=2", { params, convJson: true });
    assertEquals(echo.args, { page: "2", q: "a b&c", list: ["1", "2"], yes: "true" });
  });

  // contract: keyword-9, agent-1
  test("sends User-Agent and the caller's headers, but no header that is undefined or null", async () => {
    const echo = await session.get<Echo>("headers", {
      headers: { "X-Thing": "one", "if-match": '"etag"', "X-Not": undefined },
      convJson: true,
    });
    assertEquals([echo.headers["X-Thing"], echo.headers["If-Match"]], ["one", '"etag"']);
    assertMatch(
      echo.headers["User-Agent"]!,
      /^Integration\/1\.0 \(unknown; unknown; Build\/unknown\) restwright\/\d+\.\d+\.\d+ \(restwright\/\d+\.\d+\.\d+; (Deno|Node|Bun)\/\d+\.\d+\.\d+; \w+\/\w+\)$/,
    );
    const without = await session.get<Echo>("headers", {
      headers: { "User-Agent": null },
      convJson: true,
    });
    assert(!without.headers["User-Agent"]?.includes("Integration"));
  });

  test("decodes gzip", async () => {
    const { gzipped } = await session.get<{ gzipped: boolean }>("gzip", { convJson: true });
    assertEquals(gzipped, true);
  });

  test("returns all bytes of a response, streamed ones too", async () => {
    const bytes = await (await session.get("bytes/100000?seed=1")).arrayBuffer();
    assertEquals(bytes.byteLength, 100_000);
    const streamed = await session.get("stream-bytes/50000?seed=1&chunk_size=1000");
    assertEquals((await streamed.arrayBuffer()).byteLength, 50_000);
  });

  // contract: service-6, attr-2, keyword-7, req-2
  test("puts the base path between the base URL and the path", async () => {
    const based = new APISession({ url: `${httpbin.url}/`, basePath: "/anything/v2/" });
    const echo = await based.get<Echo>("/users/7", { convJson: true });
    assertEquals(echo.url, `${httpbin.url}/anything/v2/users/7`);
    const bare = await based.get<Echo>("get", { useBase: false, convJson: true });
    assertEquals(bare.url, `${httpbin.url}/get`);
    const full = await based.get<Echo>(`${httpbin.url}/anything/full`, { convJson: true });
    assertEquals(full.url, `${httpbin.url}/anything/full`);
  });

  test("throws an error with status, headers, body and a response that can be read", async () => {
    const error = await assertRejects(() => session.get("nowhere"), NotFoundError);
    assertMatch(error.body, /404 Not Found/);
    assertEquals(await error.response.text(), error.body);
    assertMatch(error.headers.get("content-type") ?? "", /html/);
    assertInstanceOf(error, APIError);
  });

  // contract: fault-8
  test("sends credentials in the base URL as Basic authentication, and never logs or prints them", async () => {
    const url = httpbin.url.replace("//", "//ada:s%C3%A9cret@");
    const log = recordingLogger();
    const known = new APISession({ url, logger: log });
    const { headers } = await known.get<Echo>("headers", { convJson: true });
    const bytes = Uint8Array.from(atob(headers["Authorization"]!.slice(6)), (c) => c.charCodeAt(0));
    assertEquals(new TextDecoder().decode(bytes), "ada:sécret");
    const error = await assertRejects(() => known.get("basic-auth/ada/other"), APIError);
    assertEquals(error.status, 401);
    const shown = log.messages().join("\n") + JSON.stringify(error) + error.stack;
    assert(!/cret|YWRh/.test(shown), shown);
  });

  // contract: attr-15
  test("throws if a response takes longer than the timeout", async () => {
    const clock = fakeClock();
    const impatient = new APISession({ url: httpbin.url, timeout: 2, clock, retries: 0 });
    const failed = assertRejects(() => impatient.get("delay/10", { finalWait: false }), Error);
    await passUntil(clock, failed);
    assertMatch((await failed).message, /no data for 2 s/);
  });
});
