#!/usr/bin/env node
/**
 * The command line of the toolkit. It replaces the secrets in a cassette by placeholders:
 *
 * ```sh
 * npx restwright redact-cassette tests/cassettes/books.json
 * deno run -RWE jsr:@restwright/restwright/cli redact-cassette tests/cassettes/books.json
 * ```
 *
 * `--help` shows the options.
 *
 * @module
 */
import { runCommand } from "../testing/cassettes/command.ts";

const { process } = globalThis as unknown as {
  readonly process: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    exitCode?: number;
  };
};

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
