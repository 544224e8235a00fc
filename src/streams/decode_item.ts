/** Decodes the JSON text of an item of a stream, with a model if there is one. */
import { isPromise } from "../base/checks.ts";
import { messageText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { ValidationError } from "../errors/validation_error.ts";
import {
  checkedModel,
  decodeByModel,
  type Decoded,
  type ResponseModel,
} from "../content/decode.ts";
import type { StreamOptions, StreamSource } from "./item_stream.ts";

/** Converts the JSON text of an item. */
export type ItemDecoder = (text: string, source: StreamSource) => unknown;

/**
 * Splits the arguments of a stream format, whose model can be left out.
 *
 * @param first The model or the options
 * @param second The options, if the first is the model
 */
export function modelAndOptions<O extends StreamOptions>(
  first: ResponseModel | O | undefined,
  second: O | undefined,
): { readonly model: ResponseModel | undefined; readonly options: Partial<O> } {
  // The schemas of some libraries are functions; those of others are objects like the options.
  const isOptions = second === undefined && typeof first === "object" && first !== null &&
    !Array.isArray(first) && !("~standard" in first);
  return isOptions
    ? { model: undefined, options: first as O }
    : { model: checkedModel("model", first), options: second ?? {} };
}

/** Returns the decoder of a model, or one that only parses JSON. */
export function itemDecoder(model: ResponseModel | undefined): ItemDecoder {
  if (model === undefined) return parseItem;
  return (text, source) => {
    const json = () => parseItem(text, source);
    /** Throws the error of a text that cannot be decoded. */
    const refuse = (error: unknown): never => {
      // A model class has its own error for text that is not JSON.
      if (error instanceof ModelError) json();
      throw error;
    };
    let decoded: Decoded | Promise<Decoded>;
    try {
      const body = { content: text, response: source.response, format: "json", json } as const;
      decoded = decodeByModel(model, body);
    } catch (error) {
      return refuse(error);
    }
    // A promise for each item would take as long as reading it.
    return isPromise(decoded)
      ? decoded.then((each) => valueOf(each, text, source), refuse)
      : valueOf(decoded, text, source);
  };
}

/** Returns the value of an item. Throws its issues. */
function valueOf(decoded: Decoded, text: string, source: StreamSource): unknown {
  if (decoded.issues === undefined) return decoded.value;
  const details = { ...source.errorDetails(text), issues: decoded.issues };
  throw new ValidationError(source.subject, details);
}

/**
 * Parses the JSON of an item.
 *
 * @throws {DecodeError} If it is not JSON
 */
function parseItem(text: string, source: StreamSource): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser contains a part of the body.
    const reason = (error as SyntaxError).message.replace(/["'`][^]*["'`]/, "…");
    throw source.decodeError(
      `${source.subject} is not JSON; error.body has the text`,
      text,
      new SyntaxError(messageText(reason, 200)),
    );
  }
}
