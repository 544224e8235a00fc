/** Tests of `asResponse` of the promise of a call. */
import process from "node:process";
import { assertEquals, assertRejects, it } from "#test";
import { type APISession, NotFoundError, type SessionOptions } from "../../mod.ts";
import { SessionStateError } from "../../src/entries/errors.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

function answer(body: string): () => Response {
  return () => new Response(body, { headers: { "content-type": "application/json" } });
}

/** A response whose body stays open after its first chunk. */
function open(): Response {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      pulls++ === 0
        ? controller.enqueue(new TextEncoder().encode("first"))
        : new Promise<void>(() => {}),
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "x-total": "9" } });
}

describeGenerations("asResponse", ({ Session }) => {
  function start(
    answers: readonly Answer[],
    SessionClass: new (options: SessionOptions) => APISession = Session,
  ) {
    const fetch = scripted(...answers);
    const quiet = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
    return { api: new SessionClass({ url: "https://api.example.com", fetch, ...quiet }), fetch };
  }

  for (const timeout of [null, 5]) {
    it(`returns the response when its headers are there, timeout ${timeout}`, async () => {
      const { api } = start([open]);
      const response = await api.get("x", { convJson: true, timeout }).asResponse();
      assertEquals([response.headers.get("x-total"), response.bodyUsed], ["9", false]);
      const reader = response.body!.getReader();
      assertEquals(new TextDecoder().decode((await reader.read()).value), "first");
      await reader.cancel();
    });
  }

  it("returns the responses of raw calls, and after map", async () => {
    const { api } = start([answer("[1]")]);
    assertEquals(await (await api.get("x").asResponse()).text(), "[1]");
    const mapped = api.get("x", { convJson: true }).map(() => {
      throw new Error("the result is not converted");
    });
    assertEquals(await (await mapped.asResponse()).text(), "[1]");
  });

  it("throws errors by status, and retries", async () => {
    const { api, fetch } = start([503, 404]);
    const call = api.get("x", { convJson: true });
    await assertRejects(() => call.asResponse(), NotFoundError);
    assertEquals(fetch.calls.length, 2);
  });

  it("returns a response that can be read if the result has been awaited", async () => {
    const { api } = start([answer("[1]")]);
    const call = api.get("x", { convJson: true });
    assertEquals(await call, [1]);
    assertEquals(await (await call.asResponse()).text(), "[1]");
  });

  it("makes the promise of the call reject, without an unhandled rejection", async () => {
    const { api } = start([answer("[1]")]);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      await api.get("x", { convJson: true }).asResponse();
      await turn();
      assertEquals(unhandled, []);
    } finally {
      process.off("unhandledRejection", note);
    }
    const call = api.get("x", { convJson: true });
    await call.asResponse();
    const error = await assertRejects(() => call, SessionStateError);
    assertEquals(
      error.message,
      "asResponse() has taken the response: use its result instead of the promise of the call",
    );
  });

  it("returns the response of the hook for success statuses", async () => {
    class Checked extends Session {
      protected override _respErrorCheck(): Response {
        return new Response("other");
      }
    }
    const { api } = start([open], Checked);
    const response = await api.get("x", { convJson: true }).asResponse();
    assertEquals(await response.text(), "other");
  });
});
