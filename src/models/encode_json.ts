import { type Holder, isInstance, put } from "./instance.ts";
import { keptOf } from "./kept.ts";
import type { ModelClass } from "./model_class.ts";
import { type PlanField, planOf } from "./plan.ts";
import { type BAD, jsonPath, type Key, missing, Problems, unexpected } from "./problems.ts";
import { expectedOf, type Shape } from "./value_type.ts";

/** How deep instances may be nested where they are written: those of a cycle are without end. */
const MAX_DEPTH = 500;

/**
 * The JSON of an instance, as objects and arrays.
 *
 * @throws {ModelError} With every value that is not what its field says
 */
export function encodeJson(model: ModelClass<object>, instance: object): Record<string, unknown> {
  const encoder = new JsonEncoder();
  const json = encoder.model(model, instance);
  encoder.problems.refuse(model.name, `${model.name} cannot be written as JSON`);
  return json as Record<string, unknown>;
}

class JsonEncoder {
  readonly problems = new Problems();
  readonly #keys: Key[] = [];
  #depth = 0;

  model(model: ModelClass<object>, instance: unknown): unknown {
    if (!isInstance(instance, model)) return this.#refuse(`an instance of ${model.name}`, instance);
    if (this.#depth >= MAX_DEPTH) return this.#refuse("no cycle", instance);
    this.#depth++;
    const json: Holder = {};
    for (const field of planOf(model).fields) {
      this.#keys.push(field.name);
      const value = this.#field(field, instance[field.name]);
      if (value !== undefined) put(json, field.json, value);
      this.#keys.pop();
    }
    for (const [name, value] of keptOf(instance).json) put(json, name, value);
    this.#depth--;
    return json;
  }

  #field(field: PlanField, value: unknown): unknown {
    const { shape, isNullable } = field;
    if (value === undefined) {
      if (field.isOptional) return undefined;
      return this.#add(field.expected, missing(field.expected));
    }
    if (field.place === "elements") {
      return this.#list(isNullable ? { kind: "nullable", inner: shape } : shape, value);
    }
    return value === null && isNullable ? null : this.#value(shape, value);
  }

  #value(shape: Shape, value: unknown): unknown {
    switch (shape.kind) {
      case "scalar":
        return shape.toJson(value) ?? this.#refuse(shape.expected, value);
      case "nullable":
        return value === null ? null : this.#value(shape.inner, value);
      case "model":
        return this.model(shape.model(), value);
      case "union": {
        const model = shape.models().find((each) => isInstance(value, each));
        return model === undefined
          ? this.#refuse(expectedOf(shape), value)
          : this.model(model, value);
      }
      case "list":
        return this.#list(shape.inner, value);
      case "record":
        return this.#record(shape.inner, value);
    }
  }

  #list(inner: Shape, values: unknown): unknown {
    if (!Array.isArray(values)) return this.#refuse("an array", values);
    const json: unknown[] = [];
    for (const [index, value] of values.entries()) {
      this.#keys.push(index);
      json.push(this.#value(inner, value));
      this.#keys.pop();
    }
    return json;
  }

  #record(inner: Shape, values: unknown): unknown {
    if (typeof values !== "object" || values === null) return this.#refuse("an object", values);
    const json: Holder = {};
    for (const [name, value] of Object.entries(values)) {
      this.#keys.push(name);
      put(json, name, this.#value(inner, value));
      this.#keys.pop();
    }
    return json;
  }

  #refuse(expected: string, received: unknown): typeof BAD {
    return this.#add(expected, unexpected(expected, received));
  }

  #add(expected: string, message: string): typeof BAD {
    const keys = [...this.#keys];
    return this.problems.add({ path: jsonPath(keys), keys, expected, message });
  }
}
