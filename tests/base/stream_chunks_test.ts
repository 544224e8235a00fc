import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { streamChunks } from "../../src/base/stream_chunks.ts";

/** Returns a stream of texts that ends, or fails with an error. */
function streamOf(texts: readonly string[], error?: Error): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(text);
      if (error === undefined) controller.close();
    },
    pull: (controller) => controller.error(error),
  });
}

describe("the chunks of a stream", () => {
  it("are read to its end, which releases the lock", async () => {
    const stream = streamOf(["a", "b"]);
    const chunks = streamChunks(stream);
    assert(stream.locked);
    assertEquals(await Array.fromAsync(chunks), ["a", "b"]);
    assert(!stream.locked);
    assertEquals(await chunks.next(), { done: true, value: undefined });
  });

  it("end with the error of the stream, which releases the lock", async () => {
    const error = new Error("lost");
    const stream = streamOf(["a"], error);
    const chunks = streamChunks(stream);
    assertEquals(await chunks.next(), { done: false, value: "a" });
    assertEquals(await assertRejects(() => chunks.next()), error);
    assert(!stream.locked);
    assertEquals(await chunks.next(), { done: true, value: undefined });
  });

  it("cancel the stream and release the lock if the loop ends early, also while a chunk is awaited", async () => {
    for (const texts of [["a"], []]) {
      let isCancelled = false;
      const stream = new ReadableStream<string>({
        start: (controller) => texts.forEach((text) => controller.enqueue(text)),
        cancel: () => void (isCancelled = true),
      });
      const chunks = streamChunks(stream);
      const first = chunks.next();
      assertEquals(await chunks.return!(), { done: true, value: undefined });
      assertEquals((await first).value, texts[0]);
      assertEquals([isCancelled, stream.locked], [true, false]);
    }
  });
});
