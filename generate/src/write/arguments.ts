/** The arguments of the commands, which follow from the table of options and from the outputs. */
import { helpRow, helpRows, helpTable, type OwnArguments } from "./help.ts";
import { outputKinds, outputRows, UsageError, type Values } from "./outputs.ts";
import { parseArgs } from "node:util";
import type { GenerateOptions } from "../options/mod.ts";
import {
  type Command,
  flagOf,
  linesOf,
  type OptionLine,
  type OptionName,
  SECONDS,
} from "../options/table.ts";
import { isUrl } from "../read/pointers.ts";
import {
  type ConfigurationRow,
  configurationRows,
  configuredSdks,
  withOwn,
} from "./configuration.ts";
import { apiListText, namedText, readText, requiredText } from "./input.ts";
import { mockDocumentOf, sdkText } from "./sdk_folder.ts";

/** The arguments of a command. */
export interface CommandArguments {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** The arguments of a run of the generator. */
export interface Arguments {
  /** The path of the document, or `-` for the standard input. */
  readonly document: string;
  readonly out: string;
  readonly values: Values;
}

/** The arguments that only the generator itself has: those before the options of the table, and after. */
const before: OwnArguments = {
  out: {
    argument: "FOLDER",
    help: "the folder to write to; files of others in it are never touched",
  },
};

const after: OwnArguments = {
  config: {
    argument: "FILE",
    help: "reads the options from the file; default: restwright.json beside package.json or " +
      "deno.json. The arguments win; --no-dates turns off what it turns on",
    isOfRun: true,
  },
  root: {
    argument: "FOLDER",
    help:
      "reads references to files in the folder, which holds the document; default: the folder of " +
      "the document",
  },
  check: {
    help: "writes nothing; lists the files that would change, and ends with 1 if there are any",
    isOfRun: true,
  },
  "dry-run": { help: "writes nothing; lists the files that would change", isOfRun: true },
  strict: { help: "ends with 1 if the document has any problem" },
  report: {
    argument: "FILE",
    help: "writes the counts and problems as JSON, also with --check and --dry-run",
  },
  quiet: { help: "prints errors only: no problems, no progress, no summary" },
};

/** The text of `--help`. */
export const HELP: string = `Writes an SDK on Restwright from an OpenAPI document.

  npx @restwright/generate DOCUMENT --out FOLDER [options]
  deno run -A jsr:@restwright/generate/cli DOCUMENT --out FOLDER [options]
  npx @restwright/generate                 writes the SDKs that restwright.json describes
  npx @restwright/generate diff OLD NEW    prints what breaks callers; diff --help explains it
  npx @restwright/generate init DOCUMENT FOLDER
                                           makes a repository for the SDK; init --help explains it
  npx @restwright/generate try-sdk FOLDER  judges the client by the tests of an SDK by Stainless

DOCUMENT is a file, or - for the standard input: OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or
YAML. References to files in its folder are followed. If restwright.json has the document, its
options are used, too.

${
  helpTable([
    ...helpRows(before),
    ...linesOf("generate").map(([name, , line]) => helpRow(flagOf(name), line)),
    ...outputRows(),
    ...helpRows(after),
  ])
}

It ends with 0 if there is output, with 1 as --check and --strict say, and with 2 if an SDK could
not be written: the document, an argument, another file, or the folder is at fault.`;

/** The settings of `restwright.json`. */
export const CONFIGURATION_ROWS: readonly ConfigurationRow[] = configurationRows({
  ...before,
  ...after,
});

/**
 * Reads the arguments of the generator, and the configuration.
 *
 * @param folder The folder in which a configuration is looked for. Default: the current one
 * @returns The arguments of each SDK; undefined for `--help`
 * @throws {UsageError} If an option is unknown, or the document or `--out` is missing
 * @throws {ConfigurationError} If the configuration is broken
 */
export async function readArguments(
  args: readonly string[],
  folder?: string,
): Promise<readonly Arguments[] | undefined> {
  const { values, positionals } = parseCommand("generate", args, { ...before, ...after });
  if (values["help"] === true) return undefined;
  const [named, ...others] = positionals;
  if (others.length > 0) {
    throw new UsageError(`there must be one document, not ${positionals.length}`);
  }
  if (named !== undefined && isUrl(named) && /^\w\w+:/.test(named)) {
    throw new UsageError(`the document must be a file, not a URL; fetch it and pipe it to -`);
  }
  const path = values["config"] as string | undefined;
  const sdks = await configuredSdks({ path, document: named, folder, rows: CONFIGURATION_ROWS });
  if (sdks !== undefined && sdks.length > 1) checkShared(values);
  return (sdks ?? [{ document: named, values: {} }]).map(
    ({ document: own, values: configured }) => {
      const all = withOwn(configured, values);
      const { out, sdk } = all;
      const document = own ?? (typeof sdk === "string" ? mockDocumentOf(sdk) : undefined);
      if (document === undefined || document === "") {
        throw new UsageError("the document is missing: name it, or write it into restwright.json");
      }
      if (typeof out !== "string" || out === "") throw new UsageError("--out FOLDER is missing");
      return { document, out, values: all };
    },
  );
}

/** @throws {UsageError} If an argument names something that only one of several SDKs can have */
function checkShared(values: Values): void {
  const found = CONFIGURATION_ROWS.find(({ flag, argument }) =>
    values[flag] !== undefined && (flag === "name" || argument === "FILE" || argument === "FOLDER")
  );
  if (found === undefined) return;
  throw new UsageError(`--${found.flag} is of one SDK, and there are several: name the document`);
}

/**
 * Reads the arguments of a command: those of the table of options, of the outputs, and its own.
 *
 * @throws {UsageError} If an option is unknown, or has a value that is not allowed
 */
export function parseCommand(
  command: Command,
  args: readonly string[],
  own: OwnArguments,
): CommandArguments {
  const kinds: [flag: string, kind: FlagKind][] = [
    ...Object.entries(own),
    ...linesOf(command).flatMap(([name, , line]) =>
      flagsOf(command, name, line).map((flag): [string, FlagKind] => [flag, line])
    ),
  ];
  if (command === "generate" || command === "init") {
    for (const { name, options } of outputKinds) {
      kinds.push([name, { argument: "FOLDER" }]);
      for (const [option, kind] of Object.entries(options)) {
        kinds.push([`${name}-${flagOf(option)}`, kind]);
      }
    }
  }
  const parsed = parse(args, kinds);
  for (const [name, { type, values: allowed }, line] of linesOf(command)) {
    for (const flag of flagsOf(command, name, line)) {
      const value = parsed.values[flag];
      if (type === "seconds" && value !== undefined && !isSeconds(value)) {
        throw new UsageError(`--${flag} must be ${SECONDS}, not ${value}`);
      }
      if (allowed === undefined || value === undefined || allowed.includes(String(value))) continue;
      throw new UsageError(`--${flag} must be ${allowed.join(" or ")}, not ${value}`);
    }
  }
  for (const old of command === "diff" ? ["", "old-"] : [""]) {
    for (const other of ["stainless", "sdk"]) {
      const both = [`${old}${other}`, `${old}api-md`] as const;
      if (both.some((flag) => parsed.values[flag] === undefined)) continue;
      throw new UsageError(`--${both[0]} and --${both[1]} state the same: pass one of them`);
    }
  }
  return parsed;
}

/** Reports if a value is a positive number, or `none`. */
function isSeconds(value: unknown): boolean {
  return value === "none" || Number(value) > 0 && Number(value) < Infinity;
}

/** Returns a number of seconds as programs pass it. */
export function secondsOf(value: Values[string]): number | string | undefined {
  return value === undefined || value === "none" ? value : Number(value);
}

/** Returns the names of an option on the command line. `diff` may have one for the old document. */
function flagsOf(command: Command, name: OptionName, { isOfDocument }: OptionLine): string[] {
  const flag = flagOf(name);
  return command === "diff" && isOfDocument === true ? [flag, `old-${flag}`] : [flag];
}

/** The kind of an argument: a flag, or one with a value. */
type FlagKind = Pick<OptionLine, "argument" | "isRepeated">;

function parse(
  args: readonly string[],
  kinds: readonly (readonly [flag: string, kind: FlagKind])[],
): CommandArguments {
  try {
    const options = Object.fromEntries(
      kinds.map(([flag, { argument, isRepeated = false }]) => {
        const type = argument === undefined ? "boolean" : "string";
        return [flag, { type, multiple: isRepeated } as const] as const;
      }),
    );
    const help = { type: "boolean", short: "h" } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: { ...options, help },
    });
    return { values: values as Values, positionals };
  } catch (error) {
    // Its messages begin with the option, and explain more than a command line needs.
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
}

