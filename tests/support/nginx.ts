import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isCi } from "../../scripts/shared/ci.ts";
import { until } from "./until.ts";

/** The path in Debian, which is not in the PATH of ordinary users. */
const NGINX = "/usr/sbin/nginx";

/** The number of attempts to find a port that no other program takes before nginx does. */
const TRIES = 5;

/** A running nginx. */
export interface Nginx {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  /** Its folder. */
  readonly folder: string;
  /** Stops it, and removes its folder. */
  stop(): Promise<void>;
}

/** Options of an nginx. */
export interface NginxOptions {
  /** The `location` blocks of its only server. Paths are relative to its folder. */
  readonly locations: string;
  /** Files in its folder, by name. Default: none */
  readonly files?: Readonly<Record<string, string>>;
  /** Certificates. With them the server speaks only TLS. Default: none */
  readonly tls?: NginxTls;
}

/** The certificates of an nginx, as paths. */
export interface NginxTls {
  /** Its own certificate. */
  readonly certificate: string;
  /** The key of its certificate. */
  readonly key: string;
  /** The authority that must have signed the clients' certificates. Default: none is required */
  readonly clients?: string;
}

/**
 * Returns the reason why nginx is not available, in one line; undefined if it is available. In CI
 * it is always undefined, so that tests fail there without nginx and are not left out.
 */
export function nginxMissing(): string | undefined {
  if (isCi(process.env["CI"])) return undefined;
  if (spawnSync(NGINX, ["-v"]).status === 0) return undefined;
  return "nginx is not installed, apt-get install nginx-light";
}

/** Starts nginx on a loopback port that the system picks. */
export async function startNginx(
  { locations, files = {}, tls }: NginxOptions,
): Promise<Nginx> {
  // nginx needs its own folder. Without it, nginx would write to folders that only root may use, or
  // read Debian's configuration.
  const folder = await mkdtemp(join(tmpdir(), "restwright-nginx-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await mkdir(join(folder, "temp"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    for (let tried = 1;; tried++) {
      const port = await freePort();
      await writeFile(join(folder, "nginx.conf"), configuration(folder, port, locations, tls));
      try {
        const stop = await run(folder, port);
        const scheme = tls === undefined ? "http" : "https";
        const url = `${scheme}://127.0.0.1:${port}`;
        return { url, folder, stop: () => stop().finally(remove) };
      } catch (error) {
        const isTaken = error instanceof Error && error.message.includes("Address already in use");
        if (!isTaken || tried === TRIES) throw error;
      }
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns a configuration for one process in the foreground that only uses its own folder. */
function configuration(
  folder: string,
  port: number,
  locations: string,
  tls: NginxTls | undefined,
): string {
  const temporary = ["client_body", "proxy", "fastcgi", "scgi", "uwsgi"]
    .map((name) => `${name}_temp_path ${folder}/temp/${name};`);
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
lock_file ${folder}/nginx.lock;
error_log stderr error;
events { worker_connections 512; }
http {
  access_log off;
  default_type text/plain;
  keepalive_requests 100000;
  lingering_close off;
  ${temporary.join("\n  ")}
  server {
    listen 127.0.0.1:${port}${tls === undefined ? "" : " ssl"};
    ${tls === undefined ? "" : tlsLines(tls)}
    root ${folder};
    ${locations}
  }
}
`;
}

function tlsLines({ certificate, key, clients }: NginxTls): string {
  const demand = clients === undefined
    ? ""
    : `ssl_client_certificate ${clients}; ssl_verify_client on;`;
  return `ssl_certificate ${certificate}; ssl_certificate_key ${key}; ${demand}`;
}

/** Returns a port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port);
        else reject(new Error("the system returned no port"));
      });
    });
  });
}

/** Starts nginx and waits until it listens. Returns a function that stops it. */
async function run(folder: string, port: number): Promise<() => Promise<void>> {
  const config = join(folder, "nginx.conf");
  const child = spawn(NGINX, ["-p", folder, "-e", "stderr", "-c", config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  let failure: Error | undefined;
  child.stderr.on("data", (chunk) => output += chunk);
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
    child.once("close", (code) => {
      failure ??= new Error(`nginx ended with ${code}: ${output}`);
      resolve();
    });
  });
  const stop = async () => {
    // SIGTERM makes nginx end quickly.
    child.kill("SIGTERM");
    await ended;
  };
  const listens = async () => {
    // If the port is taken, another program listens. nginx then reports that before it ends.
    if (output !== "") await ended;
    if (failure !== undefined) throw failure;
    return await isListening(port) && output === "";
  };
  await until(listens).catch(async (error) => {
    await stop();
    throw error;
  });
  return stop;
}

/** Reports if a program listens on a loopback port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
