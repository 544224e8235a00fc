/** Decides which field an element inside of an instance belongs to, or that it is skipped. */
import { BAD } from "../issues.ts";
import type { ModelClass } from "../model_class.ts";
import { choicesOf, expectedChoices, type UnionChoice } from "../union.ts";
import { emptyLayout, type KeptElement } from "../unknown_content.ts";
import {
  modelsOf,
  type RecordShape,
  type ScalarShape,
  type Shape,
  type UnionShape,
  withoutNullable,
} from "../value_type.ts";
import type { XmlElement } from "../../xml/content.ts";
import type { XmlAttributes, XmlNamespaces } from "../../xml/reader.ts";
import { bind, emptyInstance, membersOf, refuseAttributes } from "./binding.ts";
import type {
  Content,
  ContentFrame,
  FrameTarget,
  InnerFrame,
  ModelFrame,
  MutableContent,
  Opened,
  Opening,
  RecordFrame,
  UnknownFrame,
} from "./frame.ts";
import { shownElement, shownTag, type XmlIssues } from "./issues.ts";
import { addOpenSlot, addSlot, addWrapper, keepAttributes } from "./keep.ts";
import { isNil } from "./names.ts";
import {
  attributeKey,
  firstIndex,
  setOrigin,
  type XmlChild,
  type XmlNode,
  xmlNodeOf,
} from "./node.ts";
import { type XmlField, xmlPlanOf } from "./plan.ts";

/**
 * Creates the frames of elements inside of instances. If an element has no frame, it is skipped with
 * its content, because no field declares it or because it has an issue.
 */
export class XmlOpener {
  readonly #issues: XmlIssues;
  readonly #namespaces: XmlNamespaces;

  constructor(issues: XmlIssues, namespaces: XmlNamespaces) {
    this.#issues = issues;
    this.#namespaces = namespaces;
  }

  /** Returns the frame of an element inside of another. */
  frame(parent: InnerFrame, opening: Opening): InnerFrame | undefined {
    switch (parent.kind) {
      case "model":
      case "wrapper":
        return this.#child(parent, opening);
      case "record":
        return this.#member(parent, opening);
      case "unknown":
      case "markup":
        return addElement(parent.children, opening);
      default: {
        const expected = parent.kind === "nil"
          ? "no content, because the element has xsi:nil"
          : "only text";
        const actual = `is the element ${shownTag(opening.name.raw)}`;
        return this.#issues.element(opening, "type", expected, actual);
      }
    }
  }

  #child(parent: ContentFrame, opening: Opening): InnerFrame | undefined {
    const { plan, instance, node, layout } = parent;
    const { name, index, offset } = opening;
    if (parent.markup !== undefined) return addElement(parent.markup, opening);
    parent.hasChildren = true;
    const child = node.children.get(name.key);
    if (child === undefined) {
      const isRest = node.rest !== undefined && name.uri === parent.name.uri;
      return isRest ? this.#member(parent, opening) : this.#unknown(parent, opening);
    }
    if (plan.model.order === "strict") this.#checkOrder(parent, opening, child);
    if (child.kind === "wrapper") {
      const text = child.text?.name;
      // Each of the elements would have the text.
      if (text !== undefined && instance[text] !== undefined) {
        return this.#second(opening, `one element ${shownTag(name.raw)}`);
      }
      const content = contentOf(plan, instance, child, layout && addWrapper(layout, child));
      return { kind: "wrapper", name, index, offset, target: undefined, ...content };
    }
    const { field } = child;
    const known = instance[field.name];
    if (field.place === "elements") {
      opening.index = known === undefined ? 1 : (known as unknown[]).length + 1;
    } else if (known !== undefined) {
      return this.#second(opening, `one element ${shownTag(name.raw)}`);
    }
    return this.#select(parent, opening, field.declared, child.name.models, field);
  }

  #checkOrder(parent: ContentFrame, opening: Opening, child: XmlChild): void {
    const index = firstIndex(child);
    if (index >= parent.last) parent.last = index;
    else {
      const expected = "the elements in the order of the fields";
      this.#issues.element(opening, "order", expected, "comes too late");
    }
  }

  #unknown({ plan, layout }: ContentFrame, opening: Opening): UnknownFrame | undefined {
    if (layout !== undefined) return addElement(layout.children, opening);
    if (plan.unknown !== "refuse") return undefined;
    const { raw, uri } = opening.name;
    const expected = `an element that ${plan.model.name} declares`;
    const actual = `is ${shownElement(raw, uri)}`;
    return this.#issues.element(opening, "unknown", expected, actual);
  }

  /** Returns the frame of a member of a record, or of a `rest` field. Its tag is the name of the member. */
  #member(parent: ContentFrame | RecordFrame, opening: Opening): InnerFrame | undefined {
    const { local } = opening.name;
    if (Object.hasOwn(membersOf(parent), local)) {
      return this.#second(opening, "one element of this name");
    }
    const inner = parent.kind === "record" ? parent.inner : innerOf(parent.node.rest!);
    return this.#select(parent, opening, inner, modelsOf(withoutNullable(inner)), local);
  }

  /** Selects the model of an element, and returns its frame. */
  #select(
    parent: ContentFrame | RecordFrame,
    opening: Opening,
    declared: Shape,
    models: readonly ModelClass<object>[],
    target: XmlField | string,
  ): InnerFrame | undefined {
    const shape = withoutNullable(declared);
    if (shape.kind !== "union") return this.#value(parent, opening, declared, models[0], target);
    const model = selectedModel(shape, models, opening.attributes);
    if (model !== undefined || declared.kind === "nullable" && isNil(opening.attributes)) {
      return this.#value(parent, opening, declared, model, target);
    }
    const values = expectedChoices(choicesOf(shape));
    const expected = `${values} as ${shape.by}, which selects the model`;
    return this.#refuse(parent, opening, target, expected, "has another value");
  }

  /** Returns the frame of an element whose content is a value. */
  #value(
    parent: ContentFrame | RecordFrame,
    opening: Opening,
    shape: Shape,
    model: ModelClass<object> | undefined,
    target: XmlField | string,
  ): InnerFrame | undefined {
    const { name, index, offset, attributes } = opening;
    const hasAttributes = attributes.names.length > 0;
    const isNull = hasAttributes && isNil(attributes);
    if (isNull && shape.kind !== "nullable") {
      const expected = `${shape.expected} (use nullable() to allow null)`;
      return this.#refuse(parent, opening, target, expected, "has xsi:nil");
    }
    const layout = parent.kind === "record" ? parent.slot?.inside : parent.layout;
    const valueName = typeof target === "string" ? target : target.name;
    if (model !== undefined && !isNull) {
      if (layout !== undefined) addSlot(layout, valueName);
      return modelFrame(opening, model, target, shape, this.#issues.count);
    }
    const content = parent.kind === "record" ? parent.content : parent;
    const plain = withoutNullable(shape);
    const isRecord = plain.kind === "record" && !isNull;
    if (hasAttributes && layout === undefined) refuseAttributes(content, opening, this.#issues);
    const isOpen = isRecord || hasAttributes || this.#namespaces.isDeclaring ||
      typeof target === "object" && target.emptyAsAbsent;
    const slot = layout && isOpen ? addOpenSlot(layout, valueName) : undefined;
    if (slot !== undefined) keepAttributes(slot.inside, attributes, isNull);
    else if (layout !== undefined) addSlot(layout, valueName);
    const frame = { name, index, offset, target, shape, slot };
    if (isNull) return { kind: "nil", ...frame };
    if (isRecord) {
      const issues = this.#issues.count;
      return { kind: "record", ...frame, content, values: {}, inner: plain.inner, issues };
    }
    return plain.kind === "scalar" && plain.markup !== undefined
      ? { kind: "markup", ...frame, markup: plain.markup, children: [] }
      : { kind: "text", ...frame, text: "" };
  }

  #second(opening: Opening, expected: string): undefined {
    opening.index = 2;
    return this.#issues.element(opening, "duplicate", expected, "is the second one");
  }

  /** Reports the element of a value. Its field is then not reported as missing. */
  #refuse(
    parent: ContentFrame | RecordFrame,
    opening: Opening,
    target: XmlField | string,
    expected: string,
    actual: string,
  ): undefined {
    this.#issues.element(opening, "type", expected, actual);
    if (typeof target !== "string") bind((parent as ContentFrame).instance, target, BAD);
  }
}

