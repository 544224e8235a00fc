/** Writes the figures of the simulation as a table for the page on retries, and as a picture. */
import { CAPACITY, OUTAGE, type Recovery } from "./simulation.ts";

/** The figures of a strategy, with cheap and with expensive refusals. */
export interface StrategyFigures {
  readonly cheap: Recovery;
  /** Seconds from the return of the server until all have succeeded, if a refusal is expensive. */
  readonly expensiveSeconds: number;
}

/** The comments around the table. */
export const TABLE_START = "<!-- figures: written by deno task recovery -->";
export const TABLE_END = "<!-- end of the figures -->";

const count = (value: number) => value.toLocaleString("en");

/** Returns the table, in the form that `deno fmt` gives it. */
export function recoveryTable(figures: readonly StrategyFigures[]): string {
  const rows = [
    [
      "strategy",
      "all succeed after",
      "expensive refusals",
      "peak",
      "wasted requests",
      "failed calls",
    ],
    ...figures.map(({ cheap, expensiveSeconds }) => [
      cheap.name,
      `${cheap.seconds} s`,
      `${expensiveSeconds} s`,
      count(cheap.peak),
      count(cheap.wasted),
      count(cheap.failedCalls),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = rows.map(line);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [head, rule, ...body].join("\n");
}

/** Replaces the table of a page. */
export function withTable(page: string, table: string): string {
  const start = page.indexOf(TABLE_START);
  const end = page.indexOf(TABLE_END, start);
  if (start < 0 || end < 0) throw new Error(`the page has no ${TABLE_START}`);
  return `${page.slice(0, start)}${TABLE_START}\n\n${table}\n\n${page.slice(end)}`;
}

const WIDTH = 640;
const PANEL = 96;
const LEFT = 48;
const TOP = 40;
/** The height of the highest bar, which stands for this many requests. Higher ones are cut. */
const BAR = 56;
const HIGHEST = 1000;
/** The seconds that are shown. */
const SECONDS = 100;

/** Draws the requests of each second, one panel for each strategy. */
export function recoveryChart(figures: readonly StrategyFigures[]): string {
  const column = (WIDTH - LEFT - 12) / SECONDS;
  const x = (second: number) => (LEFT + second * column).toFixed(1);
  const height = TOP + figures.length * PANEL + 12;
  const title = "Requests in each second: 1,000 clients, and a server that fails for 30 s";
  const panels = figures.flatMap(({ cheap: { name, load, seconds } }, panel) => {
    const base = TOP + panel * PANEL + 24 + BAR;
    const y = (requests: number) => base - Math.min(requests, HIGHEST) / HIGHEST * BAR;
    const bars = load.slice(0, SECONDS).map((requests, second) => {
      const top = y(requests);
      const color = second < OUTAGE ? "#94a3b8" : "#0f766e";
      return `<rect x="${x(second)}" y="${top.toFixed(1)}" width="${(column - 0.8).toFixed(1)}" ` +
        `height="${(base - top).toFixed(1)}" fill="${color}"/>`;
    });
    const end = x(OUTAGE + seconds);
    const label = `all after ${seconds} s`;
    const isLate = OUTAGE + seconds > 0.8 * SECONDS;
    return [
      `<text x="${LEFT}" y="${base - BAR - 8}" font-weight="bold">${escaped(name)}</text>`,
      `<rect x="${LEFT}" y="${base - BAR}" width="${
        (OUTAGE * column).toFixed(1)
      }" height="${BAR}" ` +
      `fill="#ef4444" fill-opacity="0.12"/>`,
      ...bars,
      `<path d="M${LEFT} ${base}H${WIDTH - 12}" stroke="#94a3b8"/>`,
      `<path d="M${LEFT} ${y(CAPACITY)}H${WIDTH - 12}" stroke="#b45309" stroke-dasharray="3 3"/>`,
      `<path d="M${end} ${base - BAR}V${base}" stroke="#64748b"/>`,
      isLate
        ? `<text x="${Number(end) - 4}" y="${base - BAR + 12}" text-anchor="end">${label}</text>`
        : `<text x="${Number(end) + 4}" y="${base - BAR + 12}">${label}</text>`,
      `<text x="${LEFT - 6}" y="${base - BAR + 9}" text-anchor="end">${count(HIGHEST)}</text>`,
      `<text x="${LEFT - 6}" y="${base}" text-anchor="end">0</text>`,
      ...[0, 30, 60, 90].map((second) =>
        `<text x="${x(second)}" y="${base + 13}" font-size="10">${second} s</text>`
      ),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" ` +
    `viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" ` +
    `fill="#64748b" role="img">`,
    `<title>${title}</title>`,
    `<text x="8" y="18" font-size="14">${title}</text>`,
    `<text x="8" y="34" font-size="10">red: the server fails; dashed: the ${CAPACITY} requests that ` +
    `it answers in a second</text>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
