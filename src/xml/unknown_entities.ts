/** Finds references to unknown entities, which `@std/xml` would replace by wrong text. */

/** A reference to an entity that XML does not predefine. */
interface Reference {
  /** The offset of its `&`. */
  readonly offset: number;
  /** The offset of the last `<` before it. */
  readonly markup: number;
}

/**
 * A search for references to entities that XML does not predefine, in the text of a document.
 *
 * `@std/xml` looks entities up in a plain object, so `&toString;` becomes the text of a function.
 * By then the reference is gone, so it must be found before the parser reads it. The events of the
 * parser show if it really is a reference: it is not one in a comment or a CDATA section.
 */
export class UnknownEntities {
  readonly #found: Reference[] = [];
  /** The index of the first reference that no event has passed. */
  #next = 0;
  #length = 0;
  #markup = -1;
  /** The start of a reference, at the end of the text so far. */
  #tail = "";

  /** Reads the next chunk. Call this before the parser reads the chunk. */
  read(chunk: string): void {
    const text = this.#tail + chunk;
    const begin = this.#length - this.#tail.length;
    if (REFERENCE.test(text)) {
      for (const { 0: token, index } of text.matchAll(MARKUP_OR_REFERENCE)) {
        if (token === "<") this.#markup = begin + index;
        else this.#found.push({ offset: begin + index, markup: this.#markup });
      }
    } else {
      const markup = text.lastIndexOf("<");
      if (markup >= 0) this.#markup = begin + markup;
    }
    this.#length += chunk.length;
    // Longer names are not members of a plain object, so the parser rejects them itself.
    this.#tail = /&[a-zA-Z0-9]{0,63}$/.exec(text.slice(-64))?.[0] ?? "";
  }

  /**
   * Returns the offset of the first unknown reference in the start tag or text that begins at an
   * offset, or in the text right after that tag. Returns undefined if there is none.
   */
  after(offset: number): number | undefined {
    while (this.#next < this.#found.length && this.#found[this.#next]!.offset < offset) {
      this.#next++;
    }
    if (this.#next === this.#found.length) this.#next = this.#found.length = 0;
    const first = this.#found[this.#next];
    return first !== undefined && first.markup <= offset ? first.offset : undefined;
  }
}

const REFERENCE = /&(?!(?:lt|gt|amp|apos|quot);)[a-zA-Z][a-zA-Z0-9]*;/;
const MARKUP_OR_REFERENCE = new RegExp(`<|${REFERENCE.source}`, "g");
