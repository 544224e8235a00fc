/** The lines that the command prints. Nothing of a document reaches a terminal unescaped. */
import type { Problem } from "../base/problems.ts";
import type { Report } from "../report.ts";
import type { IgnoredSetting } from "../read/settings.ts";

/** The surroundings of the command. */
export interface CommandIo {
  /** The folder in which a configuration is looked for. Default: the current one */
  readonly folder?: string | undefined;
  /** Reads the standard input to its end. */
  readonly readInput: () => Promise<string>;
  /** Prints a line of the result. */
  readonly print: (line: string) => void;
  /** Prints a line about problems or progress. */
  readonly printError: (line: string) => void;
}

/**
 * Returns a text as one line without characters that control a terminal, change the direction of
 * text or cannot be seen.
 */
export function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Returns the line of a problem: its place, what is wrong, and what was done. */
export function problemLine({ file, line, column, pointer, message, action }: Problem): string {
  return shown(`${file}:${line}:${column} ${pointer}: ${message} (${action})`);
}

/** Returns the lines with the settings that have no effect: those that the client lacks come first. */
export function ignoredLines(file: string, ignored: readonly IgnoredSetting[]): string[] {
  const line = (text: string, lost: IgnoredSetting["lost"]): string[] => {
    const keys = ignored.filter((each) => each.lost === lost).map(({ key }) => key);
    return keys.length === 0 ? [] : [shown(`${file}: ${text}: ${keys.join(", ")}`)];
  };
  return [
    ...line("the client does not have", "client"),
    ...line("settings that concern other things", "nothing"),
  ];
}

/** Returns the lines with the operations that a list of methods does not name, and its unknown types. */
export function leftOutLines(
  file: string,
  { leftOut, missingTypes }: Pick<Report, "leftOut" | "missingTypes">,
): string[] {
  const line = (text: string, names: readonly string[]) =>
    names.length === 0 ? [] : [shown(`${file}: ${text}: ${names.join(", ")}`)];
  return [
    ...line("no methods are made of operations that it does not name", leftOut),
    ...line("types whose schemas were not found", missingTypes),
  ];
}

/** The numbers of files that a run wrote, kept and deleted. */
export interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly deleted: number;
}

/** Returns the last line of a run: operations, types, files, problems by kind. */
export function summaryLine(report: Report, files: FileCounts, isDryRun: boolean): string {
  const { operations, types, tests, problems, problemsByKind } = report;
  const would = isDryRun ? "to be " : "";
  const changes = [
    ...(files.written > 0 ? [`${files.written} ${would}written`] : []),
    ...(files.deleted > 0 ? [`${files.deleted} ${would}deleted`] : []),
    ...(files.unchanged > 0 ? [`${files.unchanged} unchanged`] : []),
  ];
  const kinds = Object.entries(problemsByKind).map(([kind, count]) => `${count} ${kind}`);
  return [
    counted(operations, "operation"),
    counted(types, "type"),
    ...(tests > 0 ? [counted(tests, "test")] : []),
    `${counted(report.files, "file")} (${changes.join(", ")})`,
    problems.length === 0
      ? "no problems"
      : `${counted(problems.length, "problem")} (${kinds.join(", ")})`,
  ].join(", ");
}

/** Returns a number with a noun: `1 file`, `1,223 operations`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
