/** Prints types and declarations as TypeScript, at 100 columns. */

import { unionOf } from "../algebra/types.ts";
import type { Declaration, Keyword, ObjectType, Property, Type } from "../model/mod.ts";
import { printComment, WIDTH } from "./comments.ts";
import { literal, propertyKey } from "./literals.ts";

const INDENT = 2;

const keywords: Readonly<Record<Keyword, string>> = {
  unknown: "unknown",
  never: "never",
  null: "null",
  undefined: "undefined",
  string: "string",
  number: "number",
  bigint: "bigint",
  boolean: "boolean",
  date: "Date",
  dateOnly: "Date",
  bytes: "Uint8Array",
  file: "Blob",
  upload: "Uploadable",
  openString: "(string & Record<never, never>)",
  openNumber: "(number & Record<never, never>)",
};

/** The place at which a type is printed. */
export interface TypePlace {
  /** The number of spaces before the line. Default: 0 */
  readonly indent?: number | undefined;
  /** The number of columns on the line before the type and after it. Default: that of `indent` */
  readonly used?: number | undefined;
}

/** Returns a type: on one line if it fits there and has no comments, otherwise on several. */
export function printType(type: Type, { indent = 0, used = indent }: TypePlace = {}): string {
  if (!hasComments(type)) {
    const flat = flatType(type);
    if (used + flat.length <= WIDTH) return flat;
  }
  const pad = " ".repeat(indent);
  const inner = " ".repeat(indent + INDENT);
  const nested = { indent: indent + INDENT };
  switch (type.kind) {
    case "object":
      return isRecordType(type) ? printRecord(type.additional, indent) : printBody(type, indent);
    case "array": {
      const isOpen = type.items.kind === "union" || type.items.kind === "intersection";
      if (!isOpen) return `${printType(type.items, { indent, used })}[]`;
      const text = printType(type.items, nested);
      return `(${text.startsWith("\n") ? "" : `\n${inner}`}${text}\n${pad})[]`;
    }
    case "tuple": {
      const items = type.items.map((each) => printType(each, nested));
      if (type.rest !== undefined) items.push(`...${atom(type.rest, indent + INDENT)}[]`);
      return `[\n${items.map((each) => `${inner}${each},\n`).join("")}${pad}]`;
    }
    case "union":
    case "intersection": {
      const hanging = type.kind === "union" ? printHanging(type.members, indent) : undefined;
      if (hanging !== undefined) return hanging;
      const sign = type.kind === "union" ? "|" : "&";
      const members = type.members.map((each) =>
        type.kind === "union" && each.kind !== "intersection"
          ? printType(each, { indent: indent + INDENT, used: indent + 2 * INDENT })
          : atom(each, indent + INDENT)
      );
      return members.map((each) => `\n${inner}${sign} ${each}`).join("");
    }
    default:
      return flatType(type);
  }
}

/** Prints an object and short members behind its brace: `{ … } | null`. */
function printHanging([first, ...others]: readonly Type[], indent: number): string | undefined {
  const object = first?.kind === "array" ? first.items : first;
  if (object?.kind !== "object" || isRecordType(object)) return undefined;
  const names = others.map((each) => each.kind === "null" || each.kind === "undefined");
  if (names.includes(false)) return undefined;
  return [printType(first!, { indent, used: WIDTH }), ...others.map(flatType)].join(" | ");
}

/** Returns a type with a space before it, or on the following lines. Use it after `=` and `:`. */
export function printAfter(type: Type, place: TypePlace): string {
  const text = printType(type, place);
  return text.startsWith("\n") ? text : ` ${text}`;
}

/** Prints a declaration: an interface if it is an object with properties, otherwise a type. */
export function printDeclaration({ name, type, comment }: Declaration): string {
  const doc = printComment(comment, 0);
  if (type.kind === "object" && type.properties.length > 0) {
    return `${doc}export interface ${name}${printExtends(name, type)} ${printBody(type, 0)}\n`;
  }
  const start = `export type ${name} =`;
  return `${doc}${start}${printAfter(type, { used: start.length + " ;".length })};\n`;
}

function printExtends(name: string, { extends: bases = [] }: ObjectType): string {
  if (bases.length === 0) return "";
  const line = ` extends ${bases.join(", ")}`;
  if (`export interface ${name}${line} {`.length <= WIDTH) return line;
  return `\n  extends\n${bases.map((each) => `    ${each}`).join(",\n")}`;
}

/** Prints the properties of an object in braces, each on a line of its own. */
function printBody({ properties, additional }: ObjectType, indent: number): string {
  const lines = properties.map((each) => printProperty(each, indent + INDENT));
  if (additional !== undefined) {
    const start = `${" ".repeat(indent + INDENT)}[key: string]:`;
    const place = { indent: indent + INDENT, used: start.length + " ;".length };
    lines.push(`${start}${printAfter(additional, place)};\n`);
  }
  return `{\n${lines.join("")}${" ".repeat(indent)}}`;
}

