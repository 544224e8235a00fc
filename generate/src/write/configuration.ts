/**
 * The file `restwright.json`: the document and the options of one SDK or several, so that the command
 * needs no arguments. Its settings follow from the same tables as the arguments.
 */
import { access } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import process from "node:process";
import { FileError } from "../base/errors.ts";
import {
  flagOf,
  linesOf,
  type OptionLine,
  type OptionRow,
  SECONDS,
  STANDARD,
} from "../options/table.ts";
import { isUrl } from "../read/pointers.ts";
import { Configuration, type Setting } from "../read/settings.ts";
import type { OwnArguments } from "./help.ts";
import { SDK_FOLDERS } from "./folder.ts";
import { requiredText } from "./input.ts";
import { outputKinds, UsageError, type Values } from "./outputs.ts";

/** The name of the file. */
export const CONFIGURATION = "restwright.json";

/** A `restwright.json` that is broken. */
export class ConfigurationError extends FileError {
  /** The name of the class. */
  override readonly name = "ConfigurationError";
}

/** A setting of the file. */
export interface ConfigurationRow {
  /** The name in the file: `openEnums`. */
  readonly key: string;
  /** The name on the command line: `open-enums`. */
  readonly flag: string;
  /** The word for the value in `--help`, such as `FILE`; undefined for true and false. */
  readonly argument?: string | undefined;
  /** True if the value is a list. */
  readonly isRepeated?: true | undefined;
  readonly values?: OptionRow["values"];
  readonly form?: OptionRow["form"];
  /** The type of an option of the generator; undefined for others. */
  readonly type?: OptionRow["type"] | undefined;
  /** The kind of the file that the value names. */
  readonly file?: OptionLine["file"];
  readonly help: string;
}

/**
 * Lists the settings of an SDK, in the order of `--help`.
 *
 * @param own The arguments that only the generator's command has
 */
export function configurationRows(own: OwnArguments): ConfigurationRow[] {
  return [
    {
      ...{ key: "document", flag: "", argument: "FILE" },
      help: "the document: OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or YAML",
    },
    ...Object.entries(own).filter(([, { isOfRun }]) => isOfRun !== true)
      .map(([flag, each]) => ({ ...each, key: keyOf(flag), flag })),
    ...linesOf("generate").map(([key, { type, values, form }, line]) => ({
      ...{ key, flag: flagOf(key), type, values, form },
      ...{ argument: line.argument, isRepeated: line.isRepeated, file: line.file, help: line.help },
    })),
    ...outputKinds.flatMap(({ name, help, options }) => [
      { key: name, flag: name, argument: "FOLDER", help },
      ...Object.entries(options).map(([option, each]) => {
        const flag = `${name}-${flagOf(option)}`;
        return { ...each, key: keyOf(flag), flag };
      }),
    ]),
  ];
}

