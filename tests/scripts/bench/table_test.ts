/** Tests of the table that `deno task bench` prints. */
import { assertEquals, describe, it } from "#test";
import { benchTable, measurementsIn } from "../../../scripts/bench/table.ts";

describe("measurementsIn", () => {
  it("reads JSON lines and ignores other lines", () => {
    const output = [
      "a benchmark of something",
      '{"name":"get","ns":1234.5,"ratio":1.2}',
      '{"name":"new","ns":12}',
      '{"name":"no figure"}',
      "{ broken",
    ].join("\n");
    assertEquals(measurementsIn(output), [
      { name: "get", ns: 1234.5, ratio: 1.2 },
      { name: "new", ns: 12 },
    ]);
  });
});

describe("benchTable", () => {
  it("has a row for each name and a column for each runtime", () => {
    const table = benchTable([
      { runtime: "deno 2", measurements: [{ name: "get", ns: 1234.5, ratio: 1.2 }] },
      { runtime: "bun 1", measurements: [{ name: "get", ns: 900 }, { name: "new", ns: 12 }] },
    ]);
    assertEquals(table.split("\n"), [
      "             deno 2    bun 1",
      "get  1235 ns (1.20)   900 ns",
      "new               -  12.0 ns",
    ]);
  });
});
