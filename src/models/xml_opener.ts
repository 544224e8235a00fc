import { unknownPartsOf } from "./unknown_content.ts";
import type { ModelClass } from "./model_class.ts";
import { modelsOf, unwrapped } from "./plain_shape.ts";
import { BAD } from "./problems.ts";
import { expectedTags, unionChoices } from "./union_choices.ts";
import type { Shape } from "./value_type.ts";
import { chosenModel, isNil } from "./xml_attributes.ts";
import { bind, blankWith, refuseAttributes } from "./xml_binding.ts";
import type {
  ContentFrame,
  FrameTarget,
  InnerFrame,
  KeptFrame,
  ModelFrame,
  Opened,
  Opening,
  RecordFrame,
} from "./xml_frame.ts";
import { unknownElement } from "./xml_unknown.ts";
import { firstIndex, type XmlChild, xmlNodeOf } from "./xml_node.ts";
import { type XmlField, xmlPlanOf } from "./xml_plan.ts";
import { shownElement, shownTag, type XmlProblems } from "./xml_problems.ts";

/**
 * Says what an element becomes that opens within an instance, by the element around it: its frame,
 * or undefined where it is passed over with all that is in it, since nobody asks for it, or it has
 * been told of.
 */
export class XmlOpener {
  readonly #problems: XmlProblems;

  constructor(problems: XmlProblems) {
    this.#problems = problems;
  }

  /** The frame of an element within another. */
  frame(parent: InnerFrame, opening: Opening): InnerFrame | undefined {
    switch (parent.kind) {
      case "model":
      case "wrapper":
        return this.#child(parent, opening);
      case "record":
        return this.#entry(parent, opening);
      case "kept": {
        const frame = keptFrame(opening);
        parent.element.children.push(frame.element);
        return frame;
      }
      default: {
        const expected = parent.kind === "nil"
          ? "no content, because the element has xsi:nil"
          : "only text";
        return this.#problems.element(
          opening,
          expected,
          `is the element ${shownTag(opening.name.raw)}`,
        );
      }
    }
  }

  #child(parent: ContentFrame, opening: Opening): InnerFrame | undefined {
    const { plan, instance, node } = parent;
    const { name, index, offset } = opening;
    const child = node.children.get(name.key);
    if (child === undefined) return this.#unknown(parent, opening);
    if (plan.model.order === "strict") this.#checkOrder(parent, opening, child);
    if (child.kind === "wrapper") {
      const content = { plan, instance, node: child, text: "", last: -1 };
      return { kind: "wrapper", name, index, offset, target: undefined, ...content };
    }
    const { field } = child;
    const known = instance[field.name];
    if (field.place === "elements") {
      opening.index = known === undefined ? 1 : (known as unknown[]).length + 1;
    } else if (known !== undefined) {
      return this.#second(opening, `one element ${shownTag(name.raw)}`);
    }
    return this.#either(parent, opening, field.given, child.name.models, field);
  }

  #checkOrder(parent: ContentFrame, opening: Opening, child: XmlChild): void {
    const index = firstIndex(child);
    if (index >= parent.last) parent.last = index;
    else {
      const expected = "the elements in the order of the fields";
      this.#problems.element(opening, expected, "comes too late");
    }
  }

  #unknown({ kind, plan, instance }: ContentFrame, opening: Opening): KeptFrame | undefined {
    const { name } = opening;
    if (plan.unknown === "refuse") {
      const actual = `is ${shownElement(name.raw, name.uri)}`;
      return this.#problems.element(opening, `an element that ${plan.model.name} declares`, actual);
    }
    if (plan.unknown === "ignore" || kind === "wrapper") return undefined;
    const frame = keptFrame(opening);
    unknownPartsOf(instance).elements.push(frame.element);
    return frame;
  }

  /** An element within a record: its name is that of a value. */
  #entry(parent: RecordFrame, opening: Opening): InnerFrame | undefined {
    const { local } = opening.name;
    if (Object.hasOwn(parent.values, local)) {
      return this.#second(opening, "one element of this name");
    }
    // The name is that of the value: of a union, the attribute tells what it is.
    const models = modelsOf(unwrapped(parent.inner));
    return this.#either(parent, opening, parent.inner, models, local);
  }

  /** An element that is a value of one model at most, or tells of which it is. */
  #either(
    parent: ContentFrame | RecordFrame,
    opening: Opening,
    given: Shape,
    models: readonly ModelClass<object>[],
    target: XmlField | string,
  ): InnerFrame | undefined {
    const shape = unwrapped(given);
    if (shape.kind !== "union") return this.#value(parent, opening, given, models[0], target);
    const model = chosenModel(shape, models, opening.attributes);
    if (model !== undefined || given.kind === "nullable" && isNil(opening.attributes)) {
      return this.#value(parent, opening, given, model, target);
    }
    const expected = `${expectedTags(unionChoices(shape))} as ${shape.by}, which selects the model`;
    return this.#refuse(parent, opening, target, expected, "has another value");
  }

  /** An element whose content is a value, for a field or a name in a record. */
  #value(
    parent: ContentFrame | RecordFrame,
    opening: Opening,
    given: Shape,
    model: ModelClass<object> | undefined,
    target: XmlField | string,
  ): InnerFrame | undefined {
    const { name, index, offset, attributes } = opening;
    const hasAttributes = attributes.names.length > 0;
    if (hasAttributes && isNil(attributes)) {
      if (given.kind === "nullable") return { kind: "nil", name, index, offset, target };
      const expected = `${given.expected} (use nullable() to allow null)`;
      return this.#refuse(parent, opening, target, expected, "has xsi:nil");
    }
    if (model !== undefined) return modelFrame(opening, model, target);
    const content = parent.kind === "record" ? parent.content : parent;
    if (hasAttributes) refuseAttributes(content, opening, this.#problems);
    const shape = unwrapped(given);
    if (shape.kind !== "record") {
      return { kind: "text", name, index, offset, target, shape, text: "" };
    }
    const { inner } = shape;
    return { kind: "record", name, index, offset, target, content, values: {}, inner };
  }

  #second(opening: Opening, expected: string): undefined {
    opening.index = 2;
    return this.#problems.element(opening, expected, "is the second one");
  }

  /** Tells of the element of a value; its field is then not missing, too. */
  #refuse(
    parent: ContentFrame | RecordFrame,
    opening: Opening,
    target: XmlField | string,
    expected: string,
    actual: string,
  ): undefined {
    this.#problems.element(opening, expected, actual);
    if (parent.kind !== "record") bind(parent.instance, target as XmlField, BAD);
  }
}

/** The frame of the element of an instance. */
export function modelFrame(
  { name, index, offset }: Opened,
  model: ModelClass<object>,
  target: FrameTarget,
): ModelFrame {
  const plan = xmlPlanOf(model);
  const node = xmlNodeOf(model, name.uri);
  const instance = blankWith(plan);
  return { kind: "model", name, index, offset, target, plan, instance, node, text: "", last: -1 };
}

function keptFrame({ name, index, offset, attributes }: Opening): KeptFrame {
  const element = unknownElement(name, attributes);
  return { kind: "kept", name, index, offset, target: undefined, element };
}
