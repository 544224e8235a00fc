import { checkedLimit } from "../checks.ts";
import { ModelError } from "../errors/model_error.ts";
import { encodingOf } from "../xml/encoding.ts";
import { BLANK, type Holder, put } from "./instance.ts";
import { keptPartsOf } from "./kept.ts";
import type { ModelClass } from "./model_class.ts";
import { type PlanField, planOf } from "./plan.ts";
import { BAD, jsonPath, type Key, missing, Problems, unexpected } from "./problems.ts";
import { unionChoices } from "./union.ts";
import { expectedOf, type Shape, type UnionShape, unwrapped } from "./value_type.ts";

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
const MAX_DEPTH = 500;

/**
 * Reads an instance from parsed JSON.
 *
 * @throws {ModelError} With every issue
 */
export function decodeJson<T>(
  model: ModelClass<T>,
  json: unknown,
  options: JsonReadOptions = {},
): T {
  const decoder = new JsonDecoder(options);
  const value = decoder.model(model as ModelClass<object>, json);
  decoder.problems.refuse(model.name, `${model.name} cannot be read from JSON`);
  return value as T;
}

/**
 * Reads instances from a parsed array.
 *
 * @throws {ModelError} With every issue
 */
export function decodeJsonList<T>(
  model: ModelClass<T>,
  json: unknown,
  options: JsonReadOptions = {},
): T[] {
  const decoder = new JsonDecoder(options);
  const values = decoder.list({ kind: "model", model: () => model as ModelClass<object> }, json);
  decoder.problems.refuse(model.name, `A list of ${model.name} cannot be read from JSON`);
  return values as T[];
}

/**
 * Parses JSON from a text or bytes (UTF-8, or what a byte-order mark or the charset says).
 *
 * @throws {ModelError} Where it is no JSON
 */
export function parseJson(model: string, source: string | Uint8Array, charset?: string): unknown {
  try {
    const text = typeof source === "string"
      ? source
      : new TextDecoder(encodingOf(source.subarray(0, 4), charset), { fatal: true }).decode(source);
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch (cause) {
    const expected = "JSON";
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new ModelError(`${model} cannot be read from JSON`, {
      model,
      issues: [{ path: "", keys: [], expected, message: `expected JSON, but: ${said}` }],
      cause,
    });
  }
}

class JsonDecoder {
  readonly problems = new Problems();
  /** Where in the document the decoder is. */
  readonly #keys: Key[] = [];
  readonly #maxDepth: number;
  #depth = 0;

  constructor({ maxDepth = MAX_DEPTH }: JsonReadOptions) {
    this.#maxDepth = checkedLimit("maxDepth", maxDepth);
  }

  value(shape: Shape, json: unknown): unknown {
    switch (shape.kind) {
      case "scalar": {
        const value = shape.fromJson(json);
        return value === undefined ? this.#refuse(shape.expected, json) : value;
      }
      case "nullable":
        return json === null ? null : this.value(shape.inner, json);
      case "model":
        return this.model(shape.model(), json);
      case "list":
        return this.list(shape.inner, json);
      case "record":
        return this.#record(shape.inner, json);
      case "union":
        return this.#union(shape, json);
    }
  }

  model(model: ModelClass<object>, json: unknown): unknown {
    if (!isObject(json)) return this.#refuse(`an object (${model.name})`, json);
    if (this.#isTooDeep()) return BAD;
    const plan = planOf(model);
    const instance = new model(BLANK as never) as Holder;
    for (const field of plan.fields) {
      const { json: name, isInherited, shape } = field;
      const given = isInherited && !Object.hasOwn(json, name) ? undefined : json[name];
      // The short way for most fields: no path is kept, and one call is made.
      let value = shape.kind === "scalar" && field.place !== "elements"
        ? shape.fromJson(given)
        : undefined;
      if (value === undefined) {
        if (given === undefined) value = this.#absent(field);
        else {
          this.#keys.push(name);
          value = this.#field(field, given);
          this.#keys.pop();
        }
      }
      instance[field.name] = value;
    }
    if (plan.unknown !== "ignore") {
      for (const name of Object.keys(json)) {
        if (plan.jsonNames.has(name)) continue;
        if (plan.unknown === "keep") keptPartsOf(instance).json.set(name, json[name]);
        else this.#refuseName(model, name);
      }
    }
    this.#depth--;
    return instance;
  }

  list(inner: Shape, json: unknown): unknown {
    if (!Array.isArray(json)) return this.#refuse("an array", json);
    if (this.#isTooDeep()) return BAD;
    const keys = this.#keys;
    const at = keys.length;
    const values: unknown[] = [];
    for (let index = 0; index < json.length; index++) {
      keys[at] = index;
      values.push(this.value(inner, json[index]));
    }
    keys.length = at;
    this.#depth--;
    return values;
  }

  #field(field: PlanField, json: unknown): unknown {
    const { shape, place, isNullable } = field;
    if (place === "elements") {
      return this.list(isNullable ? { kind: "nullable", inner: shape } : shape, json);
    }
    if (json === null) {
      if (isNullable) return null;
      const hint = field.isOptional ? " (optional allows none; null takes nullable)" : "";
      return this.#refuse(`${field.expected}${hint}`, json);
    }
    return this.value(shape, json);
  }

  #absent(field: PlanField): unknown {
    if (field.fallback !== undefined) return field.fallback();
    if (field.isOptional) return undefined;
    this.#keys.push(field.json);
    this.#add(field.expected, () => missing(field.expected));
    this.#keys.pop();
    return BAD;
  }

  #record(inner: Shape, json: unknown): unknown {
    if (!isObject(json)) return this.#refuse("an object", json);
    if (this.#isTooDeep()) return BAD;
    const values: Holder = {};
    for (const name of Object.keys(json)) {
      this.#keys.push(name);
      put(values, name, this.value(inner, json[name]));
      this.#keys.pop();
    }
    this.#depth--;
    return values;
  }

  #union(shape: UnionShape, json: unknown): unknown {
    if (!isObject(json)) return this.#refuse(expectedOf(shape), json);
    const choices = unionChoices(shape);
    for (const { model, field, values } of choices) {
      const given = Object.hasOwn(json, field.json) ? json[field.json] : undefined;
      if (values.includes(given)) return this.model(model, json);
    }
    const name = choices[0]!.field.json;
    const given = Object.hasOwn(json, name) ? json[name] : undefined;
    const expected = choices.map(({ field }) => expectedOf(unwrapped(field.shape))).join(" or ");
    this.#keys.push(name);
    this.#add(
      expected,
      () => given === undefined ? missing(expected) : unexpected(expected, given),
    );
    this.#keys.pop();
    return BAD;
  }

  #isTooDeep(): boolean {
    if (this.#depth >= this.#maxDepth) {
      const expected = `at most ${this.#maxDepth} levels`;
      this.#add(expected, () => `expected ${expected}: allow more with maxDepth`);
      return true;
    }
    this.#depth++;
    return false;
  }

  #refuse(expected: string, received: unknown): typeof BAD {
    return this.#add(expected, () => unexpected(expected, received));
  }

  #refuseName(model: ModelClass<object>, name: string): void {
    this.#keys.push(name);
    const expected = `a name that ${model.name} has`;
    this.#add(expected, () => `expected no field of this name: ${model.name} has none`);
    this.#keys.pop();
  }

  #add(expected: string, message: () => string): typeof BAD {
    if (this.problems.isFull) return this.problems.add();
    const keys = [...this.#keys];
    return this.problems.add({ path: jsonPath(keys), keys, expected, message: message() });
  }
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
