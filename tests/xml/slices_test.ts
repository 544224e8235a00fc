import { assert, assertEquals, describe, it } from "#test";
import { slicesOf } from "../../src/xml/slices.ts";

const LENGTH = 16 * 1024;

async function sliced(...chunks: string[]): Promise<string[]> {
  async function* source(): AsyncGenerator<string> {
    yield* chunks;
  }
  return await Array.fromAsync(slicesOf(source()));
}

describe("slices of a text", () => {
  it("have 16 KiB each, and the last one has the rest", async () => {
    const slices = await sliced("x".repeat(2 * LENGTH + 1));
    assertEquals(slices.map(({ length }) => length), [LENGTH, LENGTH, 1]);
  });

  it("are the chunks themselves if those are shorter", async () => {
    assertEquals(await sliced("<a>", "", "b", "</a>"), ["<a>", "b", "</a>"]);
  });

  for (
    const [name, sign] of [["surrogate pair", "\u{1f600}"], ["]", "]"], ["-", "-"], ["?", "?"]]
  ) {
    it(`do not end within or after: ${name}`, async () => {
      for (let before = LENGTH - 3; before <= LENGTH; before++) {
        const text = "x".repeat(before) + sign!.repeat(3) + "x".repeat(LENGTH);
        const slices = await sliced(text);
        assertEquals(slices.join(""), text);
        assert(slices.length >= 2 && slices.every((slice) => /[x\ude00]$/.test(slice)));
      }
    });
  }

  it("move such characters from the end of a chunk to the next slice", async () => {
    assertEquals(await sliced("a]", "]", "-", "b", "?"), ["a", "]]-b", "?"]);
  });
});
