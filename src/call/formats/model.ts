/** The format of a model: of the option `responseModel`, and of `jsonFormat` and `xmlFormat`. */
import { isBranded } from "../../errors/base_error.ts";
import { DecodeError } from "../../errors/decode_error.ts";
import { ModelError } from "../../errors/model_error.ts";
import { ValidationError } from "../../errors/validation_error.ts";
import { decodeByModel, type Decoded, isSchema, type ResponseModel } from "../../content/decode.ts";
import type { BodyFormat } from "../../models/model_class.ts";
import type { BufferedResponse, Call, Format } from "../call.ts";
import { detailsOf, parsedFormat, parseJson, subjectOf } from "./json.ts";

/** Asks for XML by its two media types (RFC 7303 §9). */
const xmlHeaders = { accept: "application/xml, text/xml;q=0.9" };

/**
 * Returns the format that decodes the body with a model. It asks for JSON or XML if it reads only
 * that: a model class reads both, unless the format is given.
 *
 * @param model The model
 * @param format The format of the body. Default: that of the content type
 */
export function modelFormat(model: ResponseModel, format: BodyFormat | undefined): Format {
  const isJson = isSchema(model) || format === "json";
  const accept = isJson ? parsedFormat.defaultHeaders : format === "xml" ? xmlHeaders : undefined;
  return {
    ...(accept && { defaultHeaders: accept }),
    bodyFormat: format,
    // XML can name its encoding itself. A schema decodes JSON, and text is faster to read.
    receive: isSchema(model) ? parsedFormat.receive : (incoming) => incoming.readBytes(),
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
