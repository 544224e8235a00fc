/**
 * `deno task fuzz`: checks the parsers of what servers send with random inputs, for some seconds each.
 * Each target runs in a process of its own, with a limit for its memory.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { endChildrenWithUs, runChild } from "../shared/child.ts";
import { chooseEdition, editionEnv } from "../shared/edition.ts";
import { FUZZ_USAGE, type FuzzOptions, readFuzzOptions } from "./options.ts";
import { ROOT } from "../shared/source_files.ts";

/** The most MiB that a target may use. */
const MEMORY = 512;

/** The seconds after the end of the time in which the last input, and finding a smaller one, may end. */
const GRACE = 120;

/** The child's part of the contract, which `tests/fuzz/run_target.ts` describes. */
interface Report {
  readonly inputs: number;
  readonly failure: string | undefined;
  readonly path: string | undefined;
}

/** Fuzzes one target, and returns the lines to print. */
async function fuzz(
  target: string,
  { seconds, seed, path }: FuzzOptions,
  env: Record<string, string>,
): Promise<{ line: string; isFailed: boolean }> {
  const folder = await mkdtemp(`${tmpdir()}/fuzz-`);
  const progress = `${folder}/progress`;
  const job = JSON.stringify({ target, seconds, seed, path, progress });
  const flags = ["-q", "-A", "--no-check", `--v8-flags=--max-old-space-size=${MEMORY}`];
  const args = ["run", ...flags, "tests/fuzz/run_target.ts", job];
  const limit = seconds + GRACE;
  const child = await runChild(process.execPath, args, { cwd: ROOT, env, limit });
  const last = await readFile(progress, "utf8").catch(() => "0");
  await rm(folder, { recursive: true });
  const repeat = (at: string) =>
    `repeat it with: deno task fuzz --target ${target} --seed ${seed} --path ${at}`;
  const began = `${target.padEnd(18)}`;
  let report: Report;
  try {
    report = JSON.parse(child.stdout.trim().split("\n").at(-1) ?? "");
  } catch {
    const reason = child.trouble ?? `ended with the code ${child.code}`;
    const line = `${began} input ${last}: ${reason}\n${child.output.slice(-2000)}\n${repeat(last)}`;
    return { line, isFailed: true };
  }
  const { inputs, failure } = report;
  const line = `${began} ${inputs.toLocaleString("en")} inputs in ${Math.round(child.seconds)} s`;
  return failure === undefined
    ? { line, isFailed: false }
    : { line: `${line}\n${failure}\n${repeat(report.path ?? last)}`, isFailed: true };
}

/** Returns the names of the targets. They are in the tests, so that a child reads them. */
async function targetNames(env: Record<string, string>): Promise<string[]> {
  const code = 'import { targets } from "./tests/fuzz/targets.ts";' +
    "console.log(JSON.stringify(targets.map(({ name }) => name)));";
  const args = ["eval", "-q", "--no-check", code];
  const child = await runChild(process.execPath, args, { cwd: ROOT, env });
  try {
    return JSON.parse(child.stdout);
  } catch {
    throw new Error(`the targets cannot be read\n${child.output}`);
  }
}

async function main(): Promise<boolean> {
  const { edition } = await chooseEdition(process.execPath);
  const env = editionEnv(edition);
  const known = await targetNames(env);
  let options: FuzzOptions;
  try {
    options = readFuzzOptions(process.argv.slice(2), known);
  } catch (error) {
    console.log(`${error instanceof Error ? error.message : error}\n\n${FUZZ_USAGE}`);
    return false;
  }
  console.log(`seed ${options.seed}`);
  let isFailed = false;
  for (const target of options.targets.length > 0 ? options.targets : known) {
    const result = await fuzz(target, options, env);
    console.log(result.line);
    isFailed ||= result.isFailed;
  }
  return !isFailed;
}

endChildrenWithUs();
process.exit(await main() ? 0 : 1);
