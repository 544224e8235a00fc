/** The measurements that files in bench/ print, and the table made of them. */

/** One line of a benchmark's output, as JSON. */
export interface Measurement {
  name: string;
  /** Nanoseconds a call. */
  ns: number;
  /** Against what the benchmark compares with, where it does. */
  ratio?: number;
}

/** What a benchmark printed on one runtime. */
export interface Column {
  runtime: string;
  measurements: readonly Measurement[];
}

/** The measurements in an output; lines that are something else are passed over. */
export function measurementsIn(output: string): Measurement[] {
  return output.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      const { name, ns, ratio } = JSON.parse(line);
      if (typeof name !== "string" || typeof ns !== "number") return [];
      return [typeof ratio === "number" ? { name, ns, ratio } : { name, ns }];
    } catch {
      return [];
    }
  });
}

/** A row for each name, a column for each runtime: `1234 ns (1.20)`. */
export function benchTable(columns: readonly Column[]): string {
  const names = [
    ...new Set(columns.flatMap(({ measurements }) => measurements.map((m) => m.name))),
  ];
  const rows = [
    ["", ...columns.map(({ runtime }) => runtime)],
    ...names.map((name) => [
      name,
      ...columns.map(({ measurements }) => cell(measurements.find((m) => m.name === name))),
    ]),
  ];
  const widths = rows[0]!.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
  return rows.map((row) =>
    row.map((text, index) =>
      index === 0 ? text.padEnd(widths[index]!) : text.padStart(widths[index]!)
    ).join("  ").trimEnd()
  ).join("\n");
}

function cell(measurement: Measurement | undefined): string {
  if (measurement === undefined) return "-";
  const ratio = measurement.ratio === undefined ? "" : ` (${measurement.ratio.toFixed(2)})`;
  return `${measurement.ns.toFixed(measurement.ns < 100 ? 1 : 0)} ns${ratio}`;
}
