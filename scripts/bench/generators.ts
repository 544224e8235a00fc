/**
 * `deno task bench --generate`: runs generators of API clients on one document, beside each other.
 * Prints a table, and writes it to `docs/project/generate_comparison.md`.
 */
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import {
  allCalls,
  type Contender,
  contenders,
  OWN,
  tenCalls,
  tenCallsOfParts,
} from "../../bench/generators/contenders.ts";
import manifest from "../../bench/generators/package.json" with { type: "json" };
import { withFigures } from "./peer_report.ts";
import { BUILD_FOLDER, removeOldBuilds } from "../shared/build_folder.ts";
import { builderFor, buildPackage } from "../shared/package/build_npm.ts";
import { runChild, succeeded } from "../shared/child.ts";
import type { Edition } from "../shared/edition.ts";
import { buildGenerator } from "../shared/package/generator_package.ts";
import {
  countOperations,
  type GeneratorFigures,
  generatorTable,
  median,
  type Sizes,
  type Usage,
  usageIn,
} from "./generator_figures.ts";
import { readDenoManifest } from "../shared/manifest.ts";
import { installInto } from "../shared/npm_packages.ts";
import { OUT } from "../shared/package/package_description.ts";
import { checkDetails } from "../shared/report.ts";
import { getRuntime } from "../shared/runtimes.ts";
import { filesBelow, ROOT } from "../shared/source_files.ts";
import { pack } from "../shared/package/pack.ts";
import { type Project, projectWith } from "../shared/package/project.ts";
import type { Measured, MeasureJob } from "../shared/package/measure.ts";

const PAGE = `${ROOT}/docs/project/generate_comparison.md`;

/** The folder of the other generators, the document and the compiler. */
const TOOLS = `${ROOT}/.tools/generators`;

const DOCUMENT = `${TOOLS}/node_modules/@octokit/openapi/generated/api.github.com.json`;

/** The times that each generator runs, and each output is compiled. The generators take turns. */
const ROUNDS = 5;

/** Runs all generators, and writes the figures. */
export async function benchGenerators(edition: Edition): Promise<void> {
  const npm = await installInto(`${ROOT}/bench/generators`, TOOLS);
  if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  const node = await getRuntime(ROOT, "node24");
  if ("trouble" in node) throw new Error(`Node: ${node.trouble}`);
  const project = await projectOf(edition);
  try {
    const bench = new Bench(project, node.path);
    const figures = await bench.measureAll();
    const date = new Date().toISOString().slice(0, 10);
    const { version } = await readDenoManifest(ROOT);
    const names = contenders.map((each) =>
      `${each.name} ${each.name === OWN ? version : versionOf(each.package)}`
    );
    const about =
      `Measured on ${date}, Node ${node.version}, ${cpus().length} cores, ${
        cpus()[0]?.model ?? "unknown processor"
      }: ${names.join(", ")}. The compiler is TypeScript ${versionOf("typescript")}, the bundler ` +
      `esbuild ${versionOf("esbuild")}, the document that of \`@octokit/openapi\` ${
        versionOf("@octokit/openapi")
      }.`;
    const text = `${about}\n\n${generatorTable(figures)}`;
    console.log(text);
    await writeFile(PAGE, withFigures(await readFile(PAGE, "utf8"), "figures", text));
    // The formatter aligns the table.
    await runChild(process.execPath, ["fmt", "--quiet", PAGE], { cwd: ROOT });
  } finally {
    await project.remove();
  }
}

function versionOf(name: string): string {
  return (manifest.dependencies as Readonly<Record<string, string>>)[name] ?? "unknown";
}

/** Returns a project with both packages of this repository, and the runtime of oazapfts. */
async function projectOf(edition: Edition): Promise<Project> {
  await removeOldBuilds();
  const builder = builderFor(edition);
  const [toolkit, generator] = [`${BUILD_FOLDER}/${OUT}`, `${BUILD_FOLDER}/generator`];
  await buildPackage(await readDenoManifest(ROOT), builder, toolkit);
  await buildGenerator(builder, generator);
  const paths: string[] = [];
  for (const folder of [toolkit, generator]) {
    paths.push((await pack(`${ROOT}/${folder}`, `${ROOT}/${BUILD_FOLDER}`)).path);
  }
  const project = await projectWith(...paths);
  const runtime = "node_modules/@oazapfts";
  await symlink(`${TOOLS}/${runtime}`, `${project.folder}/${runtime}`, "junction");
  // Some generators write files beside the document.
  await mkdir(`${project.folder}/document`);
  await cp(DOCUMENT, `${project.folder}/document/api.json`);
  return project;
}

class Bench {
  readonly #project: Project;
  readonly #node: string;

  /**
   * @param project The project in which the outputs are written
   * @param node The path of Node
   */
  constructor(project: Project, node: string) {
    this.#project = project;
    this.#node = node;
  }

