/** Prints the parts that the methods of all clients have: signatures, paths, fields and results. */

import type {
  Comment,
  FormField,
  Method,
  Parameter,
  RequestBody,
  SdkModel,
  SignatureType,
} from "../model/mod.ts";
import type { Imports } from "./imports.ts";
import { call, flat, type Layout, object, property } from "./layout.ts";
import { printComment, WIDTH } from "./comments.ts";
import { modelOf } from "./streams.ts";
import { objectKey, propertyOf, quoted } from "./literals.ts";
import { printType } from "./types.ts";
import { styledValue } from "./styles.ts";
import { template } from "./urls.ts";

/** The place of a method in the output. */
export interface Context {
  readonly plan: SdkModel;
  readonly toolkit: string;
  readonly imports: Imports;
}

/** An argument of a method. */
export interface PrintedArgument {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The value if the argument is left out. */
  readonly fallback?: string | undefined;
}

export function printCode(comment: Comment, signature: string, lines: readonly string[]): string {
  return `${printComment(comment, 2)}${signature} {\n${lines.join("")}  }\n`;
}

/** Returns arguments as overloads declare them: without the values if they are left out. */
export function withoutFallbacks(args: readonly PrintedArgument[]): PrintedArgument[] {
  return args.map((each) => ({ ...each, fallback: undefined }));
}

/** Returns arguments before one that is required. */
export function requiredBefore(args: readonly PrintedArgument[]): PrintedArgument[] {
  return args.map(({ name, type, isRequired }) => ({
    name,
    type: isRequired ? type : `${type} | undefined`,
    isRequired: true,
  }));
}

/** Returns the signature of a method. Its result may have alternatives. */
export function signatureOf(
  name: string,
  args: readonly PrintedArgument[],
  ...results: readonly string[]
): string {
  const list = args.map(({ name, type, isRequired, fallback }) =>
    fallback !== undefined
      ? `${name}: ${type} = ${fallback}`
      : `${name}${isRequired ? "" : "?"}: ${type}`
  );
  const result = results.join(" | ");
  const line = `  ${name}(${list.join(", ")}): ${result}`;
  if (line.length + " {".length <= WIDTH) return line;
  const start = `  ${name}(\n${list.map((each) => `    ${each},\n`).join("")}  ):`;
  const fits = "  ): ".length + result.length + " {".length <= WIDTH;
  return results.length === 1 || fits
    ? `${start} ${result}`
    : `${start}${results.map((each) => `\n    | ${each}`).join("")}`;
}

export function pathOf(method: Method, context: Context): string {
  const byName = new Map(method.pathParameters.map((each) => [each.name, each]));
  const parts = method.path.map((part) => {
    if (typeof part === "string") return part;
    const parameter = byName.get(part.argument)!;
    // The function `path` reports a value that is missing.
    const value = mayMiss(method, parameter) ? `${parameter.name}!` : parameter.name;
    return { expression: flat(styledValue(parameter, value, context)) };
  });
  const text = template(parts, "path");
  if (text.startsWith("path`")) context.imports.value(context.toolkit, "path");
  return text;
}

/** Reports if a part of the path is in an object of parameters that callers can leave out. */
function mayMiss({ params }: Method, parameter: Parameter): boolean {
  return params?.isRequired === false && parameter.clientOption === undefined &&
    params.fields.some((each) => each.parameter === parameter);
}

/** Returns a field in its style; nothing if it is sent as it is. */
export function styledField(field: FormField, body: string, context: Context): Layout[] {
  const value = propertyOf(body, field.name);
  const written = styledValue({ ...field, place: "query", wireName: field.name }, value, context);
  return written === value ? [] : [ownProperty(body, field.name, written)];
}

/** Returns the cast of the data of a form whose values only the toolkit can check. */
export function castOf(
  { isUnchecked }: RequestBody,
  { imports, toolkit }: Pick<Context, "imports" | "toolkit">,
): string {
  return isUnchecked === true ? ` as ${imports.type(toolkit, "Params")}` : "";
}

/** Reports if each object has a property of this name from its prototype, which nobody passed. */
export function isInherited(name: string): boolean {
  return name in {};
}

