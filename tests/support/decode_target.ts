import type { ModelOutput } from "../../src/content/decode.ts";
import { type BodyFormat, modelBrand, type ModelClass } from "../../src/models/model_class.ts";

/** Decodes the body of a response with a model, or with a list of a model. */
export async function decodeTarget<M extends ModelClass<object> | readonly [ModelClass<object>]>(
  target: M,
  body: string | Uint8Array,
  contentType: string,
  format?: BodyFormat,
): Promise<ModelOutput<M>> {
  const isList = Array.isArray(target);
  const model = (isList ? target[0] : target) as ModelClass<object>;
  const decoded = await model[modelBrand].decode(model, isList, body, contentType, format);
  return decoded as ModelOutput<M>;
}
