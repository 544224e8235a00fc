/** The filters of JSONPath: `@.name == "limit" && !@.deprecated`. No text is run as code. */

/** A JSONPath that cannot be read. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
}

/** A value that a path leads to, with the object or list that it is in. */
export interface Match {
  readonly value: unknown;
  readonly key: string;
  /** The match of the object or list around it; undefined for the whole document. */
  readonly parent: Match | undefined;
}

/** A part of a filter: returns its value for a match. */
export type Operand = (match: Match, root: unknown) => unknown;

const COMPARISONS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  "===": (a, b) => a === b,
  "!==": (a, b) => a !== b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<=": (a, b) => isOrdered(a, b) && (a as number) <= (b as number),
  ">=": (a, b) => isOrdered(a, b) && (a as number) >= (b as number),
  "<": (a, b) => isOrdered(a, b) && (a as number) < (b as number),
  ">": (a, b) => isOrdered(a, b) && (a as number) > (b as number),
};

function isOrdered(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && (typeof a === "number" || typeof a === "string");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The methods of texts and lists that filters may call. */
const METHODS: Readonly<Record<string, (value: unknown, argument: unknown) => boolean>> = {
  startsWith: (value, start) => isText(value) && isText(start) && value.startsWith(start),
  endsWith: (value, end) => isText(value) && isText(end) && value.endsWith(end),
  includes: (value, part) =>
    Array.isArray(value)
      ? value.includes(part)
      : isText(value) && isText(part) && value.includes(part),
};

/** Reads a filter: comparisons, joined by `&&`, `||` and `!`. */
export class FilterReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Reads it to the bracket at its end. */
  read(): { readonly test: Operand; readonly end: number } {
    const test = this.#or();
    this.#spaces();
    return { test, end: this.#at };
  }

  #or(): Operand {
    let left = this.#and();
    while (this.#take("||")) {
      const [first, second] = [left, this.#and()];
      left = (match, root) => Boolean(first(match, root)) || Boolean(second(match, root));
    }
    return left;
  }

  #and(): Operand {
    let left = this.#comparison();
    while (this.#take("&&")) {
      const [first, second] = [left, this.#comparison()];
      left = (match, root) => Boolean(first(match, root)) && Boolean(second(match, root));
    }
    return left;
  }

  #comparison(): Operand {
    const left = this.#operand();
    const sign = Object.keys(COMPARISONS).find((each) => this.#take(each));
    if (sign === undefined) return left;
    const compare = COMPARISONS[sign]!;
    const right = this.#operand();
    return (match, root) => compare(left(match, root), right(match, root));
  }

  #operand(): Operand {
    if (this.#take("!")) {
      const inner = this.#operand();
      return (match, root) => !inner(match, root);
    }
    if (this.#take("(")) {
      const inner = this.#or();
      if (!this.#take(")")) this.#fail("a ) is missing");
      return inner;
    }
    this.#spaces();
    const quoted = readQuoted(this.#text, this.#at);
    if (quoted !== undefined) {
      this.#at = quoted[1];
      return () => quoted[0];
    }
    const plain = this.#match(/-?\d+(?:\.\d+)?(?![\w.])|(?:true|false|null|undefined)\b/y);
    if (plain !== undefined) {
      const value: unknown = plain === "undefined" ? undefined : JSON.parse(plain);
      return () => value;
    }
    return this.#path();
  }

  /** Reads `@.name`, `@property`, `@.tags.includes("pets")` and the like. */
  #path(): Operand {
    const start = this.#match(/@(?:parentProperty|property|parent|root)?|\$/y);
    if (start === undefined) this.#fail("a value such as @.name is missing or not supported");
    const names: string[] = [];
    for (;;) {
      const method = this.#match(/\.(?:startsWith|endsWith|includes)\(/y);
      if (method !== undefined) {
        const argument = this.#operand();
        if (!this.#take(")")) this.#fail("a ) is missing");
        const call = METHODS[method.slice(1, -1)]!;
        return (match, root) =>
          call(follow(startOf(start, match, root), names), argument(match, root));
      }
      const name = this.#match(/\.[A-Za-z_$][\w$-]*/y);
      if (name !== undefined) {
        names.push(name.slice(1));
        continue;
      }
      if (this.#text[this.#at] !== "[") break;
      const quoted = readQuoted(this.#text, this.#at + 1) ?? this.#index();
      if (quoted === undefined || this.#text[quoted[1]] !== "]") {
        this.#fail("only names are supported");
      }
      names.push(quoted[0]);
      this.#at = quoted[1] + 1;
    }
    if (this.#text[this.#at] === "(") {
      this.#fail("only startsWith, endsWith and includes can be called");
    }
    return (match, root) => follow(startOf(start, match, root), names);
  }

  #index(): readonly [string, number] | undefined {
    const index = /\d+/y;
    index.lastIndex = this.#at + 1;
    const found = index.exec(this.#text);
    return found === null ? undefined : [found[0], index.lastIndex];
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #take(token: string): boolean {
    this.#spaces();
    if (!this.#text.startsWith(token, this.#at)) return false;
    // `!=` is not a negation.
    if (token === "!" && this.#text[this.#at + 1] === "=") return false;
    this.#at += token.length;
    return true;
  }

  #spaces(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  #fail(message: string): never {
    return failAt(this.#text, this.#at, message);
  }
}

function startOf(start: string, match: Match, root: unknown): unknown {
  switch (start) {
    case "@property":
      return match.key;
    case "@parent":
      return match.parent?.value;
    case "@parentProperty":
      return match.parent?.key;
    case "@":
      return match.value;
    default:
      return root;
  }
}

function follow(value: unknown, names: readonly string[]): unknown {
  let at = value;
  for (const name of names) {
    const isLength = name === "length" && (typeof at === "string" || Array.isArray(at));
    at = isLength ? (at as string | readonly unknown[]).length : valueAt(at, name);
  }
  return at;
}

/** Returns the value of a key; undefined if there is none. */
export function valueAt(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) {
    return undefined;
  }
  if (Array.isArray(holder) && !/^\d+$/.test(key)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[key];
}

/** Reads a string in quotes, and returns it with the position after it. */
export function readQuoted(
  text: string,
  at: number,
): readonly [value: string, end: number] | undefined {
  const quoted = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y;
  quoted.lastIndex = at;
  const found = quoted.exec(text);
  if (found === null) return undefined;
  return [(found[1] ?? found[2]!).replace(/\\(.)/g, "$1"), quoted.lastIndex];
}

/** @throws {JsonPathError} Always */
export function failAt(text: string, at: number, message: string): never {
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  throw new JsonPathError(`${JSON.stringify(shown)}, character ${at + 1}: ${message}`);
}
