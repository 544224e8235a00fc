import type { Key } from "../errors/told_issue.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { escapeAttribute, escapeText, isXmlText } from "../xml/escape.ts";
import { isInstance } from "./instance.ts";
import { keptOf, type XmlElement } from "./kept.ts";
import type { ModelClass } from "./model_class.ts";
import { unwrapped } from "./plain_shape.ts";
import { Problems, unexpected } from "./problems.ts";
import { isObject, type ScalarShape, type Shape } from "./value_type.ts";
import { isXmlName } from "./xml_name.ts";
import { type XmlChild, type XmlNode, xmlNodeOf, type XmlValue } from "./xml_node.ts";
import { xmlPath } from "./xml_path.ts";
import { prefixesOf, type XmlPrefixes } from "./xml_prefixes.ts";
import { type XmlField, type XmlPlan, xmlPlanOf } from "./xml_plan.ts";
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
export function encodeXml(
  model: ModelClass<object>,
  instance: object,
  options: XmlWriteOptions = {},
): string {
  const { indent = false, declaration = true } = options;
  const unit = indent === true ? "  " : indent === false ? "" : indent;
  if (typeof unit !== "string" || /[^ \t]/.test(unit)) {
    throw new UnexpectedValueError("indent", "true, false, or blanks and tabs", indent);
  }
  const encoder = new XmlEncoder(prefixesOf(model), unit);
  const xml = encoder.root(model, instance);
  encoder.problems.refuse(model.name, `${model.name} cannot be written as XML`);
  const head = declaration ? '<?xml version="1.0" encoding="UTF-8"?>' : "";
  if (unit === "") return head + xml;
  return `${head === "" ? xml.slice(1) : head + xml}\n`;
}

class XmlEncoder {
  readonly problems = new Problems();
  readonly #prefixes: XmlPrefixes;
  readonly #indent: string;
  readonly #keys: Key[] = [];
  #depth = 0;
  /** The line break and the blanks before the element that is written. */
  #break: string;

  constructor(prefixes: XmlPrefixes, indent: string) {
    this.#prefixes = prefixes;
    this.#indent = indent;
    this.#break = indent === "" ? "" : "\n";
  }

  root(model: ModelClass<object>, instance: object): string {
    const name = this.#prefixes.element(model.namespace, model.tag);
    return this.#model({ uri: model.namespace, name, keys: [name] }, model, instance, true);
  }

  #model(at: At, model: ModelClass<object>, instance: unknown, isRoot = false): string {
    if (!isInstance(instance, model)) {
      return this.#refuse(`an instance of ${model.name}`, instance, at.keys);
    }
    if (this.#depth >= MAX_DEPTH) return this.#refuse("no cycle", instance, at.keys);
    const plan = xmlPlanOf(model);
    this.#keys.push(...at.keys);
    this.#depth++;
    const start = isRoot ? this.#prefixes.declarations : "";
    const xml = this.#node(at.name, start, xmlNodeOf(plan, at.uri), plan, instance, false);
    this.#depth--;
    this.#keys.length -= at.keys.length;
    return xml;
  }

