import { inspect } from "node:util";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, ServerError, TransportError, UnexpectedValueError } from "../../mod.ts";
import { ApiKeyAuth } from "../../src/auth/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { changesOf } from "../support/auth_changes.ts";
import { exchanging, redirectTo } from "../support/exchanging.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

const url = "https://a.example/x";

describe("an API key", () => {
  // contract: auth-1
  it("is sent in X-API-Key, or in the header that the option names", async () => {
    assertEquals((await changesOf(new ApiKeyAuth("k-1"))).headers, { "X-API-Key": "k-1" });
    for (const options of [{}, { header: undefined, query: undefined }]) {
      assertEquals((await changesOf(new ApiKeyAuth("k-1", options))).headers, {
        "X-API-Key": "k-1",
      });
    }
    assertEquals((await changesOf(new ApiKeyAuth("k-1", { header: "X-Mine" }))).headers, {
      "X-Mine": "k-1",
    });
  });

  const places: readonly (readonly [string, string, string, string, string])[] = [
    ["as the only parameter", url, "key", "k-1", `${url}?key=k-1`],
    ["after others", `${url}?a=1&b=2`, "key", "k-1", `${url}?a=1&b=2&key=k-1`],
    ["instead of one that is there", `${url}?key=x&a=1`, "key", "k-1", `${url}?key=k-1&a=1`],
    ["before a fragment", `${url}#top`, "key", "k-1", `${url}?key=k-1#top`],
    [
      "with characters that must be encoded",
      url,
      "a b",
      "k&=#é€",
      `${url}?a+b=k%26%3D%23%C3%A9%E2%82%AC`,
    ],
  ];
  for (const [what, before, query, key, after] of places) {
    it(`is sent in the query: ${what}`, async () => {
      const changes = await changesOf(new ApiKeyAuth(key, { query }), before);
      assertEquals(changes, { url: after });
    });
  }

  it("is sent once in the query after redirects, and only to the same origin", async () => {
    const { send, transport } = exchanging({
      answers: [redirectTo("/y?a=1"), redirectTo("?b=2"), redirectTo("https://b.example/z"), 200],
      session: { auth: new ApiKeyAuth("k-1", { query: "key" }) },
    });
    await send();
    assertEquals(transport.calls.map((call) => call.url), [
      "https://a.example/x?key=k-1",
      "https://a.example/y?a=1&key=k-1",
      "https://a.example/y?b=2&key=k-1",
      "https://b.example/z",
    ]);
  });

  // contract: auth-1
  it("is sent in a header of any name only to the same origin", async () => {
    const { send, transport } = exchanging({
      answers: [redirectTo("/y"), redirectTo("https://b.example/z"), 200],
      session: { auth: new ApiKeyAuth("k-1", { header: "X-Mine" }) },
    });
    await send();
    const keys = transport.calls.map(({ init }) => init.headers["x-mine"]);
    assertEquals(keys, ["k-1", "k-1", undefined]);
  });

  const bad: readonly (readonly [string, unknown, unknown])[] = [
    ["key", undefined, {}],
    ["key", null, {}],
    ["key", 7, {}],
    ["key", "hunter2\n", {}],
    ["key", "hunter2\r\nX-Evil: 1", {}],
    ["key", "hunter2 €", {}],
    ["key", { key: "hunter2" }, { query: "key" }],
    ["header", "hunter2", { header: 7 }],
    ["header", "hunter2", { header: "X\nY" }],
    ["query", "hunter2", { query: 7 }],
    ["query", "hunter2", { query: null }],
    ["options", "k-1", null],
    ["options", "k-1", "hunter2"],
  ];
  for (const [index, [option, key, options]] of bad.entries()) {
    it(`bad input: an invalid ${option} is refused, and not shown (${index + 1})`, () => {
      const error = assertThrows(
        () => new ApiKeyAuth(key as string, options as { header?: string }),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
      assert(!inspect(error).includes("hunter2"), inspect(error));
    });
  }

  it("shows no secret when it is printed", () => {
    for (const options of [{}, { query: "key" }]) {
      const auth = new ApiKeyAuth("hunter2", options);
      const shown = inspect(auth, { depth: 20, showHidden: true }) + JSON.stringify(auth) + auth;
      assert(!shown.includes("hunter2"), shown);
    }
  });

  describe("in the query", () => {
    async function shownBy(answer: Answer): Promise<string> {
      const clock = fakeClock({ autoAdvance: true });
      const session = new HttpSession({
        fetch: scripted(answer),
        auth: new ApiKeyAuth("hunter2", { query: "key" }),
      });
      const logger = recordingLogger();
      const api = new APISession({ url: "https://a.example", session, clock, logger, retries: 1 });
      const error = await assertRejects(() => api.get("x"), Error);
      assert(error instanceof ServerError || error instanceof TransportError);
      return logger.messages().join("\n") + error.message + inspect(error, { depth: 20 }) +
        JSON.stringify(error);
    }

    it("is not shown in log records and errors of a failed connection whose message has the URL", async () => {
      const cause = new Error("connection reset (https://a.example/x?key=hunter2)");
      const failure = new TypeError(
        "error sending request for url (https://a.example/x?key=hunter2)",
        {
          cause,
        },
      );
      const shown = await shownBy(failure);
      assert(!shown.includes("hunter2"), shown);
    });

    it("is not shown in log records and errors of an error status", async () => {
      const shown = await shownBy(() => {
        const response = new Response("oops", { status: 500 });
        Object.defineProperty(response, "url", { value: "https://a.example/x?key=hunter2" });
        return response;
      });
      assert(!shown.includes("hunter2"), shown);
    });
  });

  it("leaves the rest of the query unchanged", async () => {
    const { url } = await changesOf(
      new ApiKeyAuth("k", { query: "key" }),
      "https://a.example/x?q=a%20b&flag&t=~",
    );
    assertEquals(url, "https://a.example/x?q=a%20b&flag&t=~&key=k");
  });

  for (const header of ["X Key", "", "X:Key", "Schlüssel"]) {
    it(`refuses a header that is not a valid name: ${header}`, () => {
      assertEquals(
        assertThrows(() => new ApiKeyAuth("k", { header }), UnexpectedValueError).option,
        "header",
      );
    });
  }
});
