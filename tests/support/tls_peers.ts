import { spawnSync } from "node:child_process";
import process from "node:process";
import { isCi } from "../../scripts/shared/ci.ts";
import { type Certificates, makeCertificates, type Pair } from "./certificates.ts";
import { type Nginx, nginxMissing, startNginx } from "./nginx.ts";

/** HTTPS servers with the certificates that the tests need. */
export interface TlsPeers {
  /** The certificates. */
  readonly certificates: Certificates;
  /** A server with a certificate of the private authority. */
  readonly good: string;
  /** One whose certificate has expired. */
  readonly expired: string;
  /** One with the certificate of another host. */
  readonly wrongHost: string;
  /** One that requires a client certificate. Without one it answers 400. */
  readonly demanding: string;
  /** Stops the servers, and removes the certificates. */
  stop(): Promise<void>;
}

/** Returns the reason why they are not available, in one line; undefined if they are available. */
export function tlsMissing(): string | undefined {
  if (isCi(process.env["CI"])) return undefined;
  if (spawnSync("openssl", ["version"]).status !== 0) {
    return "openssl is not installed, apt-get install openssl";
  }
  return nginxMissing();
}

/** The answer of the servers if there is no server behind them. */
const answer = `location / {
  return 200 '{"client":"$ssl_client_s_dn","connection":"$connection","via":"$http_via","secret":"$http_proxy_authorization"}';
}`;

/**
 * Starts the servers.
 *
 * @param upstream A server that answers instead. The headers X-Client and X-Connection describe the
 * client and the connection.
 */
export async function startTlsPeers(upstream?: string): Promise<TlsPeers> {
  const certificates = await makeCertificates();
  const { authority, server, expired, wrongHost } = certificates;
  const locations = upstream === undefined ? answer : forwarding(upstream);
  const started: Nginx[] = [];
  const start = async ({ certificate, key }: Pair, clients?: string): Promise<string> => {
    const tls = { certificate, key, ...(clients === undefined ? {} : { clients }) };
    const nginx = await startNginx({ locations, tls });
    started.push(nginx);
    return nginx.url;
  };
  const stop = async () => {
    await Promise.all(started.map((nginx) => nginx.stop()));
    await certificates.remove();
  };
  try {
    return {
      certificates,
      good: await start(server),
      expired: await start(expired),
      wrongHost: await start(wrongHost),
      demanding: await start(server, authority.certificate),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function forwarding(upstream: string): string {
  return `
client_max_body_size 0;
proxy_http_version 1.1;
proxy_buffering off;
proxy_request_buffering off;
location / {
  proxy_pass ${upstream};
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_set_header X-Client $ssl_client_s_dn;
  proxy_set_header X-Connection $connection;
}`;
}

/** The environment variables that set proxies, or exceptions from them. */
const variables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
  .flatMap((name) => [name, name.toLowerCase()]);

/** Removes the proxy variables, which Deno and Bun read. Returns a function that restores them. */
export function withoutProxyVariables(): () => void {
  const before = variables.map((name) => [name, process.env[name]] as const);
  for (const name of variables) delete process.env[name];
  return () => {
    for (const [name, value] of before) {
      if (value !== undefined) process.env[name] = value;
    }
  };
}