  /** An element of a model's own; one that is there to hold others is left out where it holds none. */
  #node(
    name: string,
    start: string,
    node: XmlNode,
    plan: XmlPlan,
    instance: Readonly<Record<string, unknown>>,
    isWrapper: boolean,
  ): string {
    let attributes = start;
    for (const field of node.attributes.values()) {
      const tag = this.#prefixes.attribute(field.namespace ?? "", field.tag ?? field.name);
      const text = this.#textField(field, instance, `@${tag}`);
      if (text !== undefined) attributes += ` ${tag}="${escapeAttribute(text)}"`;
    }
    const own = node.text === undefined
      ? ""
      : escapeText(this.#textField(node.text, instance, "text()") ?? "");
    const outer = this.#break;
    // Blanks beside text would be part of it.
    const inner = own === "" && node.text === undefined ? this.#deeper() : "";
    this.#break = inner;
    let content = "";
    for (const child of node.children.values()) {
      content += child.kind === "wrapper"
        ? this.#wrapper(child, plan, instance)
        : this.#value(child, instance);
    }
    if (!isWrapper) {
      const kept = keptOf(instance);
      for (const { name, namespace, value } of kept.attributes) {
        attributes += ` ${this.#keptAttribute(name, namespace, value)}`;
      }
      for (const element of kept.elements) content += inner + this.#kept(element, 0, false);
    }
    this.#break = outer;
    if (isWrapper && attributes === "" && content === "" && own === "") return "";
    return this.#element(name, attributes, own + content, content === "" ? "" : inner && outer);
  }

  #wrapper(
    child: Extract<XmlChild, { readonly kind: "wrapper" }>,
    plan: XmlPlan,
    instance: Readonly<Record<string, unknown>>,
  ): string {
    const name = this.#prefixes.element(child.uri, child.tag);
    this.#keys.push(name);
    const xml = this.#node(name, "", child.node, plan, instance, true);
    this.#keys.pop();
    return xml;
  }

  /** The elements of a field, written where the first of its names stands. */
  #value(child: XmlValue, instance: Readonly<Record<string, unknown>>): string {
    const { field } = child;
    if (!child.isFirst) return "";
    const value = instance[field.name];
    const shape = field.given;
    if (field.place !== "elements") {
      if (value === undefined && field.isOptional) return "";
      const at = this.#placeOf(child, value, 0);
      if (value !== undefined) return this.#any(at, shape, value);
      return this.#refuse(shape.expected, value, at.keys);
    }
    if (!Array.isArray(value)) {
      return this.#refuse("an array", value, this.#placeOf(child, value, 0).keys);
    }
    let xml = "";
    for (let index = 0; index < value.length; index++) {
      xml += this.#any(this.#placeOf(child, value[index], index + 1), shape, value[index]);
    }
    return xml;
  }

  /** The name that a value's element has. */
  #placeOf({ names }: XmlValue, value: unknown, position: number): At {
    const { uri, tag } = names.length === 1
      ? names[0]!
      : names.find(({ models }) => models.some((model) => isInstance(value, model))) ?? names[0]!;
    const name = this.#prefixes.element(uri, tag);
    return { uri, name, keys: position > 0 ? [name, position] : [name] };
  }

  #any(at: At, shape: Shape, value: unknown): string {
    switch (shape.kind) {
      case "nullable": {
        if (value !== null) return this.#any(at, shape.inner, value);
        const nil = this.#prefixes.attribute(XSI_NAMESPACE, "nil");
        return this.#element(at.name, ` ${nil}="true"`, "", "");
      }
      case "model":
        return this.#model(at, shape.model(), value);
      case "union": {
        const model = shape.models().find((each) => isInstance(value, each));
        return model === undefined
          ? this.#refuse(shape.expected, value, at.keys)
          : this.#model(at, model, value);
      }
      case "record":
        return this.#record(at, shape.inner, value);
      default:
        return this.#element(at.name, "", escapeText(this.#text(shape, value, at.keys)), "");
    }
  }

  #record(at: At, inner: Shape, values: unknown): string {
    if (!isObject(values)) return this.#refuse("an object", values, at.keys);
    const outer = this.#break;
    const deeper = this.#deeper();
    this.#break = deeper;
    this.#keys.push(...at.keys);
    let content = "";
    for (const [tag, value] of Object.entries(values)) {
      if (isXmlName(tag)) {
        const name = this.#prefixes.element(at.uri, tag);
        content += this.#any({ uri: at.uri, name, keys: [name] }, inner, value);
      } else {
        this.#refuse("names that XML allows for elements", tag, [tag]);
      }
    }
    this.#keys.length -= at.keys.length;
    this.#break = outer;
    return this.#element(at.name, "", content, content === "" ? "" : deeper && outer);
  }

  /** The text of an attribute, or of the element itself; undefined where it is left out. */
  #textField(
    field: XmlField,
    instance: Readonly<Record<string, unknown>>,
    step: string,
  ): string | undefined {
    const value = instance[field.name];
    if (value === undefined) {
      return field.isOptional ? undefined : this.#refuse(field.given.expected, value, [step]);
    }
    return value === null && field.isNullable ? undefined : this.#text(field.shape, value, [step]);
  }

  #text(shape: Shape, value: unknown, keys: readonly Key[]): string {
    if (shape.kind === "list") {
      if (!Array.isArray(value)) return this.#refuse("an array", value, keys);
      const inner = unwrapped(shape.inner);
      const texts = value.map((each) => this.#text(inner, each, keys));
      for (const text of texts) {
        if (!/^[^ \t\r\n]+$/.test(text)) {
          this.#refuse("values without blanks, which would be several in XML", text, keys);
        }
      }
      return texts.join(" ");
    }
    const { expected, toText } = shape as ScalarShape;
    const text = toText(value);
    if (text !== undefined && isXmlText(text)) return text;
    const wanted = text === undefined ? expected : "a text without control characters";
    return this.#refuse(wanted, value, keys);
  }

  /**
   * An element that was kept. A namespace that the root does not declare becomes its default one,
   * and then all within it say theirs.
   */
  #kept(element: XmlElement, depth: number, isOverridden: boolean): string {
    const { tag, namespace, attributes, children } = element;
    if (depth > MAX_DEPTH) return this.#refuse("no cycle", element, [tag]);
    const isOwn = isOverridden || !this.#prefixes.hasElement(namespace);
    const name = isOwn ? tag : this.#prefixes.element(namespace, tag);
    let xml = isOwn ? `<${name} xmlns="${escapeAttribute(namespace)}"` : `<${name}`;
    for (const { name, namespace, value } of attributes) {
      xml += ` ${this.#keptAttribute(name, namespace, value)}`;
    }
    const content = children.map((child) =>
      typeof child === "string" ? escapeText(child) : this.#kept(child, depth + 1, isOwn)
    ).join("");
    return content === "" ? `${xml}/>` : `${xml}>${content}</${name}>`;
  }

  #keptAttribute(name: string, namespace: string, value: string): string {
    const text = escapeAttribute(value);
    if (this.#prefixes.hasAttribute(namespace)) {
      return `${this.#prefixes.attribute(namespace, name)}="${text}"`;
    }
    const prefix = `kept-${name}`;
    return `xmlns:${prefix}="${escapeAttribute(namespace)}" ${prefix}:${name}="${text}"`;
  }

  #element(name: string, attributes: string, content: string, end: string): string {
    return content === ""
      ? `${this.#break}<${name}${attributes}/>`
      : `${this.#break}<${name}${attributes}>${content}${end}</${name}>`;
  }

  #deeper(): string {
    return this.#break === "" ? "" : this.#break + this.#indent;
  }

  #refuse(expected: string, received: unknown, keys: readonly Key[]): string {
    this.problems.add(() => {
      const all = [...this.#keys, ...keys];
      return { path: xmlPath(all), keys: all, expected, message: unexpected(expected, received) };
    });
    return "";
  }
}

/** An element that is to be written: its namespace, its name, and the last steps of its path. */
interface At {
  readonly uri: string;
  readonly name: string;
  readonly keys: readonly Key[];
}