/** Prints a property with its comment. */
export function printProperty(property: Property, indent: number): string {
  const { optional, comment } = property;
  const start = `${" ".repeat(indent)}${startOf(property)}:`;
  const type = optional ? orUndefined(property.type) : property.type;
  const printed = printAfter(type, { indent, used: start.length + " ;".length });
  return `${printComment(comment, indent)}${start}${printed};\n`;
}

function startOf({ name, optional, readonly }: Property): string {
  return `${readonly ? "readonly " : ""}${propertyKey(name)}${optional ? "?" : ""}`;
}

/** An optional property accepts undefined, too, so that callers can pass what they may not have. */
function orUndefined(type: Type): Type {
  return unionOf([type, { kind: "undefined" }]);
}

const flatTypes = new WeakMap<Type, string>();

/** Returns a type on one line. */
export function flatType(type: Type): string {
  let text = flatTypes.get(type);
  // Each level is printed on one line first, and then on several, with the types inside of it.
  if (text === undefined) flatTypes.set(type, text = newFlatType(type));
  return text;
}

function newFlatType(type: Type): string {
  switch (type.kind) {
    case "literal":
      return literal(type.value);
    case "reference":
      return type.name;
    case "array":
      return `${flatAtom(type.items)}[]`;
    case "tuple": {
      const items = type.items.map(flatType);
      if (type.rest !== undefined) items.push(`...${flatAtom(type.rest)}[]`);
      return `[${items.join(", ")}]`;
    }
    case "object":
      return isRecordType(type) ? printRecord(type.additional, 0) : flatObject(type);
    case "union":
      return type.members.map((each) =>
        each.kind === "intersection" ? flatAtom(each) : flatType(each)
      )
        .join(" | ");
    case "intersection":
      return type.members.map(flatAtom).join(" & ");
    default:
      return keywords[type.kind];
  }
}

function flatObject({ properties, additional }: ObjectType): string {
  // To deno lint and many readers, `{}` looks like an empty object, but it is almost any value.
  if (properties.length === 0 && additional === undefined) return "Record<string, never>";
  const members = properties.map((each) =>
    `${startOf(each)}: ${flatType(each.optional ? orUndefined(each.type) : each.type)}`
  );
  if (additional !== undefined) members.push(`[key: string]: ${flatType(additional)}`);
  return `{ ${members.join("; ")} }`;
}

/** Returns a type on one line, in parentheses if it has parts. */
function flatAtom(type: Type): string {
  return needsParentheses(type) ? `(${flatType(type)})` : flatType(type);
}

/** Returns a type, in parentheses if it has parts. */
function atom(type: Type, indent: number): string {
  if (!needsParentheses(type)) return printType(type, { indent, used: indent + INDENT });
  const text = printType(type, { indent, used: indent + 2 * INDENT });
  return text.startsWith("\n") ? `(${text}\n${" ".repeat(indent)})` : `(${text})`;
}

function needsParentheses(type: Type): boolean {
  return type.kind === "union" || type.kind === "intersection";
}

/** Reports if a type is an object with nothing but an index signature. */
function isRecordType(type: ObjectType): type is ObjectType & { readonly additional: Type } {
  return type.properties.length === 0 && type.additional !== undefined;
}

/** A type that refers to itself can do so in an index signature, but not in `Record`. */
function printRecord(additional: Type, indent: number): string {
  if (!hasReference(additional)) {
    return `Record<string, ${printType(additional, { indent, used: indent })}>`;
  }
  if (!hasComments(additional)) return `{ [key: string]: ${flatType(additional)} }`;
  return printBody({ kind: "object", properties: [], additional }, indent);
}

function hasReference(type: Type): boolean {
  return some(type, (each) => each.kind === "reference");
}

function hasComments(type: Type): boolean {
  return some(type, (each) =>
    each.kind === "object" &&
    each.properties.some(({ comment }) => comment.text !== "" || comment.tags.length > 0));
}

/** Reports if a type, or one inside of it, meets a condition. */
function some(type: Type, meets: (type: Type) => boolean): boolean {
  if (meets(type)) return true;
  const inner = (each: Type) => some(each, meets);
  switch (type.kind) {
    case "array":
      return inner(type.items);
    case "tuple":
      return type.items.some(inner) || type.rest !== undefined && inner(type.rest);
    case "object":
      return type.properties.some((each) => inner(each.type)) ||
        type.additional !== undefined && inner(type.additional);
    case "union":
    case "intersection":
      return type.members.some(inner);
    default:
      return false;
  }
}
