import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  type AuthenticatedOptions,
  AuthenticatedSession,
} from "../../examples/authenticated_session.ts";
import { UnauthorizedError } from "../../mod.ts";
import type { TransportInit } from "../../src/http/mod.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

/** Starts a session with an API that records its requests and checks the password. */
function start(options: AuthenticatedOptions) {
  const seen: { request: string; key: string | null; token: string | null; body: unknown }[] = [];
  const adapter = (url: string, init: TransportInit) => {
    const headers = new Headers(init.headers);
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    seen.push({
      request: `${init.method} ${new URL(url).pathname}`,
      key: headers.get("x-api-key"),
      token: headers.get("x-session-token"),
      body,
    });
    const isLogin = init.method === "POST" && url.endsWith("/auth");
    if (!isLogin) return Promise.resolve(new Response(null, { status: 204 }));
    return Promise.resolve(
      body.password === "countess"
        ? Response.json({ token: "t-1" })
        : new Response(null, { status: 401 }),
    );
  };
  const logger = recordingLogger();
  const url = "https://a.example";
  return { seen, logger, session: new AuthenticatedSession({ url, adapter, logger, ...options }) };
}

const ada = { username: "ada", password: "countess" };

describe("the example subclass of the contract", () => {
  it("sends an API key with every call, in the header X-API-Key", async () => {
    const { seen, session } = start({ apiKey: "k-1" });
    await session.get("a");
    await session.post("b", { json: 1 });
    assertEquals(seen.map(({ request, key }) => [request, key]), [
      ["GET /a", "k-1"],
      ["POST /b", "k-1"],
    ]);
  });

  // contract: auth-rule-4
  it("rule 4: an API key wins over username and password when both are set", async () => {
    const { seen, session } = start({ apiKey: "k-1", ...ada });
    await session.get("a");
    await session.close();
    assertEquals(seen.map(({ request, key, token }) => [request, key, token]), [
      ["GET /a", "k-1", null],
    ]);
  });

  it("sends a POST to an auth path with a JSON body of username and password to log in", async () => {
    const { seen, session } = start(ada);
    await session.ready;
    assertEquals(seen, [{ request: "POST /auth", key: null, token: null, body: ada }]);
  });

  it("sends the returned token with every call, in a header", async () => {
    const { seen, session } = start(ada);
    await session.get("a");
    await session.get("b");
    assertEquals(seen.slice(1).map(({ request, token }) => [request, token]), [
      ["GET /a", "t-1"],
      ["GET /b", "t-1"],
    ]);
  });

  it("rule 2: leaving the context sends the logout request, and clears the header", async () => {
    const { seen, session } = start(ada);
    await session.get("a");
    await session[Symbol.asyncDispose]();
    assertEquals(seen.at(-1)?.request, "DELETE /auth");
    assertEquals(seen.at(-1)?.token, "t-1");
    assertEquals(session.httpSession.headers.get("X-Session-Token"), undefined);
  });

  // contract: auth-rule-3
  it("rule 3: with neither it logs a warning that the session starts unauthenticated", async () => {
    for (const options of [{}, { username: "ada" }, { password: "countess" }]) {
      const { seen, logger, session } = start(options);
      await session.get("a");
      await session.close();
      assertEquals(logger.messages("warn").length, 1);
      assert(logger.messages("warn")[0]!.includes("starts unauthenticated"));
      assertEquals(seen.map(({ request }) => request), ["GET /a"]);
    }
  });

  it("logs no warning with a key or a login", async () => {
    for (const options of [{ apiKey: "k-1" }, ada]) {
      const { logger, session } = start(options);
      await session.ready;
      assertEquals(logger.messages("warn"), []);
    }
  });

  it("rejects with UnauthorizedError for a wrong password, and does not log out", async () => {
    const { seen, logger, session } = start({ ...ada, password: "wrong" });
    await assertRejects(() => session.ready, UnauthorizedError);
    await assertRejects(() => session.get("a"), UnauthorizedError);
    await session.close();
    assertEquals(seen.map(({ request }) => request), ["POST /auth"]);
    assert(!logger.messages().join("\n").includes("wrong"));
  });

  it("logs neither password nor token", async () => {
    const { logger, session } = start(ada);
    await session.get("a");
    await session.close();
    assert(logger.messages("debug").length === 3, logger.messages().join("\n"));
    assert(!/countess|t-1/.test(logger.messages().join("\n")), logger.messages().join("\n"));
  });
});
