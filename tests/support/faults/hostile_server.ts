import { Buffer } from "node:buffer";
import { createServer, type Server, type Socket } from "node:net";
import { takeRequest } from "../framed_server.ts";
import type { Ending, Fault } from "./fault.ts";
import { bytesOf, wholeResponse } from "./response_bytes.ts";

/** The response to one request. */
export interface Turn {
  /** The fault. Default: a whole response, on a connection that stays open */
  readonly fault?: Pick<Fault, "at" | "send" | "then"> | undefined;
  /** The body. */
  readonly body: string;
  /** True if the body of a fault follows its headers in a packet of its own. Default: false */
  readonly isApart?: boolean;
}

/** A server whose responses are faulty. It continues them when it is asked to. */
export class HostileServer {
  /** The number of requests so far, also of those that it did not read. */
  requests = 0;
  /** The state of the current response: it continues with `proceed`, or in one of these ways. */
  state: "waiting" | "slow" | "silent" | "flooding" | "done" = "done";
  /** Sends the next part of a slow response, or ends the current one. */
  proceed: () => void = () => {};
  readonly #turnOf: (request: number) => Turn;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #faulty = new Set<Socket>();

  /** @param turnOf Returns the response to a request, by its number from 0 */
  constructor(turnOf: (request: number) => Turn) {
    this.#turnOf = turnOf;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Starts the server on a loopback port that the system picks. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Its port. */
  get port(): number {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server has no port");
    return address.port;
  }

  /** The number of open connections with a faulty response. */
  get faulty(): number {
    return this.#faulty.size;
  }

  /** Closes every connection and stops the server. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    // The client may disconnect at any time.
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#faulty.delete(socket);
    });
    let read = "";
    const next = () => this.#turnOf(this.requests).fault?.at;
    if (next() === "connected") {
      this.#respond(socket);
      // Node's fetch replaces a connection that it has given up, and holds the new one for seconds.
      this.#faulty.delete(socket);
      socket.on("data", () => void this.#faulty.add(socket));
      return;
    }
    socket.on("data", (chunk) => {
      if (next() === "reading") return this.#respond(socket);
      read += chunk.toString("latin1");
      for (let taken = takeRequest(read); taken !== undefined; taken = takeRequest(read)) {
        read = taken.rest;
        this.#respond(socket, taken.request.method);
      }
    });
  }

  #respond(socket: Socket, method?: string): void {
    const { fault, body, isApart = false } = this.#turnOf(this.requests++);
    if (fault !== undefined) this.#faulty.add(socket);
    const { send, then = "close" } = fault ?? { send: wholeResponse, then: "keep" };
    const sent = send?.(body) ?? "";
    const isWhole = typeof sent === "string" || sent instanceof Uint8Array;
    let parts = isWhole ? isApart ? headAndBody(bytesOf(sent)) : [sent] : [...sent];
    // On a connection that is used again, a body after a HEAD would be the next response.
    if (method === "HEAD" && then === "keep") parts = [headAndBody(bytesOf(parts[0]!))[0]!];
    this.state = isWhole ? "waiting" : "slow";
    this.proceed = () => {
      const part = parts.shift();
      if (part !== undefined) socket.write(bytesOf(part));
      if (part === undefined || (then === "keep" && parts.length === 0)) this.#end(socket, then);
    };
    this.proceed();
  }

  #end(socket: Socket, then: Ending): void {
    this.state = "done";
    this.proceed = () => {};
    if (then === "close") socket.end();
    else if (then === "reset") socket.resetAndDestroy();
    else if (then === "silence") this.state = "silent";
    else if (then !== "keep" && "flood" in then) {
      this.state = "flooding";
      flood(socket, bytesOf(then.flood));
    } else if (then !== "keep") {
      this.state = "slow";
      this.proceed = () => void socket.write(bytesOf(then.trickle));
    }
  }
}

/** Splits a response after the headers of the final response. */
function headAndBody(bytes: Uint8Array): Uint8Array[] {
  const text = Buffer.from(bytes).toString("latin1");
  const [head = ""] = /^[^]*?\r\n\r\n(?!HTTP)/.exec(text) ?? [];
  const isSplit = head !== "" && head.length < bytes.length;
  return isSplit ? [bytes.subarray(0, head.length), bytes.subarray(head.length)] : [bytes];
}

/** Writes bytes without end, as fast as they are read. */
function flood(socket: Socket, bytes: Uint8Array): void {
  const write = () => {
    if (socket.destroyed || !socket.writable) return;
    if (socket.write(bytes)) setImmediate(write);
    else socket.once("drain", write);
  };
  write();
}
