import { Buffer } from "node:buffer";
import type { Bytes } from "./fault.ts";

/** Returns bytes; text is encoded as Latin-1. */
export function bytesOf(bytes: Bytes): Uint8Array {
  return typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
}

/** Joins bytes. */
export function joined(...parts: readonly Bytes[]): Uint8Array {
  return Buffer.concat(parts.map(bytesOf));
}

/** Returns the head of a response with a status line, JSON and these fields. */
export function headOf(statusLine: string, ...fields: readonly string[]): string {
  return [statusLine, "Content-Type: application/json", ...fields, "", ""].join("\r\n");
}

/** Returns the head of a response with the status 200, JSON and these fields. */
export function head(...fields: readonly string[]): string {
  return headOf("HTTP/1.1 200 OK", ...fields);
}

/** Returns the field `Content-Length` of a body. */
export function lengthOf(body: Bytes): string {
  return `Content-Length: ${body.length}`;
}

/** Returns a whole response with a status line and a body. */
export function response(statusLine: string, ...fields: readonly string[]) {
  return (body: string): string => headOf(statusLine, lengthOf(body), ...fields) + body;
}

/** Returns a whole response with the status 200. */
export const wholeResponse: (body: string) => string = response("HTTP/1.1 200 OK");

/** The first 70 % of a body: two of the three rows of a stream, and a part of the last. */
export function partOf(body: string): string {
  return body.slice(0, Math.floor(body.length * 0.7));
}

/** The field of a body in chunks. */
export const CHUNKED = "Transfer-Encoding: chunked";

/** The end of a body in chunks. */
export const LAST_CHUNK = "0\r\n\r\n";

/** Returns a chunk. */
export function chunk(data: Bytes): Bytes {
  const size = data.length.toString(16);
  if (typeof data === "string") return `${size}\r\n${data}\r\n`;
  return joined(`${size}\r\n`, data, "\r\n");
}

/** Returns a chunk of text. */
export function textChunk(data: string): string {
  return chunk(data) as string;
}
