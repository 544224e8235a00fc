/** The settings of a configuration: reads and checks their values, and notes which ones were used. */
import { DocumentError, type FileError } from "../base/errors.ts";
import type { Problem, ProblemKind } from "../base/problems.ts";
import { childPointer, pointerKeys } from "./pointers.ts";
import { type ParsedFile, parseFile } from "./source_files.ts";

/** A setting of a configuration that has no effect on the SDK. */
export interface IgnoredSetting {
  /** The key, with `*` for names that the author chose: `resources.*.methods.*.mcp`. */
  readonly key: string;
  /** The number of times that it occurs. */
  readonly count: number;
  /** The line of the first one, from 1. */
  readonly line: number;
  /**
   * `nothing` if the setting concerns other things: other languages, documentation, tests, releases.
   * `client` if the client of the other generator does something that this one does not.
   */
  readonly lost: "nothing" | "client";
}

/** The most levels of settings inside of each other. Real ones have about 12. */
const MAX_DEPTH = 100;

/** The most settings that are read. Aliases of YAML can repeat them without end. Real ones have 5,000. */
const MAX_SETTINGS = 100_000;

/** The most keys that are listed as ignored. */
const MAX_IGNORED = 500;

/** The ways to use a setting: by known keys, by all keys, or as a whole. */
type Use = "keys" | "names" | "value";

const USES: readonly Use[] = ["keys", "names", "value"];

/** A name in TypeScript, or one that becomes one: `list_pets`, `fine-tuning`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/;

/** A name in requests and responses, without characters that control anything. */
const WIRE_NAME = /^[^\p{C}\p{Z}"'`\\]{1,200}$/u;

/** A name of a header (RFC 9110). */
const HEADER = /^[!#$%&'*+.^_`|~\w-]{1,200}$/;

/** The class of the errors of a configuration. */
export type SettingsError = new (
  ...parameters: ConstructorParameters<typeof FileError>
) => FileError;

/** A configuration: its parsed file, and what was read of it. */
export class Configuration {
  readonly name: string;
  readonly file: ParsedFile;
  readonly root: Setting;
  /** The pointers of settings that were used, and how. */
  readonly #used = new Map<string, Use>();
  /** The settings that the client loses, by their pointers, and how they are named in the list. */
  readonly #lost = new Map<string, string>();
  readonly #problems: Pick<Problem, "pointer" | "kind" | "message" | "action">[] = [];
  readonly #error: SettingsError;

  /**
   * Parses a configuration.
   *
   * @param name Its name in messages
   * @param error The class of its errors
   * @throws {FileError} If it is neither YAML nor JSON, or not an object
   */
  constructor(name: string, text: string, error: SettingsError) {
    this.name = name;
    this.#error = error;
    try {
      this.file = parseFile(name, name, text);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const { line, column, message } = error;
      const place = line === undefined || column === undefined ? undefined : { line, column };
      throw new this.#error(name, message.slice(message.indexOf(": ") + 2), place, {
        cause: error,
      });
    }
    withoutPrototypes(this.file.value, (message) => {
      throw new error(name, message);
    });
    this.root = new Setting(this, this.file.value, "#");
    for (const problem of this.file.problems) this.#problems.push({ kind: "syntax", ...problem });
  }

  /** The number of values that were used. */
  get used(): number {
    return [...this.#used.values()].filter((how) => how === "value").length;
  }

  use(pointer: string, how: Use): void {
    if (this.#used.size > MAX_SETTINGS) {
      throw new this.#error(this.name, `has more than ${MAX_SETTINGS} settings`);
    }
    if (USES.indexOf(how) >= USES.indexOf(this.#used.get(pointer) ?? "keys")) {
      this.#used.set(pointer, how);
    }
  }

  /** Notes that a setting is not used, although it concerns the client. */
  lose(pointer: string, what: string): void {
    this.#used.delete(pointer);
    this.#lost.set(pointer, what);
  }

  problem(pointer: string, kind: ProblemKind, message: string, action: string): void {
    this.#problems.push({ pointer, kind, message, action });
  }

  fail(pointer: string, message: string): never {
    throw new this.#error(this.name, message, this.file.places([pointer]).get(pointer));
  }

  /** Returns all problems that were noted. */
  problems(): Problem[] {
    const places = this.file.places(this.#problems.map(({ pointer }) => pointer));
    return this.#problems.map((problem) => ({
      ...{ kind: problem.kind, ...places.get(problem.pointer)!, file: this.name },
      ...{ pointer: problem.pointer, message: problem.message, action: problem.action },
    }));
  }

  /**
   * Lists the keys that were not used, each of them once.
   *
   * @param isOfClient Reports if the client is another one without such a key
   */
  ignored(isOfClient: (key: string) => boolean): IgnoredSetting[] {
    interface Found {
      readonly pointer: string;
      count: number;
      lost: boolean;
    }
    const found = new Map<string, Found>();
    const visit = (value: unknown, pointer: string, key: string): void => {
      const how = this.#used.get(pointer);
      if (how === "value") return;
      if (how === undefined) {
        const what = this.#lost.get(pointer);
        const lost = what !== undefined || isOfClient(key);
        const listed = what === undefined || what === "" ? key : `${key} (${what})`;
        const known = found.get(listed);
        if (known === undefined) found.set(listed, { count: 1, pointer, lost });
        else {
          known.count++;
          known.lost ||= lost;
        }
        return;
      }
      if (typeof value !== "object" || value === null) return;
      for (const [name, child] of Object.entries(value)) {
        const shown = how === "names" ? "*" : name.slice(0, 100);
        visit(child, childPointer(pointer, name), key === "" ? shown : `${key}.${shown}`);
      }
    };
    visit(this.root.value, "#", "");
    const list = [...found].slice(0, MAX_IGNORED);
    const places = this.file.places(list.map(([, { pointer }]) => pointer));
    return list.map(([key, { count, pointer, lost }]) => ({
      ...{ key, count, line: places.get(pointer)?.line ?? 1 },
      lost: lost ? "client" : "nothing",
    }));
  }
}

