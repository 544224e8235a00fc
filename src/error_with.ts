import type { ModelOutput, ResponseModel } from "./request/decode.ts";
import { APIError } from "./errors/api_error.ts";
import { dataModelOf } from "./errors/data_model.ts";

/**
 * Whether something that was caught is an error whose `data` was made by this very model; then
 * `data` has the model's type.
 *
 * It does not hold where the body did not match the model, nor where another model was asked, such
 * as that of the error's class. It holds for errors of other copies of the toolkit too.
 *
 * @param error What was caught
 * @param model The `errorModel` of the client, the endpoint, the call or the error's class; a list
 * is the same as another one of the same schema
 *
 * @example
 * ```ts
 * import { APISession, isErrorWith } from "@restwright/restwright";
 * import { z } from "zod";
 *
 * const Problem = z.object({ code: z.string() });
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(Response.json({ code: "no_such_user" }, { status: 404 })),
 *   errorModel: Problem,
 * });
 * try {
 *   await session.get("users/7");
 * } catch (error) {
 *   if (!isErrorWith(error, Problem)) throw error;
 *   console.log(error.status, error.data.code); // 404 no_such_user
 * }
 * ```
 *
 * @category Errors
 */
export function isErrorWith<const M extends ResponseModel>(
  error: unknown,
  model: M,
): error is APIError & { readonly data: ModelOutput<M> } {
  if (!(error instanceof APIError)) return false;
  const made = dataModelOf(error);
  if (!Array.isArray(made)) return made !== undefined && made === model;
  return Array.isArray(model) && made[0] === model[0];
}
