import type { ModelClass } from "./model_class.ts";
import { type BAD, jsonPath, type Key, Problems, unexpected } from "./problems.ts";
import type { JsonForm, JsonWalk } from "./value_type.ts";

/** What reading and writing JSON have in common: the path, its depth, and what is wrong. */
export abstract class JsonWalker implements JsonWalk {
  readonly #problems = new Problems();
  /** Where in the document the walk is. */
  readonly #keys: Key[] = [];
  readonly #maxDepth: number;
  readonly #tooDeep: string;

  /**
   * Begins a walk.
   *
   * @param maxDepth How deep objects and arrays may be nested
   * @param tooDeep What is expected of those that are nested deeper
   */
  constructor(maxDepth: number, tooDeep: string) {
    this.#maxDepth = maxDepth;
    this.#tooDeep = tooDeep;
  }

  /** Reads or writes a value; undefined where it is no such value. */
  protected abstract step(form: JsonForm, given: unknown): unknown;

  abstract instance(model: ModelClass<object>, given: unknown): unknown;

  /**
   * Goes through a document.
   *
   * @param model The name of its model
   * @param action What could not be done, where something is wrong
   * @throws {ModelError} With every issue
   */
  root(model: string, form: JsonForm, given: unknown, action: string): unknown {
    const value = this.#value(form, given);
    this.#problems.refuse(model, action);
    return value;
  }

  within(key: Key, form: JsonForm, given: unknown): unknown {
    const depth = this.#keys.push(key);
    const isTooDeep = depth >= this.#maxDepth && typeof given === "object" && given !== null;
    const value = isTooDeep ? this.refuse(this.#tooDeep, given) : this.#value(form, given);
    this.#keys.pop();
    return value;
  }

  /** Tells of a value, here or under a name. */
  protected refuse(expected: string, received: unknown, ...below: string[]): typeof BAD {
    return this.#problems.add(() => {
      const keys = [...this.#keys, ...below];
      return { path: jsonPath(keys), keys, expected, message: unexpected(expected, received) };
    });
  }

  #value(form: JsonForm, given: unknown): unknown {
    const value = this.step(form, given);
    return value === undefined ? this.refuse(form.expected, given) : value;
  }
}
