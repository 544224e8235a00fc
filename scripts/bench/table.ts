/** Parses the measurements that the files in bench/ print, and formats them as a table. */

/** One line of a benchmark's output, which is a JSON object. */
export interface Measurement {
  name: string;
  /** Nanoseconds per call. */
  ns: number;
  /** The time divided by that of the benchmark's baseline. Missing if there is no baseline. */
  ratio?: number;
}

/** A column of the table: the measurements of all benchmarks on one runtime. */
export interface Column {
  runtime: string;
  measurements: readonly Measurement[];
}

/** Parses the measurements in an output. Lines that are not measurements are skipped. */
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

/** Formats a table with a row per name and a column per runtime. A cell is `1234 ns (1.20)`. */
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
