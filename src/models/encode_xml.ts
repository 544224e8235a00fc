import type { Key } from "../errors/format_issue.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { attributeText, escapeText, isXmlText } from "../xml/escape.ts";
import { isInstance, type MutableRecord } from "./instance.ts";
import {
  type UnknownContent,
  unknownContentOf,
  type XmlAttribute,
  type XmlElement,
} from "./unknown_content.ts";
import type { ModelClass } from "./model_class.ts";
import { describeActual, issueAt, Problems } from "./problems.ts";
import { isObject, type ScalarShape, type Shape } from "./value_type.ts";
import { isXmlName } from "./xml_name.ts";
import { type XmlNode, xmlNodeOf, type XmlValue } from "./xml_node.ts";
import { xmlPath } from "./xml_path.ts";
import { prefixesOf, type XmlPrefixes } from "./xml_prefixes.ts";
import type { XmlField } from "./xml_plan.ts";
import { XSI_NAMESPACE } from "./xsi.ts";

/** How XML is written. */
export interface XmlWriteOptions {
  /**
   * What each level is indented with; true for two blanks. Text is never touched, so that what is
   * written reads the same either way.
   *
   * @default {false}
   */
  readonly indent?: boolean | string | undefined;
  /**
   * Whether the XML declaration stands before it.
   *
   * @default {true}
   */
  readonly declaration?: boolean | undefined;
}

/** How deep elements may be nested where they are written: those of a cycle are without end. */
const MAX_DEPTH = 500;

/**
 * The XML of an instance.
 *
 * @throws {ModelError} With every value that is not what its field says
 */
export function encodeXml(instance: object, options: XmlWriteOptions = {}): string {
  const { indent = false, declaration = true } = options;
  const unit = indent === true ? "  " : indent === false ? "" : indent;
  if (typeof unit !== "string" || /[^ \t]/.test(unit)) {
    throw new UnexpectedValueError("indent", "true, false, or a string of spaces and tabs", indent);
  }
  const model = instance.constructor as ModelClass<object>;
  const xml = new XmlEncoder(prefixesOf(model), unit).root(model, instance);
  const head = declaration ? '<?xml version="1.0" encoding="UTF-8"?>' : "";
  return (head + xml + (unit && "\n")).trimStart();
}

/** An element that is to be written. */
interface Place {
  /** The element that it is in; undefined for the root. */
  readonly around: Place | undefined;
  readonly uri: string;
  /** Its name as it is written. */
  readonly name: string;
  /** Which of its kind it is, from 1; 0 where there is one alone. */
  readonly index: number;
  /** The line break and the blanks before it. */
  readonly gap: string;
  /** Those before each element in it; empty beside text, which they would be part of. */
  innerGap: string;
}

class XmlEncoder {
  readonly #problems = new Problems();
  readonly #prefixes: XmlPrefixes;
  readonly #indent: string;
  /** How many instances are being written, each in the other. */
  #depth = 0;

  constructor(prefixes: XmlPrefixes, indent: string) {
    this.#prefixes = prefixes;
    this.#indent = indent;
  }

  root(model: ModelClass<object>, instance: object): string {
    const xml = this.#model(this.#place(undefined, model.namespace, model.tag), model, instance);
    this.#problems.refuse(model.name, "written as XML");
    return xml;
  }

  #place(around: Place | undefined, uri: string, tag: string, index = 0): Place {
    const name = `${this.#prefixes.elements.get(uri)}${tag}`;
    const gap = around === undefined ? this.#indent && "\n" : around.innerGap;
    return { around, uri, name, index, gap, innerGap: gap && gap + this.#indent };
  }

