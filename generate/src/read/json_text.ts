/** Finds the places of pointers in a JSON text. The parser itself, JSON.parse, does not keep them. */
import { pointerKeys } from "./pointers.ts";

/** A value on the way to a pointer. */
interface Wanted {
  /** The place of the value, once it is found. */
  offset?: number;
  readonly keys: Map<string, Wanted>;
}

const QUOTE = 0x22, COMMA = 0x2c, BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b, CLOSE_BRACKET = 0x5d, OPEN_BRACE = 0x7b, CLOSE_BRACE = 0x7d;

/**
 * Finds pointers in one pass. The place of a property is its key; that of an item is its value.
 *
 * @param text A text that JSON.parse accepts
 * @param pointers The pointers, with `#`
 * @returns The offset of each pointer; if it does not exist, that of its nearest ancestor
 */
export function findInJson(text: string, pointers: readonly string[]): number[] {
  const root: Wanted = { keys: new Map() };
  const ways = pointers.map((pointer) => {
    const way = [root];
    for (const key of pointerKeys(pointer)) {
      const { keys } = way.at(-1)!;
      let next = keys.get(key);
      if (next === undefined) keys.set(key, next = { keys: new Map() });
      way.push(next);
    }
    return way;
  });
  const scan = new Scan(text);
  root.offset = scan.skipSpace(0);
  scan.visit(root.offset, root);
  return ways.map((way) => way.findLast(({ offset }) => offset !== undefined)!.offset!);
}

class Scan {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Visits a value, and returns the offset after it. */
  visit(at: number, wanted: Wanted): number {
    const first = this.#text.charCodeAt(at);
    if (wanted.keys.size === 0) return this.skip(at);
    if (first === OPEN_BRACE) return this.#visitObject(at, wanted);
    if (first === OPEN_BRACKET) return this.#visitArray(at, wanted);
    return this.skip(at);
  }

  #visitObject(open: number, wanted: Wanted): number {
    let at = this.skipSpace(open + 1);
    while (this.#text.charCodeAt(at) !== CLOSE_BRACE) {
      const keyAt = at;
      at = this.#skipString(at);
      const raw = this.#text.slice(keyAt + 1, at - 1);
      const key = raw.includes("\\") ? JSON.parse(`"${raw}"`) as string : raw;
      // Skips the colon.
      at = this.skipSpace(this.skipSpace(at) + 1);
      at = this.#visitChild(at, keyAt, wanted.keys.get(key));
      at = this.#next(at);
    }
    return at + 1;
  }

  #visitArray(open: number, wanted: Wanted): number {
    let at = this.skipSpace(open + 1);
    for (let index = 0; this.#text.charCodeAt(at) !== CLOSE_BRACKET; index++) {
      at = this.#visitChild(at, at, wanted.keys.get(String(index)));
      at = this.#next(at);
    }
    return at + 1;
  }

  #visitChild(at: number, place: number, wanted: Wanted | undefined): number {
    if (wanted === undefined) return this.skip(at);
    wanted.offset = place;
    return this.visit(at, wanted);
  }

  /** Returns the offset of the next key or item, or of the closing bracket. */
  #next(at: number): number {
    const end = this.skipSpace(at);
    return this.#text.charCodeAt(end) === COMMA ? this.skipSpace(end + 1) : end;
  }

  /** Returns the offset after a value. */
  skip(start: number): number {
    const text = this.#text;
    let at = start;
    let depth = 0;
    for (; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          at = this.#skipString(at) - 1;
          if (depth === 0) return at + 1;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          depth++;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          // A number or keyword ends before the bracket.
          if (depth === 0) return at;
          if (--depth === 0) return at + 1;
          break;
        case COMMA:
          if (depth === 0) return at;
      }
    }
    return at;
  }

  #skipString(open: number): number {
    let at = open + 1;
    for (;;) {
      at = this.#text.indexOf('"', at);
      let slashes = 0;
      while (this.#text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
      at++;
      if (slashes % 2 === 0) return at;
    }
  }

  skipSpace(start: number): number {
    let at = start;
    while (this.#text.charCodeAt(at) <= 0x20) at++;
    return at;
  }
}
