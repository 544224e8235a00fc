/**
 * `deno task soak`: makes calls of all kinds for ten minutes on Node, Deno and Bun, one after the
 * other, against a server that injects faults. Writes a report for each runtime to
 * `docs/benchmarks/`, and fails if a call was lost or done twice, or if something grows.
 * `deno task soak --only bun 2` runs two minutes on Bun.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import { endChildrenWithUs, runChild, succeeded } from "./child.ts";
import { chooseEdition, type Edition, editionEnv } from "./edition.ts";
import { installPackages } from "./npm_packages.ts";
import { readOptions } from "./run_options.ts";
import { getRuntime, type Runtime, type RuntimeName } from "./runtimes.ts";
import { readSoak, soakLine, soakProblems } from "./soak_report.ts";
import { ROOT } from "./source_files.ts";

const FOLDER = `${ROOT}/docs/benchmarks`;
const PROGRAMS = "tests/support/soak";

/** The runtimes that are run without `--only`. */
const RUNTIMES: readonly RuntimeName[] = ["node24", "deno", "bun"];

const FLAGS = {
  node: ["--expose-gc"],
  deno: ["run", "-q", "-A", "--no-check", "--v8-flags=--expose-gc"],
  bun: ["run"],
} as const;

async function runtimeOf(name: RuntimeName): Promise<Runtime> {
  const runtime = await getRuntime(ROOT, name);
  if ("trouble" in runtime) throw new Error(`${name}: ${runtime.trouble}`);
  return runtime;
}

/** Runs the soak on one runtime, and returns its problems. */
async function soakOn(name: RuntimeName, minutes: number, edition: Edition): Promise<string[]> {
  const node = await runtimeOf("node24");
  const runtime = await runtimeOf(name);
  const server = spawn(node.path, [`${PROGRAMS}/serve.ts`, "stall"], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [url] = await once(server.stdout, "data");
    const args = [...FLAGS[runtime.kind], `${PROGRAMS}/run_soak.ts`, `${minutes}`, `${url}`.trim()];
    const env = runtime.kind === "deno" ? editionEnv(edition) : {};
    const limit = minutes * 60 + 600;
    const child = await runChild(runtime.path, args, { cwd: ROOT, env, limit });
    if (!succeeded(child)) return [child.trouble ?? child.output];
    const report = readSoak(child.stdout, {
      runtime: `${runtime.kind} ${runtime.version}`,
      minutes,
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown processor"}`,
    });
    console.log(soakLine(report));
    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}/soak_${runtime.kind}.json`, `${JSON.stringify(report, null, 2)}\n`);
    return soakProblems(report);
  } finally {
    server.stdin.end();
  }
}

async function main(): Promise<boolean> {
  const args = process.argv.slice(2);
  const { only, filters: [minutes = "10"] } = readOptions(args);
  if (!/^[1-9]\d*$/.test(minutes)) throw new Error(`${minutes} is not a number of minutes`);
  const { edition } = await chooseEdition(process.execPath);
  const npm = await installPackages(ROOT);
  if (npm !== undefined && !succeeded(npm)) throw new Error(`npm ci failed\n${npm.output}`);
  let isGood = true;
  for (const name of args.includes("--only") ? only : RUNTIMES) {
    const problems = await soakOn(name, Number(minutes), edition);
    for (const problem of problems) console.log(`  ${name}: ${problem}`);
    isGood &&= problems.length === 0;
  }
  return isGood;
}

endChildrenWithUs();
try {
  process.exitCode = await main() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
