import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isCi } from "../../scripts/shared/ci.ts";
import { freePort, isListening } from "./nginx.ts";
import { until } from "./until.ts";

/** The path in Debian, which is not in the PATH of ordinary users. */
const SQUID = "/usr/sbin/squid";

/** The program that checks names and passwords for squid, at its path in Debian. */
const CHECKER = "/usr/lib/squid/basic_ncsa_auth";

/** The number of attempts to find ports that no other program takes before squid does. */
const TRIES = 5;

/** A running squid, which is a proxy. */
export interface Squid {
  /** Its URL without TLS and without credentials. */
  readonly url: string;
  /** Its URL with TLS; empty if it has no certificate. */
  readonly secureUrl: string;
  /** Stops it, and removes its folder. */
  stop(): Promise<void>;
}

/** Options of a squid. */
export interface SquidOptions {
  /** The name and the password that it requires. Default: none */
  readonly user?: readonly [name: string, password: string];
  /** The paths of a certificate and its key, for a second port with TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/**
 * Returns the reason why squid is not available, in one line; undefined if it is available. In CI
 * it is always undefined, so that tests fail there without squid and are not left out.
 */
export function squidMissing(): string | undefined {
  if (isCi(process.env["CI"])) return undefined;
  if (spawnSync(SQUID, ["-v"]).status === 0) return undefined;
  return "squid is not installed, apt-get install squid";
}

/** Starts squid on loopback ports that the system picks. */
export async function startSquid(options: SquidOptions = {}): Promise<Squid> {
  const folder = await mkdtemp(join(tmpdir(), "restwright-squid-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // squid changes to another user if it is started as root. That user writes to this folder.
    await chmod(folder, 0o777);
    const { user } = options;
    if (user !== undefined) {
      const hash = execFileSync("openssl", ["passwd", "-apr1", user[1]], { encoding: "utf8" });
      await writeFile(join(folder, "users"), `${user[0]}:${hash}`);
    }
    for (let tried = 1;; tried++) {
      const ports = [await freePort(), await freePort()] as const;
      await writeFile(join(folder, "squid.conf"), configuration(folder, ports, options));
      try {
        const stop = await run(folder, ports[0]);
        return {
          url: `http://127.0.0.1:${ports[0]}`,
          secureUrl: options.tls === undefined ? "" : `https://127.0.0.1:${ports[1]}`,
          stop: () => stop().finally(remove),
        };
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

/** Returns a configuration without a cache that lets clients connect to any server. */
function configuration(
  folder: string,
  [port, securePort]: readonly [number, number],
  { user, tls }: SquidOptions,
): string {
  const secure = tls === undefined
    ? ""
    : `https_port 127.0.0.1:${securePort} tls-cert=${tls.certificate} tls-key=${tls.key}`;
  const checked = user === undefined ? "http_access allow all" : `
auth_param basic program ${CHECKER} ${folder}/users
auth_param basic children 2 startup=1
auth_param basic realm squid
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all`;
  return `
http_port 127.0.0.1:${port}
${secure}
${checked}
visible_hostname squid.test
pid_filename ${folder}/squid.pid
coredump_dir ${folder}
cache_log /dev/null
access_log none
cache deny all
pinger_enable off
shutdown_lifetime 0 seconds
`;
}

/** Starts squid and waits until it listens. Returns a function that stops it. */
async function run(folder: string, port: number): Promise<() => Promise<void>> {
  // -N: one process in the foreground. -d: report errors on stderr.
  const child = spawn(SQUID, ["-N", "-d", "1", "-f", join(folder, "squid.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: folder,
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
      failure ??= new Error(`squid ended with ${code}: ${output}`);
      resolve();
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const listens = async () => {
    if (failure !== undefined) throw failure;
    return await isListening(port);
  };
  await until(listens).catch(async (error) => {
    await stop();
    throw error;
  });
  return stop;
}
