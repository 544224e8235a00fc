import { APIError } from "../../../mod.ts";
import type { Fault } from "./fault.ts";
import {
  badGateway,
  empty,
  lost,
  lostBody,
  lostFraming,
  status,
  whole,
  wrongText,
} from "./outcomes.ts";
import {
  CHUNKED,
  head,
  headOf,
  LAST_CHUNK,
  lengthOf,
  partOf,
  response,
  textChunk,
  wholeResponse,
} from "./response_bytes.ts";

/** Returns a response with a field instead of its length. nginx reads it until the connection closes. */
function withField(field: string): (body: string) => string {
  return (body) => head(field) + body;
}

/** Returns a response in chunks. */
function inChunks(chunks: (body: string) => string, ...fields: string[]): (body: string) => string {
  return (body) => head(CHUNKED, ...fields) + chunks(body);
}

/** Replaces the line with the size of a chunk. */
function sized(line: (size: string) => string): (body: string) => string {
  return inChunks((body) => `${line(body.length.toString(16))}${body}\r\n${LAST_CHUNK}`);
}

/** Servers that send wrong lengths. */
export const lengthFaults: readonly Fault[] = [
  {
    name: "sends bytes after the body",
    send: (body) => `${wholeResponse(body)}surplus`,
    then: "keep",
    outcome: whole,
  },
  {
    name: "sends a second response that nobody asked for",
    send: (body) => wholeResponse(body) + wholeResponse('{"id":666,"title":"poison"}'),
    then: "keep",
    outcome: whole,
  },
  {
    name: "sends the same Content-Length twice",
    send: (body) => head(lengthOf(body), lengthOf(body)) + body,
    outcome: whole,
    except: { Node: lost },
    nginx: whole,
    squid: whole,
  },
  {
    name: "sends two Content-Lengths that differ",
    send: (body) => head(lengthOf(body), lengthOf(partOf(body))) + body,
    outcome: lostFraming,
    except: { Node: lost },
    nginx: wrongText,
    squid: badGateway,
  },
  {
    name: "sends a list as Content-Length",
    send: (body) => withField(`${lengthOf(body)}, ${body.length}`)(body),
    outcome: lost,
    except: { Deno: whole },
    nginx: whole,
    squid: whole,
  },
  ...[["that is negative", "-1"], ["that is not a number", "many"], ["with a plus sign", "+9"], [
    "beyond 64 bits",
    "99999999999999999999999",
  ]].map(([what, length]): Fault => ({
    name: `sends a Content-Length ${what}`,
    send: withField(`Content-Length: ${length}`),
    outcome: lost,
    except: { Deno: lostFraming },
    nginx: whole,
    squid: badGateway,
  })),
  {
    name: "sends a Content-Length beside chunks",
    send: inChunks((body) => textChunk(body) + LAST_CHUNK, "Content-Length: 3"),
    outcome: whole,
    except: { Node: lost },
    nginx: whole,
    squid: whole,
  },
  {
    name: "sends a 204 with a body",
    send: response("HTTP/1.1 204 No Content"),
    then: "keep",
    outcome: empty,
    squid: null, // it takes the body for the next response
  },
  {
    name: "sends a 304 with a body",
    send: response("HTTP/1.1 304 Not Modified"),
    then: "keep",
    outcome: status(APIError),
    squid: null, // as above
  },
];

/** Servers that send bad chunks. */
export const chunkFaults: readonly Fault[] = [
  {
    name: "sends chunks of one byte",
    send: inChunks((body) => [...body].map(textChunk).join("") + LAST_CHUNK),
    then: "keep",
    outcome: whole,
  },
  ...[["that is not a number", "zz"], ["that is negative", "-5"], ["that is missing", ""], [
    "beyond 64 bits",
    "FFFFFFFFFFFFFFFFFF",
  ]].map(([what, size]): Fault => ({
    name: `sends a chunk with a size ${what}`,
    send: sized(() => `${size}\r\n`),
    then: "keep",
    outcome: lostBody,
    nginx: null, // it closes the connection, and some runtimes then send the request again
  })),
  {
    name: "sends a chunk with a size of 24 zeros and digits",
    send: sized((size) => `${"0".repeat(24)}${size}\r\n`),
    then: "keep",
    outcome: whole,
    except: { Bun: lostBody },
    nginx: whole,
    squid: whole,
  },
  {
    name: "sends a chunk that is longer than its size",
    send: inChunks((body) => `${textChunk(body).slice(0, -2)}XY\r\n${LAST_CHUNK}`),
    then: "keep",
    outcome: lostBody,
    nginx: null, // it closes the connection, and some runtimes then send the request again
  },
  {
    name: "ends the size of a chunk with only a line feed",
    send: sized((size) => `${size}\n`),
    then: "keep",
    outcome: lostBody,
    nginx: whole,
  },
  {
    name: "sends an extension of a chunk",
    send: sized((size) => `${size};a="b"\r\n`),
    then: "keep",
    outcome: whole,
  },
  {
    name: "sends an extension of 100 kB",
    send: sized((size) => `${size};a=${"b".repeat(100_000)}\r\n`),
    then: "keep",
    outcome: whole,
    except: { Deno: lostBody },
    nginx: whole,
    squid: lostBody,
  },
  {
    name: "sends trailers",
    send: inChunks((body) => `${textChunk(body)}0\r\nX-Name: value\r\n\r\n`),
    then: "keep",
    outcome: whole,
  },
  {
    name: "sends trailers that cannot be parsed",
    send: inChunks((body) => `${textChunk(body)}0\r\ngarbage\r\n\r\n`),
    then: "keep",
    outcome: lostBody,
    except: { Bun: whole },
    nginx: whole,
    squid: whole,
  },
  {
    name: "names an unknown Transfer-Encoding",
    send: withField("Transfer-Encoding: unknown"),
    outcome: whole,
    except: { Bun: lost },
    nginx: whole,
    squid: badGateway,
  },
  {
    name: "names the Transfer-Encoding chunked twice",
    send: (body) => head("Transfer-Encoding: chunked, chunked") + textChunk(body) + LAST_CHUNK,
    then: "keep",
    outcome: whole,
    except: { Bun: lost },
    nginx: whole,
    squid: badGateway,
  },
  {
    name: "names chunked before another Transfer-Encoding",
    send: (body) => head("Transfer-Encoding: chunked, gzip") + textChunk(body) + LAST_CHUNK,
    outcome: wrongText,
    except: { Bun: lost },
    nginx: whole,
    squid: badGateway,
  },
  {
    name: "sends chunks by HTTP/1.0",
    send: (body) => headOf("HTTP/1.0 200 OK", CHUNKED) + textChunk(body) + LAST_CHUNK,
    outcome: whole,
    except: { Deno: lostFraming },
    nginx: whole,
    squid: whole,
  },
];
