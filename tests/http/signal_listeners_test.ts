import { assertEquals, assertThrows, describe, it } from "#test";
import { listen, unlisten } from "../../src/http/abort.ts";

describe("the listeners of an abort signal", () => {
  it("each receive the reason once, even if one of them throws", () => {
    const received: unknown[] = [];
    let notify: (event: object) => void = () => {};
    const signal = {
      reason: "enough",
      addEventListener: (_: string, listener: (event: object) => void) => void (notify = listener),
      removeEventListener() {},
    } as unknown as AbortSignal;
    listen(signal, (reason) => received.push(["first", reason]));
    listen(signal, () => {
      throw new Error("mine");
    });
    listen(signal, (reason) => received.push(["last", reason]));
    // The runtime reports an error that a listener throws.
    assertThrows(() => notify({ target: signal }), Error, "mine");
    assertEquals(received, [["first", "enough"], ["last", "enough"]]);
  });

  it("are not called after they were removed, and can be removed before they were added", () => {
    const controller = new AbortController();
    const received: unknown[] = [];
    const [one, two] = [(reason: unknown) => received.push([1, reason]), () => received.push(2)];
    unlisten(controller.signal, one);
    listen(controller.signal, one);
    listen(controller.signal, two);
    unlisten(controller.signal, two);
    controller.abort("enough");
    unlisten(controller.signal, one);
    assertEquals(received, [[1, "enough"]]);
  });
});
