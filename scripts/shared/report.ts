/** Formats the lines and details that tasks print about their checks. */
import { type ChildResult, succeeded } from "./child.ts";

/** Formats the line of a check. */
export function checkLine(name: string, result: ChildResult): string {
  const outcome = succeeded(result) ? "passed" : "FAILED";
  return `  ${name.padEnd(34)} ${outcome} ${seconds(result.seconds)}`;
}

/** Formats the line of a judge that could not run. */
export function notJudgedLine(name: string, reason: string): string {
  return `  ${name.padEnd(34)} NOT JUDGED: ${reason}`;
}

/** Formats the output of a failed check. */
export function checkDetails(name: string, result: ChildResult): string {
  const exit = result.trouble ?? `exited with ${result.code}`;
  return section(`${name} ${exit}`, lastLines(result.output, 120));
}

/** Formats a text below its title, indented. */
export function section(title: string, text: string): string {
  const indented = text.trimEnd().split("\n").map((line) => `    ${line}`.trimEnd());
  return [`--- ${title}`, ...indented, ""].join("\n");
}

/** Returns the first lines of a text, and the number of the others. */
export function firstLines(text: string, count: number): string {
  const lines = text.split("\n");
  if (lines.length <= count) return text;
  return [...lines.slice(0, count), `(and ${lines.length - count} more lines)`].join("\n");
}

/** Returns the last lines of a text, and the number of the others. */
export function lastLines(text: string, count: number): string {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= count) return lines.join("\n");
  return [`(after ${lines.length - count} other lines)`, ...lines.slice(-count)].join("\n");
}

/** Formats a time in seconds for the column of times. */
export function seconds(value: number): string {
  return `${value.toFixed(1)} s`.padStart(8);
}
