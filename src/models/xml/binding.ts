/** Converts attributes, texts and absent values to the properties of instances. */
import { type XmlName, XSI_NAMESPACE } from "../../xml/name.ts";
import type { XmlAttributes } from "../../xml/reader.ts";
import { instantiateEmpty, type MutableRecord } from "../instance.ts";
import { BAD, failedCheck, withThrown } from "../issues.ts";
import { type ScalarShape, type Shape, withoutNullable } from "../value_type.ts";
import type { Content, ContentFrame, Opening, RecordFrame } from "./frame.ts";
import type { XmlIssues } from "./issues.ts";
import { placeText } from "./keep.ts";
import { isBlank } from "./names.ts";
import { stepsTo } from "./node.ts";
import type { XmlField, XmlPlan } from "./plan.ts";

/** Creates an instance whose properties are in the order of their declaration, and undefined. */
export function emptyInstance({ model, fields }: XmlPlan): MutableRecord {
  const instance = instantiateEmpty(model) as MutableRecord;
  for (const { name } of fields) instance[name] = undefined;
  return instance;
}

/** Sets the value of a field, or adds the next value of a field that repeats. */
export function bind(instance: MutableRecord, field: XmlField, value: unknown): void {
  if (field.place !== "elements") instance[field.name] = value;
  else if (instance[field.name] === undefined) instance[field.name] = [value];
  else (instance[field.name] as unknown[]).push(value);
}

/** Returns the members of a record that is read, or of the `rest` field of an instance. */
export function membersOf(parent: RecordFrame | ContentFrame): MutableRecord {
  if (parent.kind === "record") return parent.values;
  return (parent.instance[parent.node.rest!.name] ??= {}) as MutableRecord;
}

/** Sets the attributes of an element. */
export function bindAttributes(
  { plan, instance, node, layout }: Content,
  { names, values }: XmlAttributes,
  issues: XmlIssues,
): void {
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const value = values[index]!;
    const field = node.attributes.get(name.key);
    if (field !== undefined) {
      if (field.emptyAsAbsent && isBlank(value)) continue;
      // An element of `within` may occur twice.
      if (instance[field.name] !== undefined) issues.secondAttribute(name.raw);
      else bind(instance, field, textValue(field.declared, value, issues, name));
    } else if (layout !== undefined) {
      layout.attributes.push({ name: name.local, namespace: name.uri, value });
    } else if (plan.unknown === "refuse" && name.uri !== XSI_NAMESPACE) {
      issues.attribute(plan.model.name, name.raw);
    }
  }
}

/** Reports the attributes of an element that has no fields for any: a text or a record. */
export function refuseAttributes({ plan }: Content, opening: Opening, issues: XmlIssues): void {
  if (plan.unknown !== "refuse") return;
  for (const { uri, raw } of opening.attributes.names) {
    if (uri !== XSI_NAMESPACE) issues.attribute(plan.model.name, raw, opening);
  }
}

/** Sets the text of an element that ends, if there is a field for it. */
export function bindText(
  { node, instance, text: plainText, markup, hasChildren, layout }: Content,
  issues: XmlIssues,
): void {
  const field = node.text;
  if (field === undefined) return;
  const shape = withoutNullable(field.declared) as ScalarShape;
  // Adjacent texts are joined.
  const text = typeof markup?.[0] === "string" ? markup[0] : plainText;
  const isElement = markup?.some((each) => typeof each === "object") ?? false;
  const value = !isElement && isAbsentText(field, text, hasChildren)
    ? undefined
    : markup !== undefined
    ? checkedValue(field.declared, shape.markup!.read(markup), issues)
    : textValue(field.declared, text, issues);
  if (value !== undefined) bind(instance, field, value);
  if (layout !== undefined) placeText(layout, shape, value, text);
}

/** Reports if the text of an element means that its field is absent. */
function isAbsentText(field: XmlField, text: string, hasChildren: boolean): boolean {
  const { declared, isOptional, fallback, emptyAsAbsent } = field;
  const canBeAbsent = isOptional || fallback !== undefined || declared.kind === "nullable";
  if (!canBeAbsent || !isBlank(text)) return false;
  if (emptyAsAbsent || emptyValue(declared) === undefined) return true;
  // An empty string is a value, so a default does not replace it.
  if (text === "") return fallback === undefined;
  return hasChildren;
}

function emptyValue(shape: Shape): unknown {
  const plain = withoutNullable(shape);
  return plain.kind === "scalar" ? plain.fromText("") : plain.kind === "list" ? [] : undefined;
}

/** The value of an element that counts as absent, until the element around it ends. */
export const ABSENT: unique symbol = Symbol("absent");

/** Sets the defaults of fields that are absent, and reports missing ones. */
export function bindDefaults({ plan, instance }: Content, issues: XmlIssues): void {
  for (const field of plan.fields) {
    if (instance[field.name] === ABSENT) instance[field.name] = undefined;
    if (instance[field.name] !== undefined) continue;
    if (field.fallback !== undefined) instance[field.name] = field.fallback();
    else if (field.isOptional) continue;
    else if (field.declared.kind === "nullable" && field.place !== "element") {
      instance[field.name] = null;
    } else {
      const steps = stepsTo(field);
      instance[field.name] = issues.value(field.declared.expected, undefined, ...steps);
    }
  }
}

/** Converts the text of the innermost element, or of one of its attributes. */
export function textValue(
  shape: Shape,
  text: string,
  issues: XmlIssues,
  attribute?: XmlName,
): unknown {
  switch (shape.kind) {
    case "nullable":
      return checkedValue(
        shape,
        textValue(shape.inner, text, issues, attribute),
        issues,
        attribute,
      );
    case "list": {
      const parts = text.match(/[^ \t\r\n]+/g) ?? [];
      const { count } = issues;
      const values = parts.map((part) => textValue(shape.inner, part, issues, attribute));
      return issues.count > count ? BAD : checkedValue(shape, values, issues, attribute);
    }
  }
  const { expected, fromText } = shape as ScalarShape;
  let value: unknown;
  try {
    value = fromText(text);
  } catch (error) {
    return issues.value(withThrown(expected, error), text, ...stepOf(attribute));
  }
  if (value === undefined) return issues.value(expected, text, ...stepOf(attribute));
  return shape.check === undefined ? value : checkedValue(shape, value, issues, attribute);
}

/** Checks the constraints of a value. */
export function checkedValue(
  shape: Shape,
  value: unknown,
  issues: XmlIssues,
  attribute?: XmlName,
): unknown {
  if (shape.check === undefined || value === BAD) return value;
  const expected = failedCheck(shape, value);
  return expected === undefined ? value : issues.constraint(expected, value, ...stepOf(attribute));
}

function stepOf(attribute: XmlName | undefined): string[] {
  return attribute === undefined ? [] : [`@${attribute.raw}`];
}