/**
 * Returns the written value of a property as a property of an object literal, if the object has its own.
 *
 * @param from The object; it ends with `?` if it can be undefined
 * @param key The name in the literal
 */
export function ownProperty(from: string, name: string, written: Layout, key = name): Layout {
  if (!isInherited(name)) return property(objectKey(key), written);
  const object = from.endsWith("?") ? `${from.slice(0, -1)} ?? {}` : from;
  const open = `Object.hasOwn(${object}, ${quoted(name)})`;
  return property(objectKey(key), { open, yes: flat(written), no: "undefined" });
}

/**
 * Returns the object that a pattern takes apart: without what it inherits, if one of the names does.
 *
 * @param plain The object if none does
 */
export function takenObject(names: readonly string[], object: string, plain = object): string {
  return names.some(isInherited)
    ? `Object.assign(Object.create(null) as object, ${object})`
    : plain;
}

/** Returns the query that the path of an operation has by itself. */
export function fixedQueryLayouts({ fixedQuery }: Method): Layout[] {
  const fixed = new Map<string, string[]>();
  for (const [name, value] of fixedQuery) fixed.set(name, [...fixed.get(name) ?? [], value]);
  return [...fixed].map(([name, values]) => {
    const texts = values.map(quoted);
    return property(objectKey(name), texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`);
  });
}

export function resultLayouts(method: Method, context: Context): Layout[] {
  const { result } = method;
  const { imports, toolkit } = context;
  if (result.kinds !== undefined) return [mixedLayout(method, context)];
  switch (result.kind) {
    case "json":
      return result.conversion === undefined
        ? []
        : [`responseModel: ${modelOf(result.conversion, { imports, toolkit })}`];
    case "void":
      imports.value(toolkit, "voidFormat");
      return ["format: voidFormat"];
    case "text": {
      const format = imports.value(toolkit, "textFormat");
      return result.accept === undefined
        ? [`format: ${format}`]
        : [`format: { ...${format}, accept: ${quoted(result.accept)} }`];
    }
    case "bytes":
    case "response":
    case "redirect":
      return ["convJson: false"];
    case "stream":
      return [];
  }
}

/** Returns the format of a result whose kind depends on the status. */
function mixedLayout(method: Method, { imports, toolkit }: Context): Layout {
  const { kinds = {}, conversion, accept } = method.result;
  imports.value(toolkit, "formatByStatus");
  const byStatus = Object.entries(kinds).map(([status, kind]) => property(status, quoted(kind)));
  const options = [
    ...accept === undefined ? [] : [property("accept", quoted(accept))],
    ...conversion === undefined
      ? []
      : [property("model", modelOf(conversion, { imports, toolkit }))],
  ];
  const values = [object(byStatus), ...options.length === 0 ? [] : [object(options)]];
  return call(`format: formatByStatus<${resultType(method)}>`, values);
}

export function resultType({ result }: Method): string {
  switch (result.kind) {
    case "json":
      return printType(result.type, { indent: 4 });
    case "void":
      return "void";
    case "text":
      return "string";
    default:
      return "Response";
  }
}

/** Returns the arguments of a method as code. A printer may add the values of those that are left out. */
export function argumentsOf({ signature }: Method, place: NamedPlace): PrintedArgument[] {
  return signature.arguments.map(({ name, type, or, isRequired }) => ({
    ...{ name, isRequired },
    type: [signatureType(type, place), ...or].join(" | "),
  }));
}

/** The file in which a signature is printed. */
export interface NamedPlace {
  readonly toolkit: string;
  readonly imports: Imports;
}

/** Returns a type in a signature, and imports it if it has a name elsewhere. */
export function signatureType(type: SignatureType, place: NamedPlace): string {
  if (type.kind !== "named") return printType(type, { indent: 4 });
  const { name, from, arguments: args } = type;
  if (from === "pages") place.imports.value("../pagination.ts", name);
  else if (from !== undefined) place.imports.type(from.replace("toolkit", place.toolkit), name);
  return args.length === 0
    ? name
    : `${name}<${args.map((each) => signatureType(each, place)).join(", ")}>`;
}
