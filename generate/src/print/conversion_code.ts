/**
 * Prints conversions of dates and bigints, as types of the toolkit's models (`src/models/`). A kind is the
 * name that is printed, with three exceptions: an `object` is a `looseObject`, `literals` are a `literal`
 * or `oneOf`, and a `reference` is the name of another conversion.
 */

import { partsOfTuple, referencesOf } from "../algebra/references.ts";
import type { Conversion, Declaration, ObjectConversion } from "../model/mod.ts";
import { WIDTH } from "./comments.ts";
import type { Imports } from "./imports.ts";
import { literal, objectKey } from "./literals.ts";
import { printType, type TypePlace } from "./types.ts";

const INDENT = 2;

/** Prints the exported constant with the conversion of a declaration. */
export function printConversionOf({ name, conversion }: Declaration): string {
  if (conversion === undefined) return "";
  const start = `export const ${name}: Document<${name}> = /* @__PURE__ */ document(`;
  const flat = printExpression(conversion, { used: start.length + ");".length }, true);
  if (!flat.includes("\n") && start.length + flat.length + 2 <= WIDTH) return `${start}${flat});\n`;
  const printed = printExpression(conversion, { indent: INDENT, used: INDENT + 1 }, true);
  return `${start}\n  ${printed},\n);\n`;
}

/**
 * Returns a conversion as the value of `responseModel`, or before `.toJsonValue`: a `document`.
 *
 * @param conversion The conversion
 * @param place Its place
 */
export function printDocument(
  conversion: Conversion,
  { indent = 0, used = indent }: TypePlace = {},
): string {
  if (conversion.kind === "reference") return conversion.name;
  return `document(${printExpression(conversion, { indent, used: used + 10 }, false)})`;
}

/** Returns a conversion, with the imports that it needs. */
export function documentOf(
  conversion: Conversion,
  { imports, toolkit }: { readonly imports: Imports; readonly toolkit: string },
): string {
  for (const name of modelImportsOf([conversion])) imports.value(`${toolkit}/models`, name);
  for (const name of referencesOf(conversion)) imports.value("../models.ts", name);
  return printDocument(conversion, { indent: 6, used: 30 });
}

/** Returns the names that conversions need of the toolkit's models. */
export function modelImportsOf(conversions: Iterable<Conversion>): Set<string> {
  const names = new Set<string>();
  const add = (conversion: Conversion): void => {
    names.add(functionOf(conversion));
    switch (conversion.kind) {
      case "tuple":
        return partsOfTuple(conversion).forEach(add);
      case "list":
      case "nullable":
        return add(conversion.of);
      case "anyOf":
        return conversion.types.forEach(add);
      case "object":
        conversion.members.forEach(([, each]) => add(each));
        if (conversion.others !== undefined) add(conversion.others);
    }
  };
  for (const each of conversions) {
    if (each.kind !== "reference") names.add("document");
    add(each);
  }
  names.delete("");
  return names;
}

/** Returns the name of the toolkit for a conversion; empty for a reference. */
function functionOf(conversion: Conversion): string {
  switch (conversion.kind) {
    case "object":
      return "looseObject";
    case "literals":
      return conversion.values.length === 1 ? "literal" : "oneOf";
    case "reference":
      return "";
    default:
      return conversion.kind;
  }
}

const flatConstants = new WeakMap<Conversion, string>();
const flatOthers = new WeakMap<Conversion, string>();

/** Returns a conversion as it is at the start of a line. All levels around it ask for it. */
function printFlat(conversion: Conversion, isConstant: boolean): string {
  const texts = isConstant ? flatConstants : flatOthers;
  let text = texts.get(conversion);
  if (text === undefined) {
    texts.set(conversion, text = printExpression(conversion, { indent: 0, used: 0 }, isConstant));
  }
  return text;
}

