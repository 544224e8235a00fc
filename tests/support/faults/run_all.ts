/**
 * A program that `deno task faults` runs on each runtime: all cases of the fault matrix, or those of
 * the faults whose name contains an argument. It prints its report as JSON, and ends by itself.
 */
import process from "node:process";
import { setTimeout } from "node:timers";
import { nginxMissing } from "../nginx.ts";
import { squidMissing } from "../squid.ts";
import { withoutProxyVariables } from "../tls_peers.ts";
import type { Route } from "./expected.ts";
import { allCases, allFaults, nameOf, runtime, startIntermediaries } from "./matrix.ts";
import { runCase } from "./run_case.ts";

const filters = process.argv.slice(2);
const faults = allFaults.filter(({ name }) =>
  filters.length === 0 || filters.some((filter) => name.includes(filter))
);
withoutProxyVariables();
const missing = nginxMissing() ?? squidMissing();
if (missing !== undefined) console.error(missing);
const started = missing === undefined ? await startIntermediaries() : undefined;
const counts: Record<Route, number> = { direct: 0, nginx: 0, squid: 0 };
const failed: string[] = [];
const start = performance.now();
for (const route of started ? ["direct", "nginx", "squid"] as const : ["direct"] as const) {
  for (const each of allCases(faults, [route])) {
    const conditions = { runtime, ...(started && { intermediaries: started.addresses }) };
    const differences = await runCase(each, conditions).catch((error) => [String(error)]);
    if (differences.length > 0) failed.push(`${nameOf(each)}\n    ${differences.join("\n    ")}`);
    counts[route]++;
  }
}
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage();
await started?.stop();
const report = { faults: faults.length, counts, failed, seconds, cpu: (user + system) / 1e6 };
console.log(JSON.stringify(report));

// A handle that is still open keeps the program alive until then.
setTimeout(() => {
  console.error("the program does not end by itself: something is still open");
  process.exit(1);
}, 10_000).unref();