  #model(at: Place, model: ModelClass<object>, instance: unknown): string {
    if (!isInstance(instance, model)) {
      return this.#refuse(`an instance of ${model.name}`, instance, at);
    }
    if (this.#depth >= MAX_DEPTH) {
      return this.#refuse("a value that does not contain itself", instance, at);
    }
    this.#depth++;
    const xml = this.#node(at, xmlNodeOf(model, at.uri), instance, unknownContentOf(instance));
    this.#depth--;
    return xml;
  }

  /**
   * An element of a model's own. One that is there to hold others keeps nothing, and is left out
   * where it holds none.
   */
  #node(at: Place, node: XmlNode, instance: MutableRecord, kept?: UnknownContent): string {
    let attributes = at.around === undefined ? this.#prefixes.declarations : "";
    for (const field of node.attributes.values()) {
      const prefix = this.#prefixes.attributes.get(field.namespace ?? "");
      const name = `${prefix}${field.tag ?? field.name}`;
      const text = this.#textField(field, instance, at, `@${name}`);
      if (text !== undefined) attributes += attributeText(name, text);
    }
    let content = "";
    if (node.text !== undefined) {
      content = escapeText(this.#textField(node.text, instance, at, "text()") ?? "");
      at.innerGap = "";
    }
    for (const child of node.children.values()) {
      content += child.kind === "wrapper"
        ? this.#node(this.#place(at, child.uri, child.tag), child, instance)
        : this.#value(at, child, instance);
    }
    if (kept !== undefined) {
      attributes += this.#keptAttributes(kept.attributes);
      for (const each of kept.elements) content += at.innerGap + this.#kept(at, each, 0, false);
    } else if (attributes === "" && content === "") return "";
    return elementText(at, attributes, content);
  }

  /** The elements of a field, written where the first of its names stands. */
  #value(around: Place, child: XmlValue, instance: MutableRecord): string {
    if (child.name !== child.names[0]) return "";
    const { name, place, given, isOptional } = child.field;
    const value = instance[name];
    const at = this.#placeOf(around, child, value);
    if (place !== "elements") {
      if (value !== undefined) return this.#any(at, given, value);
      return isOptional ? "" : this.#refuse(given.expected, value, at);
    }
    if (!Array.isArray(value)) return this.#refuse("an array", value, at);
    let xml = "";
    for (const [index, each] of value.entries()) {
      xml += this.#any(this.#placeOf(around, child, each, index + 1), given, each);
    }
    return xml;
  }

  /** The element of a value, by the name that it has. */
  #placeOf(around: Place, { names }: XmlValue, value: unknown, index?: number): Place {
    const { uri, tag } = names.length === 1
      ? names[0]!
      : names.find(({ models }) => models.some((model) => isInstance(value, model))) ?? names[0]!;
    return this.#place(around, uri, tag, index);
  }

  #any(at: Place, shape: Shape, value: unknown): string {
    switch (shape.kind) {
      case "nullable": {
        if (value !== null) return this.#any(at, shape.inner, value);
        const nil = `${this.#prefixes.attributes.get(XSI_NAMESPACE)}nil`;
        return elementText(at, attributeText(nil, "true"), "");
      }
      case "model":
        return this.#model(at, shape.model(), value);
      case "union": {
        const model = shape.models().find((each) => isInstance(value, each));
        return model === undefined
          ? this.#refuse(shape.expected, value, at)
          : this.#model(at, model, value);
      }
      case "record": {
        if (!isObject(value)) return this.#refuse(shape.expected, value, at);
        let content = "";
        for (const [tag, each] of Object.entries(value)) {
          content += isXmlName(tag)
            ? this.#any(this.#place(at, at.uri, tag), shape.inner, each)
            : this.#refuse("a valid XML element name", tag, at, tag);
        }
        return elementText(at, "", content);
      }
      default:
        at.innerGap = "";
        return elementText(at, "", escapeText(this.#text(shape, value, at)));
    }
  }

  /** The text of an attribute, or of the element itself; undefined where it is left out. */
  #textField(
    field: XmlField,
    instance: MutableRecord,
    at: Place,
    step: string,
  ): string | undefined {
    const value = instance[field.name];
    if (value === undefined) {
      return field.isOptional ? undefined : this.#refuse(field.given.expected, value, at, step);
    }
    return value === null && field.given.kind === "nullable"
      ? undefined
      : this.#text(field.shape, value, at, step);
  }

  #text(shape: Shape, value: unknown, at: Place, step?: string, isItem = false): string {
    if (shape.kind === "list") {
      return Array.isArray(value)
        // Spread, since `map` passes over holes.
        ? [...value].map((each) => this.#text(shape.inner, each, at, step, true)).join(" ")
        : this.#refuse(shape.expected, value, at, step);
    }
    const { expected, toText } = shape as ScalarShape;
    const text = toText(value);
    if (text === undefined) return this.#refuse(expected, value, at, step);
    if (!isXmlText(text)) {
      return this.#refuse("a string without control characters", value, at, step);
    }
    return isItem && !/^[^ \t\r\n]+$/.test(text)
      ? this.#refuse(
        "a non-empty value without spaces, because spaces separate the values of a list in XML",
        text,
        at,
        step,
      )
      : text;
  }

  /**
   * An element that was kept. A namespace that the root does not declare becomes its default one,
   * and then all within it say theirs.
   */
  #kept(at: Place, element: XmlElement, depth: number, isOverridden: boolean): string {
    const { tag, namespace, attributes, children } = element;
    if (depth > MAX_DEPTH) {
      return this.#refuse("a value that does not contain itself", element, at, tag);
    }
    const prefix = isOverridden ? undefined : this.#prefixes.elements.get(namespace);
    const isOwn = prefix === undefined;
    const start = isOwn ? attributeText("xmlns", namespace) : "";
    const content = children.map((child) =>
      typeof child === "string" ? escapeText(child) : this.#kept(at, child, depth + 1, isOwn)
    ).join("");
    const place = { name: (prefix ?? "") + tag, gap: "", innerGap: "" };
    return elementText(place, start + this.#keptAttributes(attributes), content);
  }

  #keptAttributes(attributes: readonly XmlAttribute[]): string {
    return attributes.map(({ name, namespace, value }) => {
      const prefix = this.#prefixes.attributes.get(namespace);
      if (prefix !== undefined) return attributeText(prefix + name, value);
      const own = `kept-${name}`;
      return attributeText(`xmlns:${own}`, namespace) + attributeText(`${own}:${name}`, value);
    }).join("");
  }

  #refuse(expected: string, received: unknown, at: Place, below?: string): string {
    this.#problems.add(() => {
      const keys = below === undefined ? keysOf(at) : [...keysOf(at), below];
      return issueAt(keys, expected, describeActual(received), xmlPath(keys));
    });
    return "";
  }
}

/** An element, written. */
function elementText(
  { name, gap, innerGap }: Pick<Place, "name" | "gap" | "innerGap">,
  attributes: string,
  content: string,
): string {
  const start = `${gap}<${name}${attributes}`;
  return content === "" ? `${start}/>` : `${start}>${content}${innerGap && gap}</${name}>`;
}

/** The steps of the path to an element. */
function keysOf({ around, name, index }: Place): Key[] {
  const steps = index > 0 ? [name, index] : [name];
  return around === undefined ? steps : [...keysOf(around), ...steps];
}
