/**
 * `deno task conformance`: reads the documents of the W3C's XML conformance test suites with the
 * XML parsers of both editions, and groups the differences from the specification by reason. It
 * fails if a difference has no reason, or if docs/project/reliability.md has other numbers. With
 * `--verbose`, it lists the cases of each group.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import { type ConformanceCase, readCases } from "./cases.ts";
import { compareReading, type Comparison, type Reading } from "./comparison.ts";
import { groupResults, resultLines, resultProblems } from "./results.ts";
import { CASES_LIST, DOCUMENTS_FOLDER, installSuite } from "./suite.ts";
import { chooseEdition, type Edition, editionEnv } from "../shared/edition.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { checkDetails } from "../shared/report.ts";
import { ROOT } from "../shared/source_files.ts";

/** Reads all documents in an edition. */
async function readAll(edition: Edition): Promise<Reading[]> {
  const args = ["run", "-q", "-A", "--no-check", "scripts/conformance/read_cases.ts"];
  const run = await runChild(process.execPath, args, { cwd: ROOT, env: editionEnv(edition) });
  if (!succeeded(run)) throw new Error(checkDetails(`the ${edition} edition`, run));
  return JSON.parse(run.stdout);
}

async function compareAll(
  cases: readonly ConformanceCase[],
  readings: readonly Reading[],
): Promise<Comparison[]> {
  const read = async (path: string) => await readFile(`${ROOT}/${DOCUMENTS_FOLDER}/${path}`);
  return await Promise.all(cases.map(async (one, index) => {
    const output = one.outputPath === undefined
      ? undefined
      : (await read(one.outputPath)).toString();
    return compareReading(one, await read(one.path), readings[index]!, output);
  }));
}

/** Returns the problems. */
async function main(verbose: boolean): Promise<string[]> {
  for (const install of [installPackages, installSuite]) {
    const npm = await install(ROOT);
    if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  }
  const cases = readCases(await readFile(`${ROOT}/${CASES_LIST}`, "utf8"));
  const page = await readFile(`${ROOT}/docs/project/reliability.md`, "utf8");
  const { edition, reason } = await chooseEdition(process.execPath);
  const editions: readonly Edition[] = edition === "jsr" ? ["npm", "jsr"] : ["npm"];
  const problems: string[] = [];
  for (const each of editions) {
    const results = groupResults(await compareAll(cases, await readAll(each)));
    console.log([`the ${each} edition:`, ...resultLines(results, verbose)].join("\n"));
    problems.push(...resultProblems(results, page, each));
  }
  if (edition === "npm") console.log(`the jsr edition: LEFT OUT (${reason})`);
  return problems;
}

endChildrenWithUs();
try {
  const problems = await main(process.argv.includes("--verbose"));
  if (problems.length > 0) console.error(`\n${problems.join("\n")}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
