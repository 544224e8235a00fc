/**
 * JSONPath, as far as transforms use it: `$.paths['/pets'].*`, `$..parameters[?(@.name == "limit")]`.
 *
 * Names follow the package `jsonpath-plus`, which the other generator has: `$.paths./pets/{id}.get` is a
 * path, too. No text is run as code.
 */

/** The most characters of a path. */
const MAX_CHARACTERS = 2_000;

/** The most levels of values in which a path looks for others. Documents have about 20. */
const MAX_DEPTH = 200;

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

/**
 * Counts a value that a path looks at, and throws when there are too many.
 *
 * @param found The number of values that the path has found
 */
export type Count = (found?: number) => void;

/** A path that was read. */
export interface JsonPath {
  /** Finds the values that the path leads to. */
  readonly find: (root: unknown, count: Count) => Match[];
  /** The name at its end, with the objects that have it or could have it; undefined for other ends. */
  readonly end?:
    | { readonly name: string; readonly holders: (root: unknown, count: Count) => Match[] }
    | undefined;
}

/** One step of a path: replaces a match by those that it leads to. */
type Step = (match: Match, root: unknown, count: Count) => Iterable<Match>;

/**
 * Reads a path.
 *
 * @throws {JsonPathError} If it is none, or has something that is not supported
 */
export function readJsonPath(text: string): JsonPath {
  if (text.length > MAX_CHARACTERS) {
    throw new JsonPathError(`a path must have at most ${MAX_CHARACTERS} characters`);
  }
  const reader = new PathReader(text);
  const steps = reader.read();
  const walk = (steps: readonly Step[]) => (root: unknown, count: Count): Match[] => {
    let matches: readonly Match[] = [{ value: root, key: "$", parent: undefined }];
    for (const step of steps) {
      const found: Match[] = [];
      for (const match of matches) {
        for (const each of step(match, root, count)) count(found.push(each));
      }
      matches = found;
    }
    return unique(matches);
  };
  const { lastName: name } = reader;
  return {
    find: walk(steps),
    end: name === undefined ? undefined : { name, holders: walk(steps.slice(0, -1)) },
  };
}