/** Returns the shape of the values of a `rest` field. */
function innerOf({ shape }: XmlField): Shape {
  return (shape as RecordShape).inner;
}

/** Returns the frame of the element of an instance. */
export function modelFrame(
  { name, index, offset }: Opened,
  model: ModelClass<object>,
  target: FrameTarget,
  shape: Shape | undefined,
  issues: number,
): ModelFrame {
  const plan = xmlPlanOf(model);
  const layout = plan.unknown === "keep" ? emptyLayout() : undefined;
  const instance = emptyInstance(plan);
  if (model.namespace === "" && name.uri !== "") setOrigin(instance, name.uri);
  const content = contentOf(plan, instance, xmlNodeOf(model, name.uri), layout);
  return { kind: "model", name, index, offset, target, shape, issues, ...content };
}

function contentOf(
  plan: Content["plan"],
  instance: Content["instance"],
  node: XmlNode,
  layout: KeptElement | undefined,
): Content {
  const text = node.text?.shape;
  const markup: MutableContent | undefined = text?.kind === "scalar" && text.markup
    ? []
    : undefined;
  return { plan, instance, node, text: "", markup, hasChildren: false, last: -1, layout };
}

/** Adds an element to content that is kept as it is, and returns its frame. */
function addElement(
  content: unknown[],
  { name, index, offset, attributes }: Opening,
): UnknownFrame {
  const { names, values } = attributes;
  const children: MutableContent = [];
  const element: XmlElement = {
    tag: name.local,
    namespace: name.uri,
    attributes: names.map(({ local, uri }, at) => ({
      name: local,
      namespace: uri,
      value: values[at]!,
    })),
    children,
  };
  content.push(element);
  return { kind: "unknown", name, index, offset, target: undefined, element, children };
}

/**
 * Selects the model of an element, by the value of an attribute if several models have its name.
 *
 * @param shape The union
 * @param models The models that have the name of the element
 * @param attributes The attributes of the element
 * @returns The model; undefined if the attribute selects none
 */
export function selectedModel(
  shape: UnionShape,
  models: readonly ModelClass<object>[],
  attributes: XmlAttributes,
): ModelClass<object> | undefined {
  if (models.length === 1) return models[0];
  return choicesOf(shape).find((choice) =>
    models.includes(choice.model) && isSelected(choice, shape.by, attributes)
  )?.model;
}

function isSelected(
  { model, values }: UnionChoice,
  by: string | undefined,
  attributes: XmlAttributes,
): boolean {
  const field = xmlPlanOf(model).fields.find(({ name }) => name === by);
  if (field?.place !== "attr") return false;
  const key = attributeKey(field);
  const index = attributes.names.findIndex((name) => name.key === key);
  if (index < 0) return false;
  return values.includes((field.shape as ScalarShape).fromText(attributes.values[index]!));
}
