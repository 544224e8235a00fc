import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type CallRecord, type Fault, type Ledger, PAGE, RECORDS } from "./ledger.ts";
import { randomNumbers } from "./random_numbers.ts";

/** A server on loopback that injects faults, and remembers what it did for each call. */
export interface SoakServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The faults that a request can get, by the first segment of its path. The server may lose none of them. */
const faultsByKind: Readonly<Record<string, readonly Fault[]>> = {
  users: ["busy", "too many", "close", "cut", "stall"],
  list: ["busy", "too many", "close", "cut", "stall"],
  // With a key, the server recognizes a request that it has answered before.
  orders: ["busy", "too many", "close", "cut", "stall"],
  // Without one, a runtime must not see a connection that ends before the response: Deno's fetch
  // then sends the request again by itself.
  notes: ["busy", "too many", "cut"],
  records: ["busy", "too many", "close", "cut"],
  raw: ["busy", "too many", "close"],
};

/**
 * Starts the server.
 *
 * @param rate The share of requests that get a fault
 * @param canStall True if silence is one of the faults
 */
export async function startSoakServer(rate: number, canStall: boolean): Promise<SoakServer> {
  const random = randomNumbers(7);
  const sockets = new Set<Socket>();
  const keys = new Set<string>();
  let calls: Record<string, CallRecord> = {};

  const faultOf = (kind: string): Fault | undefined => {
    const possible = (faultsByKind[kind] ?? []).filter((fault) => canStall || fault !== "stall");
    return random() < rate ? possible[Math.floor(random() * possible.length)] : undefined;
  };

  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const [kind = "", id = ""] = pathname.slice(1).split("/");
    if (kind === "ledger") {
      const ledger: Ledger = { calls, connections: sockets.size - 1 };
      calls = {};
      keys.clear();
      response.setHeader("connection", "close");
      response.end(JSON.stringify(ledger));
      return;
    }
    const record = calls[String(request.headers["x-call"])] ??= {
      requests: 0,
      faults: 0,
      applied: 0,
    };
    record.requests++;
    const fault = faultOf(kind);
    if (fault !== undefined) record.faults++;
    if (fault === "busy" || fault === "too many") {
      response.writeHead(fault === "busy" ? 503 : 429, { "retry-after": "0" });
      response.end("{}");
      return;
    }
    const key = request.headers["idempotency-key"];
    if (typeof key !== "string" || !keys.has(key)) record.applied++;
    if (typeof key === "string") keys.add(key);
    if (fault === "close") {
      request.socket.destroy();
      return;
    }
    if (fault === "stall") return;
    const [type, text] = contentFor(kind, id, body, searchParams);
    response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(text) });
    if (fault === "cut") {
      response.write(text.slice(0, text.length >> 1), () => request.socket.destroy());
    } else response.end(text);
  };

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => body += chunk);
    request.on("end", () => answer(request, response, body));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts the server in a process of its own, so that only the client's timers and memory are counted. */
export async function spawnSoakServer(): Promise<SoakServer> {
  const flags = "Deno" in globalThis ? ["run", "-q", "-A", "--no-check"] : [];
  const program = fileURLToPath(new URL("serve.ts", import.meta.url));
  const child = spawn(process.execPath, [...flags, program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return {
    url: String(line).trim(),
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** Returns the content type and the content of a response. */
function contentFor(
  kind: string,
  id: string,
  body: string,
  search: URLSearchParams,
): [type: string, text: string] {
  if (search.has("xml")) {
    return ["application/xml", `<user id="${id}"><name>user ${id}</name></user>`];
  }
  if (kind === "list") {
    const page = Number(search.get("page"));
    const start = page * PAGE;
    const items = Array.from({ length: Math.min(PAGE, RECORDS - start) }, (_, at) => start + at);
    return ["application/json", JSON.stringify({ items, total: RECORDS })];
  }
  if (kind === "records") {
    const lines = Array.from({ length: RECORDS }, (_, at) => `{"id":${at}}\n`);
    return ["application/x-ndjson", lines.join("")];
  }
  return ["application/json", body || JSON.stringify({ id: Number(id), name: `user ${id}` })];
}
