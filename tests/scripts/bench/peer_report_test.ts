/** Tests of the tables and the chart of `deno task bench --peers`. */
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import {
  comparisonsIn,
  peerChart,
  peerMarkdown,
  peerTables,
  slowRows,
  weightTables,
  withFigures,
} from "../../../scripts/bench/peer_report.ts";

const output = [
  '{"row":"GET JSON","contender":"fetch by hand","ns":2000,"ratio":1}',
  '{"row":"GET JSON","contender":"restwright","ns":3000,"ratio":1.5}',
  '{"row":"bytes allocated: GET JSON","contender":"fetch by hand","bytes":9000,"ratio":1}',
  "",
].join("\n");

describe("comparisonsIn", () => {
  it("reads each line, with nanoseconds or bytes", () => {
    assertEquals(
      comparisonsIn(output).map(({ contender, ns, bytes }) => [contender, ns ?? bytes]),
      [
        ["fetch by hand", 2000],
        ["restwright", 3000],
        ["fetch by hand", 9000],
      ],
    );
  });

  it("throws for any other line, because a figure would be missing", () => {
    assertThrows(() => comparisonsIn("a warning"), SyntaxError);
    assertThrows(() => comparisonsIn('{"row":"GET JSON"}'), Error, "not a comparison");
  });
});

describe("peerTables", () => {
  it("has a line for each row, with the baseline's figure and all ratios", () => {
    const tables = peerTables([{ runtime: "node 24", comparisons: comparisonsIn(output) }]);

    assertEquals(tables.split("\n"), [
      "node 24",
      "  GET JSON (2.0 µs): fetch by hand 1.00, restwright 1.50",
      "  bytes allocated: GET JSON (9000 bytes): fetch by hand 1.00",
    ]);
  });
});

describe("peerMarkdown", () => {
  it("has a row for each row, a column for each contender, and a table of imports", () => {
    const more = '{"row":"import","contender":"ky","ns":4000000,"ratio":1}\n' +
      '{"row":"import CPU","contender":"ky","ns":6000000,"ratio":1}\n';
    const columns = [{ runtime: "node 24", comparisons: comparisonsIn(output + more) }];

    assertEquals(peerMarkdown(columns).split("\n"), [
      "### node 24",
      "",
      "|  |  | fetch by hand | restwright |",
      "| --- | --- | --- | --- |",
      "| GET JSON | 2.0 µs | 1.00 | 1.50 |",
      "| bytes allocated: GET JSON | 9000 bytes | 1.00 |  |",
      "",
      "| import of | CPU | time |",
      "| --- | --- | --- |",
      "| `ky` | 6 ms | 4 ms |",
    ]);
  });
});

describe("weightTables", () => {
  it("has a table for each runtime, with bytes, megabytes and seconds", () => {
    const lines = [
      '{"row":"an idle client","contender":"restwright","bytes":1200,"ratio":1}',
      '{"row":"JSON","contender":"fetch by hand","ns":1250000000,"ratio":1}',
      '{"row":"most memory: JSON","contender":"fetch by hand","bytes":250000000,"ratio":1}',
    ].join("\n");
    const tables = weightTables([{ runtime: "node 24", comparisons: comparisonsIn(lines) }]);

    assertEquals(tables.split("\n"), [
      "| node 24 |  | restwright | fetch by hand |",
      "| --- | --- | --- | --- |",
      "| an idle client | 1200 bytes | 1.00 |  |",
      "| JSON | 1.25 s |  | 1.00 |",
      "| most memory: JSON | 250 MB |  | 1.00 |",
    ]);
  });
});

describe("withFigures", () => {
  it("replaces one part of a page", () => {
    const part = (name: string, text: string) =>
      `<!-- ${name}: written by the benchmark -->\n${text}\n<!-- end of the ${name} -->`;
    const page = `before\n${part("figures", "old")}\n${part("weights", "kept")}\nafter`;
    assertEquals(
      withFigures(page, "figures", "new"),
      `before\n${part("figures", "\nnew\n")}\n${part("weights", "kept")}\nafter`,
    );
    assertThrows(() => withFigures("a page", "figures", "new"), Error, "no part figures");
  });
});

describe("slowRows", () => {
  const row = (own: number, other: number) => ({
    runtime: "bun 1",
    comparisons: [
      { row: "GET JSON", contender: "restwright", ns: 1, ratio: own },
      { row: "GET JSON", contender: "ofetch", ns: 1, ratio: other },
    ],
  });

  it("finds a row that takes more than three times as long as with ofetch", () => {
    assertEquals(slowRows(row(5.9, 2)), []);
    assertEquals(slowRows(row(6.2, 2)), ["bun 1: GET JSON takes 3.10 times as long as ofetch"]);
  });

  it("finds a row that was not measured", () => {
    const { runtime, comparisons } = row(1, 1);
    assertEquals(slowRows({ runtime, comparisons: comparisons.slice(0, 1) }), [
      "bun 1: GET JSON was not measured",
    ]);
    assertEquals(slowRows({ runtime, comparisons: [] }), ["bun 1: nothing was measured"]);
  });
});

describe("peerChart", () => {
  it("draws a bar for each contender of the row", () => {
    const columns = [{ runtime: "node <24>", comparisons: comparisonsIn(output) }];
    const svg = peerChart(columns, "GET JSON", "2026-11-22");

    assertEquals(svg.match(/<rect /g)?.length, 2);
    assert(svg.includes(">node &lt;24></text>"), svg);
    assert(svg.includes(">restwright</text>") && svg.includes(">1.50</text>"), svg);
  });
});