/**
 * Returns the options of the library that the arguments state, with the texts of their files.
 *
 * @param old `old-` for the options of the old document of `diff` that have a value of their own
 */
export async function optionsOf(
  command: Command,
  values: Values,
  old: "" | "old-" = "",
): Promise<GenerateOptions> {
  const options: Partial<Record<OptionName, unknown>> = {};
  for (const [name, { type }, { file, argument, isOfDocument }] of linesOf(command)) {
    if (old !== "" && isOfDocument !== true) continue;
    const value = values[`${old}${flagOf(name)}`];
    options[name] = type === "seconds"
      ? secondsOf(value)
      : file === undefined || file === "module"
      ? argument === undefined ? value === true : value
      : file === "named"
      ? await namedTexts(value as readonly string[] | undefined)
      : await textOf(command, file, value as string | undefined);
  }
  return options as GenerateOptions;
}

/** Reads the files that are the values of an option. */
async function namedTexts(
  paths: readonly string[] | undefined,
): Promise<{ readonly text: string; readonly file: string }[] | undefined> {
  return paths &&
    await Promise.all(paths.map(async (file) => ({ text: await requiredText(file), file })));
}

/** Reads the file that is the value of an option. */
async function textOf(
  command: Command,
  file: "text" | "list" | "kept" | "sdk",
  path: string | undefined,
): Promise<string | undefined> {
  if (file === "sdk") return path === undefined ? undefined : await sdkText(path);
  if (file === "list") return await apiListText(path);
  const isMade = file === "kept" && command === "generate" && path !== undefined;
  return isMade ? await readText(path) : await namedText(path);
}
