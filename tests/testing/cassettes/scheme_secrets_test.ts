import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession } from "../../../mod.ts";
import { ApiKeyAuth, type Auth } from "../../../src/auth/mod.ts";
import type { Transport } from "../../../src/http/mod.ts";
import {
  type CassetteData,
  CassetteError,
  openCassette,
  silentLogger,
} from "../../../src/testing/mod.ts";
import { secretsIn } from "../../support/cassette_folder.ts";

const url = "https://api.example.com";
const key = "hunter-twenty-two";

function sessionWith(fetch: Transport, auth: Auth): APISession {
  const session = new APISession({ url, fetch, logger: silentLogger, retries: 0 });
  session.httpSession.auth = auth;
  return session;
}

/** Records one request, and returns the cassette. */
async function recordingOf(
  auth: Auth,
  wrap: (cassette: Transport) => Transport = (cassette) => cassette,
  params: Readonly<Record<string, string>> = { page: "2" },
): Promise<CassetteData> {
  const fetch: Transport = (url) =>
    Promise.resolve(Response.json({ next: url.replace("page=2", "page=3") }));
  const empty = { version: 1, interactions: [] } as const;
  const cassette = await openCassette(empty, { mode: "record", fetch });
  await sessionWith(wrap(cassette), auth).get("books/7", { params, convJson: true });
  return await cassette.save();
}

/** Changes the path, as APIs with a token in it need. */
const pathAuth: Auth = {
  authenticate: ({ url }, send) => send({ url: url.replace("/books", `/t${key}/books`) }),
};

describe("the parts that a scheme adds to a request", () => {
  const schemes: readonly (readonly [name: string, Auth])[] = [
    ["a parameter with any name", new ApiKeyAuth(key, { query: "who" })],
    ["a parameter with an encoded name", new ApiKeyAuth(key, { query: "für & wen" })],
    ["a header with any name", new ApiKeyAuth(key, { header: "X-Own" })],
    ["a harmless header", new ApiKeyAuth(`${key}-8c4d`, { header: "Accept-Language" })],
    ["a segment of the path", pathAuth],
  ];
  for (const [name, auth] of schemes) {
    it(`are not recorded: ${name}`, async () => {
      const data = await recordingOf(auth);

      assertEquals(secretsIn(JSON.stringify(data), { key }), []);
      assert(data.interactions[0]!.request.url.includes("page=2"));
      const cassette = await openCassette(data);
      const next = await sessionWith(cassette, auth).get("books/7", { params: { page: "2" } });
      assert((await next.text()).includes("page=3"));
      cassette.assertDone();
    });
  }

  it("may be other ones when the cassette is replayed", async () => {
    const data = await recordingOf(new ApiKeyAuth(key, { query: "who" }));
    const cassette = await openCassette(data);

    await sessionWith(cassette, new ApiKeyAuth("x", { query: "who" }))
      .get("books/7", { params: { page: "2" } });
    cassette.assertDone();
  });

  it("are hidden in links of the response even if they are short", async () => {
    const { interactions } = await recordingOf(new ApiKeyAuth("k7", { query: "who" }));

    const { request, response } = interactions[0]!;
    assertEquals(request.url, `${url}/books/7?page=2&who=REDACTED-1`);
    assertEquals(response.json, { next: `${url}/books/7?page=3&who=REDACTED-1` });
  });

  it("replace no parameter of the call with the same value, and no harmless word", async () => {
    const data = await recordingOf(new ApiKeyAuth("v2", { query: "who" }), undefined, {
      page: "2",
      version: "v2",
    });
    assertEquals(
      data.interactions[0]!.request.url,
      `${url}/books/7?page=2&version=v2&who=REDACTED-1`,
    );
  });

  it("are known behind a wrapper that copies init", async () => {
    const wrap = (cassette: Transport): Transport => (url, init) =>
      cassette(url, { ...init, headers: { ...init.headers, "x-wrapped": "1" } });
    const data = await recordingOf(new ApiKeyAuth(key, { query: "who" }), wrap);

    assertEquals(secretsIn(JSON.stringify(data), { key }), []);
  });

  it("are not shown by the message of a request without a recording", async () => {
    const auth = new ApiKeyAuth(key, { query: "who" });
    const recorded = (query: string) => ({
      version: 1,
      interactions: [{
        request: { method: "GET", url: `${url}/other?${query}`, headers: {} },
        response: { status: 200, headers: {} },
      }],
    } as const);
    const sources: readonly (readonly [string, CassetteData])[] = [
      ["an empty cassette", { version: 1, interactions: [] }],
      ["one that was not redacted", recorded(`who=${key}`)],
      ["one with another key", recorded("who=another-key-4711")],
      ["one that was redacted", recorded("who=REDACTED-1")],
    ];
    for (const [name, source] of sources) {
      const session = sessionWith(await openCassette(source), auth);
      const error = await assertRejects(() => session.get("books/7"), CassetteError);

      assert(error.message.includes("who=REDACTED"), `${name}: ${error.message}`);
      const shown = error.message + JSON.stringify(error.closest ?? {});
      assert(!/hunter|another-key/.test(shown), `${name}: ${shown}`);
    }
  });

  it("are not kept for a request without a scheme", async () => {
    let keys: readonly PropertyKey[] = [];
    const session = new APISession({
      url,
      logger: silentLogger,
      fetch: (_url, init) => {
        keys = Object.getOwnPropertySymbols(init);
        return Promise.resolve(new Response());
      },
    });
    await session.get("books");
    assertEquals(keys, []);
  });
});
