/** Prints the options of a client: their types, their comments, and the statics that list them. */

import type {
  ClientOption,
  Comment,
  CredentialType,
  Property,
  SdkClient,
  SecurityScheme,
  Type,
} from "../model/mod.ts";
import { printComment } from "./comments.ts";
import { credentialText } from "./credentials.ts";
import type { Imports } from "./imports.ts";
import { type Layout, listOf } from "./layout.ts";
import { literal, quoted } from "./literals.ts";
import { printProperty, printType } from "./types.ts";

/** The file in which options are printed. */
interface OptionsPlace {
  readonly toolkit: string;
  readonly imports: Imports;
  /** True if callers can assign the options of an object. */
  readonly isMutable?: boolean | undefined;
}

/** A static field of a client: its name, its type and its value. */
export type StaticField = readonly [name: string, type: string, value: Layout];

/**
 * Returns the interface of a client's options.
 *
 * @param base The interface of the toolkit that it extends
 * @param others Options of the toolkit that it declares anew, which come after those with secrets
 */
export function printOptions(
  client: SdkClient,
  base: string,
  place: OptionsPlace,
  others: readonly Property[] = [],
): string {
  const { options } = client;
  const lines = options.map((each) => printOption(client, each, place));
  const index = options.findIndex(({ role }) => role !== "credential");
  lines.splice(
    index < 0 ? lines.length : index,
    0,
    ...others.map((each) => printProperty(each, 2)),
  );
  const start = `/** Options of {@linkcode ${client.className}}. */\n` +
    `export interface ${client.optionsType} extends ${base} {`;
  return lines.length === 0 ? `${start}}\n` : `${start}\n${lines.join("")}}\n`;
}

function printOption(client: SdkClient, option: ClientOption, place: OptionsPlace): string {
  const { name, types } = option;
  const comment = commentOf(client, option);
  const [type, ...others] = types;
  if (others.length === 0 && isType(type!)) {
    const readonly = place.isMutable !== true;
    return printProperty({ name, type, optional: true, readonly, comment }, 2);
  }
  const text = printOptionType(option, place);
  const readonly = place.isMutable === true ? "" : "readonly ";
  return `${printComment(comment, 2)}  ${readonly}${name}?: ${text} | undefined;\n`;
}

/** Returns the type of an option's value. */
export function printOptionType({ types }: ClientOption, place: OptionsPlace): string {
  return types.map((type) => {
    switch (type.kind) {
      case "function":
        return "(() => string | Promise<string>)";
      case "pair":
        return "readonly [username: string, password: string]";
      case "scheme":
        return place.imports.type(`${place.toolkit}/auth`, "Auth");
      default:
        return printType(type);
    }
  }).join(" | ");
}

function isType(type: Type | CredentialType): type is Type {
  return type.kind !== "function" && type.kind !== "pair" && type.kind !== "scheme";
}

/** Returns the comment of an option: what it is for, what the document says, and its defaults. */
function commentOf(client: SdkClient, option: ClientOption): Comment {
  const { comment: { text: stated }, env, default: fallback } = option;
  const scheme = schemeOf(client, option);
  const title = scheme === undefined ? "" : credentialText(scheme);
  const use = title === "" && stated === "" ? useText(option) : "";
  const ofEnv = env === undefined ? "" : `By default, the environment variable \`${env}\`.`;
  const text = [stated === title ? "" : title, stated, use, ofEnv]
    .filter((each) => each !== "").join("\n\n");
  return { text, tags: fallback === undefined ? [] : [["default", `{${literal(fallback)}}`]] };
}

/** Returns the scheme whose whole value an option has. */
function schemeOf(
  { credentials, schemes }: SdkClient,
  { name }: ClientOption,
): SecurityScheme | undefined {
  const found = credentials.find(({ options }) => options.length === 1 && options[0] === name);
  return found && schemes.find(({ option }) => option === found.scheme);
}

/** Returns what an option without a description is for. */
function useText({ name, header, isInUrl }: ClientOption): string {
  if (header !== undefined) return `It is sent in the header \`${header}\`.`;
  return isInUrl === true ? "A part of the base URL." : `The option \`${name}\`.`;
}

/** Returns the statics with the name and version of the client. */
export function nameStatics({ libName, libVersion }: SdkClient): StaticField[] {
  const version = ["libVersion", "string", quoted(libVersion)] as const;
  return [["libName", "string", quoted(libName)], ...libVersion === "" ? [] : [version]];
}

/** Returns the statics with the time limit of an attempt, and the header for idempotency keys. */
export function repetitionStatics({ settings }: SdkClient): StaticField[] {
  const { timeout, idempotencyHeader } = settings;
  const header = idempotencyHeader && quoted(idempotencyHeader);
  return [
    ...timeout === undefined
      ? []
      : [["timeout", "number | null", String(timeout && timeout / 1000)] as const],
    ...header === undefined ? [] : [["idempotencyHeader", "string | null", header] as const],
  ];
}

/** Returns the statics that list the options. */
export function optionStatics({ options }: SdkClient): StaticField[] {
  const namesOf = (isSecret: boolean) =>
    options.filter(({ role }) => (role === "credential") === isSecret).map(({ name }) => name);
  const [others, credentials] = [namesOf(false), namesOf(true)];
  const type = "readonly string[]";
  return [
    ...others.length === 0 ? [] : [["optionNames", type, listOf(others)] as const],
    ...credentials.length === 0 ? [] : [["credentialOptions", type, listOf(credentials)] as const],
  ];
}
