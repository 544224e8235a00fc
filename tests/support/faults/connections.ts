import type { Fault } from "./fault.ts";
import { empty, lost, lostBody, stalled, stalledBody, whole, wrongText } from "./outcomes.ts";
import { CHUNKED, head, lengthOf, partOf, textChunk, wholeResponse } from "./response_bytes.ts";

/** A moment at which a server ends the connection. */
interface Stage extends Pick<Fault, "at" | "send"> {
  readonly when: string;
  readonly isBody?: boolean;
}

const stages: readonly Stage[] = [
  { when: "when it is opened", at: "connected" },
  { when: "while it reads the request", at: "reading" },
  { when: "before the response" },
  { when: "within the status line", send: () => "HTTP/1.1 20" },
  { when: "within the headers", send: () => "HTTP/1.1 200 OK\r\nContent-Type: appl" },
  { when: "after the headers", send: (body) => head(lengthOf(body)), isBody: true },
  {
    when: "within the body",
    send: (body) => head(lengthOf(body)) + partOf(body),
    isBody: true,
  },
  { when: "before the first chunk", send: () => head(CHUNKED), isBody: true },
  {
    when: "within the size of a chunk",
    send: (body) => `${head(CHUNKED)}${textChunk(partOf(body))}1`,
    isBody: true,
  },
  {
    when: "within a chunk",
    send: (body) => head(CHUNKED) + textChunk(partOf(body)).slice(0, -9),
    isBody: true,
  },
  {
    when: "between two chunks",
    send: (body) => head(CHUNKED) + textChunk(partOf(body)),
    isBody: true,
  },
  {
    when: "before the last chunk",
    send: (body) => head(CHUNKED) + textChunk(body),
    isBody: true,
  },
];

/** Servers that end or abandon a connection at each stage of a response. */
export const connectionFaults: readonly Fault[] = [
  ...stages.flatMap(({ when, isBody = false, ...stage }): Fault[] => [
    {
      name: `closes the connection ${when}`,
      ...stage,
      then: "close",
      outcome: isBody ? lostBody : lost,
      ...(when === "within the headers" && { squid: empty }), // it has a status
    },
    {
      name: `resets the connection ${when}`,
      ...stage,
      then: "reset",
      outcome: isBody ? lostBody : lost,
      ...(stage.at === "connected" && { squid: null }), // a 502, or a 503
    },
    {
      name: `stays silent ${when}`,
      ...stage,
      then: "silence",
      outcome: isBody ? stalledBody : stalled,
    },
  ]),
  // All of the body has arrived. Bun does not wait for the end of the trailers.
  ...(["close", "reset"] as const).map((then): Fault => ({
    name: `${then === "close" ? "closes" : "resets"} the connection within the trailers`,
    send: (body) => `${head(CHUNKED)}${textChunk(body)}0\r\nX-Name: val`,
    then,
    outcome: lostBody,
    except: { Bun: whole },
    nginx: lostBody,
    squid: lostBody,
  })),
  {
    name: "stays silent within the trailers",
    send: (body) => `${head(CHUNKED)}${textChunk(body)}0\r\nX-Name: val`,
    then: "silence",
    outcome: stalledBody,
  },
  // The end of the connection is the end of such a body (RFC 9112 §6.3), so that a part looks whole.
  {
    name: "closes the connection within a body without a length",
    send: (body) => head("Connection: close") + partOf(body),
    outcome: wrongText,
  },
  {
    name: "closes the connection after a body without a length",
    send: (body) => head("Connection: close") + body,
    outcome: whole,
  },
  {
    name: "resets the connection within a body without a length",
    send: (body) => head("Connection: close") + partOf(body),
    then: "reset",
    outcome: wrongText,
    except: { Deno: lostBody },
    nginx: lostBody,
    squid: lostBody,
  },
  {
    name: "stays silent within a body without a length",
    send: (body) => head("Connection: close") + partOf(body),
    then: "silence",
    outcome: stalledBody,
  },
  // Kept-alive connections.
  {
    name: "closes a kept-alive connection after the response",
    send: wholeResponse,
    then: "close",
    outcome: whole,
  },
  {
    name: "resets a kept-alive connection after the response",
    send: wholeResponse,
    then: "reset",
    outcome: whole,
  },
  ...(["close", "reset"] as const).map((then): Fault => ({
    name: `${then}s a kept-alive connection when the next request arrives`,
    isKeptAlive: true,
    then,
    outcome: lost,
    resent: {
      Deno: ["GET", "PUT", "DELETE", "HEAD"],
      Bun: ["GET", "PUT", "DELETE", "HEAD"],
    },
    squid: null, // it sends some requests again, too
  })),
  {
    name: "stays silent on a kept-alive connection when the next request arrives",
    isKeptAlive: true,
    then: "silence",
    outcome: stalled,
  },
];
