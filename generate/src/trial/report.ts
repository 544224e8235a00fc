/** The table of a trial, and the reasons of what differs, in groups. */
import {
  isOfClient,
  type Outcome,
  shownFile,
  type TestOutcome,
  type TypeProblem,
} from "./checks.ts";
import { isOperationTest, type Project } from "./project.ts";
import { programFile, type Side } from "./workspace.ts";

/** The results of both clients. */
export type Outcomes = Readonly<Record<Side, Outcome>>;

/** The result of a trial. */
export interface Trial {
  readonly lines: readonly string[];
  /** True if all that passes with the original passes with the generated client. */
  readonly isAsGood: boolean;
}

/** Compares the results of both clients. */
export function trialLines(
  project: Project,
  outcomes: Outcomes,
  { calls, methods }: {
    /** The calls in tests of operations. */
    readonly calls: number;
    /** The methods of the generated client, and those whose operations the document does not have. */
    readonly methods: { readonly generated: number; readonly missing: number };
  },
): Trial {
  const { original, generated } = outcomes;
  const cells = (cell: (outcome: Outcome) => string) => [cell(original), cell(generated)];
  const errors = (isIn: (file: string) => boolean) =>
    cells(({ problems }) => String(problems.filter(({ file }) => isIn(file)).length));
  const isExample = (file: string) => file.startsWith("examples/");
  const examples = project.sources.filter(isExample);
  // A part of a program compiles with no client.
  const isBroken = (file: string, { problems }: Outcome) =>
    problems.some((each) => shownFile(each.file) === shownFile(file));
  const compiled = (all: readonly string[]) => {
    const files = all.filter((file) => !isBroken(file, original));
    return cells((outcome) => {
      const count = files.filter((file) => !isBroken(file, outcome)).length;
      return `${count} of ${files.length}`;
    });
  };
  // A test that does not load with the generated client does not pass.
  const passed = (isIn: (file: string) => boolean) => {
    const all = original.tests.filter(({ file, status }) => isIn(file) && status !== "skipped");
    return cells(({ tests }) => {
      const count = tests.filter(({ file, status }) => isIn(file) && status === "passed").length;
      return `${count} of ${all.length}`;
    });
  };
  const total = methods.generated + methods.missing;
  const isOther = (file: string) => file.startsWith("tests") && !isOperationTest(file);
  const otherFiles = [...new Set(original.tests.map(({ file }) => file))].filter(isOther).sort();
  const rows: string[][] = [
    ["", "original", "generated"],
    ["methods", String(total), `${methods.generated} of ${total}`],
    ["type errors in the client itself", "–", errors(isOfClient)[1]!],
    [`type errors in ${calls} calls of tests/api-resources`, ...errors(isOperationTest)],
    ["type errors in other tests", ...errors(isOther)],
    [
      "programs of the README that compile",
      ...compiled(
        project.programs.map(programFile),
      ),
    ],
    ["examples that compile", ...compiled(examples)],
    ["tests/api-resources passed", ...passed(isOperationTest)],
    ...otherFiles.map((file) => [`${file} passed`, ...passed((each) => each === file)]),
  ];
  const reasons = [...problemLines(outcomes), ...testLines(outcomes)];
  return { lines: [...table(rows), ...reasons], isAsGood: isAsGood(outcomes) };
}

/** Reports if nothing differs but files that do not load with either client. */
function isAsGood(outcomes: Outcomes): boolean {
  const { original, generated } = outcomes;
  const known = new Set(original.unloaded.map(({ file }) => file));
  const problems = problemLines(outcomes).length > 0;
  const tests = testLines({ original, generated: { ...generated, unloaded: [] } }).length > 0;
  return !problems && !tests && generated.unloaded.every(({ file }) => known.has(file));
}

/** Returns rows as a table in Markdown, whose columns are aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
  const line = (row: readonly string[]) =>
    `| ${
      row.map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!)
      ).join(" | ")
    } |`;
  const rule = `| ${
    widths.map((width, index) => index === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)
      .join(" | ")
  } |`;
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)];
}

/** The most groups that are printed of a kind. */
const MAX_GROUPS = 30;

/** Returns the type errors that the original does not have, in groups. */
function problemLines({ original, generated }: Outcomes): string[] {
  const keyOf = ({ file, line, message }: TypeProblem) => `${file} ${line} ${message}`;
  const known = new Set(original.problems.map(keyOf));
  const own = generated.problems.filter((each) => !known.has(keyOf(each)));
  return groupLines(
    "type errors that the original does not have:",
    own.map(({ file, line, message }) => ({ message, place: `${shownFile(file)}:${line}` })),
  );
}

/** Returns the tests that pass with the original only, in groups, and the files that do not load. */
function testLines({ original, generated }: Outcomes): string[] {
  const keyOf = ({ file, name }: TestOutcome) => `${file} ${name}`;
  const passing = new Set(
    original.tests.filter(({ status }) => status === "passed").map(keyOf),
  );
  const broken = generated.tests.filter((each) =>
    each.status === "failed" && passing.has(keyOf(each))
  );
  const known = new Set(original.unloaded.map(({ file }) => file));
  const unloaded = Array.from(
    Map.groupBy(
      generated.unloaded,
      ({ file, message }) => `${known.has(file) ? ", nor with the original" : ""}: ${message}`,
    ),
    ([reason, files]) => `  ${files.map(({ file }) => file).join(", ")}${reason}`,
  );
  return [
    ...groupLines(
      "tests that pass with the original only:",
      broken.map(({ file, name, message }) => ({
        message: messageOf(message),
        place: `${file}: ${name}`,
      })),
    ),
    ...unloaded.length === 0 ? [] : ["", "files with tests that do not load:", ...unloaded],
  ];
}

/** Returns the lines of a message before the code and the stack in it. */
function messageOf(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  const end = lines.findIndex((line, at) => at > 0 && /^(?:at |>? *\d+ \|)/.test(line));
  return lines.slice(0, end === -1 ? undefined : end).join(" ").replace(/\s+/g, " ").trim();
}

/** Returns messages in groups: those that differ only in names and numbers, the largest group first. */
function groupLines(
  title: string,
  all: readonly { readonly message: string; readonly place: string }[],
): string[] {
  if (all.length === 0) return [];
  const groups = Map.groupBy(all, ({ message }) => shapeOf(message));
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length);
  const lines = sorted.slice(0, MAX_GROUPS).map((group) => {
    const [{ message, place }] = group as [typeof all[number]];
    const text = message.length > 300 ? `${message.slice(0, 300)}…` : message;
    return `  ${group.length} × ${text} (${place})`;
  });
  const left = sorted.length - lines.length;
  return ["", title, ...lines, ...left > 0 ? [`  … and ${left} others`] : []];
}

/** Returns a message without the names and numbers in it. */
function shapeOf(message: string): string {
  return message.slice(0, 1000).replace(/'[^']*'|"[^"]*"/g, "…").replace(/\d+/g, "0");
}
