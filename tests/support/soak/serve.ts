/**
 * A program that runs the server of the soak until its standard input ends: `serve.ts [stall]`. It
 * prints the URL.
 */
import process from "node:process";
import { startSoakServer } from "./soak_server.ts";

const server = await startSoakServer(0.05, process.argv[2] === "stall");
console.log(server.url);
process.stdin.resume().on("end", () => server.stop());
