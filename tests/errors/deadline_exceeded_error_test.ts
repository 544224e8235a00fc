import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { APISession, DeadlineExceededError } from "../../mod.ts";
import { ServiceUnavailableError } from "../../src/entries/errors.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describe("the error for an exceeded deadline", () => {
  it("shows the deadline in seconds", () => {
    const error = new DeadlineExceededError(1.5);
    assertEquals(error.deadline, 1.5);
    assertEquals(error.message, "the call took longer than its deadline of 1.5 s");
    assert(!("cause" in error));
  });

  it("has the error of the last failed attempt as its cause", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const transport = scripted(503, () => new Promise(() => {}));
    const session = new APISession({
      url: "https://api.example.com",
      adapter: transport,
      logger: recordingLogger(),
      clock,
      backoff: 2,
      deadline: 5,
    });
    const error = await assertRejects(() => session.get("x"), DeadlineExceededError);
    assertEquals(error.deadline, 5);
    assertInstanceOf(error.cause, ServiceUnavailableError);
    assertEquals(error.cause.retries, 0);
    assertEquals(transport.calls.length, 2);
    assertEquals(clock.pending, 0);
  });
});
