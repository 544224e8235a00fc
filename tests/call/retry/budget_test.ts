import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { APISession, type SessionOptions, TransportError } from "../../../mod.ts";
import { ServiceUnavailableError } from "../../../src/entries/errors.ts";
import { HttpSession, type Transport } from "../../../src/http/mod.ts";
import { RetryBudget } from "../../../src/call/retry/budget.ts";
import { fakeClock } from "../../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../../support/scripted.ts";

/** Takes tokens until none are left, and returns the number of retries. */
function used(budget: RetryBudget, isTimeout = false): number {
  let retries = 0;
  while (budget.take(isTimeout) !== undefined) retries++;
  return retries;
}

describe("RetryBudget", () => {
  it("has tokens for 100 retries, or for 50 after timeouts", () => {
    assertEquals([used(new RetryBudget()), used(new RetryBudget(), true)], [100, 50]);
  });

  it("gets one token after a success without a retry, else those of the last retry", () => {
    const budget = new RetryBudget();
    used(budget);
    for (let calls = 0; calls < 9; calls++) budget.refund();
    assertEquals(used(budget), 1); // of 9 tokens, 4 are left
    budget.refund(10);
    assertEquals(used(budget, true), 1);
  });

  it("never has more tokens than at the beginning", () => {
    const budget = new RetryBudget();
    for (let calls = 0; calls < 100; calls++) budget.refund(10);
    assertEquals(used(budget), 100);
  });
});

function start(adapter: Transport, options: SessionOptions = {}) {
  const clock = fakeClock({ autoAdvance: true });
  return new APISession({
    url: "https://api.example.com",
    adapter,
    clock,
    logger: recordingLogger(),
    retryBudget: true,
    backoff: 0,
    finalWait: false,
    ...options,
  });
}

/** Makes calls that fail until the budget of a session is used up, and returns the last error. */
async function exhaust(session: APISession): Promise<Error> {
  for (;;) {
    const error: Error = await session.get("x").then(
      () => new Error("no failure"),
      (error) => error,
    );
    if (!/\(after|failed/.test(error.message) || error.message.includes("not retried")) {
      return error;
    }
  }
}

describe("the option retryBudget", () => {
  const lost = new TransportError("lost", { kind: "reset" });

  it("ends the retries of all calls of a session after a hundred", async () => {
    const transport = scripted(503);
    const session = start(transport, { retries: 9 });
    const error = await exhaust(session);
    assert(error instanceof ServiceUnavailableError);
    const note = "(not retried: retryBudget is used up, because too many requests fail)";
    assertStringIncludes(error.message, note);
    assertEquals(error.message.split("not retried").length, 2);
    // 11 calls with 9 retries each, and one with a single retry.
    assertEquals(transport.calls.length, 12 + 100);
    await assertRejects(() => session.get("x"), ServiceUnavailableError, note);
    assertEquals(transport.calls.length, 12 + 100 + 1);
  });

  it("counts calls that fail at the same time", async () => {
    const transport = scripted(503);
    const session = start(transport, { retries: 1 });
    const calls = Array.from({ length: 150 }, () => session.get("x"));
    const outcomes = await Promise.allSettled(calls);
    assert(outcomes.every(({ status }) => status === "rejected"));
    assertEquals(transport.calls.length, 150 + 100);
  });

  it("a retry after a timeout costs twice as much as another one", async () => {
    const timeout = new TransportError("no data", { kind: "timeout" });
    const slow = scripted(timeout);
    await exhaust(start(slow, { retries: 9 }));
    assertEquals(slow.calls.length, 6 + 50);
    const broken = scripted(lost);
    await exhaust(start(broken, { retries: 9 }));
    assertEquals(broken.calls.length, 12 + 100);
  });

  it("successes return tokens", async () => {
    let answers: Answer[] = [];
    const transport: Transport = (url, init) => scripted(answers.shift() ?? 503)(url, init);
    const session = start(transport);
    const retries = async () => {
      const error = await assertRejects(() => session.get("x"), ServiceUnavailableError);
      return error.retries;
    };
    await exhaust(session);
    assertEquals(await retries(), 0);
    answers = [200, 200, 200, 200];
    for (let calls = 0; calls < 4; calls++) await session.get("x");
    assertEquals(await retries(), 0);
    answers = [200];
    await session.get("x");
    assertEquals(await retries(), 1);
    answers = [200, 200, 200, 200, 200, 503, 200];
    for (let calls = 0; calls < 6; calls++) await session.get("x");
    // The last success has given back the five tokens of its retry.
    assertEquals(await retries(), 1);
  });

  it("is shared by the sessions of one HTTP session, and by copies", async () => {
    const transport = scripted(503);
    const http = new HttpSession();
    const one = start(transport, { session: http });
    const other = start(transport, { session: http });
    await exhaust(one);
    const sharing = [other, one.withOptions({ timeout: 5 })];
    for (const session of sharing) {
      await assertRejects(
        () => session.get("x"),
        ServiceUnavailableError,
        "retryBudget is used up",
      );
    }
    transport.calls.length = 0;
    await assertRejects(() => start(transport).get("x"), ServiceUnavailableError);
    assertEquals(transport.calls.length, 4);
  });

  it("does not concern calls without the option", async () => {
    const transport = scripted(503);
    const session = start(transport);
    await exhaust(session);
    transport.calls.length = 0;
    await assertRejects(() => session.get("x", { retryBudget: false }), ServiceUnavailableError);
    assertEquals(transport.calls.length, 4);
  });

  it("is not touched by errors that are not retried", async () => {
    const transport = scripted(404);
    const session = start(transport);
    for (let calls = 0; calls < 200; calls++) await session.get("x").catch(() => {});
    const busy = scripted(503);
    await session.get("x", { adapters: { "https://": busy } }).catch(() => {});
    assertEquals(busy.calls.length, 4);
  });

  it("takes no tokens for a retry that does not happen", async () => {
    const transport = scripted(503);
    const session = start(transport, { backoff: 5, deadline: 1 });
    for (let calls = 0; calls < 200; calls++) {
      const error = await assertRejects(() => session.get("x"), ServiceUnavailableError);
      assertStringIncludes(error.message, "would exceed the deadline");
    }
  });

  it("is not overruled by a hook", async () => {
    class Stubborn extends APISession {
      protected override _shouldRetry(): boolean {
        return true;
      }
    }
    const session = new Stubborn({
      url: "https://api.example.com",
      adapter: scripted(503),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retryBudget: true,
      backoff: 0,
    });
    const error = await exhaust(session);
    assertEquals(error.message.split("retryBudget is used up").length, 2);
  });
});
