/** Reads what the soak prints, and judges it. */
import type { Residue, SoakCounts } from "../../tests/support/soak/soak.ts";

/** The report of one runtime. */
export interface SoakReport {
  readonly runtime: string;
  readonly minutes: number;
  readonly date: string;
  readonly machine: string;
  readonly counts: SoakCounts;
  /** Calls whose end was wrong. */
  readonly wrong: readonly string[];
  /** The counts after each minute. */
  readonly residues: readonly Residue[];
}

/** The most that the heap may grow after the second minute. */
const GROWTH = 1.05;

/** The calls in flight. Twice as many connections may be open: faults leave some to close. */
const CONNECTIONS = 128;

/** Returns the report in the output of a runtime. */
export function readSoak(
  output: string,
  about: Pick<SoakReport, "runtime" | "minutes" | "date" | "machine">,
): SoakReport {
  return { ...about, ...JSON.parse(output.trim().split("\n").at(-1)!) };
}

/** Returns the number of calls of all kinds. */
export function allCalls({ counts: { calls } }: SoakReport): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

/** Returns the heap after the last minute, divided by that after the second. */
export function heapGrowth({ residues }: SoakReport): number {
  return residues.at(-1)!.heap / (residues[1] ?? residues[0])!.heap;
}

/** Formats the line of a runtime. */
export function soakLine(report: SoakReport): string {
  const { runtime, minutes, counts: { requests, faults, failed }, wrong } = report;
  const count = (value: number) => value.toLocaleString("en");
  return `${runtime}: ${minutes} minutes, ${count(allCalls(report))} calls, ` +
    `${count(requests)} requests, ${count(faults)} faults, ${
      count(failed)
    } calls failed by them, ` +
    `${wrong.length} wrong, heap ${heapGrowth(report).toFixed(3)} of that after the second minute`;
}

/** Returns the problems: wrong ends of calls, and what grows. */
export function soakProblems(report: SoakReport): string[] {
  const problems = [...report.wrong];
  const growth = heapGrowth(report);
  if (growth > GROWTH) {
    problems.push(`the heap grew to ${growth.toFixed(3)} of that after minute 2`);
  }
  for (const [minute, { listeners, timers, connections }] of report.residues.entries()) {
    const after = `after minute ${minute + 1}`;
    if (listeners > 0) problems.push(`${listeners} listeners are left ${after}`);
    if (timers > 0) problems.push(`${timers} timers are left ${after}`);
    if (connections > CONNECTIONS) problems.push(`${connections} connections are open ${after}`);
  }
  return problems;
}
