import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { isCi } from "../../scripts/shared/ci.ts";

/** A running httpbin. */
export interface Httpbin {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** Stops it. */
  stop(): Promise<void>;
}

/**
 * Returns the reason why httpbin is not available, in one line; undefined if it is available. In CI
 * it is always undefined, so that tests fail there without httpbin and are not left out.
 */
export function httpbinMissing(): string | undefined {
  if (isCi(process.env["CI"])) return undefined;
  // Debian's httpbin package is for Debian's Python, which gunicorn runs with.
  const gunicorn = spawnSync("gunicorn", ["--version"]);
  const httpbin = spawnSync("/usr/bin/python3", ["-c", "import httpbin"]);
  if (gunicorn.status === 0 && httpbin.status === 0) return undefined;
  return "httpbin is not installed, apt-get install python3-httpbin gunicorn";
}

/** Starts httpbin on a loopback port that the system picks. */
export async function startHttpbin(): Promise<Httpbin> {
  const workers = ["--workers", "1", "--threads", "8"];
  const child = spawn("gunicorn", ["-b", "127.0.0.1:0", ...workers, "httpbin:app"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`gunicorn ended with ${code}: ${output}`)));
    child.stderr.on("data", (chunk) => {
      output += chunk;
      const listening = /Listening at: (http:\/\/127\.0\.0\.1:\d+)/.exec(output);
      if (listening !== null) resolve(listening[1]!);
    });
  });
  return {
    url,
    async stop() {
      // SIGINT makes gunicorn end quickly, with all its workers.
      child.kill("SIGINT");
      await ended;
    },
  };
}
