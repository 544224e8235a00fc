/** Returns a model as a Standard Schema, for libraries that take one. */
import { ModelError } from "../errors/model_error.ts";
import type { StandardResult, StandardSchema } from "../base/standard_schema.ts";
import { JsonWalker } from "./json_walker.ts";
import type { ModelClass } from "./model_class.ts";
import { rulesOf } from "./plan.ts";

/**
 * Returns a model as a Standard Schema (standardschema.dev), for libraries that take one. Its input
 * is parsed JSON, its output an instance.
 *
 * @example
 * ```ts
 * import { element, integer, model, schema } from "@restwright/restwright/models";
 *
 * class Page extends model("page", { size: element(integer) }) {}
 * const result = await schema(Page)["~standard"].validate({ size: "many" });
 * console.log(result.issues?.[0]?.path, result.issues?.[0]?.message);
 * // [ "size" ] expected a whole number, but it is "many"
 * ```
 *
 * @param model The model
 *
 * @category Value types
 */
export function schema<T>(model: ModelClass<T>): StandardSchema<unknown, T> {
  const validate = (value: unknown): StandardResult<T> => {
    try {
      const { shape, name, maxDepth } = rulesOf(model as ModelClass<object>);
      return { value: JsonWalker.read(name, shape, value, maxDepth) as T };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { issues: error.issues.map(({ message, path }) => ({ message, path })) };
    }
  };
  return { "~standard": { version: 1, vendor: "restwright", validate } };
}
