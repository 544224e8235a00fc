import type { StatusFailure } from "./failure.ts";
import { checkedModel, decodeByModel, type ResponseModel } from "./response_model.ts";
import type { EngineSettings } from "./settings.ts";

/**
 * What the body of an error response says, by the model of its error class or else by that of the
 * call; undefined where there is no model, or the body does not match it.
 *
 * A body that is not what was expected must not hide the error that it came with.
 */
export async function errorData(
  { errorClass, body: { text } }: StatusFailure,
  settings: EngineSettings,
): Promise<unknown> {
  const own: unknown = errorClass.errorModel;
  const model: ResponseModel | undefined = own === undefined
    ? settings.errorModel
    : checkedModel(`${errorClass.name}.errorModel`, own);
  if (model === undefined) return undefined;
  let value: unknown;
  try {
    value = text === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
  const decoded = await decodeByModel(model, value);
  return decoded.kind === "value" ? decoded.value : undefined;
}
