import { gzipSync } from "node:zlib";
import { ServerError, TooManyRequestsError } from "../../../mod.ts";
import { ServiceUnavailableError } from "../../../src/entries/errors.ts";
import { PayloadTooLargeError } from "../../../src/errors/mod.ts";
import type { Fault } from "./fault.ts";
import { empty, status, wrongText } from "./outcomes.ts";
import {
  CHUNKED,
  headOf,
  joined,
  lengthOf,
  partOf,
  response,
  textChunk,
  wholeResponse,
} from "./response_bytes.ts";

const BUSY = "HTTP/1.1 503 Busy";
const busy = status(ServiceUnavailableError, "status");
const bomb = new Uint8Array(gzipSync(new Uint8Array(2 ** 23)));

/** Servers that send error statuses, also with a faulty body. The status is the error to throw. */
export const statusFaults: readonly Fault[] = [
  { name: "is busy", send: response(BUSY), then: "keep", outcome: busy },
  {
    name: "is busy for 2.5 seconds",
    send: response(BUSY, "Retry-After: 2.5"),
    then: "keep",
    outcome: status(ServiceUnavailableError, 2.5),
  },
  {
    name: "is asked too often and sends a Retry-After that cannot be read",
    send: response("HTTP/1.1 429 Too Many Requests", "Retry-After: soon"),
    then: "keep",
    outcome: status(TooManyRequestsError, "status"),
  },
  {
    name: "has an error of its own",
    send: response("HTTP/1.1 500 Internal Server Error"),
    then: "keep",
    outcome: status(ServerError),
  },
  {
    name: "refuses the request before it has read the body",
    at: "reading",
    send: response("HTTP/1.1 413 Content Too Large", "Connection: close"),
    outcome: status(PayloadTooLargeError),
  },
  ...(["close", "reset"] as const).map((then): Fault => ({
    name: `is busy and ${then}s the connection within the body`,
    send: (body) => headOf(BUSY, lengthOf(body)) + partOf(body),
    then,
    outcome: busy,
  })),
  {
    name: "is busy and stays silent within the body",
    send: (body) => headOf(BUSY, lengthOf(body)) + partOf(body),
    then: "silence",
    outcome: { ...busy, needs: "timeout" },
  },
  {
    name: "is busy and sends a body without end",
    send: () => headOf(BUSY, CHUNKED),
    then: { flood: textChunk(" ".repeat(16_384)) },
    outcome: busy,
  },
  {
    name: "is busy and sends a bad chunk",
    send: (body) => `${headOf(BUSY, CHUNKED)}zz\r\n${body}\r\n`,
    outcome: busy,
    nginx: null,
  },
  {
    name: "is busy and sends plain text as gzip",
    send: (body) => headOf(BUSY, "Content-Encoding: gzip", lengthOf(body)) + body,
    then: "keep",
    outcome: busy,
  },
  {
    name: "is busy and sends a gzip bomb",
    send: () => joined(headOf(BUSY, "Content-Encoding: gzip", lengthOf(bomb)), bomb),
    then: "keep",
    outcome: busy,
  },
  {
    name: "sends HTML instead of JSON",
    send: () => wholeResponse("<html>"),
    then: "keep",
    outcome: wrongText,
  },
  { name: "sends an empty body", send: () => wholeResponse(""), then: "keep", outcome: empty },
];
