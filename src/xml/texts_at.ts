/** Reads the texts at a path in an XML document, such as the code of an error. */
import { XmlError } from "../errors/xml_error.ts";
import { readXml, type XmlContent } from "./reader.ts";

/**
 * Returns the texts of the elements or attributes at a path, in document order. If the document is not
 * well-formed, or was cut, these are the texts before that place.
 *
 * @param document The document
 * @param path The names from the root, without prefixes; an attribute is the last one, after an `@`
 */
export async function textsAt(document: string, path: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  try {
    for await (const found of readXml<string>(document, (emit) => new TextFinder(path, emit))) {
      texts.push(...found);
    }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  return texts;
}

/** Finds the texts at a path while a document is read. */
class TextFinder implements XmlContent {
  readonly #path: readonly string[];
  readonly #attribute: string | undefined;
  readonly #emit: (text: string) => void;
  /** The number of open elements. */
  #depth = 0;
  /** The number of open elements that are on the path, from the root. */
  #matched = 0;
  #text = "";

  constructor(path: readonly string[], emit: (text: string) => void) {
    const last = path.at(-1)!;
    const isAttribute = last.startsWith("@");
    this.#attribute = isAttribute ? last.slice(1) : undefined;
    this.#path = isAttribute ? path.slice(0, -1) : path;
    this.#emit = emit;
  }

  open(...[{ local }, { names, values }]: Parameters<XmlContent["open"]>): void {
    const isNext = this.#matched === this.#depth && local === this.#path[this.#depth];
    this.#depth++;
    if (!isNext) return;
    this.#matched++;
    this.#text = "";
    if (this.#attribute === undefined || !this.#isFound) return;
    const index = names.findIndex((name) => name.local === this.#attribute);
    if (index >= 0) this.#emit(values[index]!);
  }

  text(text: string): void {
    if (this.#isFound && this.#matched === this.#depth) this.#text += text;
  }

  close(): void {
    if (this.#matched === this.#depth) {
      if (this.#isFound && this.#attribute === undefined) this.#emit(this.#text.trim());
      this.#matched--;
    }
    this.#depth--;
  }

  /** True if the open elements have the whole path. */
  get #isFound(): boolean {
    return this.#matched === this.#path.length;
  }
}
