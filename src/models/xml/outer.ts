/**
 * Handles the elements around instances: finds the model of each instance, and refuses other roots.
 */
import { nameKey, type XmlName } from "../../xml/name.ts";
import type { XmlAttributes } from "../../xml/reader.ts";
import type { ModelClass } from "../model_class.ts";
import type { DocumentRules } from "../plan.ts";
import { choicesOf, expectedChoices } from "../union.ts";
import { modelsOf, type Shape } from "../value_type.ts";
import type { AroundFrame, ModelFrame, Opened } from "./frame.ts";
import { shownElement, type XmlIssues } from "./issues.ts";
import { trimmed } from "./names.ts";
import { modelFrame, selectedModel } from "./opener.ts";
import { type ModelsByName, roleOf, type XmlTarget } from "./target.ts";

/** The elements of a document that are not inside of instances: the root, and those around them. */
export class OuterElements {
  /** True if the document is a list of instances. */
  readonly isList: boolean;
  /** The shape of each instance. */
  readonly #item: Shape;
  readonly #models: readonly ModelClass<object>[];
  readonly #byName: ModelsByName;
  readonly #target: XmlTarget;
  readonly #issues: XmlIssues;
  #found = 0;
  /** The first element or text in the root that is not an instance. */
  #other: Opened | string | undefined;

  /**
   * Starts outside of the root.
   *
   * @param rules The rules for the document
   * @param target The elements that are instances
   * @param issues The issues of the document
   */
  constructor({ shape }: DocumentRules, target: XmlTarget, issues: XmlIssues) {
    this.isList = target.kind === "children";
    this.#item = shape.kind === "list" ? shape.inner : shape;
    this.#models = modelsOf(this.#item);
    this.#byName = modelsByName(this.#models);
    this.#target = target;
    this.#issues = issues;
  }

  /**
   * Returns the frame of an element that is not inside of an instance; undefined if it is skipped.
   *
   * @param depth The number of elements around it
   */
  open(
    depth: number,
    name: XmlName,
    attributes: XmlAttributes,
    offset: number,
  ): AroundFrame | ModelFrame | undefined {
    switch (roleOf(this.#target, depth, name, this.#byName)) {
      case "around":
        return { kind: "around", name, index: 0, offset };
      case "instance": {
        const index = this.#target.kind === "root" ? 0 : ++this.#found;
        const opened = { name, index, offset };
        const model = this.#selected(opened, attributes);
        return model && modelFrame(opened, model, undefined, undefined, this.#issues.count);
      }
      case "other":
        this.#other ??= { name, index: 0, offset };
        return undefined;
      case "refused":
        this.#refuseRoot({ name, index: 0, offset });
        return undefined;
    }
  }

  /** Handles a text that is not inside of an instance. */
  text(text: string): void {
    if (this.isList) this.#other ??= trimmed(text);
  }

  #selected(opened: Opened, attributes: XmlAttributes): ModelClass<object> | undefined {
    const item = this.#item;
    if (item.kind !== "union") return this.#models[0];
    const models = this.#byName.get(opened.name.key)!;
    const model = selectedModel(item, models, attributes);
    if (model !== undefined) return model;
    const values = expectedChoices(choicesOf(item));
    const expected = `${values} as ${item.by}, which selects the model`;
    this.#issues.element(opened, "type", expected, "has another value");
    if (!this.isList) this.#issues.throwIfAny();
    return undefined;
  }

  #refuseRoot(root: Opened): void {
    const target = this.#target;
    const { raw, uri } = root.name;
    if (target.kind === "children") {
      const expected = `a root element with children ${this.#wanted()}`;
      this.#issues.element(root, "type", expected, "is one of these itself");
    } else {
      const wanted = target.kind === "path"
        ? shownElement(target.path[0]!.tag, target.path[0]!.uri)
        : this.#wanted();
      const actual = `is ${shownElement(raw, uri)}`;
      this.#issues.element(root, "type", `the root element ${wanted}`, actual);
    }
    this.#issues.throwIfAny();
  }

  /** Ends the root. If there is no instance in the root of a list, it must be empty. */
  end(): void {
    if (!this.isList) return;
    const other = this.#found === 0 ? this.#other : undefined;
    const expected = `children ${this.#wanted()}, or an empty root element`;
    if (typeof other === "string") this.#issues.value(expected, other);
    else if (other !== undefined) {
      const actual = `is ${shownElement(other.name.raw, other.name.uri)}`;
      this.#issues.element(other, "type", expected, actual);
    }
    this.#issues.throwIfAny();
  }

  /** Describes the elements of the models. */
  #wanted(): string {
    return this.#models.map((model) => shownElement(model.tag, model.namespace)).join(" or ");
  }
}

function modelsByName(models: readonly ModelClass<object>[]): ModelsByName {
  const byName = new Map<string, ModelClass<object>[]>();
  for (const model of models) {
    const key = nameKey(model.namespace, model.tag);
    byName.set(key, [...byName.get(key) ?? [], model]);
  }
  return byName;
}
