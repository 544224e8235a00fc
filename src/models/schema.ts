import { ModelError } from "../errors/model_error.ts";
import { JsonWalker } from "./json_walker.ts";
import type { ModelClass } from "./model_class.ts";
import type { StandardResult, StandardSchema } from "../standard_schema.ts";

/**
 * A model as a Standard Schema (standardschema.dev), for libraries that take one: parsed JSON in, an
 * instance out.
 *
 * @example
 * ```ts
 * import { element, integer, model, schema } from "@restwright/restwright/models";
 *
 * class Page extends model("page", { size: element(integer) }) {}
 * const result = await schema(Page)["~standard"].validate({ size: "many" });
 * console.log(result.issues?.[0]?.path, result.issues?.[0]?.message);
 * // [ "size" ] expected a whole number, but is "many"
 * ```
 *
 * @param model The model
 */
export function schema<T>(model: ModelClass<T>): StandardSchema<unknown, T> {
  const validate = (value: unknown): StandardResult<T> => {
    try {
      return { value: new JsonWalker(false).root(model as ModelClass<object>, value) as T };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { issues: error.issues.map(({ message, keys }) => ({ message, path: keys })) };
    }
  };
  return { "~standard": { version: 1, vendor: "restwright", validate } };
}
