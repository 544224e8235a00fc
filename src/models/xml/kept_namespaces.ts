/** Keeps the namespace declarations that values may use, such as in `xsi:type`. */
import { addNamespace, type NamespaceHolder } from "../../xml/content.ts";
import type { XmlAttributes, XmlNamespaces } from "../../xml/reader.ts";
import { possiblePrefixes } from "../../xml/value_prefixes.ts";
import type { Frame, InnerFrame } from "./frame.ts";

/**
 * Keeps the declarations of prefixes that values may use, such as `xsi:type="t:Point"`.
 *
 * They are kept where they were declared, so that one declaration serves many values. Parts that the
 * program can take out of their document keep them as well: instances, and the elements of markup.
 */
export class KeptNamespaces {
  readonly #frames: readonly Frame[];
  readonly #namespaces: XmlNamespaces;
  /** The indices of the frames of parts. */
  readonly #parts: number[] = [];

  constructor(frames: readonly Frame[], namespaces: XmlNamespaces) {
    this.#frames = frames;
    this.#namespaces = namespaces;
  }

  /** Reads the attributes of the innermost frame. */
  open(frame: InnerFrame, { names, values }: XmlAttributes): void {
    if (this.#isPart(frame)) this.#parts.push(this.#frames.length - 1);
    if (names.length === 0 || !this.#isKeeping) return;
    for (let index = 0; index < names.length; index++) {
      for (const prefix of possiblePrefixes(values[index]!, names[index])) this.#keep(prefix);
    }
  }

  /** Reads the texts of the innermost frame, whose element ends. */
  close(frame: InnerFrame): void {
    if (this.#isKeeping) {
      for (const text of textsOf(frame)) {
        for (const prefix of possiblePrefixes(text)) this.#keep(prefix);
      }
    }
    if (this.#parts.at(-1) === this.#frames.length - 1) this.#parts.pop();
  }

  #isPart(frame: InnerFrame): boolean {
    if (frame.kind === "model") return frame.layout !== undefined;
    const parent = this.#frames.at(-2)!;
    return "markup" in parent && parent.markup !== undefined;
  }

  get #isKeeping(): boolean {
    return this.#parts.length > 0 && this.#namespaces.hasPrefixes;
  }

  #keep(prefix: string): void {
    const binding = this.#namespaces.lookup(prefix);
    // The prefix `xml` needs no declaration.
    if (binding === undefined || prefix === "xml") return;
    const { uri } = binding;
    // The default namespace is kept only beside its value: the parts of a document rarely share one.
    const depth = prefix === "" ? this.#frames.length - 1 : binding.depth;
    for (let index = this.#parts.length - 1; index >= 0; index--) {
      const at = this.#parts[index]!;
      if (at <= depth) break;
      // If a part has the prefix, those around it have it, too.
      if (!addNamespace(holderOf(this.#frames[at]!)!, prefix, uri)) return;
    }
    const holder = holderOf(this.#frames[depth]!);
    if (holder !== undefined) addNamespace(holder, prefix, uri);
  }
}

/** Returns what keeps the declarations of an element; undefined if nothing does. */
function holderOf(frame: Frame): NamespaceHolder | undefined {
  switch (frame.kind) {
    case "around":
      return undefined;
    case "model":
    case "wrapper":
      return frame.layout;
    case "unknown":
      return frame.element;
    default:
      return frame.slot?.inside;
  }
}

function textsOf(frame: InnerFrame): readonly string[] {
  switch (frame.kind) {
    case "text":
      return [frame.text];
    case "model":
    case "wrapper": {
      const nodes = frame.markup ?? frame.layout?.children ?? [];
      return [frame.text, ...nodes.filter((each) => typeof each === "string")];
    }
    case "unknown":
    case "markup":
      return frame.children.filter((each) => typeof each === "string");
    case "record":
    case "nil":
      return [];
  }
}
