/** The stream format for newline-delimited JSON. */
import type { ModelOutput, ResponseModel } from "../content/decode.ts";
import type { ItemStream, StreamFormat } from "../content/stream_format.ts";
import { itemDecoder, modelAndOptions } from "./decode_item.ts";
import { itemStream, maxItemLengthOf, type StreamOptions, StreamSource } from "./item_stream.ts";
import { type ItemSplitter, readJsonItems } from "./json_items.ts";

/**
 * Reads newline-delimited JSON (NDJSON, also called JSON Lines): one JSON value in each line. Blank
 * lines are skipped, and the last line may end without a line break.
 *
 * The content type is not checked. The text has to be UTF-8, with or without a byte order mark.
 *
 * While you iterate, these are thrown: `DecodeError` if a line is not JSON, `ValidationError` if it
 * does not match the model, `ItemTooLargeError` if it is too long, and `TransportError` if the
 * connection breaks.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ndjson } from "@restwright/restwright/streams";
 *
 * const adapter = () => Promise.resolve(new Response('{"id":1}\n{"id":2}\n'));
 * const session = new APISession({ url: "https://api.example.com", adapter });
 * for await (const { id } of session.get("rows", { format: ndjson<{ id: number }>() })) {
 *   console.log(id);
 * }
 * ```
 *
 * @param options The limit for a line
 * @typeParam T An item. It is not checked: pass a model to check it
 *
 * @category Streams
 */
export function ndjson<T = unknown>(options?: StreamOptions): StreamFormat<ItemStream<T>>;
/**
 * Reads newline-delimited JSON, and decodes each line.
 *
 * @param model A model class, a Standard Schema, or either in an array
 * @param options The limit for a line
 */
export function ndjson<const M extends ResponseModel>(
  model: M,
  options?: StreamOptions,
): StreamFormat<ItemStream<ModelOutput<M>>>;
export function ndjson(
  first?: ResponseModel | StreamOptions,
  second?: StreamOptions,
): StreamFormat<ItemStream<unknown>> {
  const { model, options } = modelAndOptions(first, second);
  const decode = itemDecoder(model);
  const limit = maxItemLengthOf(options);
  return {
    accept: "application/x-ndjson",
    stream(response, call) {
      const source = new StreamSource(response, call);
      return itemStream(
        readJsonItems(source, () => new LineSplitter(source, limit), decode),
        source,
      );
    },
  };
}

const SPACE = 32;

/** Splits text into lines. */
class LineSplitter implements ItemSplitter {
  readonly #source: StreamSource;
  readonly #limit: number;
  /** The part of the text whose lines have not all been returned, and the start of the next one. */
  #text = "";
  #start = 0;
  /** The line that has not ended, from the parts before. */
  #line = "";

  constructor(source: StreamSource, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  push(text: string): void {
    this.#text = text;
    this.#start = 0;
  }

  next(): string | undefined {
    for (let end; (end = this.#text.indexOf("\n", this.#start)) >= 0;) {
      const part = this.#text.slice(this.#start, end);
      // On Bun, adding each line to an empty text would take a third of the time to parse it.
      const line = this.#line === "" ? part : this.#line + part;
      this.#check(line);
      this.#line = "";
      this.#start = end + 1;
      if (!isBlank(line)) return line;
    }
    this.#line += this.#text.slice(this.#start);
    this.#check(this.#line);
    this.push("");
    return undefined;
  }

  end(): string | undefined {
    return isBlank(this.#line) ? undefined : this.#line;
  }

  #check(line: string): void {
    if (line.length > this.#limit) throw this.#source.tooLarge(this.#limit);
  }
}

/** Reports if a line has only characters that JSON ignores. */
function isBlank(line: string): boolean {
  // Most lines begin with their value: testing each of them would take as long as splitting them.
  return !(line.charCodeAt(0) > SPACE) && !/[^\t\r ]/.test(line);
}
