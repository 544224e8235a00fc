import { JsonWalker } from "./json_walker.ts";
import type { ModelClass } from "./model_class.ts";
import { shapeOf } from "./value_type.ts";

/** How deep instances and arrays may be nested where they are written: a cycle is without end. */
const MAX_DEPTH = 1000;

/**
 * The JSON of an instance, as objects and arrays.
 *
 * @throws {ModelError} With every value that is not what its field says
 */
export function encodeJson(model: ModelClass<object>, instance: object): Record<string, unknown> {
  const { name } = model;
  const json = new JsonWalker(true, MAX_DEPTH).root(name, name, shapeOf(model), instance);
  return json as Record<string, unknown>;
}
