import { ModelError } from "../errors/model_error.ts";
import { type BodyFormat, isModelClass, modelBrand } from "../models/model_class.ts";
import { decodeBySchema } from "./decode_by_schema.ts";
import type { Decoded, ResponseModel, SingleModel } from "./response_model.ts";

/** What is told of a body beside its bytes. */
export interface BodyToDecode {
  /** The body. */
  readonly content: string | Uint8Array;
  /** The response that it came with, whose headers say what it is. */
  readonly response: Response;
  /** What it is, whatever the content type says. */
  readonly format: BodyFormat | undefined;
  /** Its JSON, where a schema wants it: null where there is no body. */
  readonly json: () => unknown;
}

/**
 * Decodes a body by a model.
 *
 * @param model The model
 * @param body The body
 * @throws What `json` throws; {@linkcode XmlError} and {@linkcode ModelError} where a model class
 * cannot read it at all
 */
export async function decodeByModel(
  model: ResponseModel,
  { content, response, format, json }: BodyToDecode,
): Promise<Decoded> {
  const single = singleOf(model);
  const isList = Array.isArray(model);
  if (!isModelClass(single)) {
    return await decodeBySchema(single, isList, json());
  }
  if (content.length === 0) return { issues: [{ path: [], message: `expected ${single.name}` }] };
  const contentType = response.headers.get("content-type") ?? "";
  try {
    return { value: await single[modelBrand].decode(single, isList, content, contentType, format) };
  } catch (error) {
    if (!(error instanceof ModelError) || error.cause !== undefined) throw error;
    return {
      issues: error.issues.map(({ path, keys, expected: _, message, ...place }) => ({
        path: keys,
        where: path,
        ...place,
        // Texts and namespaces of the body are not shown to whoever prints the error.
        message: message.replace(/(, but it is )"[^]*$/, '$1"…"')
          .replace(/(, but it is <[^>]*> in the namespace )[^]*$/, "$1…"),
      })),
    };
  }
}

/** A model, be it in a list. */
function singleOf(model: ResponseModel): SingleModel {
  return (Array.isArray(model) ? model[0] : model) as SingleModel;
}
