/** Starts a real Redis or Valkey server for tests. */
import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { isCi } from "../../scripts/shared/ci.ts";
import { freePort, isListening } from "./nginx.ts";
import { until } from "./until.ts";

/** The servers, in the order in which they are tried. */
const SERVERS = ["valkey-server", "redis-server"] as const;

/** The number of attempts to find a port that no other program takes before the server does. */
const TRIES = 5;

/** A running server without files, which forgets everything when it stops. */
export interface Redis {
  /** Its port on 127.0.0.1. */
  readonly port: number;
  /** Its URL. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Returns the reason why there is no server, in one line; undefined if there is one. In CI it is always
 * undefined, so that tests fail there without a server and are not left out.
 */
export function redisMissing(): string | undefined {
  if (isCi(process.env["CI"]) || installed() !== undefined) return undefined;
  return "neither valkey-server nor redis-server is installed, apt-get install redis-server";
}

function installed(): string | undefined {
  return SERVERS.find((name) => spawnSync(name, ["--version"]).status === 0);
}

/** Starts a server on a loopback port that the system picks. */
export async function startRedis(): Promise<Redis> {
  const server = installed();
  if (server === undefined) throw new Error(`${SERVERS.join(" and ")} cannot be started`);
  for (let tried = 1;; tried++) {
    const port = await freePort();
    try {
      const stop = await run(server, port);
      return { port, url: `redis://127.0.0.1:${port}`, stop };
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes("Address already in use");
      if (!isTaken || tried === TRIES) throw error;
    }
  }
}

/** Starts the server and waits until it listens. Returns a function that stops it. */
async function run(server: string, port: number): Promise<() => Promise<void>> {
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(server, options, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let failure: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk);
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
    child.once("close", (code) => {
      failure ??= new Error(`${server} ended with ${code}: ${output}`);
      resolve();
    });
  });
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const listens = async () => {
    if (failure !== undefined) throw failure;
    return output.includes("Ready to accept connections") && await isListening(port);
  };
  await until(listens).catch(async (error) => {
    await stop();
    throw error;
  });
  return stop;
}
