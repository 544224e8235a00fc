/**
 * The table of options. The checks of the library, the arguments of each command, their `--help`, and
 * what `init` keeps for later runs follow from it.
 */

import type { GenerateOptions } from "./generate_options.ts";

/** A command that takes options. */
export type Command = "generate" | "diff" | "init" | "try-sdk";

/** The name of an option in a program. The compiler checks that each has a row. */
export type OptionName = keyof GenerateOptions;

/** A row of the table. */
export interface OptionRow {
  /** The type of the value in a program. `seconds` is a positive number, or `"none"`. */
  readonly type: "string" | "boolean" | "function" | "list" | "seconds";
  /** The values that are allowed, if they are listed. */
  readonly values?: readonly string[] | undefined;
  /** The form of a text, and the words for it in messages. */
  readonly form?: { readonly pattern: RegExp; readonly expected: string } | undefined;
  /** How the command line states it; undefined if only programs have the option. */
  readonly line?: OptionLine | undefined;
}

/** An option on the command line. */
export interface OptionLine {
  /** The name without its hyphens, if it is another one than in a program. */
  readonly flag?: string | undefined;
  /** True if it can be given several times. */
  readonly isRepeated?: true | undefined;
  /** The word for the value in `--help`, such as `FILE`; undefined for a flag. */
  readonly argument?: string | undefined;
  /** The text of `--help`. */
  readonly help: string;
  /** The commands that have it, if not all of them do. */
  readonly commands?: readonly Command[] | undefined;
  /**
   * The value is the text of a file. A list of methods comes with the lists that it links to, the
   * generator makes a kept file if it is missing, and a named one comes with its name. An SDK is a folder
   * with its sources. A module is not read, but imported by the output; `standard` names none.
   */
  readonly file?: "text" | "list" | "kept" | "named" | "sdk" | "module" | undefined;
  /** True if `diff` has it for each of the two documents. */
  readonly isOfDocument?: true | undefined;
}

/** The value of `webhooks` that names no module. */
export const STANDARD = "standard";

/** The words in messages for a value of the type `seconds`. */
export const SECONDS = 'a number of seconds, such as 30, or "none"';

/** The name of a header (RFC 9110 §5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,200}$/;

/** The options by their names in a program. On the command line, `openEnums` is `--open-enums`. */
export const optionTable: Readonly<Record<OptionName, OptionRow>> = {
  name: {
    type: "string",
    form: {
      pattern: /^[A-Z][A-Za-z0-9_]{0,79}$/,
      expected: "the name of a class, such as PetStore",
    },
    line: {
      argument: "NAME",
      help: "the name of the client's class; default: made from the document's title",
    },
  },
  toolkit: {
    type: "string",
    form: { pattern: /^[@\w.:/^~%+-]+$/, expected: "a specifier such as restwright" },
    line: {
      argument: "SPECIFIER",
      help: "what the output imports; default: @restwright/restwright (restwright for the " +
        "toolkit's npm package of that name)",
      commands: ["generate"],
    },
  },
  models: {
    type: "string",
    values: ["xml"],
    line: {
      argument: "xml",
      help: "makes model classes for schemas that are sent as XML and have xml hints; default: " +
        "interfaces for all schemas",
    },
  },
  dates: {
    type: "boolean",
    line: { help: "makes dates of date and date-time; default: strings" },
  },
  bigint: {
    type: "boolean",
    line: { help: "makes bigints of int64; default: numbers" },
  },
  openEnums: {
    type: "boolean",
    line: {
      help: "accepts values in responses that the document does not list",
    },
  },
  timeout: {
    type: "seconds",
    line: {
      argument: "SECONDS",
      help: "the time without data after which an attempt of a call fails; none for no limit; " +
        "default: 60, or that of stainless.yml",
    },
  },
  idempotencyHeader: {
    type: "string",
    form: { pattern: HEADER_NAME, expected: "the name of a header, such as Idempotency-Key" },
    line: {
      argument: "NAME",
      help: "the header for the idempotency key that each POST and PATCH gets; default: only " +
        "operations that declare such a header get a key",
    },
  },
  webhooks: {
    type: "string",
    form: { pattern: /^[^\p{C}"'`\\]+$/u, expected: '"standard" or the path of a module' },
    line: {
      argument: "SCHEME",
      help:
        "adds an object to the client that verifies webhooks: standard for Standard Webhooks, " +
        "or the path of a module that exports a scheme as webhookScheme",
      file: "module",
    },
  },
  names: {
    type: "string",
    line: {
      argument: "FILE",
      help:
        "keeps the names of methods in a JSON file, which the first run creates and later ones " +
        "complete; what it says wins over the document",
      commands: ["generate", "diff"],
      file: "kept",
      isOfDocument: true,
    },
  },
  overrides: {
    type: "string",
    line: {
      argument: "FILE",
      help: "sets the pages of operations, or turns them off, by a JSON file: " +
        '{"GET /pets": {"pages": false}}',
      file: "text",
      isOfDocument: true,
    },
  },
  overlays: {
    type: "list",
    line: {
      flag: "overlay",
      isRepeated: true,
      argument: "FILE",
      help:
        "changes the document by an overlay (OpenAPI Overlay Specification 1.0 or 1.1), before " +
        "anything else reads it; several are applied in their order",
      file: "named",
      isOfDocument: true,
    },
  },
  stainless: {
    type: "string",
    line: {
      argument: "FILE",
      help: "keeps the call sites of an SDK that Stainless made, by its stainless.yml",
      file: "text",
      isOfDocument: true,
    },
  },
  sdk: {
    type: "string",
    line: {
      argument: "FOLDER",
      help:
        "the same by the sources of the SDK, in TypeScript: the folder of its repository, or the " +
        "sdk.json that init made of it; also beside --stainless, which wins. Nothing of it is run. " +
        "Without DOCUMENT, the document in its scripts/mock is read",
      file: "sdk",
      isOfDocument: true,
    },
  },
  apiMd: {
    type: "string",
    line: {
      argument: "FILE",
      help: "the same by the api.md of the SDK's repository, without its sources",
      file: "list",
      isOfDocument: true,
    },
  },
  allowNet: {
    type: "boolean",
    line: { help: "follows references to URLs; they are refused by default" },
  },
  outputs: { type: "list" },
  file: { type: "string" },
  read: { type: "function" },
  onStep: { type: "function" },
};

/** The rows of the table, in their order. */
export const optionRows: readonly (readonly [name: OptionName, row: OptionRow])[] = Object.entries(
  optionTable,
) as [OptionName, OptionRow][];

/** Returns the options that a command has, in the order of the table. */
export function linesOf(command: Command): (readonly [OptionName, OptionRow, OptionLine])[] {
  return optionRows.flatMap(([name, row]) =>
    row.line !== undefined && (row.line.commands?.includes(command) ?? true)
      ? [[name, row, row.line] as const]
      : []
  );
}

/** Returns the name of an option on the command line, without its hyphens: `open-enums`. */
export function flagOf(name: string): string {
  const row = Object.hasOwn(optionTable, name) ? optionTable[name as OptionName] : undefined;
  return row?.line?.flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
