/**
 * `deno task bench --peers`: measures the toolkit beside other clients on Deno, Node and Bun. Prints
 * tables, and writes the results to `docs/project/performance.md`, and to `docs/benchmarks/` as JSON and as an
 * SVG chart.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import {
  type Comparison,
  comparisonsIn,
  IMPORT_ROWS,
  importTable,
  peerChart,
  type PeerColumn,
  peerMarkdown,
  peerTables,
  slowRows,
  weightTables,
  withFigures,
} from "./peer_report.ts";
import { bodyComparisons } from "./bodies.ts";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import { builderFor, buildPackage } from "../shared/package/build_npm.ts";
import { OUT } from "../shared/package/package_description.ts";
import { type ChildResult, runChild, succeeded } from "../shared/child.ts";
import { type Edition, editionEnv } from "../shared/edition.ts";
import { importableEntries, readDenoManifest, readNpmManifest } from "../shared/manifest.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { getRuntime, type Runtime, type RuntimeName } from "../shared/runtimes.ts";
import { ROOT } from "../shared/source_files.ts";

const FOLDER = `${ROOT}/bench/peers`;
const RESULTS = `${ROOT}/docs/benchmarks`;
const PAGE = `${ROOT}/docs/project/performance.md`;
const RUNTIMES: readonly RuntimeName[] = ["node24", "deno", "bun"];

/** Deno reads the root's settings, but the peers' packages as Node does: from bench/peers/node_modules. */
const DENO_RUN = [
  ...["run", "-q", "-A", "--no-check", `--config=${ROOT}/deno.json`, "--node-modules-dir=manual"],
];

/** Without the settings of the root, by which Deno would import the sources in place of the package. */
const IMPORT_COMMANDS: Readonly<Record<Runtime["kind"], readonly string[]>> = {
  deno: ["run", "-q", "-A", "--no-check", "--no-config", "--node-modules-dir=manual"],
  node: [],
  bun: ["run"],
};

/** The times that each module is imported, each in a process of its own. */
const IMPORTS = 7;

/** The modules of peers whose import is measured. */
const PEER_MODULES = [
  "ofetch",
  "openapi-fetch",
  "ky",
  "axios",
  "openai",
  "up-fetch",
];

/** The flags of V8 for the files that measure the heap. */
const HEAP_FLAGS: Readonly<Record<string, readonly string[]>> = {
  "allocations.ts": ["--expose-gc", "--max-semi-space-size=512", "--min-semi-space-size=512"],
  "clients.ts": ["--expose-gc"],
};

/** Seconds for the files on one runtime; a busy machine needs more than ten minutes. */
const LIMIT = 3600;

async function installPeers(): Promise<void> {
  const npm = await installPackages(FOLDER);
  if (npm !== undefined && !succeeded(npm)) {
    throw new Error(`npm ci failed\n${npm.output}`);
  }
}

/**
 * Runs the short form: a few rows on each runtime. It is part of CI, so its margins are wide.
 *
 * @throws {Error} If the toolkit is much slower than it should be
 */
