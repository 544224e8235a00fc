import { messageText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { lazyImport } from "../lazy_import.ts";
import { JsonWalker } from "./json_walker.ts";
import { mediaTypeOf } from "./media_type.ts";
import type { BodyFormat, ModelClass } from "./model_class.ts";
import { parseJson } from "./parse_json.ts";
import { issueAt } from "./problems.ts";
import { xmlReading } from "./xml_reading.ts";

/**
 * Decodes a body: by its content type, or by a format where that lies.
 *
 * A list is an array in JSON; in XML it is the children of the root that have the model's name. It is
 * empty where the root is: one that has others alone, or is of that name itself, does not fit.
 *
 * @param model The model
 * @param isList Whether a list is expected
 * @param body The body
 * @param contentType The content type of the response; empty where it has none
 * @param format What it is, whatever the content type says
 * @throws {ModelError} Where it is neither, or does not fit: with every issue
 * @throws {XmlError} Where it is XML that is not well-formed, or not what is allowed
 */
export async function decodeBody(
  model: ModelClass<object>,
  isList: boolean,
  body: string | Uint8Array,
  contentType: string,
  format?: BodyFormat,
): Promise<object> {
  const { charset, format: named } = mediaTypeOf(contentType);
  const read = format ?? named;
  if (read === "json") {
    const json = parseJson(model.name, body, charset);
    return new JsonWalker(false).root(model, json, isList) as object;
  }
  if (read === "xml") {
    const kind = isList ? "children" : "root";
    const { decodeXmlWhole } = await xmlReading();
    const found = await decodeXmlWhole(model, body, kind, { charset });
    return isList ? found : found[0]!;
  }
  const type = contentType === ""
    ? "no content type"
    : `the content type ${messageText(contentType)}`;
  const remedy =
    'if the body is JSON or XML, pass { responseFormat: "json" } or { responseFormat: "xml" }';
  const issues = [issueAt([], "a JSON or XML body", `has ${type}; ${remedy}`)];
  throw new ModelError(`${model.name} cannot be read`, { model: model.name, issues });
}

/** What writes XML: a program that writes none does not bring it along. */
const xmlWriting = lazyImport(() => import("./encode_xml.ts"));

/**
 * Writes an instance as a body of XML.
 *
 * @param instance The instance
 * @throws {ModelError} Where a value is not what its field says: with every issue
 */
export async function encodeBody(instance: object): Promise<string> {
  const { encodeXml } = await xmlWriting();
  return encodeXml(instance);
}
