/** The stream format for the records of an XML document, as instances of a model. */
import { ModelError } from "../errors/model_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { ValidationError } from "../errors/validation_error.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import type { Model } from "../models/model.ts";
import { isModelClass, modelBrand, type ModelClass } from "../models/model_class.ts";
import type { XmlStreamOptions } from "../models/xml/target.ts";
import { issuesOf } from "../content/decode.ts";
import { isXmlError } from "../call/formats/model.ts";
import type { ItemStream, StreamFormat } from "../content/stream_format.ts";
import type { ItemBatch } from "./batches.ts";
import { itemStream, maxItemLengthOf, type StreamOptions, StreamSource } from "./item_stream.ts";

/**
 * Reads the records of an XML document one by one, as instances of a model. The rest of the document
 * is skipped, but must be well-formed.
 *
 * The content type is not checked, apart from its charset.
 *
 * While you iterate, these are thrown: `DecodeError` if the document is not XML, `ValidationError` if
 * a record does not match the model, `ItemTooLargeError` if it is too long, and `TransportError` if
 * the connection breaks.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { element, model, string } from "@restwright/restwright/models";
 * import { xmlRecords } from "@restwright/restwright/streams";
 *
 * class Item extends model("item", { title: element(string) }) {}
 *
 * const adapter = () => Promise.resolve(new Response("<rss><item><title>One</title></item></rss>"));
 * const session = new APISession({ url: "https://api.example.com", adapter });
 * const format = xmlRecords(Item, { at: "rss/item" });
 * for await (const item of session.get("feed", { format })) console.log(item.title); // One
 * ```
 *
 * @param model A model class
 * @param options The place of the records, and limits. `maxItemLength` counts the bytes of the chunks
 * from the end of one record to the end of the next
 * @throws {UnexpectedValueError} If the model or an option is not valid
 *
 * @category Streams
 */
export function xmlRecords<T extends Model>(
  model: ModelClass<T>,
  options: StreamOptions & Pick<XmlStreamOptions, "at" | "maxDepth" | "doctype"> = {},
): StreamFormat<ItemStream<T>> {
  const streamXml = isModelClass(model) ? model[modelBrand].streamXml : undefined;
  if (streamXml === undefined) throw new UnexpectedValueError("model", "a model class", model);
  const limit = maxItemLengthOf(options, ["at", "doctype", "maxDepth"]);
  const { maxItemLength: _, ...xmlOptions } = options;
  return {
    accept: "application/xml, text/xml;q=0.9, */*;q=0.1",
    stream(response, call) {
      const source = new StreamSource(response, call);
      const { charset } = mediaTypeOf(response.headers.get("content-type"));
      const body = new RecordChunks(source, limit);
      const batches = streamXml(model, body.chunks(), { ...xmlOptions, charset });
      return itemStream(readRecords(batches, body, source), source);
    },
  };
}

async function* readRecords<T>(
  batches: AsyncGenerator<readonly T[], void, undefined>,
  body: RecordChunks,
  source: StreamSource,
): AsyncGenerator<ItemBatch<T>, void, undefined> {
  try {
    for await (const records of batches) {
      body.forget();
      yield records.values();
    }
  } catch (error) {
    if (error instanceof ModelError) {
      const details = { ...source.errorDetails(body.text()), issues: issuesOf(error) };
      throw new ValidationError(source.subject, details);
    }
    if (!isXmlError(error)) throw error;
    const message = `${source.wholeSubject} cannot be read: ${error.message}`;
    throw source.decodeError(message, body.text(), error);
  }
}

/** The chunks of a document since the one in which the last record ended. */
class RecordChunks {
  readonly #source: StreamSource;
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  /** The bytes of the chunks in which no record has ended. */
  #length = 0;

  constructor(source: StreamSource, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  /** Yields the chunks for the parser. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let chunk; (chunk = await this.#source.read()) !== undefined;) {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      yield chunk; // the records of the chunk are read before this continues
      if (this.#length > this.#limit) throw this.#source.tooLarge(this.#limit);
    }
  }

  /** Called after the records of a chunk. The next one may begin in the last chunk. */
  forget(): void {
    this.#length = 0;
    if (this.#chunks.length > 1) this.#chunks = this.#chunks.slice(-1);
  }

  /** Returns the text of the chunks, for an error. */
  text(): string {
    const decoder = new TextDecoder();
    return this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
  }
}