/** Leaves out the places that were found before. */
function unique(matches: readonly Match[]): Match[] {
  const seen = new Map<unknown, Set<string>>();
  return matches.filter(({ parent, key }) => {
    const holder = parent?.value;
    const keys = seen.get(holder) ?? new Set();
    seen.set(holder, keys);
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

/** Returns the value of a key; undefined if there is none. */
function valueAt(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) {
    return undefined;
  }
  if (Array.isArray(holder) && !/^\d+$/.test(key)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[key];
}

function* childrenOf(parent: Match, count: Count): Generator<Match> {
  const { value } = parent;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    count();
    yield { value: (value as Readonly<Record<string, unknown>>)[key], key, parent };
  }
}

/** Lists a match and everything in it. */
function* allIn(match: Match, count: Count, depth = 0): Generator<Match> {
  yield match;
  if (depth >= MAX_DEPTH) return;
  for (const child of childrenOf(match, count)) yield* allIn(child, count, depth + 1);
}

function childStep(names: readonly string[]): Step {
  return function* (parent, _root, count) {
    for (const name of names) {
      count();
      const { value: holder } = parent;
      const key = Array.isArray(holder) && /^-\d+$/.test(name)
        ? String(holder.length + Number(name))
        : name;
      const value = valueAt(holder, key);
      if (value !== undefined) yield { value, key, parent };
    }
  };
}

function sliceStep(start: number | undefined, end: number | undefined, by: number): Step {
  return function* (parent, _root, count) {
    const { value } = parent;
    if (!Array.isArray(value)) return;
    const at = (index: number) => Math.min(index < 0 ? value.length + index : index, value.length);
    for (let index = Math.max(at(start ?? 0), 0); index < at(end ?? value.length); index += by) {
      count();
      yield { value: value[index], key: String(index), parent };
    }
  };
}

const wildcard: Step = (match, _root, count) => childrenOf(match, count);

const parentStep: Step = ({ parent }) => parent === undefined ? [] : [parent];

/** Reads the text of a path. */
class PathReader {
  /** The name that the last step consists of. */
  lastName: string | undefined;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Step[] {
    const steps: Step[] = [];
    if (this.#text[this.#at] !== "$") this.#fail("it must begin with $");
    this.#at++;
    while (this.#at < this.#text.length) {
      this.lastName = undefined;
      steps.push(...this.#step());
    }
    return steps;
  }

  #step(): Step[] {
    const text = this.#text;
    if (text.startsWith("..", this.#at)) {
      this.#at += 2;
      const step: Step = (match, _root, count) => allIn(match, count);
      return [step, text[this.#at] === "[" ? this.#bracket() : this.#name()];
    }
    if (text[this.#at] === "[") return [this.#bracket()];
    if (text[this.#at] === "^") {
      this.#at++;
      return [parentStep];
    }
    if (text[this.#at] !== ".") this.#fail("a name must have a dot before it");
    this.#at++;
    return [this.#name()];
  }

  /** Reads a name after a dot. It ends at the next dot or bracket. */
  #name(): Step {
    const name = /[^.[\]^]*/y;
    name.lastIndex = this.#at;
    const [found] = name.exec(this.#text)!;
    if (this.#text[this.#at] === "^") {
      this.#at++;
      return parentStep;
    }
    if (found === "") this.#fail("a name is missing");
    this.#at += found.length;
    if (found === "*") return wildcard;
    if (/^[?@(]|~$/.test(found)) this.#fail(`${JSON.stringify(found)} is not supported`);
    this.lastName = found.startsWith("`") ? found.slice(1) : found;
    return childStep([this.lastName]);
  }

  #bracket(): Step {
    this.#at++;
    this.#spaces();
    const step = this.#text[this.#at] === "?" ? this.#filter() : this.#selectors();
    this.#spaces();
    if (this.#text[this.#at] !== "]") this.#fail("a ] is missing");
    this.#at++;
    return step;
  }

  #filter(): Step {
    const reader = new FilterReader(this.#text, this.#at + 1);
    const { test, end } = reader.read();
    this.#at = end;
    return function* (parent, root, count) {
      for (const child of childrenOf(parent, count)) if (isTrue(test(child, root))) yield child;
    };
  }

  /** Reads `*`, a slice, or names and indexes with commas between them. */
  #selectors(): Step {
    const rest = this.#text.slice(this.#at);
    const star = /^\*\s*(?=\])/.exec(rest);
    if (star !== null) {
      this.#at += star[0].length;
      return wildcard;
    }
    const slice = /^(-?\d+)?:(-?\d+)?(?::(\d+))?(?=\])/.exec(rest);
    if (slice !== null) {
      this.#at += slice[0].length;
      const [start, end, by] = slice.slice(1).map((each) =>
        each === undefined ? undefined : Number(each)
      );
      return sliceStep(start, end, Math.max(by ?? 1, 1));
    }
    const names: string[] = [];
    for (;;) {
      this.#spaces();
      const quoted = readQuoted(this.#text, this.#at);
      const plain = /[^\s'",[\]()?*@:]+/y;
      plain.lastIndex = this.#at;
      const [name, end] = quoted ?? [plain.exec(this.#text)?.[0], plain.lastIndex];
      if (name === undefined) this.#fail("a name in brackets is missing or not supported");
      names.push(name);
      this.#at = end;
      this.#spaces();
      if (this.#text[this.#at] !== ",") {
        if (names.length === 1) this.lastName = name;
        return childStep(names);
      }
      this.#at++;
    }
  }

  #spaces(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }

  #fail(message: string): never {
    return fail(this.#text, this.#at, message);
  }
}

function fail(text: string, at: number, message: string): never {
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  throw new JsonPathError(`${JSON.stringify(shown)}, character ${at + 1}: ${message}`);
}

/** Reads a text in quotes, and returns it with the position after it. */
function readQuoted(text: string, at: number): readonly [value: string, end: number] | undefined {
  const quoted = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y;
  quoted.lastIndex = at;
  const found = quoted.exec(text);
  if (found === null) return undefined;
  return [(found[1] ?? found[2]!).replace(/\\(.)/g, "$1"), quoted.lastIndex];
}

/** A part of a filter: returns its value for a match. */
type Operand = (match: Match, root: unknown) => unknown;

function isTrue(value: unknown): boolean {
  return Boolean(value);
}

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

/** The methods of texts and lists that filters may call. */
const METHODS: Readonly<Record<string, (value: unknown, argument: unknown) => boolean>> = {
  startsWith: (value, start) => typeof value === "string" && value.startsWith(String(start)),
  endsWith: (value, end) => typeof value === "string" && value.endsWith(String(end)),
  includes: (value, part) =>
    typeof value === "string"
      ? value.includes(String(part))
      : Array.isArray(value) && value.includes(part),
};

/** Reads a filter: comparisons, joined by `&&`, `||` and `!`. */
class FilterReader {
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
      left = (match, root) => isTrue(first(match, root)) || isTrue(second(match, root));
    }
    return left;
  }

  #and(): Operand {
    let left = this.#comparison();
    while (this.#take("&&")) {
      const [first, second] = [left, this.#comparison()];
      left = (match, root) => isTrue(first(match, root)) && isTrue(second(match, root));
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
      return (match, root) => !isTrue(inner(match, root));
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
    return fail(this.#text, this.#at, message);
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