/** A setting: a value at a place. Methods that read it throw a FileError if it has another type. */
export class Setting {
  readonly value: unknown;
  readonly pointer: string;
  readonly #of: Configuration;

  constructor(of: Configuration, value: unknown, pointer: string) {
    this.value = value;
    this.pointer = pointer;
    this.#of = of;
  }

  /** The setting in messages: `resources.pets.methods.list`. */
  get key(): string {
    const keys = pointerKeys(this.pointer);
    return keys.map((key) => key.slice(0, 60)).join(".") || this.#of.name;
  }

  /** Returns a setting inside of this one; undefined if it does not exist or is null. */
  child(name: string): Setting | undefined {
    const object = this.#object("an object");
    this.#of.use(this.pointer, "keys");
    if (!Object.hasOwn(object, name)) return undefined;
    const child = this.#inner(name, object[name]);
    if (child.value !== null) return child;
    this.#of.use(child.pointer, "value");
    return undefined;
  }

  /**
   * Returns a setting inside of this one that must be there.
   *
   * @throws {FileError} If it does not exist or is null
   */
  required(name: string): Setting {
    return this.child(name) ?? this.failWith(`must have \`${name}\``);
  }

  /**
   * Checks the keys of an object. Extensions (`x-…`) are allowed.
   *
   * @throws {FileError} If there is another one
   */
  checkKeys(names: readonly string[]): void {
    this.checkOnlyKeys(names, /^x-/);
  }

  /**
   * Checks the keys of an object.
   *
   * @throws {FileError} If there is another one
   */
  checkOnlyKeys(names: readonly string[], others?: RegExp): void {
    for (const key of Object.keys(this.#object("an object"))) {
      if (names.includes(key) || others?.test(key) === true) continue;
      const shown = JSON.stringify(key.slice(0, 80));
      this.#of.fail(
        childPointer(this.pointer, key),
        `${this.key} must have no ${shown}, but ${names.join(", ")}`,
      );
    }
  }

