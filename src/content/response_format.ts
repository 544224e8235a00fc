/** The interface of a format for the request option `format`, and the formats that are ready. */
import { textWithCharset } from "../http/incoming_response.ts";

/**
 * A format for the request option `format`: how the body of a success becomes the result of a call.
 *
 * The toolkit reads the body inside the attempt, so that a body that breaks off is retried. For a body
 * that is read while it arrives, see `StreamFormat`.
 *
 * @typeParam T The result of the call
 *
 * @example Lines of CSV
 * ```ts
 * import { APIClient, type ResponseFormat } from "@restwright/restwright";
 *
 * const csv: ResponseFormat<string[][]> = {
 *   accept: "text/csv",
 *   read: async (response) =>
 *     (await response.text()).trimEnd().split("\n").map((line) => line.split(",")),
 * };
 * class Sheets extends APIClient {
 *   static override readonly baseUrl: string = "https://sheets.example.com";
 *   rows(): Promise<string[][]> {
 *     return this._get("/rows", { format: csv });
 *   }
 * }
 * const sheets = new Sheets({ fetch: () => Promise.resolve(new Response("1,Emma\n2,Dune\n")) });
 * console.log((await sheets.rows())[1]); // [ "2", "Dune" ]
 * ```
 *
 * @category Responses
 */
export interface ResponseFormat<T> {
  /** The Accept header, if the call sets none. Default: that of the session */
  readonly accept?: string | undefined;
  /**
   * Returns the result of the call. The call throws what this throws, without a retry.
   *
   * @param response The response, whose body has been received and can be read once in any way
   */
  read(response: Response): T | Promise<T>;
}

/**
 * The body as text; empty if there is none. It is decoded with the charset of its content type, or as
 * UTF-8 if that names none.
 *
 * @example
 * ```ts
 * import { APISession, textFormat } from "@restwright/restwright";
 *
 * const api = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(new Response("# Title")),
 * });
 * const readme: string = await api.get("readme", { format: textFormat });
 * console.log(readme); // # Title
 * ```
 *
 * @category Responses
 */
export const textFormat: ResponseFormat<string> = {
  read: async (response) =>
    textWithCharset(
      new Uint8Array(await response.arrayBuffer()),
      response.headers.get("content-type"),
    ),
};

/**
 * The body as bytes; empty if there is none.
 *
 * @category Responses
 */
export const bytesFormat: ResponseFormat<Uint8Array<ArrayBuffer>> = {
  read: async (response) => new Uint8Array(await response.arrayBuffer()),
};

/**
 * Nothing: the body is received and dropped, so that a response without one, or with one that nobody
 * needs, is undefined.
 *
 * @example
 * ```ts
 * import { APIClient, voidFormat } from "@restwright/restwright";
 *
 * class Shelf extends APIClient {
 *   static override readonly baseUrl: string = "https://shelf.example.com";
 *   remove(): Promise<void> {
 *     return this._delete("/books/7", { format: voidFormat });
 *   }
 * }
 * const fetch = () => Promise.resolve(new Response("gone"));
 * console.log(await new Shelf({ fetch }).remove()); // undefined
 * ```
 *
 * @category Responses
 */
export const voidFormat: ResponseFormat<void> = { read: () => {} };
