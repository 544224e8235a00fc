import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../mod.ts";
import { inParts } from "../../src/files/mod.ts";

const encoder = new TextEncoder();
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Returns a stream of texts, and the number of those that were read so far. */
function counted(...texts: readonly string[]) {
  const state = { read: 0, isClosed: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (const text of texts) {
        state.read++;
        yield encoder.encode(text);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { stream: chunks(), state };
}

describe("content in parts", () => {
  const cases: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
    ["a last part that is shorter", ["abcde"], 2, ["ab", "cd", "e"]],
    ["a multiple of the size", ["abcd"], 2, ["ab", "cd"]],
    ["chunks that are shorter than a part", ["a", "", "bc", "d", "e"], 4, ["abcd", "e"]],
    ["chunks that end within parts", ["abc", "defgh"], 2, ["ab", "cd", "ef", "gh"]],
    ["less than a part", ["abc"], 10, ["abc"]],
    ["exactly a part", ["abc"], 3, ["abc"]],
    ["nothing", [], 3, [""]],
    ["chunks without bytes", ["", ""], 3, [""]],
  ];
  for (const [what, chunks, size, expected] of cases) {
    it(`is cut by size: ${what}`, async () => {
      const parts = await Array.fromAsync(inParts(counted(...chunks).stream, size));
      assertEquals(parts.map(({ bytes }) => textOf(bytes)), expected);
      assertEquals(
        parts.map(({ index, start, isLast }) => [index, start, isLast]),
        expected.map((_, index) => [index, index * size, index === expected.length - 1]),
      );
    });
  }

  const contents = {
    text: "abcde",
    bytes: encoder.encode("abcde"),
    buffer: encoder.encode("abcde").buffer,
    blob: new Blob(["abcde"]),
    stream: new Blob(["abcde"]).stream(),
    "function that opens a stream": () => counted("abc", "de").stream,
  };
  for (const [kind, content] of Object.entries(contents)) {
    it(`is read from a ${kind}`, async () => {
      const parts = await Array.fromAsync(inParts(content, 4));
      assertEquals(parts.map(({ bytes }) => textOf(bytes)), ["abcd", "e"]);
    });
  }

  it("is read only as far as needed, and closed when the loop ends early", async () => {
    const { stream, state } = counted("ab", "cd", "ef", "gh");
    for await (const { bytes } of inParts(stream, 2)) {
      assertEquals(textOf(bytes), "ab");
      break;
    }
    assertEquals(state, { read: 2, isClosed: true });
  });

  it("keeps parts when the next ones are read", async () => {
    const parts = await Array.fromAsync(inParts("abcdef", 3));
    parts[1]!.bytes.fill(0);
    assertEquals(textOf(parts[0]!.bytes), "abc");
  });

  it("is copied from a stream that uses its buffer again for each chunk", async () => {
    async function* reusing(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(3);
      for (const text of ["AAA", "BBB", "CCC", "DDD"]) {
        encoder.encodeInto(text, buffer);
        yield buffer;
      }
    }
    const cut = async (size: number) =>
      (await Array.fromAsync(inParts(reusing(), size))).map(({ bytes }) => textOf(bytes));
    assertEquals(await cut(5), ["AAABB", "BCCCD", "DD"]);
    assertEquals(await cut(3), ["AAA", "BBB", "CCC", "DDD"]);
    assertEquals(await cut(2), ["AA", "AB", "BB", "CC", "CD", "DD"]);
  });

  describe("with a signal", () => {
    it("ends with its reason while the stream sends nothing, and closes the stream", async () => {
      const waiting = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<unknown>();
      const stream = new ReadableStream<Uint8Array>({
        pull: () => (waiting.resolve(), new Promise<void>(() => {})),
        cancel: closed.resolve,
      });
      const stop = new AbortController();
      const read = Array.fromAsync(inParts(stream, 3, { signal: stop.signal }));
      await waiting.promise;
      stop.abort("enough");
      assertEquals(await read.catch((reason: unknown) => reason), "enough");
      await closed.promise;
    });

    it("ends with its reason while a generator waits", async () => {
      const waiting = Promise.withResolvers<void>();
      async function* stalled(): AsyncGenerator<Uint8Array> {
        yield encoder.encode("ab");
        waiting.resolve();
        await new Promise(() => {});
      }
      const stop = new AbortController();
      const read = Array.fromAsync(inParts(stalled(), 3, { signal: stop.signal }));
      await waiting.promise;
      stop.abort("enough");
      assertEquals(await read.catch((reason: unknown) => reason), "enough");
    });

    it("reads nothing if it is aborted, and closes the stream", async () => {
      const { stream, state } = counted("ab");
      const read = Array.fromAsync(inParts(stream, 3, { signal: AbortSignal.abort("no") }));
      assertEquals(await read.catch((reason: unknown) => reason), "no");
      assertEquals(state.read, 0);
    });

    it("yields all parts if it is not aborted, and throws the error of the stream", async () => {
      const { signal } = new AbortController();
      const { stream, state } = counted("ab", "cd");
      assertEquals((await Array.fromAsync(inParts(stream, 3, { signal }))).length, 2);
      assert(state.isClosed);
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield encoder.encode("ab");
        throw new Error("cut");
      }
      await assertRejects(() => Array.fromAsync(inParts(broken(), 1, { signal })), Error, "cut");
    });

    it("refuses another value and an unknown option", () => {
      for (const options of [{ signal: 7 as never }, { sinal: null }]) {
        assertThrows(() => inParts("abc", 3, options), UnexpectedValueError);
      }
    });
  });

  it("has to be bytes", async () => {
    async function* texts() {
      yield "text" as never;
    }
    await assertRejects(() => Array.fromAsync(inParts(texts(), 3)), UnexpectedValueError);
    const error = assertThrows(() => inParts(7 as never, 3), UnexpectedValueError);
    assertEquals(error.option, "content");
  });

  for (const size of [0, -1, 1.5, NaN, Infinity, "3"]) {
    it(`refuses a size of ${size}`, () => {
      const error = assertThrows(() => inParts("abc", size as number), UnexpectedValueError);
      assert(error.option === "size" && error.message.includes("above 0"), error.message);
    });
  }
});