export async function checkPeers(edition: Edition): Promise<void> {
  await installPeers();
  const problems: string[] = [];
  for (const name of RUNTIMES) {
    const runtime = await runtimeOf(name);
    const comparisons = await measured(runtime, "measure.ts", edition, {}, ["--short"]);
    const column = { runtime: `${runtime.kind} ${runtime.version}`, comparisons };
    console.log(peerTables([column]));
    problems.push(...slowRows(column));
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Runs all comparisons, and writes the results. */
export async function benchPeers(edition: Edition): Promise<void> {
  await installPeers();
  const deno = await readDenoManifest(ROOT);
  const npm = await readNpmManifest(ROOT);
  await buildPackage(deno, builderFor(edition));
  const node = await runtimeOf("node24");
  const columns = [];
  const imports = new Map<RuntimeName, Comparison[]>();
  for (const name of RUNTIMES) {
    const entries = importableEntries(deno, npm).map(([entry]) => entry);
    imports.set(name, await importTimes(await runtimeOf(name), entries));
  }
  for (const name of RUNTIMES) {
    const runtime = await runtimeOf(name);
    const comparisons = [
      ...await measured(runtime, "measure.ts", edition, {
        BENCH_NODE: node.path,
      }),
      ...await measured(runtime, "events.ts", edition),
      ...(runtime.kind === "bun" ? [] : await measured(runtime, "allocations.ts", edition)),
      ...imports.get(name)!,
    ];
    columns.push({
      runtime: `${runtime.kind} ${runtime.version}`,
      comparisons,
    });
    console.log(peerTables(columns.slice(-1)));
  }
  const date = today();
  const versions = (await import("../../bench/peers/package.json", { with: { type: "json" } }))
    .default.dependencies;
  await mkdir(RESULTS, { recursive: true });
  await writeFile(
    `${RESULTS}/peers.json`,
    `${JSON.stringify({ date, machine: machine(), versions, columns }, null, 2)}\n`,
  );
  await writeFile(`${RESULTS}/peers.svg`, peerChart(columns, "GET JSON", date));
  const about = `Measured on ${date}: ${machine()}. ${
    Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(", ")
  }.`;
  await writePage("figures", `${about}\n\n${peerMarkdown(columns)}`);
}

/** Replaces one part of the page. */
async function writePage(part: "figures" | "weights", text: string): Promise<void> {
  await writeFile(PAGE, withFigures(await readFile(PAGE, "utf8"), part, text));
  // The formatter aligns the tables.
  await runChild(process.execPath, ["fmt", "--quiet", PAGE], { cwd: ROOT });
}

const today = (): string => new Date().toISOString().slice(0, 10);

const machine = (): string =>
  `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown processor"}`;

/** Measures what idle clients and waiting calls keep, and large bodies, and writes the page. */
export async function benchWeights(edition: Edition): Promise<void> {
  await installPeers();
  const node = await runtimeOf("node24");
  const columns: PeerColumn[] = [];
  for (const name of RUNTIMES) {
    const runtime = await runtimeOf(name);
    const comparisons = await weights(runtime, node.path, edition);
    columns.push({ runtime: `${runtime.kind} ${runtime.version}`, comparisons });
    console.log(peerTables(columns.slice(-1)));
  }
  await writePage("weights", `Measured on ${today()}: ${machine()}.\n\n${weightTables(columns)}`);
}

/** Measures what idle clients and waiting calls keep, and the transfers of large bodies. */
async function weights(runtime: Runtime, node: string, edition: Edition): Promise<Comparison[]> {
  const env = runtime.kind === "deno" ? editionEnv(edition) : {};
  const transfer = async (args: readonly string[]) =>
    (await runIn(runtime, [], [`${FOLDER}/bodies.ts`, ...args], env)).stdout;
  return [
    ...(runtime.kind === "bun" ? [] : await measured(runtime, "clients.ts", edition)),
    ...await bodyComparisons(node, `${FOLDER}/server.ts`, transfer),
  ];
}

async function runtimeOf(name: RuntimeName): Promise<Runtime> {
  const runtime = await getRuntime(ROOT, name);
  if ("trouble" in runtime) throw new Error(`${name}: ${runtime.trouble}`);
  return runtime;
}

/** Runs a file of bench/peers on a runtime, and returns what it measured. */
async function measured(
  runtime: Runtime,
  file: string,
  edition: Edition,
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<Comparison[]> {
  const flags = HEAP_FLAGS[file] ?? [];
  const path = `${FOLDER}/${file}`;
  const run = await runIn(runtime, flags, [path, ...options], {
    ...env,
    ...(runtime.kind === "deno" ? editionEnv(edition) : {}),
  });
  return comparisonsIn(run.stdout);
}

async function runIn(
  { kind, path }: Runtime,
  flags: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ChildResult> {
  const before = {
    deno: [...DENO_RUN, ...flags.length > 0 ? [`--v8-flags=${flags}`] : []],
    node: [...flags],
    bun: ["run"],
  }[kind];
  const run = await runChild(path, [...before, ...args], { cwd: ROOT, env, limit: LIMIT });
  if (!succeeded(run)) {
    throw new Error(`${args.join(" ")} failed on ${kind}\n${run.output}`);
  }
  return run;
}

/** Prints the imports of the built package and of the peers on each runtime. */
export async function benchImports(edition: Edition): Promise<void> {
  const deno = await readDenoManifest(ROOT);
  await buildPackage(deno, builderFor(edition));
  const entries = importableEntries(deno, await readNpmManifest(ROOT)).map(([entry]) => entry);
  for (const name of RUNTIMES) {
    const runtime = await runtimeOf(name);
    const comparisons = await importTimes(runtime, entries);
    console.log(importTable(comparisons, `${runtime.kind} ${runtime.version}: import of`));
  }
}

/**
 * Measures the import of each entry point of the built package, and of the peers: the CPU time of
 * all threads, and the time. The modules take turns, each import in a process of its own.
 */
async function importTimes(
  runtime: Runtime,
  entries: readonly string[],
): Promise<Comparison[]> {
  const own = entries.map((entry) => `@restwright/restwright${entry.slice(1)}`);
  const names = [...own, ...PEER_MODULES];
  const runs = new Map(names.map((name): [string, ImportRun[]] => [name, []]));
  const script = await importScript();
  for (let round = 0; round < IMPORTS; round++) {
    for (const name of names) {
      const args = [...IMPORT_COMMANDS[runtime.kind], script.path, name];
      // Users do not have the conditions by which this repository chooses an edition.
      const env = { DENO_CONDITIONS: undefined };
      const run = await runChild(runtime.path, args, { cwd: script.folder, env, limit: LIMIT });
      if (!succeeded(run)) throw new Error(`${name} failed on ${runtime.kind}\n${run.output}`);
      runs.get(name)!.push(JSON.parse(run.stdout));
    }
  }
  return (["cpu", "time"] as const).flatMap((figure) => {
    const medians = names.map((name) =>
      runs.get(name)!.map((run) => run[figure]).sort((a, b) => a - b)[IMPORTS >> 1]!
    );
    return names.map((contender, index) => ({
      row: IMPORT_ROWS[figure],
      contender,
      ns: Math.round(medians[index]! * 1e6),
      ratio: Number((medians[index]! / medians[0]!).toFixed(2)),
    }));
  });
}

/** The line that the script prints. The figures are milliseconds. */
interface ImportRun {
  readonly cpu: number;
  readonly time: number;
}

/** Returns a script in a project that has the built package and the peers. */
async function importScript(): Promise<
  { readonly folder: string; readonly path: string }
> {
  const folder = `${ROOT}/${BUILD_FOLDER}/import_time`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, '{"private":true,"type":"module"}');
  const install = [
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    `${ROOT}/${OUT}`,
  ];
  const clients = (await import("../../bench/peers/package.json", { with: { type: "json" } }))
    .default.dependencies;
  const peers = [
    ...Object.entries(clients).filter(([name]) => PEER_MODULES.includes(name)),
    ...Object.entries((await readNpmManifest(ROOT)).peerDependencies ?? {}),
  ].map(([name, version]) => `${name}@${version}`);
  const run = await runChild("npm", [...install, ...peers], { cwd: folder });
  if (!succeeded(run)) throw new Error(`npm install failed\n${run.output}`);
  const path = `${folder}/import_time.mjs`;
  await writeFile(
    path,
    [
      "const [before, start] = [process.cpuUsage(), performance.now()];",
      "await import(process.argv[2]);",
      "const [time, { user, system }] = [performance.now() - start, process.cpuUsage(before)];",
      "console.log(JSON.stringify({ cpu: (user + system) / 1000, time }));",
    ].join("\n"),
  );
  return { folder, path };
}
