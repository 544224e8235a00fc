import { nameKey, type XmlName } from "../xml/name.ts";
import {
  readXml,
  type XmlAttributes,
  type XmlContent,
  type XmlPlaces,
  type XmlReadOptions,
} from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import { setOwn } from "./instance.ts";
import type { ModelClass } from "./model_class.ts";
import { bind, bindAttributes, bindDefaults, bindText, textValue } from "./xml_binding.ts";
import {
  type ContentFrame,
  type Frame,
  type InnerFrame,
  isOuter,
  type Opened,
} from "./xml_frame.ts";
import { xmlNodeOf } from "./xml_node.ts";
import { modelFrame, XmlOpener } from "./xml_opener.ts";
import type { XmlField } from "./xml_plan.ts";
import { shownElement, XmlProblems } from "./xml_problems.ts";
import { roleOf, type XmlTarget } from "./xml_target.ts";

/**
 * Reads instances from XML as their elements close.
 *
 * @throws {XmlError} Where it is not XML, or not what is allowed
 * @throws {ModelError} With every issue of a record; of a document where the root is the record, or
 * has a list of them
 */
export async function* decodeXml<T>(
  model: ModelClass<T>,
  source: XmlSource,
  target: XmlTarget,
  options: XmlReadOptions,
): AsyncGenerator<T, void, undefined> {
  yield* readXml<T>(
    source,
    (emit, places) => new XmlDecoder(model as ModelClass<object>, target, emit as Emit, places),
    { ...options, doctype: options.doctype ?? model.doctype },
  );
}

/**
 * Reads a document to its end, since what follows the root may not be XML: the root, or the
 * children of the root that have the model's name.
 *
 * @throws {XmlError} Where it is not XML, or not what is allowed
 * @throws {ModelError} Where it does not fit: with every issue
 */
export async function decodeXmlWhole<T>(
  model: ModelClass<T>,
  source: XmlSource,
  kind: "root" | "children",
  options: XmlReadOptions,
): Promise<T[]> {
  const found: T[] = [];
  for await (const instance of decodeXml(model, source, { kind }, options)) found.push(instance);
  return found;
}

type Emit = (instance: object) => void;

class XmlDecoder implements XmlContent {
  readonly #model: ModelClass<object>;
  readonly #target: XmlTarget;
  readonly #emit: Emit;
  readonly #places: XmlPlaces;
  readonly #key: string;
  /** The elements that are open, outermost first. */
  readonly #frames: Frame[] = [];
  readonly #problems: XmlProblems;
  readonly #opener: XmlOpener;
  #found = 0;
  /** The first element or text around the instances that is none of them. */
  #other: Opened | string | undefined;
  /** How many elements are open beside these, that nobody asks for. */
  #skipped = 0;

  constructor(model: ModelClass<object>, target: XmlTarget, emit: Emit, places: XmlPlaces) {
    this.#model = model;
    this.#target = target;
    this.#emit = emit;
    this.#places = places;
    this.#problems = new XmlProblems(model.name, this.#frames, places);
    this.#opener = new XmlOpener(this.#problems);
    // What is wrong with the declaration is said before anything of the document.
    xmlNodeOf(model, model.namespace);
    this.#key = nameKey(model.namespace, model.tag);
  }

