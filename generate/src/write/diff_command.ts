/** The command `diff`: compares the SDKs of two documents, and prints what breaks callers or is new. */
import { changeLine } from "../diff/changes.ts";
import { changelogEntry } from "../diff/changelog.ts";
import { diff, type DiffResult, type DocumentOptions } from "../diff/diff.ts";
import { type HelpRow, helpRows, helpTable, type OwnArguments } from "./help.ts";
import { CONFIGURATION_ROWS, optionsOf, parseCommand } from "./arguments.ts";
import { type ConfiguredSdk, configuredSdks, withOwn } from "./configuration.ts";
import { moduleSpecifier, shapeNameOf, UsageError, type Values } from "./outputs.ts";
import { flagOf, linesOf, type OptionLine } from "../options/table.ts";
import { type CommandIo, counted, shown } from "./terminal.ts";
import { readerBeside } from "./input.ts";
import { documentText } from "./sdk_folder.ts";

/** The arguments that only this command has. */
const own: OwnArguments = {
  root: {
    argument: "FOLDER",
    help: "reads references to files in the folder; default: that of the document",
  },
  "old-root": { argument: "FOLDER", help: "the folder of OLD, if it is another one" },
  config: {
    argument: "FILE",
    help:
      "reads the options of NEW from the file; default: restwright.json beside package.json or " +
      "deno.json",
  },
  "old-config": {
    argument: "FILE",
    help: "reads the document OLD, its names, overrides and overlays from the file; the other " +
      "options are those of NEW",
  },
  changelog: { help: "prints the changes as an entry for CHANGELOG.md (Keep a Changelog)" },
  json: { help: "prints the changes as JSON" },
  quiet: { help: "prints errors only; the exit code says if anything breaks" },
};

/** Returns the options of the table as rows of `--help`: those of both documents, and the others. */
function rowsOfOptions(): HelpRow[] {
  const lines = linesOf("diff");
  const named = (name: string, { argument }: OptionLine) =>
    `--${flagOf(name)}${argument === undefined ? "" : ` ${argument}`}`;
  const ofDocuments = lines.filter(([, , { isOfDocument }]) => isOfDocument === true)
    .flatMap(([name, , { argument }]): HelpRow[] => [
      [`--${flagOf(name)} ${argument}`, "as for the generator"],
      [`--old-${flagOf(name)} ${argument}`, "the file of OLD, if it is another one"],
    ]);
  const others = lines.filter(([, , { isOfDocument }]) => isOfDocument !== true)
    .map(([name, , line]) => named(name, line));
  const about = "as for the generator; with --open-enums, new values in responses break nobody";
  return [...ofDocuments, [others.join(", "), about]];
}

/** The text of `diff --help`. */
export const DIFF_HELP: string =
  `Compares the SDKs of two documents, and prints what breaks callers, and what is new for them.

  npx @restwright/generate diff OLD NEW [options]
  npx @restwright/generate diff OLD        NEW is the document of restwright.json
  deno run -A jsr:@restwright/generate/cli diff OLD NEW [options]

OLD and NEW are files, as for the generator; one of them can be - for the standard input. Nothing is
written. Pass the options with which the SDK is generated, or keep them in restwright.json: with the
names file, a new operationId keeps the name.

${helpTable([...rowsOfOptions(), ...helpRows(own)])}

It ends with 0 if nothing breaks, with 1 if anything does, and with 2 if the documents cannot be
compared.`;

/**
 * Runs the command.
 *
 * @param args The arguments after `diff`
 * @param io The surroundings
 * @returns The exit code: 0 or 1
 */
