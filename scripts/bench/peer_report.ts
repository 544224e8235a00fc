/** Parses what the files in bench/peers/ print, and formats it as tables and as a chart. */
import { chart, chartBar, escapeText } from "../shared/chart.ts";

/** One contender in one row. */
export interface Comparison {
  readonly row: string;
  readonly contender: string;
  /** Nanoseconds per call, or per import. */
  readonly ns?: number;
  /** Bytes per call. */
  readonly bytes?: number;
  /** The figure divided by that of the row's first contender. */
  readonly ratio: number;
}

/** The comparisons on one runtime. */
export interface PeerColumn {
  readonly runtime: string;
  readonly comparisons: readonly Comparison[];
}

/** Parses the comparisons in an output. Other lines are an error, because a figure would be missing. */
export function comparisonsIn(output: string): Comparison[] {
  return output.split("\n").filter((line) => line !== "").map((line) => {
    const { row, contender, ns, bytes, ratio } = JSON.parse(line);
    if (
      typeof row !== "string" || typeof contender !== "string" ||
      typeof ratio !== "number"
    ) {
      throw new Error(`not a comparison: ${line}`);
    }
    return {
      row,
      contender,
      ratio,
      ...(ns === undefined ? { bytes } : { ns }),
    };
  });
}

/** Formats a table per runtime, with a line per row and the ratio of each contender. */
export function peerTables(columns: readonly PeerColumn[]): string {
  return columns.map(({ runtime, comparisons }) => {
    const rows = [...new Set(comparisons.map(({ row }) => row))];
    const lines = rows.map((row) => {
      const own = comparisons.filter((each) => each.row === row);
      const cells = own.map(({ contender, ratio }) => `${contender} ${ratio.toFixed(2)}`);
      return `  ${row} (${figure(own[0]!)}): ${cells.join(", ")}`;
    });
    return [runtime, ...lines].join("\n");
  }).join("\n\n");
}

function figure({ ns, bytes = 0 }: Comparison): string {
  if (ns === undefined) return bytes > 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${bytes} bytes`;
  return ns > 1e8 ? `${(ns / 1e9).toFixed(2)} s` : `${(ns / 1000).toFixed(1)} µs`;
}

/** The rows of imports, by figure. */
export const IMPORT_ROWS = { cpu: "import CPU", time: "import" } as const;

/** Reports if a comparison is of calls, and not of imports. */
function isCall({ row }: Comparison): boolean {
  return row !== IMPORT_ROWS.cpu && row !== IMPORT_ROWS.time;
}

/**
 * Formats the imports as a Markdown table: a line for each module.
 *
 * @param comparisons The comparisons on one runtime. Those of calls are left out.
 * @param title The title of the first column
 */
export function importTable(comparisons: readonly Comparison[], title = "import of"): string {
  const of = (figure: keyof typeof IMPORT_ROWS) =>
    comparisons.filter(({ row }) => row === IMPORT_ROWS[figure]);
  const times = new Map(of("time").map((each) => [each.contender, each]));
  const cell = (each: Comparison | undefined) => `${((each?.ns ?? 0) / 1e6).toFixed(0)} ms`;
  return [
    `| ${title} | CPU | time |`,
    "| --- | --- | --- |",
    ...of("cpu").map((each) =>
      `| \`${each.contender}\` | ${cell(each)} | ${cell(times.get(each.contender))} |`
    ),
  ].join("\n");
}

/**
 * Formats a Markdown table for each runtime: a line for each row, with the figure of the first
 * contender, and the ratio of each.
 */
export function peerMarkdown(columns: readonly PeerColumn[]): string {
  return columns.map(({ runtime, comparisons }) =>
    [
      `### ${runtime}`,
      "",
      comparisonTable(comparisons.filter(isCall)),
      "",
      importTable(comparisons),
    ].join("\n")
  ).join("\n\n");
}

/** Formats a Markdown table for each runtime, without headings. */
export function weightTables(columns: readonly PeerColumn[]): string {
  return columns.map(({ runtime, comparisons }) => comparisonTable(comparisons, runtime))
    .join("\n\n");
}

function comparisonTable(comparisons: readonly Comparison[], title = ""): string {
  const contenders = [...new Set(comparisons.map(({ contender }) => contender))];
  const rows = [...new Set(comparisons.map(({ row }) => row))];
  const lines = rows.map((row) => {
    const own = comparisons.filter((each) => each.row === row);
    const cells = contenders.map((name) =>
      own.find(({ contender }) => contender === name)?.ratio.toFixed(2) ?? ""
    );
    return `| ${[row, figure(own[0]!), ...cells].join(" | ")} |`;
  });
  const head = [title, "", ...contenders];
  return [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...lines,
  ].join("\n");
}

/**
 * Replaces a part of a page.
 *
 * @param part The name of the part, which its first and last line have
 * @throws {Error} If the page does not have both lines
 */
export function withFigures(page: string, part: string, figures: string): string {
  const first = `<!-- ${part}: written by the benchmark -->`;
  const last = `<!-- end of the ${part} -->`;
  const [before, rest] = page.split(first);
  const after = rest?.split(last)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no part ${part}`);
  return `${before}${first}\n\n${figures}\n\n${last}${after}`;
}

/** The most that a call of the toolkit may take in the short form, divided by that of ofetch. */
const MOST = 3;

/** Returns a line for each row in which the toolkit is far slower than ofetch. */
export function slowRows({ runtime, comparisons }: PeerColumn): string[] {
  const rows = [...new Set(comparisons.map(({ row }) => row))];
  const lines = rows.flatMap((row) => {
    const ratioOf = (name: string) =>
      comparisons.find((each) => each.row === row && each.contender === name)?.ratio;
    const [own, other] = [ratioOf("restwright"), ratioOf("ofetch")];
    if (own === undefined || other === undefined) return [`${runtime}: ${row} was not measured`];
    const factor = (own / other).toFixed(2);
    return own > MOST * other ? [`${runtime}: ${row} takes ${factor} times as long as ofetch`] : [];
  });
  return lines.length === 0 && rows.length === 0 ? [`${runtime}: nothing was measured`] : lines;
}

/**
 * Draws the ratios of one row as bars, a group per runtime. The chart has no background of its own,
 * and grey text, so that it can be read on light and dark pages.
 */
export function peerChart(
  columns: readonly PeerColumn[],
  row: string,
  date: string,
): string {
  const [left, width, bar, gap] = [150, 420, 16, 34];
  const groups = columns.map(({ runtime, comparisons }) => ({
    runtime,
    bars: comparisons.filter((each) => each.row === row),
  }));
  const most = Math.log2(
    Math.max(...groups.flatMap(({ bars }) => bars.map((each) => each.ratio))),
  );
  const parts: string[] = [];
  let y = 44;
  for (const { runtime, bars } of groups) {
    parts.push(
      `<text x="8" y="${y + 12}" font-weight="bold">${escapeText(runtime)}</text>`,
    );
    y += 22;
    for (const { contender, ratio } of bars) {
      // The scale is logarithmic: the slowest clients take more than ten times as long.
      const length = Math.max(
        2,
        Math.round(Math.log2(Math.max(ratio, 1)) / most * width),
      );
      const isOwn = contender === "restwright";
      parts.push(
        ...chartBar({ name: contender, figure: ratio.toFixed(2), length, isOwn }, left, y),
      );
      y += bar;
    }
    y += gap - bar;
  }
  const title =
    `${row}: time of a call divided by that of fetch by hand, on a stub, logarithmic (${date})`;
  return chart(title, y, parts);
}
