import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APIError, APISession, type SessionOptions } from "../../mod.ts";
import { ApiKeyAuth } from "../../src/auth/mod.ts";
import { withProperties } from "../../src/http/response.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

const url = "https://a.example";

/** Creates a redirect. */
function redirectTo(location: string, status = 302): Response {
  return new Response(null, { status, headers: { location } });
}

/** Starts a session that gets these answers for all hosts. */
function start(answers: readonly Answer[], options: Partial<SessionOptions> = {}) {
  const adapter = scripted(...answers);
  return new APISession({
    url,
    adapter,
    adapterPath: "https://",
    logger: recordingLogger(),
    retries: 0,
    clock: fakeClock({ autoAdvance: true }),
    ...options,
  });
}

describe("the URL of an error", () => {
  it("is that of the request if there was no redirect", async () => {
    const session = start([404]);
    const options = { params: { token: "t0ken", page: 2 }, redactFields: ["token"] };
    const error = await assertRejects(() => session.get("x", options), APIError);
    assertEquals(error.url, "https://a.example/x?token=REDACTED&page=2");
    assertEquals(error.url, error.request?.url);
  });

  it("is the URL that answered after redirects, while the request stays the first", async () => {
    const session = start([redirectTo("/y"), redirectTo("https://b.example/z?page=2", 303), 404]);
    const error = await assertRejects(() => session.post("x", { json: {} }), APIError);
    assertEquals(error.url, "https://b.example/z?page=2");
    assertEquals(error.request, { method: "POST", url: "https://a.example/x" });
    assertEquals(JSON.parse(JSON.stringify(error)).url, error.url);
    assertEquals(
      error.message,
      "404: POST https://a.example/x (redirected to https://b.example/z?…)",
    );
  });

  it("has no credentials, redacted fields and fragment", async () => {
    const target = "https://ada:hunter2@b.example/z?token=t0ken&page=2#part";
    const session = start([redirectTo(target), 404], { redactFields: ["token"] });
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals(error.url, "https://b.example/z?token=REDACTED&page=2");
  });

  it("has no query if the path of the call is restricted", async () => {
    class Vault extends APISession {
      static override readonly restrictedPaths: readonly string[] = ["login"];
    }
    const adapter = scripted(redirectTo("/y?pin=t0ken"), 404);
    const session = new Vault({ url, adapter, logger: recordingLogger() });
    const error = await assertRejects(() => session.post("login"), APIError);
    assertEquals(error.url, "https://a.example/y?REDACTED");
  });

  it("does not show a key that a scheme adds to the query, also if the server repeats it", async () => {
    const key = "k-123/4=";
    const sent = `api_key=${encodeURIComponent(key)}`;
    for (const answers of [[404], [redirectTo(`/y?again=${encodeURIComponent(key)}`), 404]]) {
      const session = start(answers.map((answer) => () => {
        const response = typeof answer === "number"
          ? new Response(null, { status: answer })
          : answer;
        return Promise.resolve(withProperties(response, { url: `${url}/y?${sent}` }));
      }));
      session.httpSession.auth = new ApiKeyAuth(key, { query: "api_key" });
      const error = await assertRejects(() => session.get("x"), APIError);
      const shown = JSON.stringify(error);
      assert(!/k-123/.test(shown), shown);
    }
  });

  it("is that of the response without its query if the caller creates the error", () => {
    const from = (url: string, details = {}) =>
      new APIError(withProperties(new Response(null, { status: 404 }), { url }), details).url;
    assertEquals(from("https://ada:hunter2@b.example/z?token=t0ken#part"), "https://b.example/z");
    assertEquals(from("https://b.example/z", { url: "https://c.example" }), "https://c.example");
    assertEquals([from(""), from("no URL")], [undefined, undefined]);
  });
});
