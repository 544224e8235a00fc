import { isBranded } from "../errors/base_error.ts";
import { ModelError } from "../errors/model_error.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { ValidationError } from "../errors/validation_error.ts";
import type { BodyFormat } from "../models/model_class.ts";
import { decodeByModel } from "./decode_by_model.ts";
import type { ResponseParser } from "./prepared_request.ts";
import type { Decoded, ResponseModel } from "./response_model.ts";
import { detailsOf, parseJson, subjectOf } from "./parse_json.ts";

/**
 * Gives what a model makes of the body.
 *
 * @param model The model
 * @param format The format, where the content type lies
 * @throws {UnexpectedValueError} Where the format is none
 */
export function modelParser(
  model: ResponseModel,
  format: BodyFormat | undefined,
): ResponseParser {
  if (format !== undefined && format !== "json" && format !== "xml") {
    throw new UnexpectedValueError("responseFormat", '"json" or "xml"', format);
  }
  return {
    receive: async (incoming) => ({ response: incoming.response, body: await incoming.bytes() }),
    async convert(response, body, request) {
      const json = () => parseJson(response, body, request);
      let decoded: Decoded;
      try {
        decoded = await decodeByModel(model, { content: body, response, format, json });
      } catch (error) {
        if (!(error instanceof ModelError || isXmlError(error))) throw error;
        if (error.cause instanceof SyntaxError) json();
        throw new DecodeError(`${subjectOf(request)} cannot be read: ${error.message}`, {
          ...detailsOf(response, body, request),
          cause: error,
        });
      }
      if (decoded.issues === undefined) return decoded.value;
      const details = { ...detailsOf(response, body, request), issues: decoded.issues };
      throw new ValidationError(subjectOf(request), details);
    },
  };
}

/** Whether it is an XmlError, by its name: the class itself comes with what reads XML. */
function isXmlError(error: unknown): error is Error {
  return error instanceof Error && isBranded(error.constructor, "XmlError");
}
