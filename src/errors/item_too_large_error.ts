/** The error of a stream with an item that is longer than the limit. */
import { brand, showInJson } from "./base_error.ts";
import { type RequestSummary, requestText } from "./message_text.ts";
import { RequestError } from "./request_error.ts";

/**
 * The error for an item of a stream that is longer than `maxItemLength`: a line, an event, an element
 * of an array or an XML record. Reading stops there, and the connection is closed. The items before it
 * have been delivered.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ItemTooLargeError } from "@restwright/restwright/errors";
 * import { ndjson } from "@restwright/restwright/streams";
 *
 * const adapter = () => Promise.resolve(new Response('{"id":1}\n{"id":"a long title"}\n'));
 * const session = new APISession({ url: "https://api.example.com", adapter });
 * try {
 *   for await (const _ of session.get("rows", { format: ndjson({ maxItemLength: 10 }) }));
 * } catch (error) {
 *   if (!(error instanceof ItemTooLargeError)) throw error;
 *   console.log(error.limit, error.index); // 10 1
 * }
 * ```
 *
 * @category Errors
 */
export class ItemTooLargeError extends RequestError {
  static {
    brand("ItemTooLargeError", this);
    showInJson(this, "limit", "index");
  }

  /** The limit in UTF-16 code units. */
  readonly limit: number;
  /** The index of the item, starting at 0. */
  readonly index: number;
  /** The request's method and URL, without credentials. */
  declare readonly request: RequestSummary;

  /**
   * Builds the error.
   *
   * @param limit The limit in UTF-16 code units
   * @param index The index of the item, starting at 0
   * @param request The request
   */
  constructor(limit: number, index: number, request: RequestSummary) {
    super(
      `item ${index + 1} of the response to ${requestText(request)} is longer than maxItemLength ` +
        `(${limit} UTF-16 code units); raise the limit if the server is trusted`,
      { request },
    );
    this.limit = limit;
    this.index = index;
  }
}