/** Returns the name in the file of an argument: `openEnums` for `open-enums`. */
export function keyOf(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** An SDK that the file describes. Its paths begin where the command runs. */
export interface ConfiguredSdk {
  /** The path of the document; undefined if the file names none. */
  readonly document: string | undefined;
  /** The values by the names of arguments. */
  readonly values: Values;
}

/** The SDKs that the command asks for, and where it looks for the file. */
export interface ConfigurationQuery {
  /** The path of the file; undefined to look for it. */
  readonly path: string | undefined;
  /** The document that the user names: only its SDKs are wanted. */
  readonly document: string | undefined;
  /** The folder that the command runs in. */
  readonly folder: string | undefined;
  readonly rows: readonly ConfigurationRow[];
}

/**
 * Returns the SDKs that the file describes.
 *
 * @returns The SDKs; undefined if there is no file, or if it was found and does not have the document
 * @throws {ConfigurationError} If the file is broken
 * @throws {UsageError} If the file was named, and does not have the document
 */
export async function configuredSdks(
  { path, document, folder = process.cwd(), rows }: ConfigurationQuery,
): Promise<readonly ConfiguredSdk[] | undefined> {
  const file = path ?? await findFile(folder);
  if (file === undefined) return undefined;
  const sdks = readSdks(file, await requiredText(file), rows);
  if (document === undefined) return sdks;
  const found = sdks.filter((each) =>
    each.document !== undefined && resolve(each.document) === resolve(document)
  );
  if (found.length > 0) return found;
  if (path !== undefined) throw new UsageError(`${path} has no document ${document}`);
  return undefined;
}

/** Looks for the file in a folder and those above it, up to that of the package. */
async function findFile(start: string): Promise<string | undefined> {
  for (let folder = start;; folder = dirname(folder)) {
    const file = join(folder, CONFIGURATION);
    if (await exists(file)) {
      const short = relative(process.cwd(), file);
      return short.startsWith("..") || isAbsolute(short) ? file : short;
    }
    const ends = ["package.json", "deno.json", "deno.jsonc"].map((name) => join(folder, name));
    const isPackage = (await Promise.all(ends.map(exists))).includes(true);
    if (isPackage || dirname(folder) === folder) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** @throws {ConfigurationError} If the file is broken */
function readSdks(
  file: string,
  text: string,
  rows: readonly ConfigurationRow[],
): ConfiguredSdk[] {
  const { root } = new Configuration(file, text, ConfigurationError);
  const keys = rows.map(({ key }) => key);
  root.checkOnlyKeys(["$schema", ...keys, "sdks"]);
  root.child("$schema")?.text();
  const folder = dirname(file);
  const shared = readSdk(root, rows, folder);
  const list = root.child("sdks");
  if (list === undefined) return [shared];
  const items = list.items();
  if (items.length === 0) list.fail("a list with at least one SDK");
  const sdks = items.map((item) => {
    item.checkOnlyKeys(keys);
    const { document = shared.document, values } = readSdk(item, rows, folder);
    return { document, values: withOwn(shared.values, values) };
  });
  const made = rows.filter(({ flag }) => ["out", "names", "report"].includes(flag))
    .map(({ flag }) => flag).concat(outputKinds.flatMap(({ name, options }) => [
      name,
      ...Object.entries(options).flatMap(([option, { argument }]) =>
        argument === "FILE" ? [`${name}-${flagOf(option)}`] : []
      ),
    ]));
  items.forEach((item, index) => {
    for (const flag of made) {
      const places = placesOf(flag, sdks[index]!.values);
      for (const [earlier, { values }] of sdks.slice(0, index).entries()) {
        const shared = placesOf(flag, values).find((place) => places.includes(place));
        if (shared === undefined) continue;
        const key = keyOf(flag);
        item.failWith(
          `must have another \`${key}\` than sdks.${earlier}: both would write to ${shared}`,
        );
      }
    }
  });
  return sdks;
}

/** Returns the whole paths that an SDK writes to by an option: a file, or a folder and those in it. */
function placesOf(flag: string, values: Values): string[] {
  const path = values[flag];
  if (typeof path !== "string") return [];
  return flag === "out" ? SDK_FOLDERS.map((folder) => resolve(path, folder)) : [resolve(path)];
}

/** Options that take each other's place. */
const ALTERNATIVES = [["stainless", "api-md"], ["sdk", "api-md"]] as const;

/** Returns values with the more specific ones in place of theirs, and of their alternatives. */
export function withOwn(values: Values, own: Values): Values {
  const all = { ...values };
  for (const old of ["", "old-"]) {
    for (const pair of ALTERNATIVES) {
      const flags = pair.map((each) => `${old}${each}`);
      if (flags.some((flag) => own[flag] !== undefined)) flags.forEach((flag) => delete all[flag]);
    }
  }
  return { ...all, ...own };
}

function readSdk(
  setting: Setting,
  rows: readonly ConfigurationRow[],
  folder: string,
): ConfiguredSdk {
  const values: Record<string, Values[string]> = {};
  let document: string | undefined;
  for (const row of rows) {
    const child = setting.child(row.key);
    if (child === undefined) continue;
    const value = valueOf(child, row, folder);
    if (row.key !== "document") values[row.flag] = value;
    else document = value as string;
  }
  return { document, values };
}

function valueOf(
  setting: Setting,
  { argument, isRepeated, type, values, form, file }: ConfigurationRow,
  folder: string,
): Values[string] {
  if (argument === undefined) return setting.flag();
  if (type === "seconds") {
    const { value } = setting;
    const isSeconds = value === "none" || typeof value === "number" && value > 0;
    return isSeconds ? String(value) : setting.fail(SECONDS);
  }
  const read = (each: Setting): string => {
    if (values !== undefined) return each.oneOf(values);
    if (form !== undefined && file === undefined) {
      return each.matching(form.pattern, form.expected);
    }
    const isModule = file === "module" && setting.value !== STANDARD;
    const isPath = argument === "FILE" || argument === "FOLDER" || isModule;
    const kind = isModule ? "module" : argument.toLowerCase();
    const expected = isPath ? `the path of a ${kind}` : "a string";
    const text = each.matching(/[^]/, expected);
    if (!isPath) return text;
    if (text === "-" || (isUrl(text) && /^\w\w+:/.test(text))) each.fail(expected);
    return isAbsolute(text) ? text : join(folder, text);
  };
  return isRepeated === true ? setting.items().map(read) : read(setting);
}

/** Returns the JSON Schema of the file, with which editors check and complete it. */
export function configurationSchema(rows: readonly ConfigurationRow[]): unknown {
  const properties = Object.fromEntries(rows.map((row) => [row.key, propertyOf(row)]));
  const references = rows.map(({ key }) => [key, { $ref: `#/properties/${key}` }]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: CONFIGURATION,
    description:
      "The SDKs that @restwright/generate writes. Paths begin at the folder of this file.",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...properties,
      sdks: {
        type: "array",
        description: "several SDKs: each has the options beside it, too, unless it sets its own",
        minItems: 1,
        items: {
          type: "object",
          properties: Object.fromEntries(references),
          additionalProperties: false,
        },
      },
    },
    anyOf: [{ required: ["document"] }, { required: ["sdks"] }],
    additionalProperties: false,
  };
}

function propertyOf(
  { argument, isRepeated, type, values, form, file, help }: ConfigurationRow,
): unknown {
  if (argument === undefined) return { type: "boolean", description: help };
  if (type === "seconds") {
    return {
      anyOf: [{ type: "number", exclusiveMinimum: 0 }, { enum: ["none"] }],
      description: help,
    };
  }
  // The path of a module becomes the specifier that the form is about.
  const pattern = file === undefined ? form?.pattern.source : undefined;
  const text = {
    type: "string",
    ...values === undefined ? {} : { enum: values },
    ...pattern === undefined ? {} : { pattern },
    ...values === undefined && pattern === undefined ? { minLength: 1 } : {},
  };
  return isRepeated === true
    ? { type: "array", description: help, items: text }
    : { ...text, description: help };
}
