import { ModelError } from "../errors/model_error.ts";
import { decodeJson, decodeJsonList, parseJson } from "./decode_json.ts";
import { decodeXml } from "./decode_xml.ts";
import { type BodyFormat, mediaTypeOf } from "./media_type.ts";
import type { Model } from "./model.ts";
import type { ModelClass } from "./model_class.ts";

/** What the body of a response is to become: an instance, or a list of them. */
export type ModelTarget = ModelClass<object> | readonly [ModelClass<object>];

/** What becomes of a body for a target. */
export type Decoded<M extends ModelTarget> = M extends ModelClass<infer T> ? T
  : M extends readonly [ModelClass<infer T>] ? T[]
  : never;

/**
 * Decodes a body: by its content type, or by a format where that lies.
 *
 * A list is an array in JSON; in XML it is the children of the root that have the model's name.
 *
 * @param target The model, or the model in an array
 * @param body The body
 * @param contentType The content type of the response; empty where it has none
 * @param format What it is, whatever the content type says
 * @throws {ModelError} Where it is neither, or does not fit: with every issue
 * @throws {XmlError} Where it is XML that is not well-formed, or not what is allowed
 */
export async function decodeBody<M extends ModelTarget>(
  target: M,
  body: string | Uint8Array,
  contentType: string,
  format?: BodyFormat,
): Promise<Decoded<M>> {
  const isList = Array.isArray(target);
  const model = (isList ? target[0] : target) as ModelClass<object>;
  const media = mediaTypeOf(contentType);
  const { charset } = media;
  switch (format ?? media.format) {
    case "json": {
      const json = parseJson(model.name, body, charset);
      return (isList ? decodeJsonList(model, json) : decodeJson(model, json)) as Decoded<M>;
    }
    case "xml": {
      const kind = isList ? "children" : "root";
      const found: object[] = [];
      for await (const each of decodeXml(model, body, { kind }, { charset })) found.push(each);
      return (isList ? found : found[0]) as Decoded<M>;
    }
    default: {
      const expected = "a body of JSON or XML";
      const said = contentType === ""
        ? "it has no content type"
        : `its content type is ${contentType}`;
      throw new ModelError(`${model.name} cannot be read`, {
        model: model.name,
        issues: [{ path: "", keys: [], expected, message: `expected ${expected}, but ${said}` }],
      });
    }
  }
}

/** A body that is to be sent, and its content type. */
export interface EncodedBody {
  readonly content: string;
  readonly type: string;
}

/**
 * Writes an instance as XML that is to be sent. (As JSON there is nothing to do: `JSON.stringify`
 * asks the instances, wherever they are.)
 *
 * @throws {ModelError} Where a value is not what its field says: with every issue
 */
export function encodeXmlBody(value: Model): EncodedBody {
  return { content: value.toXml(), type: "application/xml" };
}
