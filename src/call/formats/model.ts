/** The format of the option `responseModel`: values of a model or a schema. */
import { isBranded } from "../../errors/base_error.ts";
import { DecodeError } from "../../errors/decode_error.ts";
import { ModelError } from "../../errors/model_error.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { ValidationError } from "../../errors/validation_error.ts";
import { decodeByModel, type Decoded, isSchema, type ResponseModel } from "../../content/decode.ts";
import type { BodyFormat } from "../../models/model_class.ts";
import type { BufferedResponse, Call, Format } from "../call.ts";
import { detailsOf, jsonFormat, parseJson, subjectOf } from "./json.ts";

/** Asks for XML by its two media types (RFC 7303 §9). */
const xmlHeaders = { accept: "application/xml, text/xml;q=0.9" };

/**
 * Returns the format that decodes the body with a model. It asks for JSON or XML if it reads only
 * that: a model class reads both, unless the option `responseFormat` says which.
 *
 * @param model The model
 * @param format The format of the body. Default: that of the content type
 * @throws {UnexpectedValueError} If the format is not valid
 */
export function modelFormat(model: ResponseModel, format: BodyFormat | undefined): Format {
  if (format !== undefined && format !== "json" && format !== "xml") {
    throw new UnexpectedValueError("responseFormat", '"json" or "xml"', format);
  }
  const isJson = isSchema(model) || format === "json";
  const accept = isJson ? jsonFormat.defaultHeaders : format === "xml" ? xmlHeaders : undefined;
  return {
    ...(accept && { defaultHeaders: accept }),
    // XML can name its encoding itself. A schema decodes JSON, and text is faster to read.
    receive: isSchema(model) ? jsonFormat.receive : (incoming) => incoming.readBytes(),
    // A schema may wait for something that cannot be aborted.
    convert: (received, run) => run.waitFor(decode(model, format, received, run.call)),
  };
}

async function decode(
  model: ResponseModel,
  format: BodyFormat | undefined,
  { response, body }: BufferedResponse,
  call: Call,
): Promise<unknown> {
  const content = body!;
  const json = () => parseJson(response, content, call);
  let decoded: Decoded;
  try {
    decoded = await decodeByModel(model, { content, response, format, json });
  } catch (error) {
    if (!(error instanceof ModelError || isXmlError(error))) throw error;
    if (error.cause instanceof SyntaxError) json();
    throw new DecodeError(`${subjectOf(call)} cannot be read: ${error.message}`, {
      ...detailsOf(response, content, call),
      cause: error,
    });
  }
  if (decoded.issues === undefined) return decoded.value;
  const details = { ...detailsOf(response, content, call), issues: decoded.issues };
  throw new ValidationError(subjectOf(call), details);
}

/** Reports if an error is an XmlError, by its brand: the class is only loaded with the parser. */
export function isXmlError(error: unknown): error is Error {
  return error instanceof Error && isBranded(error.constructor, "XmlError");
}
