// How the content of elements gets into instances.

import type { XmlName } from "../xml/name.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import { instantiateEmpty, type MutableRecord } from "./instance.ts";
import { unknownPartsOf } from "./unknown_content.ts";
import { unwrapped } from "./plain_shape.ts";
import type { ScalarShape, Shape } from "./value_type.ts";
import type { Content, Opening } from "./xml_frame.ts";
import { unknownAttribute } from "./xml_unknown.ts";
import { stepsOf } from "./xml_node.ts";
import type { XmlField, XmlPlan } from "./xml_plan.ts";
import type { XmlProblems } from "./xml_problems.ts";
import { XSI_NAMESPACE } from "./xsi.ts";

/** A new instance, its properties in the order of their declaration and still undefined. */
export function blankWith({ model, fields }: XmlPlan): MutableRecord {
  const instance = instantiateEmpty(model) as MutableRecord;
  for (const { name } of fields) instance[name] = undefined;
  return instance;
}

/** Puts the value of a field in; of one that repeats, the next value. */
export function bind(instance: MutableRecord, field: XmlField, value: unknown): void {
  if (field.place !== "elements") instance[field.name] = value;
  else if (instance[field.name] === undefined) instance[field.name] = [value];
  else (instance[field.name] as unknown[]).push(value);
}

/** Puts the attributes of an element in. */
export function bindAttributes(
  { plan, instance, node }: Content,
  { names, values }: XmlAttributes,
  problems: XmlProblems,
): void {
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const value = values[index]!;
    const field = node.attributes.get(name.key);
    if (field !== undefined) bind(instance, field, textValue(field.shape, value, problems, name));
    else if (plan.unknown === "ignore" || name.uri === XSI_NAMESPACE) continue;
    else if (plan.unknown === "refuse") problems.attribute(plan.model.name, name.raw);
    else unknownPartsOf(instance).attributes.push(unknownAttribute(name, value));
  }
}

/** Tells of attributes of an element that has no field for any: a text, or a record. */
export function refuseAttributes(
  { plan }: Content,
  opening: Opening,
  problems: XmlProblems,
): void {
  if (plan.unknown !== "refuse") return;
  for (const { uri, raw } of opening.attributes.names) {
    if (uri !== XSI_NAMESPACE) problems.attribute(plan.model.name, raw, opening);
  }
}

/** Puts the text of an element in that closes, where a field is for it. */
export function bindText({ node, instance, text }: Content, problems: XmlProblems): void {
  const field = node.text;
  if (field === undefined) return;
  // Text that may be absent is so where there are but blanks around the elements.
  if ((field.isOptional || field.fallback !== undefined) && isBlank(text)) return;
  bind(instance, field, textValue(field.shape, text, problems));
}

/** An instance closes: what has not come has its default, or is missing. */
export function bindDefaults({ plan, instance }: Content, problems: XmlProblems): void {
  for (const field of plan.fields) {
    if (instance[field.name] !== undefined) continue;
    if (field.fallback !== undefined) instance[field.name] = field.fallback();
    else if (field.isOptional) continue;
    else if (field.given.kind === "nullable" && field.place !== "element") {
      instance[field.name] = null;
    } else {
      const steps = [...field.within, ...stepsOf(field)];
      instance[field.name] = problems.value(field.given.expected, undefined, ...steps);
    }
  }
}

/** The value of the text of the innermost element, or of an attribute of it. */
export function textValue(
  shape: Shape,
  text: string,
  problems: XmlProblems,
  attribute?: XmlName,
): unknown {
  if (shape.kind === "nullable") return textValue(shape.inner, text, problems, attribute);
  if (shape.kind === "list") {
    const inner = unwrapped(shape.inner);
    const parts = text.match(/[^ \t\r\n]+/g) ?? [];
    return parts.map((part) => textValue(inner, part, problems, attribute));
  }
  const { expected, fromText } = shape as ScalarShape;
  const value = fromText(text);
  if (value !== undefined) return value;
  return attribute === undefined
    ? problems.value(expected, text)
    : problems.value(expected, text, `@${attribute.raw}`);
}

/** Whether a text is nothing but blanks, of which XML has four: others are text. */
function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}