export async function runDiff(args: readonly string[], io: CommandIo): Promise<number> {
  const { values: stated, positionals } = parseCommand("diff", args, own);
  if (stated["help"] === true) {
    io.print(DIFF_HELP);
    return 0;
  }
  const forms = ["changelog", "json", "quiet"].filter((flag) => stated[flag] === true);
  if (forms.length > 1) {
    throw new UsageError(
      `--${forms[0]} and --${forms[1]} print different things: pass one of them`,
    );
  }
  const { oldPath, newPath, ofOld, values } = await comparedDocuments(stated, positionals, io);
  if (shapeNameOf(values, "old-") !== "" && shapeNameOf(values) === "") {
    throw new UsageError(
      "--old-stainless, --old-sdk and --old-api-md need --stainless, --sdk or --api-md",
    );
  }
  const textOf = async (path: string): Promise<string> =>
    path === "-" ? await io.readInput() : await documentText(path);
  const root = values["root"] as string | undefined;
  // The folder in the configuration is that of the new document.
  const oldRoot = (values["old-root"] ?? stated["root"]) as string | undefined;
  const ofDocument = async (path: string, root: string | undefined): Promise<DocumentOptions> => ({
    file: path,
    read: await readerBeside(path, root),
  });
  const options = await optionsOf("diff", values);
  const old = await optionsOf("diff", values, "old-");
  // The configuration of the old document says that it has no such file.
  const [noText, noOverlays] = ofOld === undefined ? [] : ["{}", []] as const;

  const result = await diff(await textOf(oldPath), await textOf(newPath), {
    ...{ ...options, webhooks: moduleSpecifier(options.webhooks, ".") },
    oldNames: old.names ?? noText ?? options.names,
    oldOverrides: old.overrides ?? noText ?? options.overrides,
    oldOverlays: old.overlays ?? noOverlays,
    oldStainless: old.stainless,
    oldSdk: old.sdk,
    oldApiMd: old.apiMd,
    old: await ofDocument(oldPath, oldRoot),
    new: await ofDocument(newPath, root),
  });
  if (stated["json"] === true) io.print(asciiJson(result));
  else if (stated["changelog"] === true) io.print(changelogEntry(result, shown));
  else if (stated["quiet"] !== true) printResult(result, io);
  return result.changes.length > 0 ? 1 : 0;
}

/** Prints a result: what is new for callers, what breaks them, and the numbers. */
function printResult({ changes, added, changed }: DiffResult, { print }: CommandIo): void {
  for (const each of added) print(shown(`added: ${changeLine(each)}`));
  for (const each of changed) print(shown(`changed: ${changeLine(each)}`));
  for (const each of changes) print(shown(changeLine(each)));
  const counts = [
    changes.length === 0 ? "no breaking changes" : counted(changes.length, "breaking change"),
    ...added.length === 0 ? [] : [counted(added.length, "addition")],
    ...changed.length === 0 ? [] : [counted(changed.length, "other change")],
  ];
  print(counts.join(", "));
}

/** The documents to compare, with the options of both. */
interface ComparedDocuments {
  readonly oldPath: string;
  readonly newPath: string;
  /** The SDK of the old document, if it has a configuration of its own. */
  readonly ofOld: ConfiguredSdk | undefined;
  readonly values: Values;
}

/** Finds the two documents: those that are named, or those of configurations. */
async function comparedDocuments(
  stated: Values,
  positionals: readonly string[],
  io: CommandIo,
): Promise<ComparedDocuments> {
  const [oldNamed, newNamed] = positionals;
  if (positionals.length > 2) {
    throw new UsageError(`there must be two documents, not ${positionals.length}`);
  }
  const ofNew = await configuredSdk(stated["config"], newNamed, io);
  const ofOld = stated["old-config"] === undefined
    ? undefined
    : await configuredSdk(stated["old-config"], oldNamed, io);
  const [oldPath, newPath] = [oldNamed ?? ofOld?.document, newNamed ?? ofNew?.document];
  if (oldPath === undefined || newPath === undefined) {
    throw new UsageError(`there must be two documents, not ${positionals.length}`);
  }
  if (oldPath === "-" && newPath === "-") {
    throw new UsageError("only one document can be the standard input");
  }
  const configured = { ...ofNew?.values, ...oldValues(ofOld) };
  return { oldPath, newPath, ofOld, values: withOwn(configured, stated) };
}

/**
 * Returns the SDK of a document in a configuration, if there is one.
 *
 * @param path The path of the configuration; undefined to look for it
 * @param document The document; undefined for that of the configuration
 */
async function configuredSdk(
  path: Values[string],
  document: string | undefined,
  { folder }: CommandIo,
): Promise<ConfiguredSdk | undefined> {
  const query = { path: path as string | undefined, document, folder, rows: CONFIGURATION_ROWS };
  const sdks = await configuredSdks(query) ?? [];
  if (sdks.length < 2) return sdks[0];
  throw new UsageError(
    document === undefined
      ? `there are ${sdks.length} SDKs in the configuration: name the document`
      : `there are ${sdks.length} SDKs of ${document} in the configuration, but one is compared`,
  );
}

/** Returns the files of the old document as the arguments of `diff` that name them. */
function oldValues(sdk: ConfiguredSdk | undefined): Values {
  const flags = linesOf("diff").filter(([, , { isOfDocument }]) => isOfDocument === true)
    .map(([name]) => flagOf(name));
  return Object.fromEntries(
    [...flags, "root"].flatMap((flag) => {
      const value = sdk?.values[flag];
      return value === undefined ? [] : [[`old-${flag}`, value]];
    }),
  );
}

/** Returns JSON whose characters control no terminal, whatever a document has in it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
