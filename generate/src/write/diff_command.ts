/** The command `diff`: compares the SDKs of two documents, and prints what breaks callers. */
import { parseArgs } from "node:util";
import { changeLine } from "../diff/changes.ts";
import { diff, type DocumentOptions } from "../diff/diff.ts";
import { UsageError } from "./arguments.ts";
import { type CommandIo, counted, shown } from "./terminal.ts";
import { apiListText, namedText, readerBeside, requiredText } from "./input.ts";

/** The text of `diff --help`. */
export const DIFF_HELP: string =
  `Compares the SDKs of two documents, and prints what breaks callers.

  npx @restwright/generate diff OLD NEW [options]
  deno run -A jsr:@restwright/generate/cli diff OLD NEW [options]

OLD and NEW are files, as for the generator; one of them can be - for the standard input. Nothing is
written. Pass the options with which the SDK is generated.

  --names FILE         the names file, so that a new operationId keeps the name
  --old-names FILE     the names file of OLD, if it is another one
  --overrides FILE     the file of overrides for the pages of lists
  --old-overrides FILE the file of overrides of OLD, if it is another one
  --stainless FILE, --api-md FILE
                       compares SDKs with the call sites of stainless.yml or api.md
  --old-stainless FILE, --old-api-md FILE
                       the file of OLD, if it is another one
  --name NAME          the name of the client's class; default: made from the documents' titles
  --models xml, --dates, --bigint, --open-enums
                       as for the generator; with --open-enums, new values in responses break nobody
  --root FOLDER        reads references to files in the folder; default: that of the document
  --old-root FOLDER    the folder of OLD, if it is another one
  --allow-net          follows references to URLs; they are refused by default
  --json               prints the changes as JSON
  --help               prints this text

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
  const { values, positionals } = parse(args);
  if (values.help === true) {
    io.print(DIFF_HELP);
    return 0;
  }
  const [oldPath, newPath] = positionals;
  if (positionals.length !== 2 || oldPath === undefined || newPath === undefined) {
    throw new UsageError(`there must be two documents, not ${positionals.length}`);
  }
  if (oldPath === "-" && newPath === "-") {
    throw new UsageError("only one document can be the standard input");
  }
  const { models } = values;
  if (models !== undefined && models !== "xml") {
    throw new UsageError(`--models must be xml, not ${models}`);
  }
  for (const old of ["", "old-"] as const) {
    if (values[`${old}stainless`] !== undefined && values[`${old}api-md`] !== undefined) {
      throw new UsageError(`--${old}stainless and --${old}api-md state the same: pass one of them`);
    }
  }
  const hasOldShape = (values["old-stainless"] ?? values["old-api-md"]) !== undefined;
  if (hasOldShape && (values.stainless ?? values["api-md"]) === undefined) {
    throw new UsageError("--old-stainless and --old-api-md need --stainless or --api-md");
  }
  const textOf = async (path: string): Promise<string> =>
    path === "-" ? await io.readInput() : await requiredText(path);
  const optionsOf = async (path: string, root: string | undefined): Promise<DocumentOptions> => ({
    file: path,
    read: await readerBeside(path, root),
  });

  const { changes } = await diff(await textOf(oldPath), await textOf(newPath), {
    name: values.name,
    models,
    dates: values.dates === true,
    bigint: values.bigint === true,
    openEnums: values["open-enums"] === true,
    allowNet: values["allow-net"] === true,
    names: await namedText(values.names),
    oldNames: await namedText(values["old-names"] ?? values.names),
    overrides: await namedText(values.overrides),
    oldOverrides: await namedText(values["old-overrides"] ?? values.overrides),
    stainless: await namedText(values.stainless),
    oldStainless: await namedText(values["old-stainless"]),
    apiMd: await apiListText(values["api-md"]),
    oldApiMd: await apiListText(values["old-api-md"]),
    old: await optionsOf(oldPath, values["old-root"] ?? values.root),
    new: await optionsOf(newPath, values.root),
  });
  if (values.json === true) io.print(asciiJson({ changes }));
  else {
    for (const change of changes) io.print(shown(changeLine(change)));
    io.print(
      changes.length === 0 ? "no breaking changes" : counted(changes.length, "breaking change"),
    );
  }
  return changes.length > 0 ? 1 : 0;
}

/** Returns JSON whose characters control no terminal, whatever a document has in it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ name: text, models: text, names: text, "old-names": text },
        ...{ overrides: text, "old-overrides": text },
        ...{ stainless: text, "old-stainless": text, "api-md": text, "old-api-md": text },
        ...{ root: text, "old-root": text },
        ...{ dates: flag, bigint: flag, "open-enums": flag, "allow-net": flag },
        ...{ json: flag, help: { ...flag, short: "h" } },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
}
