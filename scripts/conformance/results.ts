/** Groups the comparisons of all cases, and compares the groups with docs/project/reliability.md. */
import type { Comparison, Difference } from "./comparison.ts";
import { type Reason, reasonFor, REASONS } from "./reasons.ts";

/** The rows of the table that are not differences. */
const SAME = "As the specification requires";
const OPEN = "The specification allows both";
const ALL = "All cases";

/** The comparisons of an edition, in groups. */
export interface Results {
  /** The number of cases in each row of the table. */
  readonly counts: ReadonlyMap<string, number>;
  /** The differences that each reason explains. */
  readonly explained: ReadonlyMap<Reason, readonly Difference[]>;
  /** The differences without a reason. */
  readonly unexplained: readonly Difference[];
}

/** Groups the comparisons of an edition. */
export function groupResults(comparisons: readonly Comparison[]): Results {
  const explained = new Map<Reason, Difference[]>(REASONS.map((reason) => [reason, []]));
  const unexplained: Difference[] = [];
  for (const comparison of comparisons) {
    if (typeof comparison === "string") continue;
    const reason = reasonFor(comparison);
    (reason === undefined ? unexplained : explained.get(reason)!).push(comparison);
  }
  const numberOf = (kind: Comparison) => comparisons.filter((each) => each === kind).length;
  const counts = new Map([
    [ALL, comparisons.length],
    [SAME, numberOf("same")],
    [OPEN, numberOf("open")],
    ...[...explained].map(([{ text }, each]) => [text, each.length] as const),
  ]);
  return { counts, explained, unexplained };
}

/** Returns the lines to print for an edition. With `verbose`, all ids of differences follow. */
export function resultLines(
  { counts, explained, unexplained }: Results,
  verbose: boolean,
): string[] {
  const idsOf = new Map(
    [...explained].map(([{ text }, all]) => [text, all.map(({ of }) => of.id)] as const),
  );
  return [
    ...[...counts].flatMap(([row, count]) => [
      `  ${String(count).padStart(5)}  ${row}`,
      ...(verbose ? idsOf.get(row) ?? [] : []).map((id) => `         ${id}`),
    ]),
    ...unexplained.map(({ of, kind, actual, expected }) =>
      `  no reason: ${of.id} (${of.type}, ${of.path}): ${kind}: ${actual}` +
      (expected === undefined ? "" : `; expected ${expected}`)
    ),
  ];
}

/**
 * Returns the problems of an edition's results: differences without a reason, reasons without a
 * difference, and rows of the page's table with another number.
 *
 * @param results The results
 * @param page The text of docs/project/reliability.md
 * @param column The heading of the edition's column in the table
 */
export function resultProblems(results: Results, page: string, column: string): string[] {
  const { counts, explained, unexplained } = results;
  const written = readTable(page, column);
  return [
    ...unexplained.map(({ of }) => `${of.id}: no reason in reasons.ts explains the difference`),
    ...[...explained].filter(([, all]) => all.length === 0)
      .map(([{ text }]) => `"${text}" explains no difference: remove it from reasons.ts`),
    ...[...counts].filter(([row, count]) => written.get(row) !== count)
      .map(([row, count]) =>
        `docs/project/reliability.md should have ${count} for "${row}", but has ${written.get(row)}`
      ),
    ...[...written.keys()].filter((row) => !counts.has(row))
      .map((row) =>
        `docs/project/reliability.md has the row "${row}", which is not in the results`
      ),
  ];
}

/** Reads a column of the page's table of cases. */
function readTable(page: string, column: string): Map<string, number> {
  const lines = page.split("\n").map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  const heading = lines.findIndex(([first]) => first === "cases");
  const index = lines[heading]?.indexOf(column) ?? -1;
  const rows = new Map<string, number>();
  for (let row = heading + 2; heading >= 0 && (lines[row]?.length ?? 0) > 0; row++) {
    const [name = "", ...cells] = lines[row]!;
    rows.set(name, Number((cells[index - 1] ?? "").replaceAll(",", "")));
  }
  return rows;
}
