import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { isCi } from "../../scripts/ci.ts";

/** A running httpbin. */
export interface Httpbin {
  /** Its base URL, without a slash at its end. */
  readonly url: string;
  /** Ends it. */
  stop(): Promise<void>;
}

/**
 * Why httpbin cannot be had, in one line; undefined where it can. In CI its absence is a failure,
 * so that the tests are not left out there.
 */
export function httpbinMissing(): string | undefined {
  if (isCi(process.env["CI"])) return undefined;
  // Debian's httpbin belongs to Debian's python, which gunicorn runs with.
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
    let said = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`gunicorn ended with ${code}: ${said}`)));
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const listening = /Listening at: (http:\/\/127\.0\.0\.1:\d+)/.exec(said);
      if (listening !== null) resolve(listening[1]!);
    });
  });
  return {
    url,
    async stop() {
      // Its quick way to end, with all its workers.
      child.kill("SIGINT");
      await ended;
    },
  };
}
