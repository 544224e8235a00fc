// A server on loopback in a process of its own. Prints its origin, and ends with its standard input.
// Its answer to most requests is a small JSON object; see ROUTES for the others.

import { createServer, type ServerResponse } from "node:http";
import process from "node:process";
import { once } from "node:events";
import { USER } from "./user.ts";

const MEGABYTE = 2 ** 20;
const user = JSON.stringify(USER);

/** A record of a large body. */
const record = (id: number): string =>
  JSON.stringify({ id, name: `Name of the row ${id}`, price: id / 100, tags: ["one", "two"] });

/** Returns about 64 KiB of records. */
function block(before: string, after: string): string {
  let text = "";
  for (let id = 0; text.length < 2 ** 16; id++) text += `${before}${record(id)}${after}`;
  return text;
}

/** A large body: its type, its text or bytes, how often it is sent, and its beginning and end. */
interface LargeBody {
  readonly type: string;
  readonly part: string | Uint8Array;
  readonly megabytes: number;
  readonly first?: string;
  readonly last?: string;
}

const ROUTES: Readonly<Record<string, LargeBody>> = {
  "/json": {
    ...{ type: "application/json", part: block("", ","), megabytes: 45 },
    ...{ first: "[", last: "0]" },
  },
  "/ndjson": { type: "application/x-ndjson", part: block("", "\n"), megabytes: 60 },
  "/events": { type: "text/event-stream", part: block("data: ", "\n\n"), megabytes: 60 },
  "/download": {
    ...{ type: "application/octet-stream", part: new Uint8Array(2 ** 16), megabytes: 1000 },
  },
};

async function send(response: ServerResponse, body: LargeBody): Promise<void> {
  response.writeHead(200, { "content-type": body.type });
  response.write(body.first ?? "");
  for (let sent = 0; sent < body.megabytes * MEGABYTE; sent += body.part.length) {
    if (!response.write(body.part)) await once(response, "drain");
  }
  response.end(body.last ?? "");
}

const server = createServer((request, response) => {
  const large = ROUTES[request.url ?? ""];
  if (large !== undefined) {
    void send(response, large);
    return;
  }
  let received = 0;
  request.on("data", (chunk: Uint8Array) => void (received += chunk.length));
  request.on("end", () => {
    const text = request.url === "/upload" ? String(received) : user;
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) {
    console.log(`http://127.0.0.1:${address.port}`);
  }
});
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
