import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { AbortScope, delay } from "../../src/http/abort.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describe("the wait before a retry", () => {
  it("ends after the seconds, and not earlier", async () => {
    const clock = fakeClock();
    let isOver = false;
    const wait = delay(2.5, clock, undefined).then(() => void (isOver = true));
    await clock.advance(2.49);
    await Promise.resolve();
    assertEquals(isOver, false);
    await clock.advance(0.01);
    await wait;
    assertEquals([clock.waits, clock.pending], [[2.5], 0]);
  });

  it("sets no timer for 0 seconds", async () => {
    const clock = fakeClock();
    await delay(0, clock, undefined);
    assertEquals(clock.waits, []);
  });

  it("ends at once when the caller's signal aborts, with its reason, and leaves no timer", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const scope = new AbortScope([controller.signal], undefined, clock);
    const wait = delay(3600, clock, scope);
    const reason = new Error("changed my mind");
    controller.abort(reason);
    assert(await assertRejects(() => wait) === reason);
    assertEquals(clock.pending, 0);
  });

  it("ends at the deadline", async () => {
    const clock = fakeClock();
    const scope = new AbortScope([], 5, clock);
    const failed = assertRejects(() => delay(3600, clock, scope), Error);
    await clock.advance(5);
    assertEquals((await failed).name, "DeadlineExceededError");
    assertEquals(clock.pending, 0);
  });

  it("cannot be interrupted after its end", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const scope = new AbortScope([controller.signal], undefined, clock);
    const wait = delay(1, clock, scope);
    await clock.advance(1);
    await wait;
    // If no work is in progress, settle() removes the listener at once.
    let removed = 0;
    const { removeEventListener } = controller.signal;
    controller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      removed++;
      removeEventListener.apply(controller.signal, args);
    };
    scope.settle();
    assertEquals(removed, 1);
  });

  it("is interrupted at once if the call was aborted before", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const scope = new AbortScope([controller.signal], undefined, clock);
    controller.abort("changed my mind");
    assertEquals(await assertRejects(() => delay(3600, clock, scope)), "changed my mind");
    assertEquals(clock.pending, 0);
  });
});

describeGenerations("the wait of a session or client before a retry", ({ Session }) => {
  it("ends at once if the logger aborts the call", async () => {
    const controller = new AbortController();
    const log = recordingLogger();
    const session = new Session({
      url: "https://a.example",
      adapter: scripted(503),
      clock: fakeClock(),
      logger: { ...log, warn: () => controller.abort("changed my mind") },
    });
    const call = session.get("x", { signal: controller.signal });
    // The clock stands still, so that a wait would never end.
    const state = await call.then(() => "done", () => "ended");
    assertEquals(state, "ended");
  });
});
