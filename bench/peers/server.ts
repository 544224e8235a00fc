// A server on loopback in a process of its own. Prints its origin, and ends with its standard input.

import { createServer } from "node:http";
import process from "node:process";
import { USER } from "./user.ts";

const user = JSON.stringify(USER);
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(user),
    });
    response.end(user);
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
