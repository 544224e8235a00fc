import { nameKey, type XmlName } from "../xml/name.ts";
import {
  readXml,
  type XmlAttributes,
  type XmlContent,
  type XmlPlaces,
  type XmlReadOptions,
} from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import { put } from "./instance.ts";
import { keptPartsOf } from "./kept.ts";
import type { ModelClass } from "./model_class.ts";
import { unwrapped } from "./plain_shape.ts";
import { BAD } from "./problems.ts";
import { expectedTags, unionChoices } from "./union_choices.ts";
import type { Shape } from "./value_type.ts";
import { chosenModel, isNil } from "./xml_attributes.ts";
import {
  bind,
  bindAttributes,
  bindDefaults,
  bindText,
  blankOf,
  isBlank,
  refuseAttributes,
  textValue,
} from "./xml_binding.ts";
import {
  type Content,
  type ContentFrame,
  type Frame,
  type FrameTarget,
  type InnerFrame,
  isOuter,
  type ModelFrame,
  type Opened,
} from "./xml_frame.ts";
import { keptElement } from "./xml_kept.ts";
import { firstIndex, type XmlChild, xmlNodeOf, type XmlValue } from "./xml_node.ts";
import { type XmlField, xmlPlanOf } from "./xml_plan.ts";
import { shownElement, XmlProblems } from "./xml_problems.ts";
import { roleOf, type XmlTarget } from "./xml_target.ts";

