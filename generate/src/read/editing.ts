/** Changes of a parsed document, after which its problems still have the places of the original texts. */
import { MAX_DEPTH } from "./limits.ts";
import { childPointer, pointerKeys, pointerOf } from "./pointers.ts";
import type { FilePlace, ParsedFile } from "./source_files.ts";

/** The most values that changes may look at, all together. The largest documents have a million. */
const MAX_LOOKS = 50_000_000;

/** The most values that changes may copy, all together. */
const MAX_COPIED = 300_000;

/** The most values that one change may find. */
const MAX_FOUND = 2_000_000;

/** Changes that exceed a limit. The message is a sentence without its subject. */
export class EditingLimit extends Error {
  override readonly name = "EditingLimit";
}

/** An object or list that is being changed. */
export type Holder = Record<string, unknown> | unknown[];

/** The place of a value before the changes. */
interface Origin {
  readonly file: ParsedFile;
  readonly pointer: string;
}

/** A document that is being changed in place. */
export class Editing {
  /** The whole document. Each object and list in it occurs once. */
  readonly root: unknown;
  readonly #file: ParsedFile;
  /** The places that objects and lists had in their texts. */
  readonly #origins = new Map<object, Origin>();
  /** The places of other values, if they were written by a change: by their object or list, and key. */
  readonly #written = new Map<object, Map<string, Origin>>();
  #copied = 0;
  #looks = 0;

  /** @param file The document */
  constructor(file: ParsedFile) {
    this.#file = file;
    this.root = file.value;
    this.adopt(file);
  }

  /** Notes the places of the values of another file, which changes write into the document. */
  adopt(file: ParsedFile): void {
    this.#prepare(file.value, file);
  }

  /**
   * Counts a value that a change looks at.
   *
   * @param found The number of values that the change has found
   * @throws {EditingLimit} If there are too many
   */
  readonly count: (found?: number) => void = (found = 0) => {
    if (++this.#looks > MAX_LOOKS || found > MAX_FOUND) {
      throw new EditingLimit("look at too many values");
    }
  };

  /**
   * Returns a copy of a value for another place.
   *
   * @throws {EditingLimit} If too many values were copied
   */
  copy(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (++this.#copied > MAX_COPIED) {
      throw new EditingLimit(`copy more than ${MAX_COPIED} values`);
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
    const written = this.#written.get(value);
    if (written !== undefined) this.#written.set(copy, new Map(written));
    return copy;
  }

  /**
   * Writes a copy of a value into an object or list.
   *
   * @param holder The object or list in the document
   * @param key The key or index
   * @param from The object or list that has the value, and its key there
   */
  put(holder: Holder, key: string | number, from: Holder, fromKey: string | number): void {
    (holder as Record<string | number, unknown>)[key] = this.copy(valueIn(from, fromKey));
    this.#note(holder, key, () => this.#originIn(from, String(fromKey)));
  }

  /** Removes values from an object or list. */
  remove(holder: Holder, keys: ReadonlySet<string>): void {
    if (!Array.isArray(holder)) {
      for (const key of keys) delete holder[key];
      return;
    }
    // The items that stay get other indexes.
    const kept = [...holder.keys()].filter((index) => !keys.has(String(index)));
    const origins = kept.map((index) => this.#originIn(holder, String(index)));
    kept.forEach((index, place) => holder[place] = holder[index]);
    holder.length = kept.length;
    origins.forEach((origin, index) => this.#note(holder, index, () => origin));
  }

  /**
   * Returns the document with its changes. Problems in moved values have their old places, and those in
   * values of another file have the places there.
   */
  result(): ParsedFile {
    return {
      ...this.#file,
      value: this.root,
      isShared: false,
      places: (pointers) => {
        const origins = new Map(pointers.map((pointer) => [pointer, this.#original(pointer)]));
        const byFile = Map.groupBy(origins.values(), ({ file }) => file);
        const places = new Map([...byFile].map(([file, all]) => [
          file,
          file.places([...new Set(all.map(({ pointer }) => pointer))]),
        ]));
        return new Map([...origins].map(([pointer, origin]): [string, FilePlace] => {
          const place = places.get(origin.file)!.get(origin.pointer)!;
          return [
            pointer,
            origin.file === this.#file ? place : { ...place, file: origin.file.name },
          ];
        }));
      },
    };
  }

  /** Notes where each object is, and copies those that an alias repeats. */
  #prepare(root: unknown, file: ParsedFile): void {
    if (typeof root !== "object" || root === null) return;
    this.#origins.set(root, { file, pointer: "#" });
    const waiting: object[] = [root];
    for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
      const { pointer } = this.#origins.get(holder)!;
      // A key such as `__proto__` is just a key then.
      if (!Array.isArray(holder)) Object.setPrototypeOf(holder, null);
      for (const [key, child] of Object.entries(holder)) {
        if (typeof child !== "object" || child === null) continue;
        if (this.#origins.has(child)) {
          // Its parts were noted already, or will be: the copy has their places.
          (holder as Record<string, unknown>)[key] = this.copy(child);
          continue;
        }
        this.#origins.set(child, { file, pointer: childPointer(pointer, key) });
        waiting.push(child);
      }
    }
  }

  /** Notes the place of a value that was written. Objects and lists have theirs already. */
  #note(holder: Holder, key: string | number, originOf: () => Origin | undefined): void {
    const value = valueIn(holder, key);
    const isHolder = typeof value === "object" && value !== null;
    const origin = isHolder ? undefined : originOf();
    const known = this.#written.get(holder);
    // The last one is the one that was written last.
    known?.delete(String(key));
    if (origin === undefined) return;
    const written = known ?? new Map<string, Origin>();
    this.#written.set(holder, written.set(String(key), origin));
  }

  /** Returns the place that a value of an object or list had before the changes. */
  #originIn(holder: Holder, key: string): Origin | undefined {
    const written = this.#written.get(holder)?.get(key);
    if (written !== undefined) return written;
    const origin = this.#origins.get(holder);
    return origin && { ...origin, pointer: childPointer(origin.pointer, key) };
  }

  /** Returns the place that the value at a pointer had before the changes. */
  #original(pointer: string): Origin {
    let value: unknown = this.root;
    let holder = value;
    let origin: Origin = { file: this.#file, pointer: "#" };
    let rest: string[] = [];
    for (const key of pointerKeys(pointer)) {
      value = typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
      const known = typeof value === "object" && value !== null
        ? this.#origins.get(value)
        : undefined;
      if (known === undefined) rest = [...rest, key];
      else [holder, origin, rest] = [value, known, []];
    }
    const written = this.#written.get(holder as object);
    const [key] = rest;
    if (key === undefined) return this.#lastCause(written, origin.file) ?? origin;
    return written?.get(key) ??
      { ...origin, pointer: origin.pointer + pointerOf(rest).slice(1) };
  }

  /**
   * Returns the place of the value that another file wrote into an object last, because it is the
   * likely cause of a problem of the object. Comments are not.
   */
  #lastCause(
    written: ReadonlyMap<string, Origin> | undefined,
    file: ParsedFile,
  ): Origin | undefined {
    const found = [...written ?? []].findLast(([key, origin]) =>
      origin.file !== file && origin.file !== this.#file && !COMMENTS.test(key)
    );
    return found?.[1];
  }
}

/** The properties that only comments are made of, and extensions. */
const COMMENTS = /^(?:description|summary|title|deprecated|example|x-.*)$/;

function valueIn(holder: Holder, key: string | number): unknown {
  return (holder as Readonly<Record<string | number, unknown>>)[key];
}
