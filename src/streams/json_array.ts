/** The stream format for the elements of an array in a JSON document. */
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ModelOutput, ResponseModel } from "../content/decode.ts";
import type { ItemStream, StreamFormat } from "../content/stream_format.ts";
import { ArraySplitter } from "./array_splitter.ts";
import { itemDecoder, modelAndOptions } from "./decode_item.ts";
import { itemStream, maxItemLengthOf, type StreamOptions, StreamSource } from "./item_stream.ts";
import { readJsonItems } from "./json_items.ts";

/**
 * Reads the elements of an array in a JSON document one by one.
 *
 * The rest of the document is skipped: only its strings and brackets are checked. The content type is
 * not checked. The text has to be UTF-8, with or without a byte order mark.
 *
 * While you iterate, these are thrown: `DecodeError` if an element is not JSON, there is no such array,
 * or the document ends early; `ValidationError` if an element does not match the model;
 * `ItemTooLargeError` if it is too long; and `TransportError` if the connection breaks.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { jsonArray } from "@restwright/restwright/streams";
 *
 * const adapter = () => Promise.resolve(Response.json({ total: 2, rows: [{ id: 1 }, { id: 2 }] }));
 * const session = new APISession({ url: "https://api.example.com", adapter });
 * const format = jsonArray<{ id: number }>("/rows");
 * for await (const { id } of session.get("rows", { format })) console.log(id);
 * ```
 *
 * @param pointer The place of the array as a JSON pointer (RFC 6901): empty for an array that is the
 * whole document, or such as `/data/items`
 * @param options The limit for an element
 * @typeParam T An item. It is not checked: pass a model to check it
 * @throws {UnexpectedValueError} If the pointer is not valid
 *
 * @category Streams
 */
export function jsonArray<T = unknown>(
  pointer: string,
  options?: StreamOptions,
): StreamFormat<ItemStream<T>>;
/**
 * Reads the elements of an array in a JSON document one by one, and decodes each.
 *
 * @param pointer The place of the array as a JSON pointer (RFC 6901)
 * @param model A model class, a Standard Schema, or either in an array
 * @param options The limit for an element
 * @throws {UnexpectedValueError} If the pointer is not valid
 */
export function jsonArray<const M extends ResponseModel>(
  pointer: string,
  model: M,
  options?: StreamOptions,
): StreamFormat<ItemStream<ModelOutput<M>>>;
export function jsonArray(
  pointer: string,
  first?: ResponseModel | StreamOptions,
  second?: StreamOptions,
): StreamFormat<ItemStream<unknown>> {
  const path = parsePointer(pointer);
  const { model, options } = modelAndOptions(first, second);
  const decode = itemDecoder(model);
  const limit = maxItemLengthOf(options);
  return {
    accept: "application/json",
    stream(response, call) {
      const source = new StreamSource(response, call);
      const newSplitter = () => new ArraySplitter(source, path, limit);
      return itemStream(readJsonItems(source, newSplitter, decode), source);
    },
  };
}

/** Parses a JSON pointer (RFC 6901, section 4). */
function parsePointer(pointer: string): string[] {
  if (typeof pointer !== "string" || !/^(?:\/(?:[^~]|~[01])*)?$/.test(pointer)) {
    throw new UnexpectedValueError(
      "pointer",
      'a JSON pointer, such as "/data/items", or "" for an array that is the whole document ' +
        "(~ is written as ~0, and / in a name as ~1)",
      pointer,
    );
  }
  return pointer.split("/").slice(1).map((name) =>
    name.replaceAll("~1", "/").replaceAll("~0", "~")
  );
}