  /** Lists the settings inside of this one, whose names the author chose. */
  entries(): (readonly [name: string, child: Setting])[] {
    const object = this.#object("an object");
    this.#of.use(this.pointer, "names");
    return Object.entries(object).flatMap(([name, value]) => {
      const child = this.#inner(name, value);
      if (value !== null) return [[name, child] as const];
      this.#of.use(child.pointer, "value");
      return [];
    });
  }

  /** Lists the items of a list. */
  items(): Setting[] {
    if (!Array.isArray(this.value)) return this.fail("a list");
    this.#of.use(this.pointer, "names");
    return this.value.map((value, index) => this.#inner(String(index), value));
  }

  get isObject(): boolean {
    return typeof this.value === "object" && this.value !== null && !Array.isArray(this.value);
  }

  /** Returns the value, whatever it is. Nothing in it counts as ignored. */
  whole(): unknown {
    this.#of.use(this.pointer, "value");
    return this.value;
  }

  text(expected = "a string"): string {
    const value = this.whole();
    return typeof value === "string" ? value : this.fail(expected);
  }

  /** Reads a string of a form. */
  matching(pattern: RegExp, expected: string): string {
    const text = this.text(expected);
    return pattern.test(text) ? text : this.fail(expected);
  }

  /** Reads a name of a request or response, or of a security scheme. */
  wireName(): string {
    return this.matching(WIRE_NAME, "a name without spaces and quotes");
  }

  /** Reads the name of a header. */
  header(): string {
    return this.matching(HEADER, "the name of a header");
  }

  flag(): boolean {
    const value = this.whole();
    return typeof value === "boolean" ? value : this.fail("true or false");
  }

  /** Reads a number of at least 0. */
  amount(): number {
    const value = this.whole();
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
    return this.fail("a number of at least 0");
  }

  /** Reads one of several texts. */
  oneOf<const Name extends string>(names: readonly Name[]): Name {
    const value = this.whole();
    const name = names.find((each) => each === value);
    return name ?? this.fail(`one of ${names.join(", ")}`);
  }

  /**
   * Notes that this setting is not used, although it concerns the client.
   *
   * @param what Its kind or value, if others with that key are used
   */
  lose(what: string = ""): void {
    this.#of.lose(this.pointer, what);
  }

  problem(kind: ProblemKind, message: string, action: string): void {
    this.#of.problem(this.pointer, kind, message, action);
  }

  /** @throws {FileError} Always */
  fail(expected: string): never {
    const value = JSON.stringify(this.value) ?? "nothing";
    const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value;
    return this.#of.fail(this.pointer, `${this.key} must be ${expected}, not ${shown}`);
  }

  /**
   * Checks the last key of this setting.
   *
   * @returns The key
   * @throws {FileError} If it cannot be a name in TypeScript
   */
  ownName(): string {
    const name = pointerKeys(this.pointer).at(-1)!;
    if (NAME.test(name)) return name;
    return this.#of.fail(
      this.pointer,
      `${JSON.stringify(name.slice(0, 80))} must be a name of letters, digits and underscores`,
    );
  }

  /** @throws {FileError} Always, with a message of its own */
  failWith(message: string): never {
    return this.#of.fail(this.pointer, `${this.key} ${message}`);
  }

  #inner(key: string, value: unknown): Setting {
    return new Setting(this.#of, value, childPointer(this.pointer, key));
  }

  #object(expected: string): Readonly<Record<string, unknown>> {
    if (!this.isObject) return this.fail(expected);
    return this.value as Readonly<Record<string, unknown>>;
  }
}

/** Takes the prototypes off all objects, so that a key such as `__proto__` is just a key. */
function withoutPrototypes(root: unknown, fail: (message: string) => never): void {
  const seen = new Set<object>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (depth > MAX_DEPTH) fail(`is nested deeper than ${MAX_DEPTH} levels`);
    if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
    for (const child of Object.values(value)) visit(child, depth + 1);
  };
  visit(root, 0);
}
