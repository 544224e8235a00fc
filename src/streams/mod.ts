/**
 * Values of the request option `format` that read a response while it arrives: server-sent events,
 * newline-delimited JSON, the elements of a JSON array, and XML records.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { ndjson, type StreamPromise } from "@restwright/restwright/streams";
 *
 * class Table extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   rows(): StreamPromise<{ id: number }> {
 *     return this._get("/rows", { format: ndjson<{ id: number }>() });
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(new Response('{"id":1}\n{"id":2}\n'));
 * const ids: number[] = [];
 * for await (const { id } of new Table({ fetch }).rows()) ids.push(id);
 * console.log(ids.join()); // 1,2
 * ```
 *
 * @module
 */

export type { StreamPromise } from "../call/api_promise.ts";
export type { ItemStream, StreamCall, StreamFormat } from "../content/stream_format.ts";
export type { StreamOptions } from "./item_stream.ts";
export { jsonArray } from "./json_array.ts";
export { ndjson } from "./ndjson.ts";
export { type EventOf, type ServerSentEvent, sse, type SseOptions } from "./sse.ts";
export { xmlRecords } from "./xml_records.ts";
