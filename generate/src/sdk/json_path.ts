/**
 * JSONPath, as far as transforms use it: `$.paths['/pets'].*`, `$..parameters[?(@.name == "limit")]`.
 *
 * Names follow the package `jsonpath-plus`, which the other generator has: `$.paths./pets/{id}.get` is a
 * path, too. No text is run as code.
 */

import {
  failAt,
  FilterReader,
  JsonPathError,
  type Match,
  readQuoted,
  valueAt,
} from "./json_path_filter.ts";

/** The most characters of a path. */
const MAX_CHARACTERS = 2_000;

/** The most levels of values in which a path looks for others. Documents have about 20. */
const MAX_DEPTH = 200;

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

function* childrenOf(parent: Match, count: Count): Generator<Match> {
  const { value } = parent;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    count();
    yield { value: (value as Readonly<Record<string, unknown>>)[key], key, parent };
  }
}

/** Lists a match and everything in it, a parent before its children. */
function* allIn(match: Match, count: Count): Generator<Match> {
  const waiting: { readonly match: Match; readonly depth: number }[] = [{ match, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next.match;
    const depth = next.depth + 1;
    if (depth > MAX_DEPTH) continue;
    // The last one of the list is the next one.
    for (const child of [...childrenOf(next.match, count)].reverse()) {
      waiting.push({ match: child, depth });
    }
  }
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
      for (const child of childrenOf(parent, count)) if (test(child, root)) yield child;
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
    return failAt(this.#text, this.#at, message);
  }
}
