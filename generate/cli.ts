#!/usr/bin/env node
/**
 * The command line of the generator. It writes an SDK from an OpenAPI document:
 *
 * ```sh
 * npx @restwright/generate openapi.yaml --out src/api
 * deno run -A jsr:@restwright/generate/cli openapi.yaml --out src/api
 * ```
 *
 * `--help` shows the options.
 *
 * @module
 */
import process from "node:process";
import { text } from "node:stream/consumers";
import { runCommand } from "./src/write/command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  readInput: () => text(process.stdin),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
