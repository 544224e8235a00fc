/** Parses lists of structured fields (RFC 9651), for the headers of rate limits. */

/**
 * An item of a structured field without its parameters (RFC 9651 §3.3). Byte sequences, tokens, dates
 * and display strings are the text of the field.
 */
export interface BareItem {
  /** The type. */
  readonly type:
    | "integer"
    | "decimal"
    | "string"
    | "token"
    | "bytes"
    | "boolean"
    | "date"
    | "display";
  /** The value. */
  readonly value: string | number | boolean;
}

/** A member of a list. */
export interface ListMember {
  /** The item, or the items of an inner list with their parameters. */
  readonly item: BareItem | readonly ListMember[];
  /** The parameters, by name. */
  readonly params: ReadonlyMap<string, BareItem>;
}

/** The syntax of each type, in the order in which they are tried. */
const syntaxes: readonly (readonly [BareItem["type"], RegExp])[] = [
  ["decimal", /-?\d{1,12}\.\d{1,3}(?![\d.])/y],
  ["integer", /-?\d{1,15}(?![\d.])/y],
  ["string", /"(?:[ !#-[\]-~]|\\["\\])*"/y],
  ["token", /[A-Za-z*][!#$%&'*+\-.^_`|~\w:/]*/y],
  ["bytes", /:(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?:/y],
  ["boolean", /\?[01]/y],
  ["date", /@-?\d{1,15}(?![\d.])/y],
  ["display", /%"(?:[ !#$&-~]|%[\da-f]{2})*"/y],
];

const parameterName = /[a-z*][a-z\d_.*-]*/y;
const spaces = / */y;
const optionalWhitespace = /[ \t]*/y;

/**
 * Parses a structured field that is a list (RFC 9651 §4.2.1). Several fields of the same name are
 * joined by a comma before.
 *
 * @param text The value of the field
 * @returns The members; undefined if the field is malformed
 */
export function parseList(text: string): ListMember[] | undefined {
  try {
    return new Parser(text.replace(/^ +|(?<! ) +$/g, "")).list();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

class Malformed extends Error {}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  list(): ListMember[] {
    const members: ListMember[] = [];
    while (this.#at < this.#text.length) {
      members.push(this.#member());
      this.#take(optionalWhitespace);
      if (this.#at === this.#text.length) break;
      this.#expect(",");
      this.#take(optionalWhitespace);
      if (this.#at === this.#text.length) throw new Malformed("a comma at the end");
    }
    return members;
  }

  #member(): ListMember {
    const item = this.#skip("(") ? this.#innerList() : this.#bareItem();
    return { item, params: this.#params() };
  }

  /** Parses an inner list after its parenthesis (RFC 9651 §4.2.1.2). */
  #innerList(): ListMember[] {
    const members: ListMember[] = [];
    for (;;) {
      const isApart = this.#take(spaces) !== "" || members.length === 0;
      if (this.#skip(")")) return members;
      if (!isApart) throw new Malformed("items that are not apart");
      members.push({ item: this.#bareItem(), params: this.#params() });
    }
  }

  #params(): Map<string, BareItem> {
    const params = new Map<string, BareItem>();
    while (this.#skip(";")) {
      this.#take(spaces);
      const name = this.#take(parameterName);
      if (name === undefined) throw new Malformed("a parameter without a name");
      // The last parameter of a name wins.
      params.set(name, this.#skip("=") ? this.#bareItem() : { type: "boolean", value: true });
    }
    return params;
  }

  #bareItem(): BareItem {
    for (const [type, syntax] of syntaxes) {
      const text = this.#take(syntax);
      if (text !== undefined) return { type, value: valueOf(type, text) };
    }
    throw new Malformed("an item of no type");
  }

  #take(syntax: RegExp): string | undefined {
    syntax.lastIndex = this.#at;
    const text = syntax.exec(this.#text)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw new Malformed(`no ${character}`);
  }
}

function valueOf(type: BareItem["type"], text: string): BareItem["value"] {
  if (type === "integer" || type === "decimal") return Number(text);
  if (type === "boolean") return text === "?1";
  if (type === "string") return text.slice(1, -1).replace(/\\(["\\])/g, "$1");
  if (type === "display") {
    try {
      return decodeURIComponent(text.slice(2, -1));
    } catch {
      throw new Malformed("a display string that is not UTF-8");
    }
  }
  return text;
}
