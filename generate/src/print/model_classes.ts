/** Prints model classes of the toolkit, for schemas of XML. */

import { unionOf } from "../algebra/types.ts";
import type { Declaration, ModelClass, ModelField, ModelValue } from "../model/mod.ts";
import { printComment, WIDTH } from "./comments.ts";
import { literal, objectKey, propertyKey, quoted } from "./literals.ts";
import { printAfter } from "./types.ts";

/** Prints a declaration as a model class. */
export function printModelClass({ name, comment, model }: Declaration & {
  readonly model: ModelClass;
}): string {
  const { tag, namespace, prefixes, fields } = model;
  const lines = fields.map(printProperty);
  lines.push(`  static override readonly tag: string = ${quoted(tag)};\n`);
  if (namespace !== undefined) {
    lines.push(`  static override readonly namespace: string = ${quoted(namespace)};\n`);
  }
  if (prefixes.length > 0) {
    const pairs = prefixes.map(([prefix, uri]) => `    ${objectKey(prefix)}: ${quoted(uri)},\n`);
    lines.push(
      `  static override readonly prefixes: Readonly<Record<string, string>> = {\n` +
        `${pairs.join("")}  };\n`,
    );
  }
  const printed = fields.map((field) => `    ${printField(field, namespace, 4)},\n`);
  lines.push(`  static override readonly fields: Fields<${name}> = {\n${printed.join("")}  };\n`);
  return `${printComment(comment, 0)}export class ${name} extends Model {\n${lines.join("")}}\n`;
}

/** Returns the names that a model class needs of the toolkit's models. */
export function classImportsOf({ fields }: ModelClass): Set<string> {
  const names = new Set(["type Fields", "Model"]);
  const addValue = (value: ModelValue): void => {
    const name = functionOf(value);
    if (name !== "") names.add(name);
    if ("of" in value) addValue(value.of);
    if (value.kind === "object") addFields(value.fields);
  };
  const addFields = (added: readonly ModelField[]): void => {
    for (const { place, value } of added) {
      names.add(place);
      addValue(value);
    }
  };
  addFields(fields);
  return names;
}

function printProperty({ property, type, optional, comment }: ModelField): string {
  const key = `  declare ${propertyKey(property)}${optional ? "?" : ""}:`;
  const whole = optional ? unionOf([type, { kind: "undefined" }]) : type;
  const printed = printAfter(whole, { indent: 2, used: key.length + " ;".length });
  return `${printComment(comment, 2)}${key}${printed};\n`;
}

/** @param around The namespace of the element around the field, which it has if it states no other */
function printField(field: ModelField, around: string | undefined, indent: number): string {
  const { property, place, value } = field;
  const { namespace, options } = optionsOf(field, around);
  const key = `${objectKey(property)}: ${place}(`;
  const type = printValue(value, namespace || undefined, indent);
  const line = `${key}${type}${options.length === 0 ? "" : `, { ${options.join(", ")} }`})`;
  if (indent + line.length < WIDTH || options.length === 0) return line;
  const pad = " ".repeat(indent);
  const lines = options.map((each) => `${pad}  ${each},\n`);
  return `${key}${type}, {\n${lines.join("")}${pad}})`;
}

/** Returns the namespace of a field, and the options that state what does not follow from its name. */
function optionsOf(
  field: ModelField,
  around: string | undefined,
): { readonly namespace: string | undefined; readonly options: readonly string[] } {
  const { property, json, place, value, optional, tag, within } = field;
  const options: string[] = [];
  if (json !== property) options.push(`json: ${quoted(json)}`);
  // The tag of a model is that of its own element, and not of the fields that refer to it.
  if (tag !== property || isModel(value)) options.push(`tag: ${quoted(tag)}`);
  if (within !== undefined) {
    const uri = within.namespace ?? (around === undefined ? undefined : "");
    const name = uri === undefined || uri === around ? within.name : `{${uri}}${within.name}`;
    options.push(`within: ${quoted(name)}`);
  }
  // A namespace stands for its element alone, but a model hands its own on.
  const isInherited = around !== undefined && place !== "attr";
  const namespace = field.namespace ?? (isInherited ? "" : undefined);
  if (namespace !== undefined && namespace !== around && place !== "text") {
    options.push(`namespace: ${quoted(namespace)}`);
  }
  if (optional) options.push("optional: true");
  return { namespace, options };
}

/** @param around The namespace of the element that has the value */
function printValue(value: ModelValue, around: string | undefined, indent: number): string {
  const name = functionOf(value);
  switch (value.kind) {
    case "literals":
    case "openEnum":
      return `${name}(${value.values.map(literal).join(", ")})`;
    case "model":
      return `() => ${value.name}`;
    case "list":
    case "nullable":
    case "record":
      return `${name}(${printValue(value.of, around, indent)})`;
    case "object": {
      const pad = " ".repeat(indent);
      const fields = value.fields.map((each) =>
        `${pad}  ${printField(each, around, indent + 2)},\n`
      );
      return fields.length === 0 ? `${name}({})` : `${name}({\n${fields.join("")}${pad}})`;
    }
    default:
      return name;
  }
}

function isModel(value: ModelValue): boolean {
  return value.kind === "model" || "of" in value && isModel(value.of);
}

/** Returns the name of the toolkit for a value; empty for a model. */
function functionOf(value: ModelValue): string {
  if (value.kind === "model") return "";
  if (value.kind === "literals") return value.values.length === 1 ? "literal" : "oneOf";
  return value.kind;
}
