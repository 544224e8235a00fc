/** The command: reads files, calls the generator, and writes and prints what it returns. */
import type { Output } from "../outputs/output.ts";
import { type Arguments, HELP, optionsOf, readArguments } from "./arguments.ts";
import {
  moduleSpecifier,
  type RequestedOutput,
  requestedOutputs,
  shapeNameOf,
  UsageError,
} from "./outputs.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  FileError,
  InternalError,
  NamesError,
  OptionError,
  OverridesError,
} from "../base/errors.ts";
import { generate, type GenerateResult } from "../generate.ts";
import type { GenerateOptions, Step } from "../options/mod.ts";
import { runDiff } from "./diff_command.ts";
import type { Report } from "../report.ts";
import { type Changes, compareFolder, FolderError, withUserTexts, writeFolder } from "./folder.ts";
import { TrialError } from "../trial/trial_error.ts";
import { runTrySdk } from "./try_sdk_command.ts";
import { runInit } from "./init_command.ts";
import { InputError, readerBeside, readText } from "./input.ts";
import { documentText } from "./sdk_folder.ts";
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

/** The line for an SDK whose names nothing keeps. */
const NO_NAMES =
  "no names file: pass --names FILE so that a new version of the document renames no " +
  "method";

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
  const failBy = (error: unknown): number => {
    if (error instanceof UsageError) return fail(`${error.message}; --help shows the options`);
    const isKnown = isExpected(error) || error instanceof InternalError;
    const code = fail((isKnown ? error : new InternalError(error)).message);
    if (error instanceof FolderError) error.lines.forEach((line) => io.printError(shown(line)));
    return code;
  };
  try {
    const [command, ...others] = args;
    if (command === "diff") return await runDiff(others, io);
    if (command === "init") return await runInit(others, io);
    if (command === "try-sdk") return await runTrySdk(others, io);
    const sdks = await readArguments(args, io.folder);
    if (sdks === undefined) {
      io.print(HELP);
      return 0;
    }
    if (sdks.length === 1) return await run(sdks[0]!, io);
    let worst = 0;
    for (const each of sdks) {
      // The others are written, although one cannot be.
      const code = await run(each, io, { isOneOfSeveral: true }).catch(failBy);
      worst = Math.max(worst, code);
    }
    return worst;
  } catch (error) {
    return failBy(error);
  }
}

/** Reports if the user's files or arguments are at fault, and not the generator. */
function isExpected(error: unknown): error is Error {
  const types = [FileError, NamesError, OverridesError, FolderError, InputError, TrialError];
  if (types.some((type) => error instanceof type)) return true;
  // An option's value that the library refuses, or an error of the file system.
  return error instanceof OptionError || (error instanceof Error && "syscall" in error);
}

async function run(
  args: Arguments,
  io: CommandIo,
  { isOneOfSeveral = false }: { readonly isOneOfSeveral?: boolean } = {},
): Promise<number> {
  const { values, out } = args;
  const { quiet, strict, check } = values;
  const stated = await optionsOf("generate", values);
  const options = { ...stated, webhooks: moduleSpecifier(stated.webhooks, out) };
  const requested = requestedOutputs(values, out);
  const result = await generateFrom(args, { ...options, outputs: requested.map(outputOf) }, io);
  const { files, report } = result;
  if (quiet !== true) {
    report.problems.forEach((problem) => io.printError(problemLine(problem)));
    const file = shapeNameOf(values);
    ignoredLines(file, report.ignored).forEach((line) => io.printError(line));
    leftOutLines(file, report).forEach((line) => io.printError(line));
    if (values["api-md"] !== undefined) {
      io.printError(
        shown(`${file}: does not say how lists are written in queries: as the document states, `) +
          "by default a=1&a=2; --sdk and --stainless read the form of the SDK",
      );
    }
  }

  const written: WrittenFolder[] = [
    {
      ...{ files, changes: await compareFolder(out, files) },
      nameOf: (path) => isOneOfSeveral ? shown(join(out, path)) : path,
    },
  ];
  for (const { kind, folder } of requested) {
    const own = await withUserTexts(folder, result.outputs.get(kind.name)!);
    const changes = await compareFolder(folder, own, kind);
    written.push({ files: own, changes, nameOf: (path) => shown(join(folder, path)) });
  }
  const names = values["names"] as string | undefined;
  const newNames = names !== undefined && result.names !== options.names;
  // It comes first, because nothing is written if a file cannot be.
  if (typeof values["report"] === "string") await writeReport(values["report"], report);
  const isTrial = check === true || values["dry-run"] === true;
  if (isTrial) {
    if (quiet !== true || check === true) listChanges(written, newNames ? names : undefined, io);
  } else {
    for (const each of written) await writeFolder(each.changes, each.files);
    if (newNames) await writeText(names, result.names);
  }
  const count = (kind: "added" | "changed" | "unchanged" | "stale"): number =>
    written.reduce((sum, { changes }) => sum + changes[kind].length, 0);
  const changed = count("added") + count("changed");
  const deleted = count("stale");
  if (quiet !== true) {
    const counts = { written: changed, unchanged: count("unchanged"), deleted };
    const label = isOneOfSeveral ? `${shown(out)}: ` : "";
    io.print(label + summaryLine(report, counts, isTrial));
    const isNamed = names !== undefined || shapeNameOf(values) !== "";
    if (!isNamed && report.operations > 0) io.print(label + NO_NAMES);
  }
  const differs = changed + deleted > 0 || newNames;
  const isFailed = strict === true && report.problems.length > 0;
  return (check === true && differs) || isFailed ? 1 : 0;
}

function outputOf({ output }: RequestedOutput): Output {
  return output;
}

async function generateFrom(
  { document, values }: Arguments,
  options: GenerateOptions,
  io: CommandIo,
): Promise<GenerateResult> {
  const text = document === "-" ? await io.readInput() : await documentText(document);
  const isLong = text.length >= LONG && values["quiet"] !== true;
  return await generate(text, {
    ...options,
    file: document,
    read: await readerBeside(document, values["root"] as string | undefined),
    onStep(step) {
      if (!isLong) return;
      const size = counted(Math.round(text.length / 1_000_000), "million character");
      io.printError(`${STEPS[step]} ${shown(document)}${step === "read" ? ` (${size})` : ""}`);
    },
  });
}

/** A folder of the output, and how it differs from its files. */
interface WrittenFolder {
  readonly files: ReadonlyMap<string, string>;
  readonly changes: Changes;
  /** Returns the name of a file in the list of changes. */
  readonly nameOf: (path: string) => string;
}

/** Lists the files that a run would change: those of the SDK, and with their folder those of others. */
function listChanges(
  written: readonly WrittenFolder[],
  names: string | undefined,
  { print }: CommandIo,
): void {
  for (const { changes: { added, changed, stale }, nameOf } of written) {
    for (const path of added) print(`new: ${nameOf(path)}`);
    for (const path of changed) print(`changed: ${nameOf(path)}`);
    for (const path of stale) print(`deleted: ${nameOf(path)}`);
  }
  if (names !== undefined) print(`changed: ${shown(names)}`);
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
