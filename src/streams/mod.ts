/**
 * Formats for the request option `stream`, which read a response while it arrives: server-sent events,
 * newline-delimited JSON, the elements of a JSON array, and XML records.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ndjson } from "@restwright/restwright/streams";
 *
 * const adapter = () => Promise.resolve(new Response('{"id":1}\n{"id":2}\n'));
 * const session = new APISession({ url: "https://api.example.com", adapter });
 * const rows = session.get("rows", { stream: ndjson<{ id: number }>() });
 * for await (const { id } of rows) console.log(id);
 * ```
 *
 * @module
 */

export type { ItemError, ItemStream, StreamCall, StreamFormat } from "../content/stream_format.ts";
export type { StreamOptions } from "./item_stream.ts";
export { jsonArray } from "./json_array.ts";
export { ndjson } from "./ndjson.ts";
export { type EventOf, type ServerSentEvent, sse, type SseOptions, type StreamEnd } from "./sse.ts";
export { xmlRecords, type XmlRecordsOptions } from "./xml_records.ts";
