/** The arguments of the command. */
import { parseArgs } from "node:util";
import { isUrl } from "../read/pointers.ts";

/** The arguments of a run. */
export interface Arguments {
  /** The path of the document, or `-` for the standard input. */
  readonly document: string;
  readonly out: string;
  readonly name: string | undefined;
  readonly toolkit: string | undefined;
  readonly models: "xml" | undefined;
  readonly dates: boolean;
  readonly bigint: boolean;
  readonly openEnums: boolean;
  readonly names: string | undefined;
  readonly overrides: string | undefined;
  /** The folder of the tests. */
  readonly tests: string | undefined;
  readonly stainless: string | undefined;
  readonly apiMd: string | undefined;
  readonly check: boolean;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly report: string | undefined;
  readonly quiet: boolean;
  readonly allowNet: boolean;
  /** The folder with all files of the document. */
  readonly root: string | undefined;
}

/** Arguments that are wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The text of `--help`. */
export const HELP: string = `Writes an SDK on Restwright from an OpenAPI document.

  npx @restwright/generate DOCUMENT --out FOLDER [options]
  deno run -A jsr:@restwright/generate/cli DOCUMENT --out FOLDER [options]
  npx @restwright/generate diff OLD NEW    prints what breaks callers; diff --help explains it
  npx @restwright/generate init DOCUMENT FOLDER
                                           makes a repository for the SDK; init --help explains it

DOCUMENT is a file, or - for the standard input: OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or
YAML. References to files in its folder are followed.

  --out FOLDER         the folder to write to; files of others in it are never touched
  --name NAME          the name of the client's class; default: made from the document's title
  --toolkit SPECIFIER  what the output imports; default: @restwright/restwright
                       (restwright for the toolkit's npm package of that name)
  --models xml         makes model classes for schemas that are sent as XML and have xml hints;
                       default: interfaces for all schemas
  --dates              makes dates of date and date-time; default: strings
  --bigint             makes bigints of int64; default: numbers
  --open-enums         accepts values in responses that the document does not list
  --names FILE         keeps the names of methods in a JSON file, which the first run creates and
                       later ones complete; what it says wins over the document
  --overrides FILE     sets the pages of operations, or turns them off, by a JSON file:
                       {"GET /pets": {"pages": false}}
  --tests FOLDER       writes a test for each operation to the folder, such as tests: it calls the
                       method with samples and a mock transport, and checks the request and the
                       result. Run them with deno test, node --test or bun test
  --stainless FILE     keeps the call sites of an SDK that Stainless made, by its stainless.yml
  --api-md FILE        the same by the api.md of the SDK's repository, without stainless.yml
  --check              writes nothing; lists the files that would change, and ends with 1 if there
                       are any
  --dry-run            writes nothing; lists the files that would change
  --strict             ends with 1 if the document has any problem
  --report FILE        writes the counts and problems as JSON, also with --check and --dry-run
  --quiet              prints errors only: no problems, no progress, no summary
  --root FOLDER        reads references to files in the folder, which holds the document; default:
                       the folder of the document
  --allow-net          follows references to URLs; they are refused by default
  --help               prints this text

It ends with 0 if there is output, with 1 as --check and --strict say, and with 2 if nothing could
be written: the document, an argument, another file, or the folder is at fault.`;

/**
 * Reads the arguments.
 *
 * @returns The arguments; undefined for `--help`
 * @throws {UsageError} If an option is unknown, or the document or `--out` is missing
 */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  const [document, ...others] = positionals;
  if (document === undefined || document === "") throw new UsageError("the document is missing");
  if (isUrl(document) && /^\w\w+:/.test(document)) {
    throw new UsageError(`the document must be a file, not a URL; fetch it and pipe it to -`);
  }
  if (others.length > 0) {
    throw new UsageError(`there must be one document, not ${positionals.length}`);
  }
  const { out, models } = values;
  if (out === undefined || out === "") throw new UsageError("--out FOLDER is missing");
  if (values.tests === "") throw new UsageError("--tests must be a folder");
  if (models !== undefined && models !== "xml") {
    throw new UsageError(`--models must be xml, not ${models}`);
  }
  if (values.stainless !== undefined && values["api-md"] !== undefined) {
    throw new UsageError("--stainless and --api-md state the same: pass one of them");
  }
  return {
    ...{ document, out, models, name: values.name, toolkit: values.toolkit },
    ...{ names: values.names, overrides: values.overrides, report: values.report },
    ...{ tests: values.tests, root: values.root },
    ...{ stainless: values.stainless, apiMd: values["api-md"] },
    dates: values.dates === true,
    bigint: values.bigint === true,
    openEnums: values["open-enums"] === true,
    check: values.check === true,
    dryRun: values["dry-run"] === true,
    strict: values.strict === true,
    quiet: values.quiet === true,
    allowNet: values["allow-net"] === true,
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ out: text, name: text, toolkit: text, models: text, names: text, report: text },
        ...{ overrides: text, tests: text, root: text },
        ...{ stainless: text, "api-md": text },
        ...{ dates: flag, bigint: flag, "open-enums": flag, check: flag, "dry-run": flag },
        ...{ strict: flag, quiet: flag, "allow-net": flag, help: { ...flag, short: "h" } },
      },
    });
  } catch (error) {
    // Its messages begin with the option, and explain more than a command line needs.
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
}
