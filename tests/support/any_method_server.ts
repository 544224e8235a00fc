import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** A request, parsed from its raw bytes. Node's server rejects many methods. */
export interface RawRequest {
  /** The request line. */
  readonly line: string;
  /** The method. */
  readonly method: string;
  /** The path, or the whole URL if the server acts as a proxy. */
  readonly target: string;
  /** Header values, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, without the framing of chunks. */
  readonly body: string;
  /** The number of its connection, counted from 1. */
  readonly connection: number;
}

/** A server for any method. */
export interface AnyMethodServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** The requests so far. */
  readonly requests: readonly RawRequest[];
  /** Resolves when no connection is open. */
  hungUp(): Promise<void>;
  /** Closes every connection and stops the server. */
  stop(): Promise<void>;
}

/** Returns the response to a request. If it is undefined, the connection stays open and silent. */
export type AnswerAny = (request: RawRequest, socket: Socket) => string | Uint8Array | undefined;

/**
 * Starts a server that reads requests from the bytes of a socket.
 *
 * @param answer Returns the response. Default: one with the method as the body
 * @param tls The certificate and the key
 */
export async function startAnyMethodServer(
  answer: AnswerAny = ({ method }) => okay(method === "HEAD" ? "" : method),
  tls?: readonly [certificate: string, key: string],
): Promise<AnyMethodServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let connections = 0;
  const accept = (socket: Socket) => {
    const connection = ++connections;
    let bytes = "";
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) waiting.splice(0).forEach((resolve) => resolve());
    });
    socket.on("data", (chunk) => {
      bytes += chunk.toString("latin1");
      for (let found = firstRequest(bytes); found !== undefined; found = firstRequest(bytes)) {
        bytes = found.rest;
        const request = { ...found.request, connection };
        requests.push(request);
        const response = answer(request, socket);
        if (response !== undefined) socket.write(response);
      }
    });
  };
  const server = tls === undefined
    ? createServer(accept)
    : createTlsServer({ cert: tls[0], key: tls[1] }, accept);
  // A client that does not trust the certificate hangs up.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${address.port}`,
    requests,
    hungUp: () =>
      new Promise((resolve) => {
        if (sockets.size === 0) resolve();
        else waiting.push(resolve);
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Returns a complete response with the status 200. */
export function okay(body: string, fields: readonly string[] = []): string {
  const lines = ["HTTP/1.1 200 OK", `Content-Length: ${body.length}`, ...fields, "", body];
  return lines.join("\r\n");
}

/** Parses the first request, and returns the bytes after it; undefined if it is incomplete. */
function firstRequest(
  bytes: string,
): { request: Omit<RawRequest, "connection">; rest: string } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [line = "", ...fields] = bytes.slice(0, end).split("\r\n");
  const [method = "", target = ""] = line.split(" ");
  const headers = Object.fromEntries(fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  }));
  const after = bytes.slice(end + 4);
  const found = headers["transfer-encoding"] === "chunked"
    ? chunkedBody(after)
    : plainBody(after, Number(headers["content-length"] ?? 0));
  return found &&
    { request: { line, method, target, headers, body: found.body }, rest: found.rest };
}

function plainBody(bytes: string, length: number): { body: string; rest: string } | undefined {
  if (bytes.length < length) return undefined;
  return { body: bytes.slice(0, length), rest: bytes.slice(length) };
}

function chunkedBody(bytes: string): { body: string; rest: string } | undefined {
  let body = "";
  for (let at = 0;;) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.slice(at, end), 16);
    const next = end + 2 + size + 2;
    if (end < 0 || bytes.length < next) return undefined;
    if (size === 0) return { body, rest: bytes.slice(next) };
    body += bytes.slice(end + 2, next - 2);
    at = next;
  }
}
