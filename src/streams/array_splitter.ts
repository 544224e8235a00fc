/** Splits a JSON document into the texts of the elements of one of its arrays. */
import { quotedText } from "../errors/message_text.ts";
import type { StreamSource } from "./item_stream.ts";
import type { ItemSplitter } from "./json_items.ts";

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** The deepest nesting outside of the array. */
const MAX_DEPTH = 1000;

/**
 * Splits a JSON document into the texts of the elements of one of its arrays.
 *
 * It only looks for strings, brackets and commas; `JSON.parse` checks each element. This is several
 * times as fast as a parser of tokens, because `JSON.parse` is native code (see `bench/streams.ts`).
 */
export class ArraySplitter implements ItemSplitter {
  readonly #source: StreamSource;
  /** The names and indices on the way to the array. */
  readonly #path: readonly string[];
  readonly #limit: number;
  /** The part of the text whose elements have not all been returned, and the place in it. */
  #part = "";
  #index = 0;
  #phase: "before" | "items" | "after" = "before";
  #isInString = false;
  /** True if the next character of the string is escaped. */
  #isEscaped = false;
  /** The text of the element, or of a name on the way to the array, from the parts before. */
  #text = "";
  /** The brackets that are open in the element. */
  #depth = 0;
  /** The elements so far. */
  #count = 0;
  /** The brackets that are open outside of the element, as the characters that close them. */
  readonly #open: number[] = [];
  /** The number of open brackets that are on the way to the array. */
  #level = 0;
  /** True if the next value is on the way to the array. */
  #isOnPath = true;
  /** True if the next string is a name of the object that is the last on the way. */
  #isName = false;
  /** The last name of that object, or the index in that array. */
  #key: string | number | undefined;
  #isDone = false;

  constructor(source: StreamSource, path: readonly string[], limit: number) {
    this.#source = source;
    this.#path = path;
    this.#limit = limit;
  }

  push(text: string): void {
    this.#part = text;
    this.#index = 0;
  }

  next(): string | undefined {
    const text = this.#part;
    if (this.#phase === "before") this.#index = this.#skip(text, this.#index);
    if (this.#phase === "items") {
      const end = this.#findEnd(text, this.#index);
      this.#add(text.slice(this.#index, end));
      this.#index = end + 1;
      if (end < text.length) {
        const code = text.charCodeAt(end);
        const item = this.#text;
        this.#text = "";
        if (code === CLOSE_OBJECT) throw this.#wrongBracket(code);
        if (code === CLOSE_ARRAY) {
          this.#phase = "after";
          this.#close(code);
        }
        // An empty array has one element that is blank.
        if (this.#count++ > 0 || code === COMMA || /[^ \t\n\r]/.test(item)) return item;
      }
    }
    if (this.#phase === "after") this.#skip(text, this.#index);
    this.push("");
    return undefined;
  }

  end(): undefined {
    if (!this.#isDone) throw this.#error("ends before its JSON is complete");
  }

  /**
   * Returns the index of the comma or bracket after the element, or of the end of the text. The loops
   * compare codes: a regular expression for the next special character takes twice as long.
   */
  #findEnd(text: string, from: number): number {
    let depth = this.#depth;
    let index = this.#isInString ? this.#skipString(text, from) : from;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#isInString = true;
        index = this.#skipString(text, index + 1) - 1;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        if (depth === 0) break;
        depth--;
      } else if (code === COMMA && depth === 0) break;
    }
    this.#depth = depth;
    return index;
  }

  /** Returns the index after the string that is open, or of the end of the text. */
  #skipString(text: string, from: number): number {
    let index = from;
    if (this.#isEscaped && index < text.length) {
      this.#isEscaped = false;
      index++;
    }
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#isInString = false;
        return index + 1;
      }
      if (code === BACKSLASH && ++index === text.length) this.#isEscaped = true;
    }
    return text.length;
  }

  /** Skips text outside of the array. It returns the index after the bracket that opens the array. */
  #skip(text: string, from: number): number {
    let index = from;
    while (index < text.length) {
      if (this.#isInString) {
        const end = this.#skipString(text, index);
        if (this.#isName) this.#readName(text.slice(index, end));
        index = end;
        continue;
      }
      const code = text.charCodeAt(index++);
      if (code === SPACE || code === LF || code === CR || code === TAB) continue;
      if (this.#isDone) throw this.#error("has text after the end of its JSON");
      if (code === QUOTE) this.#isInString = true;
      if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#close(code);
      else if (code === COLON || code === COMMA) this.#separate(code);
      else if (!this.#isName && this.#startValue(code)) break;
    }
    return index;
  }

  /** Handles the first character of a value. It returns true for the bracket that opens the array. */
  #startValue(code: number): boolean {
    const isOnPath = this.#isOnPath;
    const isArray = code === OPEN_ARRAY;
    const isLast = this.#level === this.#path.length;
    this.#isOnPath = false;
    if (isOnPath && (isLast ? !isArray : !isArray && code !== OPEN_OBJECT)) throw this.#notFound();
    if (!isArray && code !== OPEN_OBJECT) return false;
    if (this.#open.length === MAX_DEPTH) {
      throw this.#error(`is nested deeper than ${MAX_DEPTH} levels outside of the array`);
    }
    this.#open.push(isArray ? CLOSE_ARRAY : CLOSE_OBJECT);
    if (!isOnPath) return false;
    if (isLast) {
      this.#phase = "items";
      return true;
    }
    this.#level++;
    this.#key = -1;
    this.#startMember();
    return false;
  }

  /** Handles a colon or a comma. Only those of the last bracket on the way matter. */
  #separate(code: number): void {
    if (this.#phase !== "before" || this.#open.length !== this.#level) return;
    if (code === COMMA) this.#startMember();
    else this.#isOnPath = this.#key === this.#path[this.#level - 1];
  }

  /** Begins the next name or element of the last bracket on the way. */
  #startMember(): void {
    if (this.#open.at(-1) === CLOSE_OBJECT) {
      this.#isName = true;
      return;
    }
    this.#key = this.#key as number + 1;
    this.#isOnPath = String(this.#key) === this.#path[this.#level - 1];
  }

  /** Reads the next part of a name, which ends with a quotation mark. */
  #readName(part: string): void {
    this.#add(part);
    if (this.#isInString) return;
    try {
      this.#key = JSON.parse(`"${this.#text}`);
    } catch {
      throw this.#error(`has the invalid name "${quotedText(this.#text).slice(1)}`);
    }
    this.#text = "";
    this.#isName = false;
  }

  #close(code: number): void {
    if (this.#open.pop() !== code) throw this.#wrongBracket(code);
    this.#isName = false;
    this.#isDone = this.#open.length === 0;
    if (this.#phase === "before" && this.#open.length < this.#level) throw this.#notFound();
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length > this.#limit) throw this.#source.tooLarge(this.#limit);
  }

  #wrongBracket(code: number): Error {
    return this.#error(`is not JSON: "${String.fromCharCode(code)}" closes nothing`);
  }

  #notFound(): Error {
    const place = this.#path.length === 0
      ? "is not a JSON array; pass the place of the array as a JSON pointer, such as /items"
      : `has no array at ${quotedText(`/${this.#path.join("/")}`)}`;
    return this.#error(place);
  }

  #error(message: string): Error {
    return this.#source.decodeError(`${this.#source.wholeSubject} ${message}`);
  }
}
