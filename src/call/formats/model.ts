/** The format of a model: of the option `responseModel`, and of `jsonFormat` and `xmlFormat`. */
import { isPromise } from "../../base/checks.ts";
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
    convert(received, run) {
      const decoded = decode(model, format, received, run.call);
      // A schema may wait for something that cannot be aborted.
      return isPromise(decoded) ? run.waitFor(Promise.resolve(decoded)) : decoded;
    },
  };
}

/** Decodes a body. Returns the value, or a promise of it if the model waits. */
function decode(
  model: ResponseModel,
  format: BodyFormat | undefined,
  { response, body }: BufferedResponse,
  call: Call,
): unknown {
  const content = body!;
  const json = () => parseJson(response, content, call);
  /** Throws the error of a body that cannot be decoded. */
  const refuse = (error: unknown): never => {
    if (!(error instanceof ModelError || isXmlError(error))) throw error;
    if (error.cause instanceof SyntaxError) json();
    throw new DecodeError(`${subjectOf(call)} cannot be read: ${error.message}`, {
      ...detailsOf(response, content, call),
      cause: error,
    });
  };
  const valueOf = (decoded: Decoded): unknown => {
    if (decoded.issues === undefined) return decoded.value;
    const details = { ...detailsOf(response, content, call), issues: decoded.issues };
    throw new ValidationError(subjectOf(call), details);
  };
  let decoded: Decoded | Promise<Decoded>;
  try {
    decoded = decodeByModel(model, { content, response, format, json });
  } catch (error) {
    return refuse(error);
  }
  return isPromise(decoded) ? decoded.then(valueOf, refuse) : valueOf(decoded);
}

/** Reports if an error is an XmlError, by its brand: the class is only loaded with the parser. */
export function isXmlError(error: unknown): error is Error {
  return error instanceof Error && isBranded(error.constructor, "XmlError");
}
