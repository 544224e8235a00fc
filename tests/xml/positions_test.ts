import { assertEquals, describe, it } from "#test";
import { Positions } from "../../src/xml/positions.ts";

describe("lines and columns of a text in chunks", () => {
  const text = "one\ntwo\n\nfour";
  const places: readonly (readonly [offset: number, line: number, column: number])[] = [
    [0, 1, 1],
    [2, 1, 3],
    [3, 1, 4],
    [4, 2, 1],
    [7, 2, 4],
    [8, 3, 1],
    [9, 4, 1],
    [12, 4, 4],
    [13, 4, 5],
  ];
  for (const size of [1, 2, 3, 5, 100]) {
    it(`are found in chunks of ${size}`, () => {
      const positions = new Positions();
      for (let index = 0; index < text.length; index += size) {
        positions.add(text.slice(index, index + size));
      }
      assertEquals(positions.end, text.length);
      for (const [offset, line, column] of places) {
        assertEquals(positions.at(offset), { line, column });
      }
    });
  }

  it("are still counted correctly after chunks were released", () => {
    const positions = new Positions();
    positions.add("one\ntw");
    positions.add("o\n\nf");
    positions.forget();
    positions.add("our");
    assertEquals(positions.at(12), { line: 4, column: 4 });
    assertEquals(positions.at(0), { line: 2, column: 3 });
  });

  it("start at 1 if the text is empty", () => {
    assertEquals(new Positions().at(7), { line: 1, column: 1 });
  });
});
