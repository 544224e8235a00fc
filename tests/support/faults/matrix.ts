import { detectRuntime } from "../../../src/base/runtime.ts";
import { startNginx } from "../nginx.ts";
import { startSquid } from "../squid.ts";
import { fullProduct, pairwise } from "../pairwise.ts";
import { connectionFaults } from "./connections.ts";
import { encodingFaults } from "./encodings.ts";
import { floodFaults, slowFaults } from "./endless.ts";
import type { FaultCase, Route } from "./expected.ts";
import { type Fault, kinds, type RuntimeName } from "./fault.ts";
import { chunkFaults, lengthFaults } from "./framing.ts";
import { headerFaults, interimFaults, statusLineFaults } from "./heads.ts";
import type { Intermediaries } from "./run_case.ts";
import { statusFaults } from "./statuses.ts";

/** The faults by their subject. */
export const faultGroups: Readonly<Record<string, readonly Fault[]>> = {
  connections: connectionFaults,
  lengths: lengthFaults,
  chunks: chunkFaults,
  "status lines": statusLineFaults,
  headers: headerFaults,
  "interim responses": interimFaults,
  "slow responses": slowFaults,
  floods: floodFaults,
  encodings: encodingFaults,
  statuses: statusFaults,
};

/** All faults. */
export const allFaults: readonly Fault[] = Object.values(faultGroups).flat();

const { name, version } = detectRuntime();

/** The runtime of the program. */
export const runtime: RuntimeName = (/^22\./.test(version) ? "Node 22" : name) as RuntimeName;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
const generations = [1, 2] as const;

/** The circumstances of a case. */
const circumstances = {
  limits: ["all", "needed"],
  meets: ["always", "once"],
  packets: ["together", "apart"],
} as const;

/** Returns cases in which each two values of two dimensions meet. */
export function pairwiseCases(faults: readonly Fault[], routes: readonly Route[]): FaultCase[] {
  const dimensions = { fault: faults, method: methods, kind: kinds, route: routes };
  return pairwise({ ...dimensions, generation: generations, ...circumstances }, isTested);
}

/**
 * Returns all combinations of faults, methods, kinds of calls, generations and routes. The
 * circumstances take turns, so that each fault meets all combinations of them.
 */
export function allCases(faults: readonly Fault[], routes: readonly Route[]): FaultCase[] {
  const turns = fullProduct(circumstances);
  return fullProduct({
    fault: faults,
    route: routes,
    generation: generations,
    kind: kinds,
    methods,
  })
    .map(({ methods: method, ...others }, index) => ({
      ...others,
      method,
      // There are as many methods and kinds of calls as turns, times three.
      ...turns[(index + Math.floor(index / turns.length)) % turns.length]!,
    }))
    .filter(isTested);
}

function isTested({ fault, method, route }: Partial<FaultCase>): boolean {
  // squid takes the body after a response to HEAD for the next response.
  if (route === "squid" && method === "HEAD") return false;
  return route === undefined || route === "direct" || fault?.[route] !== null;
}

/** Returns the name of a case. */
export function nameOf(
  { fault, method, generation, kind, limits, meets, packets, route }: FaultCase,
): string {
  return `a server that ${fault.name}: ${method}, generation ${generation}, ${kind}, ` +
    `${limits} limits, ${meets}, packets ${packets}, ${route}`;
}

/** Forwards `/PORT/path` to a port, and bodies as they arrive. */
const locations = `
proxy_http_version 1.1;
proxy_buffering off;
location ~ ^/(?<port>[0-9]+)/(?<path>.*)$ {
  proxy_pass http://127.0.0.1:$port/$path;
  proxy_set_header Connection "";
}`;

/** Starts nginx and squid. */
export async function startIntermediaries(): Promise<
  { readonly addresses: Intermediaries; stop(): Promise<void> }
> {
  const [nginx, squid] = await Promise.all([startNginx({ locations }), startSquid()]);
  return {
    addresses: { nginx: nginx.url, squid: squid.url },
    stop: async () => void await Promise.all([nginx.stop(), squid.stop()]),
  };
}
