/** Decodes a JSON or XML body to instances of a model, and encodes an instance as a body. */
import { isUint8Array } from "../base/bytes.ts";
import { messageText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { lazyImport } from "../base/lazy_import.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import { issueAt } from "./issues.ts";
import { parseJson } from "./json_text.ts";
import { JsonWalker } from "./json_walker.ts";
import { type BodyFormat, type BodyModel, isModelClass } from "./model_class.ts";
import { type DocumentRules, documentRules, memoize } from "./plan.ts";
import { listOf, type Shape, shapeOf } from "./value_type.ts";
import { xmlReader } from "./xml/lazy.ts";

/**
 * Reads JSON.
 *
 * @param rules The rules for the document
 * @param json The text, its bytes, or the parsed value
 * @param maxDepth The maximum depth
 * @param encoding The encoding of the bytes, if the content type names one
 */
export function readJson(
  { name, shape, isExact, maxDepth: ownDepth }: DocumentRules,
  json: unknown,
  maxDepth: number | null = ownDepth,
  encoding?: string,
): unknown {
  const isText = typeof json === "string" || isUint8Array(json);
  const parsed = isText ? parseJson(name, json, isExact, encoding) : json;
  return JsonWalker.read(name, shape, parsed, maxDepth);
}

/**
 * Decodes a body, by its content type or by a given format.
 *
 * A list is an array in JSON. In XML, it is the children of the root that have the model's name. It
 * is empty if the root is empty. A root with other children only, or a root of that name itself, is
 * an issue.
 *
 * @param model The model
 * @param isList True if a list is expected
 * @param body The body; in the format "json", it may be a parsed array
 * @param contentType The content type of the response; empty if it has none
 * @param format The format, if it is not that of the content type
 * @throws {ModelError} With all issues, if the body does not match, or is in neither format
 * @throws {XmlError} If the body is not well-formed XML, or not allowed by the limits
 */
export async function decodeBody(
  model: BodyModel<unknown>,
  isList: boolean,
  body: string | Uint8Array | readonly unknown[],
  contentType: string,
  format?: BodyFormat,
): Promise<unknown> {
  const rules = bodyRules(model, isList);
  const { charset, encoding, format: named } = mediaTypeOf(contentType);
  switch (format ?? named) {
    case "json":
      return readJson(rules, body, undefined, encoding);
    case "xml":
      return (await xmlReader()).readXmlDocument(rules, body as string | Uint8Array, { charset });
  }
  const type = contentType === ""
    ? "no content type"
    : `the content type ${messageText(contentType)}`;
  const remedy =
    "if the body is JSON or XML, pass format: jsonFormat(…) or format: xmlFormat(…) with the model";
  const actual = `has ${type}; ${remedy}`;
  const issues = [issueAt([], { code: "format", expected: "a JSON or XML body", actual })];
  throw new ModelError(`${model.name} cannot be read`, { model: model.name, issues });
}

/**
 * Decodes the text of a JSON body at once.
 *
 * @param model The model
 * @param isList True if a list is expected
 * @param body The text
 * @throws {ModelError} With all issues, if the body does not match
 */
export function decodeJson(model: BodyModel<unknown>, isList: boolean, body: string): unknown {
  return readJson(bodyRules(model, isList), body);
}

/** Returns the rules for a body of a model, or for one that is a list of it. They are built once. */
function bodyRules(model: BodyModel<unknown>, isList: boolean): DocumentRules {
  return isList ? listRules(model) : singleRules(model);
}

const singleRules = /* @__PURE__ */ memoize((model: BodyModel<unknown>): DocumentRules =>
  documentRules(model.name, bodyShape(model))
);

const listRules = /* @__PURE__ */ memoize((model: BodyModel<unknown>): DocumentRules => {
  const shape = bodyShape(model);
  if (shape.kind === "list") {
    const expected = "a document of a list without brackets around it, or a model in brackets";
    throw new UnexpectedValueError("responseModel", expected, describedAs("a list of lists"));
  }
  return documentRules(`A list of ${model.name}`, listOf(shape));
});

function bodyShape(model: BodyModel<unknown>): Shape {
  return isModelClass(model) ? shapeOf(model) : (model as unknown as { shape: Shape }).shape;
}

/** The code that writes XML. Programs that write none do not load it. */
const xmlWriter = lazyImport(() => import("./xml/encode.ts"));

/**
 * Encodes an instance as an XML body.
 *
 * @throws {ModelError} With all issues, if a value does not match its field
 */
export async function encodeBody(instance: object): Promise<string> {
  return (await xmlWriter()).encodeXml(instance);
}
