import type { Key } from "../../errors/format_issue.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { XmlContentNodes } from "../../xml/content.ts";
import { attributeText, escapeText, isXmlText } from "../../xml/escape.ts";
import { isXmlName } from "../../xml/name.ts";
import { isInstance, modelFor, type MutableRecord } from "../instance.ts";
import {
  broken,
  failedCheck,
  failedModelCheck,
  isStackOverflow,
  issueAt,
  IssueList,
  mismatch,
  type Problem,
  TOO_DEEP,
  withThrown,
  xmlPath,
} from "../issues.ts";
import { checkedOnly, isEqualJson, type PartOptions } from "../json_walker.ts";
import { isModelInstance, type ModelClass } from "../model_class.ts";
import { planOf } from "../plan.ts";
import { isSlot, keptContentOf, type KeptElement } from "../unknown_content.ts";
import { isObject, type ScalarShape, type Shape } from "../value_type.ts";
import { PartOrder, type PlacedValue } from "./layout.ts";
import { isNilAttribute, parseNamePath, type QualifiedName, XSI_NAMESPACE } from "./names.ts";
import { originOf, type XmlNode, xmlNodeOf, type XmlValue } from "./node.ts";
import type { XmlField } from "./plan.ts";
import { prefixesFor, type XmlPrefixes } from "./prefixes.ts";
import { writeAttributes, writeContent, writeElement } from "./write_unknown.ts";

/** Options for writing XML. */
export interface XmlWriteOptions extends PartOptions {
  /**
   * The indentation of each level. Set to `true` for two spaces. Text is never changed, so that the
   * result reads the same either way.
   *
   * @default {false}
   */
  readonly indent?: boolean | string | undefined;
  /**
   * Set to `false` to leave out the XML declaration.
   *
   * @default {true}
   */
  readonly declaration?: boolean | undefined;
  /**
   * The name of the root element around a list of instances. Write a name with a namespace as
   * `{uri}name`. Required for a list, and only allowed there
   */
  readonly root?: string | undefined;
}

/** From this depth on, the writer looks for instances that contain themselves. */
const CYCLE_DEPTH = 100;

/**
 * Writes an instance, or a list of instances, as XML.
 *
 * @throws {ModelError} With all issues, if a value does not match its field
 * @throws {UnexpectedValueError} If an option is invalid
 */
export function encodeXml(value: object, options: XmlWriteOptions = {}): string {
  const { indent = false, declaration = true, root } = options;
  const unit = indent === true ? "  " : indent === false ? "" : indent;
  if (typeof unit !== "string" || /[^ \t]/.test(unit)) {
    throw new UnexpectedValueError("indent", "true, false, or a string of spaces and tabs", indent);
  }
  const xml = Array.isArray(value)
    ? listXml(value, rootName(root), unit, options)
    : instanceXml(value, root, unit, options);
  const head = declaration ? '<?xml version="1.0" encoding="UTF-8"?>' : "";
  return (head + xml + (unit && "\n")).trimStart();
}

function rootName(root: string | undefined): QualifiedName {
  const [name, ...rest] = root === undefined ? [] : parseNamePath("root", root, "");
  if (name !== undefined && rest.length === 0) return name;
  throw new UnexpectedValueError("root", "the name of the element around the list", root);
}

function instanceXml(
  instance: object,
  root: string | undefined,
  unit: string,
  options: XmlWriteOptions,
): string {
  if (root !== undefined) {
    throw new UnexpectedValueError("root", "left out, because the value is not a list", root);
  }
  const model = instance.constructor as ModelClass<object>;
  const namespace = model.namespace || originOf(instance);
  const encoder = encoderOf([model], namespace, unit, options);
  return encoder.root(model, instance, namespace);
}

function listXml(
  list: readonly unknown[],
  { uri, tag }: QualifiedName,
  unit: string,
  options: XmlWriteOptions,
): string {
  for (const [index, each] of list.entries()) {
    if (isModelInstance(each)) continue;
    throw new UnexpectedValueError(`instance[${index}]`, "an instance of a model", each);
  }
  const models = new Set(list.map((each) => (each as object).constructor as ModelClass<object>));
  return encoderOf([...models], uri, unit, options).list(uri, tag, list as readonly object[]);
}

function encoderOf(
  models: readonly ModelClass<object>[],
  namespace: string,
  unit: string,
  { omitDefaults, only }: PartOptions,
): XmlEncoder {
  // An empty list has no model that could have the names.
  const names = models.length === 0 ? undefined : checkedOnly(only, models);
  return new XmlEncoder(prefixesFor({ models, namespace }), unit, omitDefaults, names);
}

