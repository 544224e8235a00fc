/** Writes scalars and lists as the text of an element or attribute. */
import type { XmlContentNodes } from "../../xml/content.ts";
import { escapeText, isXmlText } from "../../xml/escape.ts";
import type { MutableRecord } from "../instance.ts";
import { broken, failedCheck, mismatch, withThrown } from "../issues.ts";
import type { ScalarShape, Shape } from "../value_type.ts";
import type { Place, WriteIssues } from "./place.ts";
import type { XmlField } from "./plan.ts";
import { writeContent } from "./write_unknown.ts";

/** The writer for scalars and lists, which are texts in XML. */
export class TextWriter {
  readonly #issues: WriteIssues;

  constructor(issues: WriteIssues) {
    this.#issues = issues;
  }

  /** Returns the text of an attribute or of an element itself; undefined if it is left out. */
  fieldText(
    { name, declared, isOptional, fallback }: XmlField,
    instance: MutableRecord,
    at: Place,
    step: string,
  ): string | undefined {
    const value = instance[name];
    if (value === undefined && isOptional) return undefined;
    if (value === undefined) {
      return this.#issues.refuse(mismatch(declared.expected, value), at, step);
    }
    if (value !== null || declared.kind !== "nullable") {
      return this.#text(declared, value, at, step);
    }
    if (fallback === undefined || fallback() === null) return undefined;
    const expected = `${declared.inner.expected}, because an absent value is read as the default`;
    return this.#issues.refuse(mismatch(expected, null), at, step);
  }

  /** Returns the content of an element that has a `text` field. */
  fieldContent(field: XmlField, instance: MutableRecord, at: Place): string {
    const text = this.fieldText(field, instance, at, "text()") ?? "";
    return this.#escaped(field.shape, text, at, "text()");
  }

  /** Returns the content of an element whose value is a scalar or list. */
  content(shape: Shape, value: unknown, at: Place): string {
    return this.#escaped(shape, this.#text(shape, value, at), at);
  }

  #escaped(shape: Shape, text: string, at: Place, step?: string): string {
    return shape.kind === "scalar" && shape.markup !== undefined
      ? this.#markup(shape, text, at, step)
      : escapeText(text);
  }

  /** Returns the text of a scalar or list, without escapes. */
  #text(shape: Shape, value: unknown, at: Place, step?: string, isItem = false): string {
    const count = this.#issues.count;
    const text = this.#unchecked(shape, value, at, step, isItem);
    const expected = this.#issues.count === count ? failedCheck(shape, value) : undefined;
    return expected === undefined ? text : this.#issues.refuse(broken(expected, value), at, step);
  }

  #unchecked(
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
        : this.#issues.refuse(mismatch(shape.expected, value), at, step);
    }
    const { expected, toText } = shape as ScalarShape;
    let text: string | undefined;
    try {
      text = toText(value);
    } catch (error) {
      return this.#issues.refuse(mismatch(withThrown(expected, error), value), at, step);
    }
    if (text === undefined) return this.#issues.refuse(mismatch(expected, value), at, step);
    if (!isXmlText(text)) {
      return this.#issues.refuse(mismatch("a string without control characters", value), at, step);
    }
    if (!isItem || /^[^ \t\r\n]+$/.test(text)) return text;
    const item =
      "a non-empty value without spaces, because spaces separate the values of a list in XML";
    return this.#issues.refuse(mismatch(item, text), at, step);
  }

  /** Returns a text with inline markup as XML. */
  #markup({ markup, expected }: ScalarShape, text: string, at: Place, step?: string): string {
    let content: XmlContentNodes;
    try {
      content = markup!.write(text);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const actual = `is not well-formed: ${error.message}`;
      return this.#issues.refuse({ code: "type", expected, actual }, at, step);
    }
    return writeContent(content, at.scope);
  }
}
