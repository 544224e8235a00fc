/**
 * `deno task corpora`: generates SDKs from public documents, and checks the output as its users would:
 * with tsc, `deno lint`, `deno publish --dry-run`, and with the generated tests on each
 * runtime. Without `--all`, it takes the small documents alone, as in CI; with paths, it takes those
 * documents instead. With `--verbose`, it prints the problems of each document. It also makes copies of
 * the documents with random faults: `--mutants 500 --seed 7` sets how many, and which faults.
 *
 * With `--renames`, it only counts the methods that get another name if an operation goes.
 *
 * With `--from FOLDER`, it takes the documents of `sources.json` out of clones of their repositories, such
 * as `FOLDER/acme/specs`; names after it choose some of them. It checks them with tsc and their tests in
 * batches, and prints a table; with `--verbose`, also each operation and list that the table counts. With
 * `--beside`, other generators do the same.
 */
import { parseArgs } from "node:util";
import type { Report } from "../../generate/mod.ts";
import { counted, problemLine } from "../../generate/src/write/terminal.ts";
import { BUILD_FOLDER, removeOldBuilds } from "../shared/build_folder.ts";
import { builderFor, buildPackage } from "../shared/package/build_npm.ts";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import {
  chosenDocuments,
  type CorpusDocument,
  type CorpusSet,
  type DocumentArguments,
  installSet,
} from "./documents.ts";
import { chooseEdition, type Edition, editionEnv } from "../shared/edition.ts";
import { runJobs } from "../shared/jobs.ts";
import { readDenoManifest } from "../shared/manifest.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { checkDetails, checkLine } from "../shared/report.ts";
import type { Runtime } from "../shared/runtimes.ts";
import { ROOT } from "../shared/source_files.ts";
import { ask, faultsOfRun, type Judge } from "../shared/package/judge.ts";
import { pack } from "../shared/package/pack.ts";
import { type Project, projectWith } from "../shared/package/project.ts";
import process from "node:process";
import { besideOthers, besideTable } from "./beside.ts";
import { figuresTable } from "./figures.ts";
import { measure } from "./measure.ts";
import { faultsOfMutants, type MutantOptions } from "./mutants.ts";
import { type Renames, renamesOf, renamesTable } from "./renames.ts";
import {
  configure,
  generateInto,
  getRuntimes,
  LIMIT,
  linkTypes,
  TEST_COMMANDS,
  tscArguments,
  VARIANTS,
} from "./project.ts";

/** The number of mutated documents of a run in CI, and of one before a release. */
const [FEW_MUTANTS, MANY_MUTANTS] = [150, 3000];

/** The options of the checks. */
interface CheckOptions {
  readonly edition: Edition;
  /** The arguments that choose the documents. */
  readonly given: readonly string[];
  readonly documents: readonly CorpusDocument[];
  readonly mutants: MutantOptions;
}

/** Returns the checks of the output. */
function checksOf(
  project: Project,
  runtimes: readonly Runtime[],
  { edition, given }: CheckOptions,
): Judge[] {
  const { folder } = project;
  // Users do not have the conditions by which this repository chooses an edition.
  const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
  const run = async (what: string, program: string, args: readonly string[]) =>
    faultsOfRun(what, await runChild(program, args, { cwd: folder, env, limit: LIMIT }));
  const publish = ["publish", "--dry-run", "--allow-dirty", "--quiet"];
  const deno = process.execPath;
  return [
    { name: "tsc, strict", judge: () => run("tsc", "node", tscArguments("tsconfig.json")) },
    {
      name: "deno lint",
      judge: () => run("deno lint", deno, ["lint", "--quiet", ...Object.keys(VARIANTS)]),
    },
    // It checks the types, too.
    { name: "deno publish --dry-run", judge: () => run("deno publish", deno, publish) },
    {
      name: "requests of clients with a base URL",
      judge: async () =>
        faultsOfRun(
          "base_url.ts",
          await runChild(deno, ["run", "-q", "-A", "scripts/corpora/base_url.ts", ...given], {
            cwd: ROOT,
            env: editionEnv(edition),
            limit: LIMIT,
          }),
        ),
    },
    ...runtimes.map(({ kind, path, version }): Judge => ({
      name: `the tests on ${kind} ${version}`,
      judge: () => run(`the tests on ${kind}`, path, TEST_COMMANDS[kind]),
    })),
  ];
}

