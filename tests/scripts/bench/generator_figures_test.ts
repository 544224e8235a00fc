/** Tests of the table of `deno task bench --generate`, and of the programs that it measures. */
import { assertEquals, assertThrows, describe, it } from "#test";
import {
  contenders,
  OWN,
  TEN,
  tenCalls,
  tenCallsOfParts,
} from "../../../bench/generators/contenders.ts";
import {
  countOperations,
  type GeneratorFigures,
  generatorTable,
  median,
  usageIn,
} from "../../../scripts/bench/generator_figures.ts";

const use = (seconds: number) => ({ seconds, cpu: 2 * seconds, megabytes: 100 * seconds });

describe("usageIn", () => {
  it("takes the longest time, the sum of the processors and the largest memory", () => {
    const text = '{"seconds":1,"cpu":0.5,"megabytes":90}\n{"seconds":3,"cpu":2,"megabytes":80}\n';
    assertEquals(usageIn(text), { seconds: 3, cpu: 2.5, megabytes: 90 });
  });

  it("throws if no process wrote a line", () => {
    assertThrows(() => usageIn("\n"), Error, "did not write its usage");
  });
});

describe("median", () => {
  it("does not depend on the order", () => {
    assertEquals(median([30, 4, 5]), 5);
    assertEquals(median([2, 1]), 2);
  });
});

describe("countOperations", () => {
  it("counts methods, and not the other keys of a path", () => {
    const paths = { "/": { get: {}, put: {}, parameters: [] }, "/a": { summary: "a" } };
    assertEquals(countOperations({ paths }), 2);
  });
});

describe("generatorTable", () => {
  const figures: readonly GeneratorFigures[] = [
    {
      name: "own",
      runs: [use(1), use(2), use(4)],
      operations: 9,
      found: 9,
      compilers: [use(2), use(2), use(2)],
      errors: 0,
      sizes: { ten: [2000, 500], all: [3000, 1500], parts: [1500, 100] },
    },
    {
      name: "other",
      runs: [use(1.5), use(3), use(6)],
      operations: 9,
      found: 7,
      compilers: [use(1), use(1), use(1)],
      errors: 3,
      sizes: undefined,
    },
  ];

  it("has a row for each generator, with ratios by round", () => {
    const rows = generatorTable(figures).split("\n").map((line) => line.split(" | "));
    assertEquals(rows[2], [
      ...["| own", "2.00 s", "1.00", "4.00 s", "200 MB", "0 of 9", "0", "2.00 s", "1.00"],
      ...["2.0 kB, 0.5 kB without", "3.0 kB, 1.5 kB without |"],
    ]);
    assertEquals(rows[3], [
      ...["| other", "3.00 s", "1.50", "6.00 s", "300 MB", "2 of 9", "3", "1.00 s", "0.50"],
      ...["only types", "only types |"],
    ]);
  });

  it("tells the size of a client with few classes below the rows", () => {
    assertEquals(
      generatorTable(figures).split("\n").at(-1)!.endsWith("1.5 kB, 0.1 kB without."),
      true,
    );
  });
});

describe("tenCalls", () => {
  it("imports each name once, and makes each call by its name", () => {
    const own = tenCalls(contenders.find(({ name }) => name === OWN)!.use!);
    assertEquals(own.split("\n")[0], 'import { GitHub } from "./mod.ts";');
    assertEquals(own.includes("client.issues.createComment()"), true);
    const redocly = tenCalls(contenders.find(({ name }) => name === "redocly")!.use!);
    assertEquals(redocly.includes("() => issues_create_comment(),"), true);
    const orval = tenCalls(contenders.find(({ name }) => name === "orval")!.use!);
    assertEquals(orval.match(/\bissuesCreateComment\b/g)?.length, 2);
  });
});

describe("tenCallsOfParts", () => {
  it("has a field for each tag of the ten operations", () => {
    const program = tenCallsOfParts();
    const tags = new Set(TEN.map((operationId) => operationId.split("/")[0]));
    assertEquals(program.match(/ = new \w+\(this\);/g)?.length, tags.size);
    assertEquals(program.match(/\(\) => client\./g)?.length, TEN.length);
  });
});
