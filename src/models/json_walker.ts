import { checkedLimit } from "../checks.ts";
import type { Key } from "../errors/format_issue.ts";
import { instantiateEmpty, isInstance, type MutableRecord, setOwn } from "./instance.ts";
import { unknownContentOf, unknownPartsOf } from "./unknown_content.ts";
import type { ModelClass } from "./model_class.ts";
import { planOf } from "./plan.ts";
import { type BAD, describeActual, issueAt, Problems } from "./problems.ts";
import { isObject, type JsonForm, type JsonWalk, listOf, shapeOf } from "./value_type.ts";

/** How JSON is read. */
export interface JsonReadOptions {
  /**
   * How deep objects and arrays may be nested where a model follows them.
   *
   * @default {500}
   */
  readonly maxDepth?: number | undefined;
}

/** How deep JSON may be nested where nothing else is said: it fits on the stack of every runtime. */
const READ_DEPTH = 500;

/** How deep instances and arrays may be nested where they are written: a cycle is without end. */
const WRITTEN_DEPTH = 1000;

/** Goes through a document that is read, or through an instance that is written. */
export class JsonWalker implements JsonWalk {
  readonly #isWriting: boolean;
  readonly #maxDepth: number;
  readonly #problems = new Problems();
  /** Where it is. */
  readonly #keys: Key[] = [];

  /**
   * Begins at the root.
   *
   * @param isWriting Whether an instance is written
   * @param maxDepth How deep objects and arrays may be nested
   */
  constructor(isWriting: boolean, maxDepth: number = isWriting ? WRITTEN_DEPTH : READ_DEPTH) {
    this.#isWriting = isWriting;
    this.#maxDepth = checkedLimit("maxDepth", maxDepth);
  }

  /**
   * Goes through all of it: an instance, or a list of them.
   *
   * @throws {ModelError} With every issue
   */
  root(model: ModelClass<object>, given: unknown, isList = false): unknown {
    const { name } = model;
    const shape = shapeOf(model);
    const value = this.#value(isList ? listOf(shape) : shape, given);
    const done = this.#isWriting ? "written as JSON" : "read from JSON";
    this.#problems.refuse(name, done, isList ? `A list of ${name}` : name);
    return value;
  }

  within(key: Key, form: JsonForm, given: unknown): unknown {
    const depth = this.#keys.push(key);
    const isTooDeep = depth >= this.#maxDepth && typeof given === "object" && given !== null;
    const value = isTooDeep
      ? this.#refuse(
        this.#isWriting
          ? "a value that does not contain itself"
          : `at most ${this.#maxDepth} levels (allow more with maxDepth)`,
        this.#isWriting ? describeActual(given) : "is nested deeper",
      )
      : this.#value(form, given);
    this.#keys.pop();
    return value;
  }

  instance(model: ModelClass<object>, given: unknown): unknown {
    return this.#isWriting ? this.#write(model, given) : this.#read(model, given);
  }

  #value(form: JsonForm, given: unknown): unknown {
    const value = this.#isWriting ? form.toJson(given, this) : form.fromJson(given, this);
    return value === undefined ? this.#refuse(form.expected, describeActual(given)) : value;
  }

  #read(model: ModelClass<object>, json: unknown): unknown {
    if (!isObject(json)) return undefined;
    const { fields, unknown, jsonNames } = planOf(model);
    const instance = instantiateEmpty(model) as MutableRecord;
    for (const { name, json: from, isInherited, shape, isOptional, fallback } of fields) {
      const given = isInherited && !Object.hasOwn(json, from) ? undefined : json[from];
      // The short way for most fields: no path is kept, and one call is made.
      let value = shape.kind === "scalar" ? shape.fromJson(given, this) : undefined;
      if (value === undefined) {
        if (given === undefined && (isOptional || fallback)) value = fallback?.();
        else if (given === null && isOptional && shape.kind !== "nullable") {
          const hint = "(optional only allows it to be missing; use nullable() to allow null)";
          value = this.#refuse(`${shape.expected} ${hint}`, "is null", from);
        } else value = this.within(from, shape, given);
      }
      instance[name] = value;
    }
    if (unknown !== "ignore") {
      for (const name of Object.keys(json)) {
        if (jsonNames.has(name)) continue;
        if (unknown === "keep") unknownPartsOf(instance).json.set(name, json[name]);
        else this.#refuse(`a field of ${model.name}`, "is not one", name);
      }
    }
    return instance;
  }

  #write(model: ModelClass<object>, instance: unknown): unknown {
    if (!isInstance(instance, model)) {
      return this.#refuse(`an instance of ${model.name}`, describeActual(instance));
    }
    const json: MutableRecord = {};
    for (const { name, json: to, shape, isOptional } of planOf(model).fields) {
      const value = instance[name];
      if (value !== undefined || !isOptional) setOwn(json, to, this.within(name, shape, value));
    }
    for (const [name, value] of unknownContentOf(instance).json) setOwn(json, name, value);
    return json;
  }

  /** Tells what is wrong, here or under a name. */
  #refuse(expected: string, actual: string, ...below: string[]): typeof BAD {
    return this.#problems.add(() => issueAt([...this.#keys, ...below], expected, actual));
  }
}
