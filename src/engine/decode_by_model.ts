import { ModelError } from "../errors/model_error.ts";
import type { BodyFormat } from "../models/model_class.ts";
import { decodeTarget, isModelTarget, type ModelTarget } from "../models/target.ts";
import { onDemand, withPart } from "../on_demand.ts";
import type { StandardSchema } from "../standard_schema.ts";
import type { Decoded, ResponseModel } from "./response_model.ts";

/** What decodes by schemas of other libraries: a program with models alone does without. */
const schemas = onDemand(() => import("./decode_by_schema.ts"));

/** What is told of a body beside its bytes. */
export interface BodyToDecode {
  /** The body. */
  readonly content: string | Uint8Array;
  /** Its content type; empty where it has none. */
  readonly contentType: string;
  /** What it is, whatever the content type says. */
  readonly format: BodyFormat | undefined;
  /** Its JSON, where a schema wants it: null where there is no body. */
  readonly json: () => unknown;
}

/** Gives what a model is decoded with, as far as that is known before there is a body. */
export function decodingOf(model: ResponseModel): unknown {
  return isModelTarget(model) ? undefined : schemas();
}

/**
 * Decodes a body by a model.
 *
 * @param model The model
 * @param body The body
 * @throws What `json` throws; {@linkcode XmlError} and {@linkcode ModelError} where a model class
 * cannot read it at all
 */
export async function decodeByModel(model: ResponseModel, body: BodyToDecode): Promise<Decoded> {
  if (isModelTarget(model)) return await decodeByClass(model, body);
  const schema = model as StandardSchema | readonly [StandardSchema];
  return await withPart(schemas(), (part) => part.decodeBySchema(schema, body.json()));
}

async function decodeByClass(
  target: ModelTarget,
  { content, contentType, format }: BodyToDecode,
): Promise<Decoded> {
  if (content.length === 0) {
    const { name } = Array.isArray(target) ? target[0] : target;
    return { issues: [{ path: [], message: `expected ${name}` }] };
  }
  try {
    return { value: await decodeTarget(target, content, contentType, format) };
  } catch (error) {
    if (!(error instanceof ModelError) || error.cause !== undefined) throw error;
    return {
      issues: error.issues.map(({ path, keys, expected: _, message, ...place }) => ({
        path: keys,
        where: path,
        ...place,
        // A text of the body is not for the eyes of whoever prints the error.
        message: message.replace(/(, but is )"[^]*$/, '$1"…"'),
      })),
    };
  }
}
