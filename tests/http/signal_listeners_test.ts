import { assertEquals, assertThrows, describe, it } from "#test";
import { listen, unlisten } from "../../src/http/abort.ts";

describe("who listens to a signal", () => {
  it("is told the reason once, each of them, also where one of them fails", () => {
    const told: unknown[] = [];
    let tell: (event: object) => void = () => {};
    const signal = {
      reason: "enough",
      addEventListener: (_: string, listener: (event: object) => void) => void (tell = listener),
      removeEventListener() {},
    } as unknown as AbortSignal;
    listen(signal, (reason) => told.push(["first", reason]));
    listen(signal, () => {
      throw new Error("mine");
    });
    listen(signal, (reason) => told.push(["last", reason]));
    // What a listener raises is reported by the runtime.
    assertThrows(() => tell({ target: signal }), Error, "mine");
    assertEquals(told, [["first", "enough"], ["last", "enough"]]);
  });

  it("is not told any more when it has gone, nor where it never listened", () => {
    const controller = new AbortController();
    const told: unknown[] = [];
    const [one, two] = [(reason: unknown) => told.push([1, reason]), () => told.push(2)];
    unlisten(controller.signal, one);
    listen(controller.signal, one);
    listen(controller.signal, two);
    unlisten(controller.signal, two);
    controller.abort("enough");
    unlisten(controller.signal, one);
    assertEquals(told, [[1, "enough"]]);
  });
});
