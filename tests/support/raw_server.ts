import { createServer, type Socket } from "node:net";
import { until } from "./until.ts";

/** A function that answers one request with any bytes. */
export type RawAnswer = (socket: Socket) => void;

/** A server that writes bytes, even if they are not HTTP. */
export interface RawServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** The number of requests so far. */
  readonly requests: number;
  /**
   * Resolves when each connection that brought a request is closed. Node's fetch replaces a
   * connection that it has given up by another one, and holds it for seconds. That one does not
   * count.
   */
  hungUp(): Promise<void>;
  /** Closes every connection and stops the server. */
  stop(): Promise<void>;
}

/**
 * Starts a server that answers the first request with the first answer and so on. The last answer
 * is used for all further requests. Requests must not have a body.
 */
export async function startRawServer(...answers: RawAnswer[]): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const asking = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let read = "";
    socket.on("data", (chunk) => {
      read += chunk.toString("latin1");
      while (read.includes("\r\n\r\n")) {
        read = read.slice(read.indexOf("\r\n\r\n") + 4);
        asking.add(socket);
        answers[Math.min(requests++, answers.length - 1)]?.(socket);
      }
    });
    // The tests let the client disconnect at any time.
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      asking.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get requests() {
      return requests;
    },
    hungUp: () => until(() => asking.size === 0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Returns an answer that writes a complete response. */
export function respond(body: string, { status = "200 OK", headers = "" } = {}): RawAnswer {
  const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}`;
  return (socket) => void socket.write(`HTTP/1.1 ${status}\r\n${fields}\r\n${body}`);
}

/** Returns an answer that writes a part of a response, then nothing more. */
export function stall(part: string): RawAnswer {
  return (socket) => void socket.write(part);
}

/** Returns an answer that writes a part of a response, then closes the connection. */
export function drop(part: string): RawAnswer {
  return (socket) => void socket.end(part);
}

/** A response that the test writes piece by piece. */
export class PiecewiseAnswer {
  #socket: Socket | undefined;

  /** The answer for the server. It writes nothing by itself. */
  readonly answer: RawAnswer = (socket) => void (this.#socket = socket);

  /** Waits for the request, and writes the next piece. */
  async write(piece: string): Promise<void> {
    await until(() => this.#socket !== undefined);
    this.#socket?.write(piece);
  }
}
