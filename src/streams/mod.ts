/**
 * Formats for the request option `stream`.
 *
 * @module
 */

export type { OptionsWithModel } from "../request_method.ts";
export type { StreamCall, StreamFormat } from "../request/stream_format.ts";
