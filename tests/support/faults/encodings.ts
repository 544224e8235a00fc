import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Bytes, Fault, Outcome } from "./fault.ts";
import { empty, lostBody, notDecoded, tooLargeItem, whole, wrongText } from "./outcomes.ts";
import { bytesOf, chunk, CHUNKED, head, joined, LAST_CHUNK, lengthOf } from "./response_bytes.ts";

/** Returns a response with a body in an encoding. */
function encoded(bytes: Bytes, encoding = "gzip"): Uint8Array {
  return joined(head(`Content-Encoding: ${encoding}`, lengthOf(bytes)), bytes);
}

/** Returns a text in gzip. It is not compressed, so that a part of it is a part of the text. */
function gzip(text: string): Uint8Array {
  return new Uint8Array(gzipSync(text, { level: 0 }));
}

/** Returns a text in gzip, of which some bytes are others. */
function damaged(text: string, from: number, to: number): Uint8Array {
  const bytes = gzip(text);
  return bytes.fill(0x5a, bytes.length + from, bytes.length + to);
}

/** The length of the checksum and the size at the end of gzip (RFC 1952 §2.3.1). */
const TRAILER = 8;

/** 32 MiB in 32 kB, and those in 200 bytes. */
const bomb = new Uint8Array(gzipSync(new Uint8Array(2 ** 23)));
const bombInBomb = new Uint8Array(gzipSync(bomb));
const brotliBomb = new Uint8Array(brotliCompressSync(new Uint8Array(2 ** 23)));

/** The connection of a body that can be read to its end may be used again. */
const tooLarge: Outcome = { ...tooLargeItem, closes: false };

/** Servers that send bad gzip, and gzip bombs. */
export const encodingFaults: readonly Fault[] = [
  {
    name: "sends gzip that ends early",
    send: (body) => encoded(gzip(body).subarray(0, -TRAILER - 12)),
    then: "keep",
    outcome: notDecoded,
  },
  {
    name: "sends gzip that ends early, in chunks",
    send: (body) =>
      joined(
        head("Content-Encoding: gzip", CHUNKED),
        chunk(gzip(body).subarray(0, -TRAILER - 12)),
        LAST_CHUNK,
      ),
    then: "keep",
    outcome: notDecoded,
  },
  {
    name: "closes the connection within gzip",
    send: (body) => encoded(gzip(body)).subarray(0, -TRAILER - 12),
    outcome: lostBody,
  },
  {
    name: "sends gzip with a wrong checksum",
    send: (body) => encoded(damaged(body, -8, -4)),
    then: "keep",
    outcome: notDecoded,
  },
  {
    name: "sends gzip with a wrong size",
    send: (body) => encoded(damaged(body, -4, 0)),
    then: "keep",
    outcome: notDecoded,
  },
  {
    name: "sends gzip with damaged data",
    send: (body) => encoded(new Uint8Array(gzipSync(body)).fill(0xff, 12, 20)),
    then: "keep",
    outcome: notDecoded,
  },
  {
    name: "sends plain text as gzip",
    send: (body) => encoded(body),
    then: "keep",
    outcome: notDecoded,
  },
  { name: "sends nothing as gzip", send: () => encoded(""), then: "keep", outcome: empty },
  {
    name: "sends bytes after gzip",
    send: (body) => encoded(joined(gzip(body), "surplus bytes")),
    then: "keep",
    outcome: whole,
    except: { Node: notDecoded },
  },
  {
    name: "sends gzip in two members",
    send: (body) => encoded(joined(gzip(body.slice(0, 10)), gzip(body.slice(10)))),
    then: "keep",
    outcome: whole,
    except: { Deno: wrongText },
  },
  {
    name: "sends gzip in gzip",
    send: (body) => encoded(new Uint8Array(gzipSync(gzip(body))), "gzip, gzip"),
    then: "keep",
    outcome: wrongText,
    except: { Node: whole },
  },
  { name: "sends a gzip bomb", send: () => encoded(bomb), then: "keep", outcome: tooLarge },
  {
    name: "sends a gzip bomb in a gzip bomb",
    send: () => encoded(bombInBomb, "gzip, gzip"),
    then: "keep",
    outcome: wrongText,
    except: { Node: tooLarge },
  },
  {
    name: "sends a brotli bomb",
    send: () => encoded(brotliBomb, "br"),
    then: "keep",
    outcome: tooLarge,
  },
  {
    name: "sends plain text as brotli",
    send: (body) => encoded(body, "br"),
    then: "keep",
    outcome: notDecoded,
  },
  {
    name: "names an unknown encoding",
    send: (body) => encoded(bytesOf(body), "unknown"),
    then: "keep",
    outcome: whole,
  },
];
