import { createServer, type Socket } from "node:net";

/** The headers that only the transport may set, as the documentation names them. */
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

/** A request as its framing delimits it (RFC 9112 §6.3). */
export interface FramedRequest {
  /** The method. */
  readonly method: string;
  /** The target as it was sent: a path, or a URL where a proxy is asked. */
  readonly target: string;
  /** The fields by their names in lower case, and all of their values. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The body, in Latin-1. */
  readonly body: string;
}

/** A server that reads requests byte by byte, as a proxy would. */
export interface FramedServer {
  /** Its base URL, without a slash at its end. */
  readonly url: string;
  /** The requests that arrived on all connections, in order. */
  readonly requests: FramedRequest[];
  /** Ends every connection, and the server. */
  stop(): Promise<void>;
}

/**
 * Starts a server that answers each request that a connection carries. A body with a request in it
 * is one request if it is framed, and two if it is not.
 *
 * The answer is the target of the request, as a text. A target that ends with `/hop` is redirected to
 * `/end` by 307.
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

/** Takes the first request from what was read; undefined if it is not complete yet. */
function takeRequest(read: string): { request: FramedRequest; rest: string } | undefined {
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
