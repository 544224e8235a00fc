/** Starts the mock server that the repository of an SDK uses, on a free port of loopback. */
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import process from "node:process";
import { collected } from "./child.ts";
import { TrialError } from "./trial_error.ts";

/** The command of a mock server. */
export interface MockCommand {
  /** The package with its version. */
  readonly package: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** A server that runs. */
export interface MockServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The line of `scripts/mock` that starts the server in the foreground. */
const LINE =
  /^[ \t]*npm exec (?:--yes )?--package=(@?[\w./-]+@[\w.-]+) -- (steady|prism)((?: [^\s&|;<>()`$"]+)* "\$URL"(?: [^\s&|;<>()`$"]+)*)\s*$/m;

/** The seconds in which a server ends that is asked to. */
const STOP_SECONDS = 5;

/** The seconds in which a server must listen. The first time, npm downloads it. */
const START_SECONDS = 180;

/**
 * Returns the command of a mock server, with the document and a port in place of its own.
 *
 * @param script The text of `scripts/mock`, which is not run
 * @param document The path of the document
 * @throws {TrialError} If it starts neither of the two servers
 */
export function mockCommand(script: string, document: string, port: number): MockCommand {
  const [, name, program, rest] = LINE.exec(script) ?? [];
  if (name === undefined || program === undefined) {
    throw new TrialError("scripts/mock does not start @stdy/cli or Prism with npm exec");
  }
  const words = rest!.trim().split(" ");
  const args = words.flatMap((word, index): string[] => {
    const before = words[index - 1];
    if (/^(?:-p|--port|--host|-h)$/.test(word) || /^(?:-p|--port|--host|-h)$/.test(before ?? "")) {
      return [];
    }
    return [word === '"$URL"' ? document : word];
  });
  const place = program === "prism" ? ["-h", "127.0.0.1"] : ["--host", "127.0.0.1"];
  return { package: name, program, args: [...args, ...place, "-p", String(port)] };
}

/**
 * Starts a server, and waits until it listens.
 *
 * @throws {TrialError} If it ends, or does not listen
 */
export async function startMock(script: string, document: string): Promise<MockServer> {
  const port = await freePort();
  const command = mockCommand(script, document, port);
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["exec", "--yes", `--package=${command.package}`, "--", command.program];
  // A group of its own, so that the server below npm is stopped, too.
  const child = spawn(npm, [...args, ...command.args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    shell: process.platform === "win32",
  });
  const output = collected(child);
  let ended = false;
  const exit = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.on("exit", end).on("error", end);
  });
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    if (ended || child.pid === undefined) return;
    try {
      if (process.platform === "win32") child.kill(name);
      else process.kill(-child.pid, name);
    } catch {
      // It has ended in this moment.
    }
  };
  // A group of its own does not get the signals of the terminal.
  const interrupted = (): void => {
    signal("SIGKILL");
    process.exit(130);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, interrupted);
  const stop = async (): Promise<void> => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, interrupted);
    signal("SIGTERM");
    const timer = setTimeout(() => signal("SIGKILL"), STOP_SECONDS * 1000);
    await exit;
    clearTimeout(timer);
  };
  const until = Date.now() + START_SECONDS * 1000;
  while (!ended && Date.now() < until) {
    if (await listens(port)) return { url: `http://127.0.0.1:${port}`, stop };
    await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await stop();
  throw new TrialError(
    `the mock server ${command.package} did not start:\n${output().slice(-2000)}`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    return await new Promise<boolean>((resolve) => {
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
