/** Parses and formats the reports of the fault matrix. */

/** The report of one runtime. */
export interface FaultReport {
  /** The number of faults. */
  faults: number;
  /** The number of cases for each route to the server. */
  counts: Readonly<Record<string, number>>;
  /** The cases that failed, with the reasons. */
  failed: readonly string[];
  /** Seconds of time and of processor time. */
  seconds: number;
  cpu: number;
}

/** Finds the report in the output of a runtime; undefined if there is none. */
export function faultReport(output: string): FaultReport | undefined {
  const line = output.split("\n").find((each) => each.startsWith('{"faults":'));
  return line === undefined ? undefined : JSON.parse(line);
}

/** Formats the line of a runtime: `bun 1.4.5  159 faults, 7632 direct: 7632 passed, 0 failed …`. */
export function faultsLine(
  runtime: string,
  { faults, counts, failed, seconds, cpu }: FaultReport,
): string {
  const routes = Object.entries(counts).filter(([, count]) => count > 0);
  const all = routes.reduce((sum, [, count]) => sum + count, 0);
  return [
    `${runtime.padEnd(14)} ${faults} faults`,
    `${routes.map(([route, count]) => `${count} ${route}`).join(" + ")} = ${all} cases`,
    `${all - failed.length} passed`,
    `${failed.length} ${failed.length > 0 ? "FAILED" : "failed"}`,
    `${seconds.toFixed(0)} s (${cpu.toFixed(0)} s of processor time)`,
  ].join(", ");
}
