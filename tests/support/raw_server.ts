import { createServer, type Socket } from "node:net";
import { until } from "./until.ts";

/** Answers one request, byte for byte as it likes. */
export type RawAnswer = (socket: Socket) => void;

/** A server that writes bytes, whether they are HTTP or not. */
export interface RawServer {
  /** Its base URL, without a slash at its end. */
  readonly url: string;
  /** How many requests came in. */
  readonly requests: number;
  /**
   * Resolves once each connection that brought a request is closed. Node's fetch opens another one
   * in the place of one that it gave up, and keeps it for seconds: it does not count.
   */
  hungUp(): Promise<void>;
  /** Ends every connection, and the server. */
  stop(): Promise<void>;
}

/**
 * Starts a server that answers the first request by the first answer and so on; the last one
 * answers all that follow. Requests have no body.
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
    // The other end may go at any time; that is what is tested.
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

/** Writes a whole response. */
export function respond(body: string, { status = "200 OK", headers = "" } = {}): RawAnswer {
  const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}`;
  return (socket) => void socket.write(`HTTP/1.1 ${status}\r\n${fields}\r\n${body}`);
}

/** Writes a part of a response, then nothing more. */
export function stall(part: string): RawAnswer {
  return (socket) => void socket.write(part);
}

/** Writes a part of a response, then closes the connection. */
export function drop(part: string): RawAnswer {
  return (socket) => void socket.end(part);
}

/** A response that the test writes piece by piece. */
export class PiecewiseAnswer {
  #socket: Socket | undefined;

  /** Begins with nothing. */
  readonly answer: RawAnswer = (socket) => void (this.#socket = socket);

  /** Writes the next piece, once the request is there. */
  async write(piece: string): Promise<void> {
    await until(() => this.#socket !== undefined);
    this.#socket?.write(piece);
  }
}
