import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import type { Comparison, Difference } from "../../../scripts/conformance/comparison.ts";
import { REASONS } from "../../../scripts/conformance/reasons.ts";
import { groupResults, resultLines, resultProblems } from "../../../scripts/conformance/results.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const explained: Difference = {
  of: {
    id: "one-1",
    type: "not-wf",
    path: "one/1.xml",
    outputPath: undefined,
    needsExternals: false,
    isFifthEdition: true,
    allowsNamespaces: true,
  },
  kind: "accepted",
  document: new TextEncoder().encode("<?xml version='1.1'?><a/>"),
  actual: "<a></a>",
};
const unexplained: Difference = {
  ...explained,
  of: { ...explained.of, id: "one-2", path: "one/2.xml" },
  document: new TextEncoder().encode("<a>&</a>"),
};
const [xml11, ...others] = REASONS.map(({ text }) => text);

/** Writes the table of a page, with a column for each edition. */
function tableOf(rows: Readonly<Record<string, readonly [npm: number | string, jsr: number]>>) {
  return [
    "| cases | npm | jsr |",
    "| ----- | --- | --- |",
    ...Object.entries(rows).map(([row, [npm, jsr]]) => `| ${row} | ${npm} | ${jsr} |`),
    "",
    "| another | table |",
  ].join("\n");
}

const comparisons: readonly Comparison[] = [
  ...Array.from({ length: 1200 }, () => "same" as const),
  "open",
  explained,
];
const page = tableOf({
  "All cases": ["1,202", 1202],
  "As the specification requires": ["1,200", 1199],
  "The specification allows both": [1, 1],
  [xml11!]: [1, 2],
  ...Object.fromEntries(others.map((text) => [text, [0, 0]])),
});

describe("the results of an edition", () => {
  it("are printed in groups, with all ids if they are wanted", () => {
    const results = groupResults(comparisons);
    const groups = [
      "   1202  All cases",
      "   1200  As the specification requires",
      "      1  The specification allows both",
      `      1  ${xml11}`,
    ];
    const rest = others.map((text) => `      0  ${text}`);

    assertEquals(resultLines(results, false), [...groups, ...rest]);
    assertEquals(resultLines(results, true), [...groups, "         one-1", ...rest]);
  });

  it("have a problem for a difference without a reason, which is printed", () => {
    const content: Difference = { ...unexplained, kind: "content", expected: "<b></b>" };
    const results = groupResults([...comparisons, unexplained, content]);

    assertEquals(resultLines(results, false).slice(-2), [
      "  no reason: one-2 (not-wf, one/2.xml): accepted: <a></a>",
      "  no reason: one-2 (not-wf, one/2.xml): content: <a></a>; expected <b></b>",
    ]);
    const problems = resultProblems(results, page, "npm");
    assertEquals(problems[0], "one-2: no reason in reasons.ts explains the difference");
  });

  it("have a problem for each reason that explains nothing", () => {
    assertEquals(
      resultProblems(groupResults(comparisons), page, "npm"),
      others.map((text) => `"${text}" explains no difference: remove it from reasons.ts`),
    );
  });

  it("have a problem for each number that the page does not have", () => {
    const problems = resultProblems(groupResults(comparisons), page, "jsr");
    assertEquals(problems.slice(others.length), [
      'docs/project/reliability.md should have 1200 for "As the specification requires", but has 1199',
      `docs/project/reliability.md should have 1 for "${xml11}", but has 2`,
    ]);
  });

  it("have a problem for each row that the page has too much or too little", () => {
    const wrong = page.replace("| The specification allows both", "| Something else");
    const problems = resultProblems(groupResults(comparisons), wrong, "npm");
    assertEquals(problems.slice(others.length), [
      'docs/project/reliability.md should have 1 for "The specification allows both", but has undefined',
      'docs/project/reliability.md has the row "Something else", which is not in the results',
    ]);
    assert(resultProblems(groupResults(comparisons), "", "npm").length > others.length + 4);
  });
});

describe("the page reliability", () => {
  it("has a row for each reason, and as many cases as all rows together", () => {
    const text = readFileSync(new URL("docs/project/reliability.md", sourceRoot()), "utf8");
    const rows = [...text.matchAll(/^\| (\S.*?) +\| ([\d,]+) +\| ([\d,]+) +\|$/gm)];
    const numbers = rows.map(([, , npm, jsr]) =>
      [npm, jsr].map((cell) => Number(cell!.replace(",", "")))
    );

    assertEquals(rows.map(([, row]) => row), [
      "All cases",
      "As the specification requires",
      "The specification allows both",
      ...REASONS.map((reason) => reason.text),
    ]);
    for (const column of [0, 1]) {
      const [all, ...parts] = numbers.map((cells) => cells[column]!);
      assertEquals(parts.reduce((sum, part) => sum + part, 0), all);
    }
  });
});
