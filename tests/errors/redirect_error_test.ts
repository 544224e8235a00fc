import { inspect } from "node:util";
import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { APISession, type RequestOptions, RestwrightError } from "../../mod.ts";
import { RedirectError } from "../../src/entries/errors.ts";
import { redirectTo } from "../support/exchanging.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

function start(...answers: readonly Answer[]) {
  const adapter = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const session = new APISession({
    url: "https://a.example",
    adapter,
    adapterPath: "https://",
    clock,
    logger: recordingLogger(),
  });
  return { adapter, clock, session };
}

describe("a redirect that cannot be followed", () => {
  it("is a RestwrightError with the status of the redirect", () => {
    const error = new RedirectError("more than 30 redirects", 302);
    assertInstanceOf(error, RestwrightError);
    assertEquals([error.name, error.message, error.status], [
      "RedirectError",
      "more than 30 redirects",
      302,
    ]);
    const json = JSON.parse(JSON.stringify(error));
    assertEquals([json.name, json.message, json.status], [error.name, error.message, 302]);
  });

  const cases: readonly (readonly [string, string, RequestOptions])[] = [
    ["too many", "https://a.example/t0ken", {}],
    ["a target that is not a URL", "https://t0ken:99999999", {}],
    ["a target that is not an http URL", "javascript:t0ken", {}],
    ["a body that can be read once", "/t0ken", { content: new Response("t0ken").body! }],
  ];
  for (const [fault, location, options] of cases) {
    // contract: http-9
    it(`throws without a wait or a retry, and does not show the target: ${fault}`, async () => {
      const { session, adapter, clock } = start(() => redirectTo(location, 307));
      const error = await assertRejects(
        () => session.post("x?pin=t0ken", { ...options, redactFields: ["pin"] }),
        RedirectError,
      );
      assertEquals(error.status, 307);
      assertEquals(adapter.calls.length, fault === "too many" ? 31 : 1);
      assertEquals(clock.waits, []);
      assertEquals(error.request, { method: "POST", url: "https://a.example/x?pin=REDACTED" });
      assert(error.message.endsWith(": POST https://a.example/x?pin=REDACTED"), error.message);
      const shown = inspect(error, { depth: 20 }) + JSON.stringify(error);
      assert(!shown.includes("t0ken"), shown);
    });
  }
});
