/**
 * `deno task soak`: makes calls of all kinds for ten minutes on Node, Deno and Bun, one after the
 * other, against a server that injects faults. A full run writes a report for each runtime to
 * `docs/benchmarks/`. Fails if a call was lost or done twice, or if something grows.
 * `deno task soak --only bun 2` runs two minutes on Bun, and `--help` shows the options.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import { chooseEdition, type Edition, editionEnv } from "../shared/edition.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { getRuntime, type Runtime, type RuntimeName } from "../shared/runtimes.ts";
import { isRecorded, readSoakOptions, SOAK_USAGE, type SoakOptions } from "./options.ts";
import { readSoak, soakLine, soakProblems } from "./report.ts";
import { ROOT } from "../shared/source_files.ts";

const FOLDER = `${ROOT}/docs/benchmarks`;
const PROGRAMS = "tests/support/soak";

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
    if (isRecorded(name, minutes)) {
      await mkdir(FOLDER, { recursive: true });
      const text = `${JSON.stringify(report, null, 2)}\n`;
      await writeFile(`${FOLDER}/soak_${runtime.kind}.json`, text);
    }
    return soakProblems(report);
  } finally {
    server.stdin.end();
  }
}

async function main({ runtimes, minutes }: SoakOptions): Promise<boolean> {
  const { edition } = await chooseEdition(process.execPath);
  const npm = await installPackages(ROOT);
  if (npm !== undefined && !succeeded(npm)) throw new Error(`npm ci failed\n${npm.output}`);
  let isGood = true;
  for (const name of runtimes) {
    const problems = await soakOn(name, minutes, edition);
    for (const problem of problems) console.log(`  ${name}: ${problem}`);
    isGood &&= problems.length === 0;
  }
  return isGood;
}

/** Returns the options. Prints the usage if they are wrong, or if they ask for it. */
function options(): SoakOptions | undefined {
  try {
    const read = readSoakOptions(process.argv.slice(2));
    if (read === undefined) console.log(SOAK_USAGE);
    return read;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${SOAK_USAGE}`);
    process.exitCode = 1;
    return undefined;
  }
}

endChildrenWithUs();
try {
  const read = options();
  if (read !== undefined && !await main(read)) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
