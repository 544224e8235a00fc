import { createServer, type Socket } from "node:net";

/** The headers that only the transport may set, as listed in the documentation. */
export const framingHeaders: readonly string[] = [
  "Content-Length",
  "Transfer-Encoding",
  "Host",
  "Connection",
  "Keep-Alive",
  "Proxy-Connection",
  "Upgrade",
  "TE",
  "Trailer",
  "Expect",
];

/** A request, separated from the next one by its framing (RFC 9112 §6.3). */
export interface FramedRequest {
  /** The method. */
  readonly method: string;
  /** The target as it was sent: a path, or a URL if the server acts as a proxy. */
  readonly target: string;
  /** All values of each header, by name in lower case. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The body, in Latin-1. */
  readonly body: string;
}

/** A server that reads requests byte by byte, like a proxy. */
export interface FramedServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** The requests of all connections so far, in order. */
  readonly requests: FramedRequest[];
  /** Closes every connection and stops the server. */
  stop(): Promise<void>;
}

/**
 * Starts a server that answers each request on a connection. A body that contains a request counts
 * as one request if it is framed, and as two if it is not.
 *
 * The answer is the request's target as text. If the target ends with `/hop`, the answer is a
 * redirect to `/end` with the status 307.
 */
export async function startFramedServer(): Promise<FramedServer> {
  const sockets = new Set<Socket>();
  const requests: FramedRequest[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let read = "";
    socket.on("data", (chunk) => {
      read += chunk.toString("latin1");
      for (let next = takeRequest(read); next !== undefined; next = takeRequest(read)) {
        read = next.rest;
        requests.push(next.request);
        socket.write(answerTo(next.request));
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function answerTo({ target }: FramedRequest): string {
  const [status, field] = target.endsWith("/hop")
    ? ["307 Temporary Redirect", `Location: ${target.replace(/hop$/, "end")}`]
    : ["200 OK", "Content-Type: text/plain"];
  return `HTTP/1.1 ${status}\r\n${field}\r\nContent-Length: ${target.length}\r\n\r\n${target}`;
}

/** Parses the first request in the bytes; undefined if it is not complete yet. */
export function takeRequest(read: string): { request: FramedRequest; rest: string } | undefined {
  const end = read.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [line = "", ...rest] = read.slice(0, end).split("\r\n");
  const fields = new Map<string, string[]>();
  for (const each of rest) {
    const [, name = "", value = ""] = /^([^:]*):[\t ]*(.*)$/.exec(each) ?? [];
    const key = name.toLowerCase();
    fields.set(key, [...fields.get(key) ?? [], value]);
  }
  const body = takeBody(read.slice(end + 4), fields);
  if (body === undefined) return undefined;
  const [method = "", target = ""] = line.split(" ");
  return { request: { method, target, fields, body: body.text }, rest: body.rest };
}

function takeBody(
  read: string,
  fields: ReadonlyMap<string, readonly string[]>,
): { text: string; rest: string } | undefined {
  if (!fields.has("transfer-encoding")) {
    const length = Number(fields.get("content-length")?.[0] ?? 0);
    if (read.length < length) return undefined;
    return { text: read.slice(0, length), rest: read.slice(length) };
  }
  let text = "";
  for (let at = 0;;) {
    const lineEnd = read.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(read.slice(at, lineEnd), 16);
    const chunkEnd = lineEnd + 2 + size;
    if (read.length < chunkEnd + 2) return undefined;
    text += read.slice(lineEnd + 2, chunkEnd);
    at = chunkEnd + 2;
    if (size === 0) return { text, rest: read.slice(at) };
  }
}
