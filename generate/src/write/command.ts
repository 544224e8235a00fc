/** The command: reads files, calls the generator, and writes and prints what it returns. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { DocumentError, NamesError, OverridesError, ShapeError } from "../errors.ts";
import { generate, type GenerateResult } from "../generate.ts";
import { type GenerateOptions, OptionError, type Step } from "../options.ts";
import { type Arguments, HELP, readArguments, UsageError } from "./arguments.ts";
import { runDiff } from "./diff_command.ts";
import type { Report } from "../report.ts";
import { type Changes, compareFolder, FolderError, writeFolder } from "./folder.ts";
import { runInit } from "./init_command.ts";
import {
  apiListText,
  InputError,
  namedText,
  readerBeside,
  readText,
  requiredText,
} from "./input.ts";
import {
  type CommandIo,
  counted,
  ignoredLines,
  leftOutLines,
  problemLine,
  shown,
  summaryLine,
} from "./terminal.ts";

/** The characters from which on a document has a progress line. */
const LONG = 1_000_000;

/** The lines of progress. */
const STEPS: Readonly<Record<Step, string>> = {
  read: "reading",
  plan: "planning",
  print: "printing",
};

/**
 * Runs the command.
 *
 * @param args The arguments without the program's name
 * @param io The surroundings
 * @returns The exit code: 0, 1 or 2
 */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const fail = (message: string): number => {
    io.printError(`generate: ${shown(message)}`);
    return 2;
  };
  try {
    const [command, ...others] = args;
    if (command === "diff") return await runDiff(others, io);
    if (command === "init") return await runInit(others, io);
    const options = readArguments(args);
    if (options !== undefined) return await run(options, io);
    io.print(HELP);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}; --help shows the options`);
    if (isExpected(error)) return fail(error.message);
    throw error;
  }
}

/** Reports if the user's files or arguments are at fault, and not the generator. */
function isExpected(error: unknown): error is Error {
  const types = [DocumentError, NamesError, OverridesError, ShapeError, FolderError, InputError];
  if (types.some((type) => error instanceof type)) return true;
  // An option's value that the library refuses, or an error of the file system.
  return error instanceof OptionError || (error instanceof Error && "syscall" in error);
}

async function run(options: Arguments, io: CommandIo): Promise<number> {
  const { quiet, strict, check, dryRun } = options;
  const names = options.names === undefined ? undefined : await readText(options.names);
  const texts = {
    names,
    overrides: await namedText(options.overrides),
    stainless: await namedText(options.stainless),
    apiMd: await apiListText(options.apiMd),
  };
  const result = await generateFrom(options, texts, io);
  const { files, tests, report } = result;
  if (!quiet) {
    report.problems.forEach((problem) => io.printError(problemLine(problem)));
    const file = options.stainless ?? options.apiMd ?? "";
    ignoredLines(file, report.ignored).forEach((line) => io.printError(line));
    leftOutLines(file, report).forEach((line) => io.printError(line));
  }

  const changes = await compareFolder(options.out, files);
  const testChanges = options.tests === undefined
    ? undefined
    : await compareFolder(options.tests, tests, true);
  const newNames = options.names !== undefined && result.names !== names;
  // It comes first, because nothing is written if a file cannot be.
  if (options.report !== undefined) await writeReport(options.report, report);
  const isTrial = check || dryRun;
  if (isTrial) listChanges(options, [changes, testChanges], newNames, io);
  else {
    await writeFolder(changes, files);
    if (testChanges !== undefined) await writeFolder(testChanges, tests);
    if (newNames) await writeText(options.names!, result.names);
  }
  const all = [changes, ...testChanges === undefined ? [] : [testChanges]];
  const count = (kind: "added" | "changed" | "unchanged" | "stale"): number =>
    all.reduce((sum, each) => sum + each[kind].length, 0);
  const written = count("added") + count("changed");
  const deleted = count("stale");
  if (!quiet) {
    io.print(summaryLine(report, { written, unchanged: count("unchanged"), deleted }, isTrial));
  }
  const differs = written + deleted > 0 || newNames;
  return (check && differs) || (strict && report.problems.length > 0) ? 1 : 0;
}

async function generateFrom(
  options: Arguments,
  texts: Pick<GenerateOptions, "names" | "overrides" | "stainless" | "apiMd">,
  io: CommandIo,
): Promise<GenerateResult> {
  const { document, quiet } = options;
  const text = document === "-" ? await io.readInput() : await requiredText(document);
  const isLong = text.length >= LONG && !quiet;
  return await generate(text, {
    ...{ name: options.name, toolkit: options.toolkit, models: options.models, ...texts },
    ...{ dates: options.dates, bigint: options.bigint, openEnums: options.openEnums },
    tests: options.tests === undefined ? undefined : specifierOf(options.out, options.tests),
    ...{ file: document, read: await readerBeside(document, options.root) },
    allowNet: options.allowNet,
    onStep(step) {
      if (!isLong) return;
      const size = counted(Math.round(text.length / 1_000_000), "million character");
      io.printError(`${STEPS[step]} ${shown(document)}${step === "read" ? ` (${size})` : ""}`);
    },
  });
}

/** Returns the specifier by which files in the folder of the tests import the SDK. */
function specifierOf(out: string, tests: string): string {
  const path = relative(resolve(tests), join(resolve(out), "mod.ts")).split(sep).join("/");
  const whole = path.startsWith(".") ? path : `./${path}`;
  // The path is a part of a URL.
  return whole.replace(/[%?#]/g, encodeURIComponent);
}

/** Lists the files that a run would change: those of the SDK, and with their folder those of tests. */
function listChanges(
  { check, quiet, names, tests }: Arguments,
  [changes, testChanges]: readonly [Changes, Changes | undefined],
  newNames: boolean,
  { print }: CommandIo,
): void {
  if (quiet && !check) return;
  const list = ({ added, changed, stale }: Changes, nameOf: (path: string) => string): void => {
    for (const path of added) print(`new: ${nameOf(path)}`);
    for (const path of changed) print(`changed: ${nameOf(path)}`);
    for (const path of stale) print(`deleted: ${nameOf(path)}`);
  };
  list(changes, (path) => path);
  if (testChanges !== undefined) list(testChanges, (path) => shown(join(tests!, path)));
  if (newNames) print(`changed: ${shown(names!)}`);
}

/**
 * Writes the report.
 *
 * @throws {InputError} If there is a file that is not a report, such as the document
 */
async function writeReport(path: string, report: Report): Promise<void> {
  const earlier = await readText(path);
  if (earlier !== undefined && earlier !== "" && !isReport(earlier)) {
    throw new InputError(`${path} exists and is not a report; move or delete it`);
  }
  await writeText(path, `${JSON.stringify(report, null, 2)}\n`);
}

function isReport(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as Partial<Report> | null)?.problems);
  } catch {
    return false;
  }
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
