/** Changes of a parsed document, after which its problems still have the places of the original text. */
import { MAX_DEPTH, MAX_REPEATED } from "./limits.ts";
import { childPointer, pointerKeys, pointerOf } from "./pointers.ts";
import type { ParsedFile } from "./source_files.ts";

/** The most values that changes may look at, all together. The largest documents have a million. */
const MAX_LOOKS = 50_000_000;

/** The most values that one change may find. */
const MAX_FOUND = 2_000_000;

/** A document that is being changed in place. */
export class Editing {
  /** The whole document. Each object and list in it occurs once. */
  readonly root: unknown;
  readonly #file: ParsedFile;
  /** The pointers that objects and lists had in the text. */
  readonly #origins = new Map<object, string>();
  readonly #fail: (message: string) => void;
  #copied = 0;
  #looks = 0;

  /**
   * @param file The document
   * @param fail Throws an error, because a change exceeds a limit
   */
  constructor(file: ParsedFile, fail: (message: string) => void) {
    this.#file = file;
    this.#fail = fail;
    this.root = file.value;
    this.#prepare(file.value);
  }

  /**
   * Counts a value that a change looks at.
   *
   * @param found The number of values that the change has found
   */
  readonly count: (found?: number) => void = (found = 0) => {
    if (++this.#looks > MAX_LOOKS || found > MAX_FOUND) {
      this.#fail("the transforms look at too many values");
    }
  };

  /** Returns a copy of a value for another place. */
  copy(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (++this.#copied > MAX_REPEATED) {
      this.#fail(`the transforms copy more than ${MAX_REPEATED} values`);
    }
    if (depth > MAX_DEPTH) return Object.create(null);
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
      ? value.map((each) => this.copy(each, depth + 1))
      : Object.create(null);
    if (!Array.isArray(copy)) {
      for (const [key, child] of Object.entries(value)) copy[key] = this.copy(child, depth + 1);
    }
    const origin = this.#origins.get(value);
    if (origin !== undefined) this.#origins.set(copy, origin);
    return copy;
  }

  /** Returns the document with its changes. Problems in moved values have their old places. */
  result(): ParsedFile {
    return {
      ...this.#file,
      value: this.root,
      isShared: false,
      places: (pointers) => {
        const originals = pointers.map((pointer) => this.#original(pointer));
        const places = this.#file.places([...new Set(originals)]);
        return new Map(pointers.map((pointer, index) => [pointer, places.get(originals[index]!)!]));
      },
    };
  }

  /** Notes where each object is, and copies those that an alias repeats. */
  #prepare(root: unknown): void {
    if (typeof root !== "object" || root === null) return;
    this.#origins.set(root, "#");
    const waiting: object[] = [root];
    for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
      const pointer = this.#origins.get(holder)!;
      // A key such as `__proto__` is just a key then.
      if (!Array.isArray(holder)) Object.setPrototypeOf(holder, null);
      for (const [key, child] of Object.entries(holder)) {
        if (typeof child !== "object" || child === null) continue;
        if (this.#origins.has(child)) {
          // Its parts were noted already, or will be: the copy has their places.
          (holder as Record<string, unknown>)[key] = this.copy(child);
          continue;
        }
        this.#origins.set(child, childPointer(pointer, key));
        waiting.push(child);
      }
    }
  }

  /** Returns the pointer that the value at a pointer had before the changes. */
  #original(pointer: string): string {
    let value: unknown = this.root;
    let origin = "#";
    let rest: string[] = [];
    for (const key of pointerKeys(pointer)) {
      value = typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
      const known = typeof value === "object" && value !== null
        ? this.#origins.get(value)
        : undefined;
      if (known === undefined) rest = [...rest, key];
      else [origin, rest] = [known, []];
    }
    return rest.length === 0 ? origin : origin + pointerOf(rest).slice(1);
  }
}
