/** Decodes the JSON text of an item of a stream, with a model if there is one. */
import { messageText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { ValidationError } from "../errors/validation_error.ts";
import { checkedModel, decodeByModel, type ResponseModel } from "../content/decode.ts";
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
  return async (text, source) => {
    const { response } = source;
    const body = { content: text, response, format: "json" } as const;
    const decoded = await decodeByModel(model, { ...body, json: () => parseItem(text, source) })
      .catch((error: unknown) => {
        // A model class has its own error for text that is not JSON.
        if (error instanceof ModelError) parseItem(text, source);
        throw error;
      });
    if (decoded.issues === undefined) return decoded.value;
    const details = { ...source.errorDetails(text), issues: decoded.issues };
    throw new ValidationError(source.subject, details);
  };
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
