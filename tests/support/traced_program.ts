/**
 * A program with telemetry, for a process of its own: it makes a call that is retried and redirected to
 * another origin. It prints the result.
 */
import process from "node:process";
import { APISession, path } from "../../mod.ts";
import { telemetry } from "../../src/telemetry/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";

const session = new APISession({
  url: process.argv[2]!,
  backoff: 0,
  logger: silentLogger,
  callMiddleware: [telemetry()],
});
console.log(JSON.stringify(await session.get(path`books/${7}`, { convJson: true })));
