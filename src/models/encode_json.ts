import { type Holder, isInstance, put } from "./instance.ts";
import { JsonWalker } from "./json_walker.ts";
import { keptOf } from "./kept.ts";
import type { ModelClass } from "./model_class.ts";
import { planOf } from "./plan.ts";
import { type JsonForm, shapeOf } from "./value_type.ts";

/** How deep instances and arrays may be nested where they are written: a cycle is without end. */
const MAX_DEPTH = 1000;

/**
 * The JSON of an instance, as objects and arrays.
 *
 * @throws {ModelError} With every value that is not what its field says
 */
export function encodeJson(model: ModelClass<object>, instance: object): Record<string, unknown> {
  const writer = new JsonWriter(MAX_DEPTH, "no cycle");
  const action = `${model.name} cannot be written as JSON`;
  return writer.root(model.name, shapeOf(model), instance, action) as Record<string, unknown>;
}

class JsonWriter extends JsonWalker {
  protected override step(form: JsonForm, value: unknown): unknown {
    return form.toJson(value, this);
  }

  override instance(model: ModelClass<object>, instance: unknown): unknown {
    if (!isInstance(instance, model)) return this.refuse(`an instance of ${model.name}`, instance);
    const json: Holder = {};
    for (const { name, json: to, shape, isOptional } of planOf(model).fields) {
      const value = instance[name];
      if (value !== undefined || !isOptional) put(json, to, this.within(name, shape, value));
    }
    for (const [name, value] of keptOf(instance).json) put(json, name, value);
    return json;
  }
}
