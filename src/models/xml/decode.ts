/** Reads instances from an XML document, at once or one by one. */
import { describedAs, UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { IssueCode } from "../../errors/model_error.ts";
import { addText, type XmlContentNodes } from "../../xml/content.ts";
import type { XmlName } from "../../xml/name.ts";
import {
  readXml,
  type XmlAttributes,
  type XmlContent,
  type XmlNamespaces,
  type XmlPlaces,
  type XmlReadOptions,
} from "../../xml/reader.ts";
import type { XmlSource } from "../../xml/source.ts";
import { checkedOptions } from "../../base/checks.ts";
import { setOwn } from "../instance.ts";
import { BAD } from "../issues.ts";
import type { ModelClass } from "../model_class.ts";
import { type DocumentRules, rulesOf } from "../plan.ts";
import { keepContent } from "../unknown_content.ts";
import { modelsOf } from "../value_type.ts";
import {
  ABSENT,
  bind,
  bindAttributes,
  bindDefaults,
  bindText,
  checkedValue,
  membersOf,
  textValue,
} from "./binding.ts";
import {
  type ContentFrame,
  type Frame,
  type FrameTarget,
  type InnerFrame,
  isOuter,
  type ModelFrame,
  type RecordFrame,
} from "./frame.ts";
import { XmlIssues } from "./issues.ts";
import { addTextSlot, closeSlot, endLayout, isNeeded } from "./keep.ts";
import { KeptNamespaces } from "./kept_namespaces.ts";
import { isBlank, parseNamePath, trimmed } from "./names.ts";
import { xmlNodeOf } from "./node.ts";
import { XmlOpener } from "./opener.ts";
import { OuterElements } from "./outer.ts";
import { checkRoots, type XmlField } from "./plan.ts";
import type { XmlStreamOptions, XmlTarget } from "./target.ts";

/**
 * Reads a document to its end, because what follows the root may not be well-formed.
 *
 * @param rules The rules for the document
 * @returns The instance, or the array of instances if the document is a list
 * @throws {XmlError} If the input is not well-formed XML, or not allowed by the limits
 * @throws {ModelError} With all issues, if the document does not match
 * @throws {UnexpectedValueError} If the document can only be JSON, or a declaration is invalid
 */
export async function readXmlDocument(
  rules: DocumentRules,
  source: XmlSource,
  options: XmlReadOptions,
): Promise<unknown> {
  const { shape } = rules;
  const isList = shape.kind === "list";
  const item = isList ? shape.inner : shape;
  if (item.kind !== "model" && item.kind !== "union") {
    const expected =
      "a model, a union, or a list of one of these, because other documents are not XML";
    throw new UnexpectedValueError("type", expected, describedAs(`a type for ${shape.expected}`));
  }
  const target = (): XmlTarget => ({ kind: isList ? "children" : "root" });
  const instances: object[] = [];
  for await (const batch of readInstances<object>(rules, source, target, options)) {
    for (const each of batch) instances.push(each);
  }
  return isList ? instances : instances[0];
}

/**
 * Reads instances from XML as their elements end, those of a chunk together.
 *
 * @throws {XmlError} If the input is not well-formed XML, or not allowed by the limits
 * @throws {ModelError} With all issues of the first instance that does not match
 */
export function streamXmlInstances<T>(
  model: ModelClass<T>,
  source: XmlSource,
  { at, ...options }: XmlStreamOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const target = (): XmlTarget =>
    at === undefined
      ? { kind: "anywhere" }
      : { kind: "path", path: parseNamePath("at", at, model.namespace) };
  return readInstances(rulesOf(model as ModelClass<object>), source, target, options);
}

async function* readInstances<T>(
  rules: DocumentRules,
  source: XmlSource,
  targetOf: () => XmlTarget,
  options: XmlReadOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  checkedOptions(options, ["charset", "doctype", "maxDepth"]);
  const { shape } = rules;
  const target = targetOf();
  const models = modelsOf(shape.kind === "list" ? shape.inner : shape);
  // An invalid declaration is reported before anything in the document.
  checkRoots(models);
  for (const model of models) xmlNodeOf(model, model.namespace);
  const doctype = models.every((model) => model.doctype === "skip") ? "skip" : "refuse";
  const assumed = models.find((model) => model.assumeNamespace)?.namespace;
  yield* readXml<T>(
    source,
    (emit, places, namespaces) => new XmlDecoder(rules, target, emit as Emit, places, namespaces),
    { doctype, maxDepth: rules.maxDepth, ...defined(options) },
    assumed,
  );
}

/** Returns options without those that are undefined, so that defaults apply. */
function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

type Emit = (instance: object) => void;

class XmlDecoder implements XmlContent {
  readonly #emit: Emit;
  readonly #places: XmlPlaces;
  /** The open elements, outermost first. */
  readonly #frames: Frame[] = [];
  readonly #issues: XmlIssues;
  readonly #opener: XmlOpener;
  readonly #outer: OuterElements;
  readonly #namespaces: KeptNamespaces;
  /** The number of open elements that are skipped. */
  #skipped = 0;

  constructor(
    rules: DocumentRules,
    target: XmlTarget,
    emit: Emit,
    places: XmlPlaces,
    namespaces: XmlNamespaces,
  ) {
    this.#emit = emit;
    this.#places = places;
    this.#issues = new XmlIssues(rules.name, this.#frames, places);
    this.#opener = new XmlOpener(this.#issues, namespaces);
    this.#outer = new OuterElements(rules, target, this.#issues);
    this.#namespaces = new KeptNamespaces(this.#frames, namespaces);
  }

  open(name: XmlName, attributes: XmlAttributes, offset: number): void {
    if (this.#skipped > 0) {
      this.#skipped++;
      return;
    }
    const parent = this.#frames.at(-1);
    const frame = isOuter(parent)
      ? this.#outer.open(this.#frames.length, name, attributes, offset)
      : this.#opener.frame(parent, { name, index: 0, offset, attributes });
    if (frame === undefined) {
      this.#skipped = 1;
      return;
    }
    this.#frames.push(frame);
    if (frame.kind === "model" || frame.kind === "wrapper") {
      bindAttributes(frame, attributes, this.#issues);
    }
    if (frame.kind !== "around") this.#namespaces.open(frame, attributes);
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) {
      this.#outer.text(text);
      return;
    }
    switch (frame.kind) {
      case "text":
        frame.text = frame.text === "" ? text : frame.text + text;
        break;
      case "model":
      case "wrapper":
        this.#contentText(frame, text);
        break;
      case "unknown":
      case "markup":
        addText(frame.children, text);
        break;
      case "nil":
        this.#refuseText(text, "no content, because the element has xsi:nil");
        break;
      case "record":
        this.#refuseText(text, "only elements");
    }
  }

  #contentText(frame: ContentFrame, text: string): void {
    const { node, layout, markup, plan } = frame;
    if (markup !== undefined) addText(markup, text);
    else if (node.text !== undefined) {
      frame.text += text;
      if (layout !== undefined) addTextSlot(layout, text);
    } else if (layout !== undefined) addText(layout.children, text);
    else if (plan.unknown === "refuse") this.#refuseText(text, "no text", "unknown");
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) {
      this.#outer.end();
      this.#frames.pop();
      return;
    }
    this.#namespaces.close(frame);
    const value = this.#closed(frame);
    this.#frames.pop();
    const { target } = frame;
    const parent = this.#frames.at(-1);
    if (isOuter(parent)) this.#finish(value);
    else if (target === undefined || value === undefined) return;
    else if (typeof target === "string") {
      setOwn(membersOf(parent as ContentFrame | RecordFrame), target, value);
    } else bind((parent as ContentFrame).instance, target as XmlField, value);
  }

  /** Returns the value of an element that ends; undefined if it has none. */
  #closed(frame: InnerFrame): unknown {
    switch (frame.kind) {
      case "model":
        return this.#instance(frame);
      case "wrapper":
        this.#endContent(frame);
        return undefined;
      case "unknown":
        return undefined;
    }
    const { slot, target } = frame;
    let value = this.#value(frame);
    if (value === ABSENT && (target as XmlField).fallback !== undefined) {
      value = (target as XmlField).fallback!();
    }
    if (slot !== undefined && value !== ABSENT) closeSlot(slot, value);
    return value;
  }

  #value(frame: Exclude<InnerFrame, ContentFrame | { readonly kind: "unknown" }>): unknown {
    const issues = this.#issues;
    switch (frame.kind) {
      case "text":
        return isAbsent(frame.target, [frame.text])
          ? ABSENT
          : textValue(frame.shape, frame.text, issues);
      case "record":
        return issues.count > frame.issues ? BAD : checkedValue(frame.shape, frame.values, issues);
      case "markup":
        return isAbsent(frame.target, frame.children)
          ? ABSENT
          : checkedValue(frame.shape, frame.markup.read(frame.children), issues);
      case "nil":
        return checkedValue(frame.shape, null, issues);
    }
  }

  #instance(frame: ModelFrame): unknown {
    const { instance, layout, shape, node, name, plan: { model } } = frame;
    this.#endContent(frame);
    bindDefaults(frame, this.#issues);
    if (layout !== undefined && isNeeded(node, model.namespace || name.uri, layout)) {
      keepContent(instance, { model, json: new Map(), names: [], xml: layout });
    }
    if (this.#issues.count > frame.issues) return instance;
    this.#issues.check(model, instance);
    return shape === undefined ? instance : checkedValue(shape, instance, this.#issues);
  }

  #endContent(frame: ContentFrame): void {
    bindText(frame, this.#issues);
    if (frame.layout !== undefined) endLayout(frame.layout);
  }

  #refuseText(text: string, expected: string, code: IssueCode = "type"): void {
    const found = trimmed(text);
    if (found !== undefined) this.#issues.text(code, expected, found);
  }

  #finish(instance: unknown): void {
    // A list is one document, so that all of its issues are reported together.
    if (!this.#outer.isList) this.#issues.throwIfAny();
    this.#emit(instance as object);
    this.#places.forget();
  }
}

/** Reports if the content of an element is empty, and its field then absent. */
function isAbsent(target: FrameTarget, content: XmlContentNodes): boolean {
  return typeof target === "object" && target.emptyAsAbsent &&
    content.every((each) => typeof each === "string" && isBlank(each));
}