  async measureAll(): Promise<GeneratorFigures[]> {
    const runs = await this.#inTurn("generates", (each) => this.#generate(each));
    for (const each of contenders) await this.#configure(each);
    const compilers = await this.#inTurn("is compiled", (each) => this.#compile(each));
    const figures: GeneratorFigures[] = [];
    const document = JSON.parse(await readFile(DOCUMENT, "utf8"));
    const operations = countOperations(document);
    for (const each of contenders) {
      figures.push({
        name: each.name,
        runs: runs.get(each)!,
        operations,
        found: await this.#operationsIn(each),
        compilers: compilers.get(each)!.map(({ usage }) => usage),
        errors: median(compilers.get(each)!.map(({ errors }) => errors)),
        sizes: await this.#sizes(each),
      });
    }
    return figures;
  }

  /** Calls a function with each contender in turn, in several rounds. */
  async #inTurn<T>(
    what: string,
    measure: (contender: Contender) => Promise<T>,
  ): Promise<Map<Contender, T[]>> {
    const found = new Map(contenders.map((each): [Contender, T[]] => [each, []]));
    for (let round = 1; round <= ROUNDS; round++) {
      for (const each of contenders) {
        console.error(`${each.name} ${what}, ${round} of ${ROUNDS}`);
        found.get(each)!.push(await measure(each));
      }
    }
    return found;
  }

  #folderOf({ name }: Contender): string {
    return `${this.#project.folder}/out/${name.toLowerCase()}`;
  }

  async #generate(contender: Contender): Promise<Usage> {
    const folder = this.#folderOf(contender);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const modules = contender.name === OWN ? this.#project.folder : TOOLS;
    const args = contender.args(`${this.#project.folder}/document/api.json`, folder);
    const { usage } = await this.#run([`${modules}/node_modules/${contender.program}`, ...args]);
    return usage;
  }

  /** Runs Node, and returns the time and the memory that it took. */
  async #run(
    args: readonly string[],
    mayFail = false,
  ): Promise<{ readonly usage: Usage; readonly output: string }> {
    const file = `${this.#project.folder}/usage.jsonl`;
    await rm(file, { force: true });
    const hook = JSON.stringify(`${ROOT}/bench/generators/usage.cjs`);
    const run = await runChild(this.#node, args, {
      cwd: this.#project.folder,
      env: {
        ...{ NODE_OPTIONS: `--require ${hook}`, RESTWRIGHT_USAGE: file },
        ...{ REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      },
    });
    if (!mayFail && !succeeded(run)) throw new Error(checkDetails(args.join(" "), run));
    return { usage: usageIn(await readFile(file, "utf8")), output: run.output };
  }

  /** Writes the compiler's configuration for an output. */
  async #configure(contender: Contender): Promise<void> {
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ erasableSyntaxOnly: true, skipLibCheck: true, noEmit: true, types: [] },
      ...{ target: "ES2022", module: "ESNext", moduleResolution: "bundler" },
      allowImportingTsExtensions: true,
      lib: ["ES2022", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    };
    const config = { compilerOptions, files: contender.modules };
    await writeFile(`${this.#folderOf(contender)}/tsconfig.json`, JSON.stringify(config));
  }

  async #compile(
    contender: Contender,
  ): Promise<{ readonly usage: Usage; readonly errors: number }> {
    const tsc = `${TOOLS}/node_modules/typescript/bin/tsc`;
    const args = [tsc, "--pretty", "false", "--project", this.#folderOf(contender)];
    const { usage, output } = await this.#run(args, true);
    return { usage, errors: output.match(/\berror TS\d+:/g)?.length ?? 0 };
  }

  /** Counts the operations in an output. */
  async #operationsIn(contender: Contender): Promise<number> {
    const folder = this.#folderOf(contender);
    let count = 0;
    for (const path of await filesBelow(folder, ["."])) {
      if (!path.endsWith(".ts")) continue;
      const text = await readFile(`${folder}/${path}`, "utf8");
      count += text.match(contender.operation)?.length ?? 0;
    }
    return count;
  }

  /** Bundles programs that use an output. */
  async #sizes(contender: Contender): Promise<Sizes | undefined> {
    const { name, use } = contender;
    if (use === undefined) return undefined;
    const programs = [tenCalls(use), allCalls(use), ...(name === OWN ? [tenCallsOfParts()] : [])];
    const withRuntime = await this.#bundle(contender, programs, []);
    const alone = use.runtime && await this.#bundle(contender, programs, use.runtime);
    return {
      ten: [withRuntime[0]!, alone?.[0]],
      all: [withRuntime[1]!, alone?.[1]],
      parts: withRuntime[2] === undefined ? undefined : [withRuntime[2], alone?.[2]],
    };
  }

  async #bundle(
    contender: Contender,
    programs: readonly string[],
    external: readonly string[],
  ): Promise<number[]> {
    const job: MeasureJob = {
      esbuild: `${TOOLS}/node_modules/esbuild/lib/main.js`,
      folder: this.#folderOf(contender),
      programs: programs.map((code) => ({ code })),
      peers: `${ROOT}/node_modules`,
      external,
    };
    const measure = `${ROOT}/scripts/shared/package/measure.ts`;
    const run = await runChild(this.#node, [measure, JSON.stringify(job)]);
    if (!succeeded(run)) throw new Error(checkDetails(`bundling ${contender.name}`, run));
    const measured: Measured[] = JSON.parse(run.stdout);
    return measured.map(({ gzipped }) => gzipped);
  }
}