  open(name: XmlName, attributes: XmlAttributes, offset: number): void {
    if (this.#skipped > 0) {
      this.#skipped++;
      return;
    }
    const parent = this.#frames.at(-1);
    const frame = isOuter(parent)
      ? this.#outer(name, offset)
      : this.#opener.frame(parent, { name, index: 0, offset, attributes });
    if (frame === undefined) {
      this.#skipped = 1;
      return;
    }
    this.#frames.push(frame);
    if (frame.kind === "model" || frame.kind === "wrapper") {
      bindAttributes(frame, attributes, this.#problems);
    }
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) {
      if (this.#target.kind === "children") this.#other ??= trimmed(text);
      return;
    }
    switch (frame.kind) {
      case "text":
        frame.text = frame.text === "" ? text : frame.text + text;
        break;
      case "model":
      case "wrapper":
        if (frame.node.text !== undefined) frame.text += text;
        else if (frame.plan.unknown === "refuse") this.#refuseText(text, "no text");
        break;
      case "kept":
        frame.element.children.push(text);
        break;
      case "nil":
        this.#refuseText(text, "no content, because the element has xsi:nil");
        break;
      case "record":
        this.#refuseText(text, "only elements");
    }
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) {
      if (this.#target.kind === "children") this.#endList();
      this.#frames.pop();
      return;
    }
    const value = this.#closed(frame);
    this.#frames.pop();
    const { target } = frame;
    const parent = this.#frames.at(-1);
    if (isOuter(parent)) this.#finish(value);
    else if (parent.kind === "record") setOwn(parent.values, target as string, value);
    else if (target !== undefined) {
      bind((parent as ContentFrame).instance, target as XmlField, value);
    }
  }

  /** The value of an element that closes. */
  #closed(frame: InnerFrame): unknown {
    switch (frame.kind) {
      case "text":
        return textValue(frame.shape, frame.text, this.#problems);
      case "model":
        bindText(frame, this.#problems);
        bindDefaults(frame, this.#problems);
        return frame.instance;
      case "wrapper":
        bindText(frame, this.#problems);
        return undefined;
      case "record":
        return frame.values;
      case "nil":
        return null;
      case "kept":
        return undefined;
    }
  }

  /** The frame of an element outside of all instances; undefined where it is passed over. */
  #outer(name: XmlName, offset: number): Frame | undefined {
    switch (roleOf(this.#target, this.#frames.length, name, this.#key)) {
      case "around":
        return { kind: "around", name, index: 0, offset };
      case "instance": {
        const index = this.#target.kind === "root" ? 0 : ++this.#found;
        return modelFrame({ name, index, offset }, this.#model, undefined);
      }
      case "other":
        this.#other ??= { name, index: 0, offset };
        return undefined;
      case "refused":
        this.#refuseRoot({ name, index: 0, offset });
        return undefined;
    }
  }

  #refuseRoot(root: Opened): void {
    const wanted = this.#wanted();
    if (this.#target.kind === "root") {
      const actual = `is ${shownElement(root.name.raw, root.name.uri)}`;
      this.#problems.element(root, `the root element ${wanted}`, actual);
    } else {this.#problems.element(
        root,
        `a root element with children ${wanted}`,
        "is one of these itself",
      );}
    this.#problems.refuse();
  }

  /** The root of a list closes: where it has none of the elements, it may have nothing else. */
  #endList(): void {
    const other = this.#found === 0 ? this.#other : undefined;
    const expected = `children ${this.#wanted()}, or an empty root element`;
    if (typeof other === "string") this.#problems.value(expected, other);
    else if (other !== undefined) {
      const actual = `is ${shownElement(other.name.raw, other.name.uri)}`;
      this.#problems.element(other, expected, actual);
    }
    this.#problems.refuse();
  }

  /** The model's element, for messages. */
  #wanted(): string {
    return shownElement(this.#model.tag, this.#model.namespace);
  }

  #refuseText(text: string, expected: string): void {
    const said = trimmed(text);
    if (said !== undefined) this.#problems.value(expected, said);
  }

  #finish(instance: unknown): void {
    // A list is one document, and tells of all that is wrong in it.
    if (this.#target.kind !== "children") this.#problems.refuse();
    this.#emit(instance as object);
    this.#places.forget();
  }
}

/** A text without the blanks around it; undefined where it has no others. */
function trimmed(text: string): string | undefined {
  return /[^ \t\r\n](?:[^]*[^ \t\r\n])?/.exec(text)?.[0];
}
