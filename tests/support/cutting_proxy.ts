import { Buffer } from "node:buffer";
import { connect, createServer, type Socket } from "node:net";

/** A proxy in front of a server that cuts connections. */
export interface CuttingProxy {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** The heads of the requests so far. */
  readonly requests: string[];
  /** The number of bytes to pass on at most, of each next response whose connection is cut. */
  readonly cuts: number[];
  /**
   * Cuts the connections of these responses. Call it when the client has received bytes: Node and Bun
   * drop those that the program has not read when the connection ends.
   */
  cut(): void;
  /** Closes every connection and stops the proxy. */
  stop(): Promise<void>;
}

/**
 * Starts a proxy that passes on requests without a body, one for each connection. While `cuts` has a
 * number, a response stops after this number of bytes of its body, until `cut` is called.
 *
 * @param target The base URL of the server
 */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const cuts: number[] = [];
  const limited = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        if (socket === client) upstream.destroy();
      });
    }
    client.once("data", (head) => {
      requests.push(head.toString("latin1"));
      let left = cuts.shift() ?? Infinity;
      if (left < Infinity) limited.add(client);
      upstream.write(
        head.toString("latin1").replace(/\r\nconnection: [^\r]*/i, "")
          .replace("\r\n", "\r\nConnection: close\r\n"),
        "latin1",
      );
      let early = "";
      let hasHead = false;
      upstream.on("data", (data) => {
        let chunk = Buffer.from(data as Uint8Array);
        if (!hasHead) {
          early += chunk.toString("latin1");
          const end = early.indexOf("\r\n\r\n") + 4;
          if (end < 4) return;
          hasHead = true;
          client.write(early.slice(0, end), "latin1");
          chunk = Buffer.from(early.slice(end), "latin1");
        }
        const passed = chunk.subarray(0, Math.min(chunk.length, left));
        left -= passed.length;
        if (passed.length > 0 && client.writable) client.write(passed);
      });
      upstream.on("end", () => limited.has(client) || client.end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    cuts,
    cut() {
      for (const client of limited) client.end();
      limited.clear();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