/** An element that is written. */
interface Place {
  /** The element around it; undefined for the root. */
  readonly around: Place | undefined;
  readonly uri: string;
  /** The name with its prefix. */
  readonly name: string;
  /** The position among elements of the same field, from 1; 0 if the field does not repeat. */
  readonly index: number;
  /** The line break and the indentation before it. */
  readonly gap: string;
  /** The same for each element in it; empty beside text, because it would be part of the text. */
  innerGap: string;
}

class XmlEncoder {
  readonly #issues = new IssueList();
  readonly #prefixes: XmlPrefixes;
  readonly #indent: string;
  readonly #omitDefaults: boolean;
  readonly #only: ReadonlySet<string> | undefined;
  /** The instances that are being written, outermost first. */
  readonly #open: object[] = [];

  constructor(
    prefixes: XmlPrefixes,
    indent: string,
    omitDefaults: boolean = false,
    only?: ReadonlySet<string>,
  ) {
    this.#prefixes = prefixes;
    this.#indent = indent;
    this.#omitDefaults = omitDefaults;
    this.#only = only;
  }

  root(model: ModelClass<object>, instance: object, namespace: string): string {
    const at = this.#place(undefined, namespace, model.tag);
    return this.#whole(model.name, at, () => this.#model(at, model, instance, this.#only));
  }