/** @param isConstant True for a part of a constant that a bundler may leave out */
function printExpression(conversion: Conversion, place: TypePlace, isConstant: boolean): string {
  const { indent = 0, used = indent } = place;
  const pure = isConstant ? "/* @__PURE__ */ " : "";
  const name = functionOf(conversion);
  switch (conversion.kind) {
    case "reference":
      return conversion.name;
    case "literals":
      return `${pure}${name}(${conversion.values.map(literal).join(", ")})`;
    case "list":
    case "nullable": {
      const start = `${pure}${name}(`;
      const inner = { indent, used: used + start.length + 1 };
      return `${start}${printExpression(conversion.of, inner, isConstant)})`;
    }
    case "tuple": {
      const print = (each: Conversion) => printExpression(each, { indent, used: 0 }, isConstant);
      const items = `[${conversion.items.map(print).join(", ")}]`;
      const rest = conversion.rest === undefined ? "" : `, ${print(conversion.rest)}`;
      return `${pure}tuple<${printType(conversion.type, { indent })}>(${items}${rest})`;
    }
    case "anyOf":
      return printAnyOf(conversion.types, pure, { indent, used }, isConstant);
    case "object":
      return printObject(conversion, pure, { indent, used });
    default:
      return name;
  }
}

function printAnyOf(
  types: readonly Conversion[],
  pure: string,
  { indent, used }: { readonly indent: number; readonly used: number },
  isConstant: boolean,
): string {
  const flat = types.map((each) => printFlat(each, isConstant));
  const line = `${pure}anyOf(${flat.join(", ")})`;
  if (!line.includes("\n") && used + line.length <= WIDTH) return line;
  const pad = " ".repeat(indent + INDENT);
  const inner = { indent: indent + INDENT, used: indent + INDENT + 1 };
  const lines = types.map((each) => `${pad}${printExpression(each, inner, isConstant)},\n`);
  return `${pure}anyOf(\n${lines.join("")}${" ".repeat(indent)})`;
}

/** The members are in a function, because they may use constants that are declared further down. */
function printObject(
  { type, members, others, required }: ObjectConversion,
  pure: string,
  { indent, used }: { readonly indent: number; readonly used: number },
): string {
  const start = `${pure}looseObject${type === undefined ? "" : `<${printType(type, { indent })}>`}`;
  const rest = others && printExpression(others, { indent }, false);
  const ofOthers = rest === undefined
    ? required === undefined ? "" : ", undefined"
    : `, ${needsFunction(others!) ? "() => " : ""}${rest}`;
  const end = required === undefined
    ? ofOthers
    : `${ofOthers}, [${required.map(literal).join(", ")}]`;
  const flat = members.map(([name, each]) => `${objectKey(name)}: ${printFlat(each, false)}`);
  const isLazy = members.some(([, each]) => needsFunction(each));
  const [open, close] = isLazy ? ["(() => ({", "})"] : ["({", "}"];
  if (members.length === 0) return `${start}({}${end})`;
  const line = `${start}${open} ${flat.join(", ")} ${close}${end})`;
  if (!line.includes("\n") && used + line.length <= WIDTH && members.length < 3) return line;
  const pad = " ".repeat(indent + INDENT);
  const lines = members.map(([name, each]) => {
    const key = `${pad}${objectKey(name)}: `;
    const place = { indent: indent + INDENT, used: key.length + 1 };
    return `${key}${printExpression(each, place, false)},\n`;
  });
  return `${start}${open}\n${lines.join("")}${" ".repeat(indent)}${close}${end})`;
}

/** Reports if a conversion uses a constant of the file, outside of a function. */
function needsFunction(conversion: Conversion): boolean {
  switch (conversion.kind) {
    case "reference":
      return true;
    case "list":
    case "nullable":
      return needsFunction(conversion.of);
    case "tuple":
      return partsOfTuple(conversion).some(needsFunction);
    case "anyOf":
      return conversion.types.some(needsFunction);
    default:
      return false;
  }
}