/**
 * Reads instances from XML as their elements close.
 *
 * @throws {XmlError} Where it is not XML, or not what is allowed
 * @throws {ModelError} With every issue of a record; of a document where the root is the record
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
    options,
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
  #found = 0;
  /** How many elements are open beside these, that nobody asks for. */
  #skipped = 0;

  constructor(model: ModelClass<object>, target: XmlTarget, emit: Emit, places: XmlPlaces) {
    this.#model = model;
    this.#target = target;
    this.#emit = emit;
    this.#places = places;
    this.#problems = new XmlProblems(model.name, this.#frames, places);
    // What is wrong with the declaration is said before anything of the document.
    xmlNodeOf(xmlPlanOf(model), model.namespace);
    this.#key = nameKey(model.namespace, model.tag);
  }

  open(name: XmlName, attributes: XmlAttributes, offset: number): void {
    if (this.#skipped > 0) {
      this.#skipped++;
      return;
    }
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) this.#openOuter(name, attributes, offset);
    else if (frame.kind === "model" || frame.kind === "wrapper") {
      this.#openChild(frame, name, attributes, offset);
    } else if (frame.kind === "record") {
      const index = Object.hasOwn(frame.values, name.local) ? 2 : 0;
      const opened = { name, index, offset };
      if (index > 0) this.#refuse(opened, "one element of this name", "is a second one");
      else this.#openValue(opened, frame.inner, modelOf(frame.inner), attributes, name.local);
    } else if (frame.kind === "kept") {
      const element = keptElement(name, attributes);
      frame.element.children.push(element);
      this.#frames.push({ kind: "kept", name, index: 0, offset, target: undefined, element });
    } else {
      const expected = frame.kind === "nil" ? "nothing within what is nil" : "text alone";
      this.#refuse(
        { name, index: 0, offset },
        expected,
        `is the element <${name.raw}>`,
      );
    }
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) return;
    switch (frame.kind) {
      case "text":
        frame.text = frame.text === "" ? text : frame.text + text;
        break;
      case "model":
      case "wrapper":
        if (frame.node.text !== undefined) frame.text += text;
        else if (frame.plan.unknown === "refuse" && !isBlank(text)) {
          this.#problems.value("no text", text.trim());
        }
        break;
      case "kept":
        frame.element.children.push(text);
        break;
      default:
        if (!isBlank(text)) {
          const expected = frame.kind === "nil" ? "nothing within what is nil" : "elements alone";
          this.#problems.value(expected, text.trim());
        }
    }
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const frame = this.#frames.at(-1);
    if (isOuter(frame)) {
      this.#frames.pop();
      return;
    }
    const value = this.#closed(frame);
    this.#frames.pop();
    const { target } = frame;
    const parent = this.#frames.at(-1);
    if (isOuter(parent)) this.#finish(value);
    else if (parent.kind === "record") put(parent.values, target as string, value);
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

  #openOuter(name: XmlName, attributes: XmlAttributes, offset: number): void {
    const { kind } = this.#target;
    const role = roleOf(this.#target, this.#frames.length, name, this.#key);
    if (role === "instance") {
      const index = kind === "root" ? 0 : ++this.#found;
      this.#openModel({ name, index, offset }, this.#model, attributes, undefined);
    } else if (role === "around") this.#frames.push({ kind: "around", name, index: 0, offset });
    else if (kind === "root") this.#refuseRoot(name, offset);
    else this.#skipped = 1;
  }

  #refuseRoot(name: XmlName, offset: number): void {
    const { tag, namespace } = this.#model;
    const expected = `the root ${shownElement(tag, namespace)}`;
    const but = `is ${shownElement(name.raw, name.uri)}`;
    this.#problems.element({ name, index: 0, offset }, expected, but);
    this.#problems.refuse();
  }

  #openChild(
    frame: ContentFrame,
    name: XmlName,
    attributes: XmlAttributes,
    offset: number,
  ): void {
    const { plan, instance, node } = frame;
    const child = node.children.get(name.key);
    if (child === undefined) {
      this.#openUnknown(frame, name, attributes, offset);
      return;
    }
    if (plan.model.order === "strict") this.#checkOrder(frame, name, child, offset);
    if (child.kind === "wrapper") {
      const opened = { name, index: 0, offset, target: undefined };
      const content = { plan, instance, node: child.node, text: "", last: -1 };
      const wrapper: ContentFrame = { kind: "wrapper", ...opened, ...content };
      this.#frames.push(wrapper);
      bindAttributes(wrapper, attributes, this.#problems);
      return;
    }
    const { field } = child;
    const known = instance[field.name];
    if (field.place === "elements") {
      const index = known === undefined ? 1 : (known as unknown[]).length + 1;
      this.#openField({ name, index, offset }, child, attributes);
    } else if (known !== undefined) {
      this.#refuse(
        { name, index: 2, offset },
        `one element <${name.raw}>`,
        "is a second one",
      );
    } else {
      this.#openField({ name, index: 0, offset }, child, attributes);
    }
  }

  #openField(opened: Opened, { field, models }: XmlValue, attributes: XmlAttributes): void {
    const { shape, given } = field;
    if (shape.kind !== "union") {
      this.#openValue(opened, given, models[0], attributes, field);
      return;
    }
    const model = chosenModel(shape, models, attributes);
    if (model === undefined && !(field.isNullable && isNil(attributes))) {
      const tags = expectedTags(unionChoices(shape));
      const expected = `${tags} as ${shape.by}, which tells what it is`;
      this.#refuse(opened, expected, "is something else");
      bind((this.#frames.at(-1) as ContentFrame).instance, field, BAD);
      return;
    }
    this.#openValue(opened, given, model, attributes, field);
  }

  /** An element whose content is a value, for a field or a name in a record. */
  #openValue(
    opened: Opened,
    given: Shape,
    model: ModelClass<object> | undefined,
    attributes: XmlAttributes,
    target: XmlField | string,
  ): void {
    if (attributes.names.length > 0 && isNil(attributes)) {
      if (given.kind === "nullable") this.#frames.push({ kind: "nil", ...opened, target });
      else {
        this.#refuse(opened, `${given.expected} (null takes nullable)`, "is nil");
        if (typeof target !== "string") {
          bind((this.#frames.at(-1) as ContentFrame).instance, target, BAD);
        }
      }
      return;
    }
    const shape = unwrapped(given);
    if (model !== undefined) {
      this.#openModel(opened, model, attributes, target);
      return;
    }
    if (attributes.names.length > 0) {
      refuseAttributes(this.#content(), opened, attributes, this.#problems);
    }
    if (shape.kind === "record") {
      this.#frames.push({ kind: "record", ...opened, target, values: {}, inner: shape.inner });
    } else this.#frames.push({ kind: "text", ...opened, target, shape, text: "" });
  }

  #openModel(
    opened: Opened,
    model: ModelClass<object>,
    attributes: XmlAttributes,
    target: FrameTarget,
  ): void {
    const plan = xmlPlanOf(model);
    const node = xmlNodeOf(plan, opened.name.uri);
    const frame: ModelFrame = {
      kind: "model",
      ...opened,
      target,
      plan,
      instance: blankOf(plan),
      node,
      text: "",
      last: -1,
    };
    this.#frames.push(frame);
    bindAttributes(frame, attributes, this.#problems);
  }

  #openUnknown(
    frame: ContentFrame,
    name: XmlName,
    attributes: XmlAttributes,
    offset: number,
  ): void {
    const { plan, instance } = frame;
    if (plan.unknown === "keep" && frame.kind === "model") {
      const element = keptElement(name, attributes);
      keptPartsOf(instance).elements.push(element);
      this.#frames.push({ kind: "kept", name, index: 0, offset, target: undefined, element });
    } else if (plan.unknown === "refuse") {
      const expected = `an element that ${plan.model.name} has`;
      this.#refuse(
        { name, index: 0, offset },
        expected,
        `is ${shownElement(name.raw, name.uri)}, which it has not`,
      );
    } else this.#skipped = 1;
  }

  #checkOrder(
    frame: ContentFrame,
    name: XmlName,
    child: XmlChild,
    offset: number,
  ): void {
    const index = firstIndex(child);
    if (index >= frame.last) frame.last = index;
    else {
      const expected = "the elements in the order of the fields";
      this.#problems.element({ name, index: 0, offset }, expected, "it comes too late");
    }
  }

  /** The content that the open elements belong to. */
  #content(): Content {
    let index = this.#frames.length - 1;
    while (this.#frames[index]!.kind === "record") index--;
    return this.#frames[index] as ContentFrame;
  }

  /** Tells of an element and passes it over, with all that is in it. */
  #refuse(opened: Opened, expected: string, but: string): void {
    this.#problems.element(opened, expected, but);
    this.#skipped = 1;
  }

  #finish(instance: unknown): void {
    this.#problems.refuse();
    this.#emit(instance as object);
    this.#places.forget();
  }
}

function modelOf(shape: Shape): ModelClass<object> | undefined {
  const inner = unwrapped(shape);
  return inner.kind === "model" ? inner.model() : undefined;
}