  list(uri: string, tag: string, list: readonly object[]): string {
    const at = this.#place(undefined, uri, tag);
    return this.#whole(tag, at, () => {
      let content = "";
      for (const [index, each] of list.entries()) {
        const model = each.constructor as ModelClass<object>;
        const place = this.#place(at, model.namespace || uri, model.tag, index + 1);
        content += this.#model(place, model, each, this.#only);
      }
      return elementText(at, this.#prefixes.declarations, content);
    });
  }

  #whole(name: string, at: Place, write: () => string): string {
    let xml = "";
    try {
      xml = write();
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      this.#refuse(TOO_DEEP, at);
    }
    this.#issues.throwIfAny(name, "written as XML");
    return xml;
  }

  #place(around: Place | undefined, uri: string, tag: string, index = 0): Place {
    const name = `${this.#prefixes.elements.get(uri)}${tag}`;
    const gap = around === undefined ? this.#indent && "\n" : around.innerGap;
    return { around, uri, name, index, gap, innerGap: gap && gap + this.#indent };
  }

  #model(
    at: Place,
    model: ModelClass<object>,
    instance: unknown,
    only?: ReadonlySet<string>,
    always?: string,
  ): string {
    if (!isInstance(instance, model)) {
      return this.#refuse(mismatch(`an instance of ${model.name}`, instance), at);
    }
    if (this.#open.length >= CYCLE_DEPTH && this.#open.includes(instance)) {
      return this.#refuse(mismatch("a value that does not contain itself", instance), at);
    }
    const { count } = this.#issues;
    const names = this.#omitDefaults ? changedFields(model, instance, always, only) : only;
    const layout = only === undefined ? keptContentOf(instance)?.xml : undefined;
    const node = xmlNodeOf(model, at.uri);
    this.#open.push(instance);
    const order = new PartOrder(instance, node, at.uri, layout, names);
    const xml = this.#node(at, node, order, layout, false);
    this.#open.pop();
    const problem = this.#issues.count > count ? undefined : failedModelCheck(model, instance);
    return problem === undefined ? xml : this.#refuse(problem, at);
  }

  /** Writes the element of a model, or an element around others, which is left out if it is empty. */
  #node(
    at: Place,
    node: XmlNode,
    order: PartOrder,
    layout: KeptElement | undefined,
    isWrapper: boolean,
  ): string {
    let attributes = at.around === undefined ? this.#prefixes.declarations : "";
    for (const field of order.attributes(node)) {
      const prefix = this.#prefixes.attributes.get(field.namespace ?? "");
      const name = `${prefix}${field.xmlName}`;
      const text = this.#fieldText(field, order.instance, at, `@${name}`);
      if (text !== undefined) attributes += attributeText(name, text);
    }
    if (layout !== undefined) attributes += writeAttributes(layout.attributes, this.#prefixes);
    const content = this.#content(at, node, order, layout);
    return isWrapper && layout === undefined && attributes === "" && content === ""
      ? ""
      : elementText(at, attributes, content);
  }

  #content(
    at: Place,
    node: XmlNode,
    order: PartOrder,
    layout: KeptElement | undefined,
  ): string {
    // Whitespace beside text would be part of it.
    if (node.text !== undefined || layout?.children.some((each) => typeof each === "string")) {
      at.innerGap = "";
    }
    let text: string | undefined;
    let content = "";
    for (const part of order.parts(node, layout)) {
      switch (part.kind) {
        case "text":
          content += escapeText(part.text);
          break;
        case "field text":
          text ??= this.#nodeText(at, node.text!, order);
          // A text that has not changed stands in pieces where it was.
          if (escapeText(order.pieces(node).join("")) === text) content += escapeText(part.piece);
          else if (part.isFirst) content += text;
          break;
        case "unknown":
          content += at.innerGap +
            writeElement(part.element, this.#prefixes, this.#prefixes.defaultNamespace);
          break;
        case "wrapper": {
          const { uri, tag } = part.node;
          content += this.#node(this.#place(at, uri, tag), part.node, order, part.layout, true);
          break;
        }
        case "values":
          for (const each of part.values) content += this.#value(at, part.child, each);
      }
    }
    return content;
  }

  /** Returns the text of an element as XML. */
  #nodeText(at: Place, field: XmlField, order: PartOrder): string {
    const text = this.#fieldText(field, order.instance, at, "text()") ?? "";
    const { shape } = field;
    return shape.kind === "scalar" && shape.markup !== undefined
      ? this.#markup(shape, text, at, "text()")
      : escapeText(text);
  }

  /** Writes a value as an element. */
  #value(around: Place, { field, names }: XmlValue, { value, index, inside }: PlacedValue): string {
    const model = modelFor(value, names.flatMap(({ models }) => models));
    const name = names.find(({ models }) => models.includes(model!)) ?? names[0]!;
    const at = this.#place(around, name.uri, name.tag, index);
    if (field.place === "elements" && index === 0) {
      return this.#refuse(mismatch("an array", value), at);
    }
    // An element that counts as absent.
    if (value === undefined && inside !== undefined && field.isOptional) {
      return elementText(at, writeAttributes(inside.attributes, this.#prefixes), "");
    }
    return this.#any(at, field.declared, value, inside);
  }

  #any(at: Place, shape: Shape, value: unknown, inside: KeptElement | undefined): string {
    const count = this.#issues.count;
    const xml = this.#unchecked(at, shape, value, inside);
    const expected = this.#issues.count === count ? failedCheck(shape, value) : undefined;
    return expected === undefined ? xml : this.#refuse(broken(expected, value), at);
  }

  #unchecked(at: Place, shape: Shape, value: unknown, inside: KeptElement | undefined): string {
    const attributes = inside && writeAttributes(inside.attributes, this.#prefixes) || "";
    switch (shape.kind) {
      case "nullable": {
        if (value !== null) return this.#any(at, shape.inner, value, inside);
        const nil = `${this.#prefixes.attributes.get(XSI_NAMESPACE)}nil`;
        // The value may have been another one, with another `xsi:nil`.
        const others = inside?.attributes.filter((each) => !isNilAttribute(each)) ?? [];
        const written = writeAttributes(others, this.#prefixes);
        return elementText(at, attributeText(nil, "true") + written, "");
      }
      case "model":
        return this.#model(at, shape.model(), value);
      case "union": {
        const model = modelFor(value, shape.models());
        return model === undefined
          ? this.#refuse(mismatch(unionNames(shape.models()), value), at)
          : this.#model(at, model, value, undefined, shape.by);
      }
      case "record":
        return isObject(value)
          ? elementText(at, attributes, this.#members(at, shape.inner, value, inside))
          : this.#refuse(mismatch(shape.expected, value), at);
      default: {
        at.innerGap = "";
        const text = this.#text(shape, value, at);
        const content = shape.kind === "scalar" && shape.markup !== undefined
          ? this.#markup(shape, text, at)
          : escapeText(text);
        return elementText(at, attributes, content);
      }
    }
  }

  /** Writes the members of a record. */
  #members(
    at: Place,
    shape: Shape,
    record: MutableRecord,
    layout: KeptElement | undefined,
  ): string {
    const insides = new Map<string, KeptElement | undefined>();
    for (const slot of layout?.children ?? []) {
      if (isSlot(slot) && slot.kind === "value") insides.set(slot.name, slot.inside);
    }
    let content = "";
    for (const [tag, each] of Object.entries(record)) {
      const inside = insides.get(tag);
      content += isXmlName(tag)
        ? this.#any(this.#place(at, at.uri, tag), shape, each, inside)
        : this.#refuse(mismatch("a valid XML element name", tag), at, tag);
    }
    return content;
  }

  /** Returns the text of an attribute or of an element itself; undefined if it is left out. */
  #fieldText(
    { name, declared, isOptional, fallback }: XmlField,
    instance: MutableRecord,
    at: Place,
    step: string,
  ): string | undefined {
    const value = instance[name];
    if (value === undefined && isOptional) return undefined;
    if (value === undefined) return this.#refuse(mismatch(declared.expected, value), at, step);
    if (value !== null || declared.kind !== "nullable") {
      return this.#text(declared, value, at, step);
    }
    // Null is left out, which would be read as the default.
    return fallback === undefined || fallback() === null
      ? undefined
      : this.#refuse(mismatch(`${declared.inner.expected} (XML has no null here)`, null), at, step);
  }

  /** Returns the text of a scalar or list, without escapes. */
  #text(shape: Shape, value: unknown, at: Place, step?: string, isItem = false): string {
    const count = this.#issues.count;
    const text = this.#uncheckedText(shape, value, at, step, isItem);
    const expected = this.#issues.count === count ? failedCheck(shape, value) : undefined;
    return expected === undefined ? text : this.#refuse(broken(expected, value), at, step);
  }

  #uncheckedText(
    shape: Shape,
    value: unknown,
    at: Place,
    step: string | undefined,
    isItem: boolean,
  ): string {
    if (shape.kind === "nullable") return this.#text(shape.inner, value, at, step, isItem);
    if (shape.kind === "list") {
      return Array.isArray(value)
        // `map` would skip the holes of a sparse array.
        ? Array.from(value, (each) => this.#text(shape.inner, each, at, step, true)).join(" ")
        : this.#refuse(mismatch(shape.expected, value), at, step);
    }
    const { expected, toText } = shape as ScalarShape;
    let text: string | undefined;
    try {
      text = toText(value);
    } catch (error) {
      return this.#refuse(mismatch(withThrown(expected, error), value), at, step);
    }
    if (text === undefined) return this.#refuse(mismatch(expected, value), at, step);
    if (!isXmlText(text)) {
      return this.#refuse(mismatch("a string without control characters", value), at, step);
    }
    if (!isItem || /^[^ \t\r\n]+$/.test(text)) return text;
    const item =
      "a non-empty value without spaces, because spaces separate the values of a list in XML";
    return this.#refuse(mismatch(item, text), at, step);
  }

  /** Returns a text with inline markup as XML. */
  #markup({ markup, expected }: ScalarShape, text: string, at: Place, step?: string): string {
    let content: XmlContentNodes;
    try {
      content = markup!.write(text);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const actual = `is not well-formed: ${error.message}`;
      return this.#refuse({ code: "type", expected, actual }, at, step);
    }
    return writeContent(content, this.#prefixes, this.#prefixes.defaultNamespace);
  }

  #refuse(problem: Problem, at: Place, below?: string): string {
    this.#issues.add(() => {
      const path = below === undefined ? pathOf(at) : [...pathOf(at), below];
      return issueAt(path, problem, xmlPath(path));
    });
    return "";
  }
}

/** Returns the names of the properties whose values are not the defaults. */
function changedFields(
  model: ModelClass<object>,
  instance: MutableRecord,
  always: string | undefined,
  only: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const changed = planOf(model).fields.filter(({ name, shape, fallback }) =>
    name === always || fallback === undefined || !isEqualJson(shape, instance[name], fallback())
  ).map(({ name }) => name);
  return new Set(changed.filter((name) => only === undefined || only.has(name)));
}

function unionNames(models: readonly ModelClass<object>[]): string {
  return `an instance of ${models.map(({ name }) => name).join(" or ")}`;
}

function elementText(
  { name, gap, innerGap }: Pick<Place, "name" | "gap" | "innerGap">,
  attributes: string,
  content: string,
): string {
  const start = `${gap}<${name}${attributes}`;
  return content === "" ? `${start}/>` : `${start}>${content}${innerGap && gap}</${name}>`;
}

/** Returns the steps of the path to an element. */
function pathOf({ around, name, index }: Place): Key[] {
  const steps = index > 0 ? [name, index] : [name];
  return around === undefined ? steps : [...pathOf(around), ...steps];
}