/** Generates SDKs with each variant of the options, and makes all checks. Returns what failed. */
async function check(
  project: Project,
  options: CheckOptions,
  isVerbose: boolean,
): Promise<string[]> {
  const { documents, mutants } = options;
  const folders: string[] = [];
  const reports: Report[] = [];
  for (const document of documents) {
    for (const [variant, options] of Object.entries(VARIANTS)) {
      const folder = `${variant}/${document.name}`;
      const { report } = await generateInto(project, folder, document, options);
      folders.push(folder);
      if (variant !== "sdk") continue;
      if (isVerbose && document.name !== "hostile") {
        report.problems.forEach((problem) => console.log(problemLine(problem)));
      }
      reports.push(report);
    }
  }
  const sum = (count: (report: Report) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  console.log(
    `${counted(documents.length, "document")}: ${sum(({ operations }) => operations)} operations, ${
      sum(({ tests }) => tests)
    } tests, ` +
      `${sum(({ types }) => types)} types, ${sum(({ problems }) => problems.length)} problems, ` +
      `${sum(({ lists }) => lists.length)} lists in pages, ` +
      `${sum(({ wholeLists }) => wholeLists.length)} as a whole`,
  );
  await configure(project, folders);
  await linkTypes(project);
  const details: string[] = [];
  const run = async (judge: Judge): Promise<void> => {
    const result = await ask(judge);
    console.log(checkLine(judge.name, result));
    if (!succeeded(result)) details.push(checkDetails(judge.name, result));
  };
  const checks = checksOf(project, await getRuntimes(), options);
  await runJobs(checks.map((each) => () => run(each)));
  // It writes into the folder that the others read.
  await run({
    name: `tsc, ${mutants.count} mutated documents, seed ${mutants.seed}`,
    judge: () => faultsOfMutants(project, documents, mutants),
  });
  return details;
}

/** Prints the table of many documents, beside other generators if asked. Returns what failed. */
async function count(
  project: Project,
  documents: readonly CorpusDocument[],
  { isVerbose, isBeside }: { readonly isVerbose: boolean; readonly isBeside: boolean },
): Promise<readonly string[]> {
  const measured = await measure(project, documents, isVerbose);
  console.log(`\n${figuresTable(measured.figures)}\n`);
  if (isBeside) {
    const others = await besideOthers(project, documents, measured);
    if (isVerbose) others.forEach(({ faults }) => console.log(faults.join("\n")));
    console.log(`\n${besideTable(measured, others)}\n`);
  }
  return measured.faults.length === 0 ? [] : ["see the faults above"];
}

async function main(
  chosen: DocumentArguments,
  { isVerbose, isBeside, mutants }: {
    readonly isVerbose: boolean;
    readonly isBeside: boolean;
    readonly mutants: MutantOptions;
  },
): Promise<readonly string[]> {
  const { all, from, names } = chosen;
  if (isBeside && from === undefined) throw new Error("--beside needs --from FOLDER");
  const sets: readonly CorpusSet[] = from !== undefined
    ? []
    : all === true
    ? ["examples", "more"]
    : ["examples"];
  const installs = [installPackages, ...sets.map((set) => (root: string) => installSet(root, set))];
  for (const install of installs) {
    const npm = await install(ROOT);
    if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  }
  await removeOldBuilds();
  const { edition } = await chooseEdition(process.execPath);
  const out = `${BUILD_FOLDER}/corpora_npm`;
  await buildPackage(await readDenoManifest(ROOT), builderFor(edition), out);
  const { path } = await pack(`${ROOT}/${out}`, `${ROOT}/${BUILD_FOLDER}`);
  const project = await projectWith(path);
  try {
    const documents = await chosenDocuments(ROOT, chosen);
    if (from !== undefined) return await count(project, documents, { isVerbose, isBeside });
    const given = [...all === true ? ["--all"] : [], ...names];
    return await check(project, { edition, given, documents, mutants }, isVerbose);
  } finally {
    await project.remove();
  }
}

/** Prints how many methods of documents get another name if one of their operations goes. */
async function countRenames(chosen: DocumentArguments): Promise<readonly string[]> {
  if (chosen.from === undefined && chosen.names.length === 0) {
    const npm = await installSet(ROOT, "examples");
    if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  }
  const all: Renames[] = [];
  for (const document of await chosenDocuments(ROOT, chosen)) all.push(await renamesOf(document));
  console.log(renamesTable(all));
  return [];
}

endChildrenWithUs();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean" },
    from: { type: "string" },
    beside: { type: "boolean" },
    renames: { type: "boolean" },
    mutants: { type: "string" },
    seed: { type: "string", default: "20261128" },
    verbose: { type: "boolean" },
  },
});
try {
  const chosen = { ...values, names: positionals };
  const details = values.renames === true ? await countRenames(chosen) : await main(chosen, {
    isVerbose: values.verbose === true,
    isBeside: values.beside === true,
    mutants: {
      count: Number(values.mutants ?? (values.all === true ? MANY_MUTANTS : FEW_MUTANTS)),
      seed: Number(values.seed),
    },
  });
  if (details.length > 0) console.error(`\n${details.join("\n")}`);
  process.exitCode = details.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
