import type { Fault } from "./fault.ts";
import {
  badGateway,
  endless,
  lost,
  lostBody,
  stalled,
  stalledBody,
  tooLarge,
  tooLargeItem,
  whole,
} from "./outcomes.ts";
import { CHUNKED, head, LAST_CHUNK, lengthOf, textChunk } from "./response_bytes.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const ROW = '{"id":1,"title":"one of many"}\n';
const BLOCK = 16_384;

/** Returns a body in parts of 16 bytes. */
function partsOf(body: string): string[] {
  return body.match(/[^]{1,16}/g) ?? [];
}

/** Servers that send a little every 6 seconds. The timeout is 10 seconds. */
export const slowFaults: readonly Fault[] = [
  {
    name: "sends the body slowly",
    send: (body) => [head(lengthOf(body)), ...partsOf(body)],
    then: "keep",
    outcome: whole,
  },
  {
    name: "sends chunks slowly",
    send: (body) => [head(CHUNKED), ...partsOf(body).map(textChunk), LAST_CHUNK],
    then: "keep",
    outcome: whole,
  },
  { name: "sends a status line that never ends, slowly", then: { trickle: "H" }, outcome: stalled },
  {
    name: "sends headers without end, slowly",
    send: () => OK,
    then: { trickle: "X-Name: value\r\n" },
    outcome: stalled,
  },
  {
    name: "sends interim responses without end, slowly",
    then: { trickle: "HTTP/1.1 102 Processing\r\n\r\n" },
    outcome: stalled,
    nginx: null,
  },
  {
    name: "sends empty lines without end, slowly",
    then: { trickle: "\r\n" },
    outcome: stalled,
    nginx: null,
    squid: null,
  },
  {
    name: "sends chunks without end, slowly",
    send: () => head(CHUNKED),
    then: { trickle: textChunk(ROW) },
    outcome: endless,
  },
  {
    name: "sends a body without a length or an end, slowly",
    send: () => head("Connection: close"),
    then: { trickle: ROW },
    outcome: endless,
    squid: null,
  },
];

/** Servers that send without end, as fast as the client reads. */
export const floodFaults: readonly Fault[] = [
  {
    name: "sends a status line that never ends",
    then: { flood: "H".repeat(BLOCK) },
    outcome: lost,
    nginx: null,
    squid: null,
  },
  {
    name: "sends a reason phrase that never ends",
    send: () => "HTTP/1.1 200 ",
    then: { flood: "x".repeat(BLOCK) },
    outcome: lost,
    except: { Node: stalled },
    nginx: badGateway,
    squid: null,
  },
  {
    name: "sends headers without end",
    send: () => OK,
    then: { flood: "X-Name: value\r\n".repeat(1000) },
    outcome: lost,
  },
  {
    name: "sends a header that never ends",
    send: () => `${OK}X-Name: `,
    then: { flood: "x".repeat(BLOCK) },
    outcome: lost,
  },
  {
    name: "sends empty lines without end",
    then: { flood: "\r\n".repeat(1000) },
    outcome: lost,
    except: { Node: stalled },
    nginx: null,
    squid: null,
  },
  {
    name: "sends interim responses without end",
    then: { flood: "HTTP/1.1 102 Processing\r\n\r\n".repeat(100) },
    outcome: stalled,
    nginx: null,
  },
  {
    name: "sends a body without a length or an end",
    send: () => head("Connection: close"),
    then: { flood: " ".repeat(BLOCK) },
    outcome: tooLargeItem,
  },
  {
    name: "sends chunks without end",
    send: () => head(CHUNKED),
    then: { flood: textChunk(" ".repeat(BLOCK)) },
    outcome: tooLargeItem,
  },
  {
    name: "sends a chunk of a terabyte",
    send: () => `${head(CHUNKED)}FFFFFFFFFF\r\n`,
    then: { flood: " ".repeat(BLOCK) },
    outcome: tooLargeItem,
  },
  {
    name: "sends rows without end",
    send: () => head(CHUNKED),
    then: { flood: textChunk(ROW.repeat(500)) },
    outcome: tooLarge,
  },
  {
    name: "sends an extension of a chunk that never ends",
    send: () => `${head(CHUNKED)}5;a=`,
    then: { flood: "b".repeat(BLOCK) },
    outcome: stalledBody,
    except: { Deno: lostBody },
    nginx: null, // it may hold the headers back
    squid: lostBody,
  },
  {
    name: "sends a size of a chunk that never ends",
    send: () => head(CHUNKED),
    then: { flood: "0".repeat(BLOCK) },
    outcome: stalledBody,
    except: { Bun: lostBody },
    nginx: null, // as above
    squid: lostBody,
  },
  {
    name: "sends trailers without end",
    send: (body) => `${head(CHUNKED)}${textChunk(body)}0\r\n`,
    then: { flood: "X-Name: value\r\n".repeat(1000) },
    outcome: lostBody,
    except: { Bun: stalledBody },
    nginx: stalledBody,
    squid: lostBody,
  },
];
