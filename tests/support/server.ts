import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "node:net";

/** A server on a loopback port that the system picked. */
export interface TestServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  /** Closes every connection and stops the server. */
  stop(): Promise<void>;
}

/** Starts a server. The caller has to stop it. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => error === null ? resolve(count) : reject(error))
      ),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return address.port;
}

/** Reads the body of an incoming request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
