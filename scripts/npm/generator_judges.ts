/** Judges of the generator's npm package. They use it as its users do, beside the toolkit's. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname } from "node:path";
import process from "node:process";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import type { Builder } from "../shared/package/build_npm.ts";
import { type ChildResult, runChild } from "../shared/child.ts";
import {
  buildGenerator,
  GENERATOR_DOCUMENTS,
  GENERATOR_OUT,
  PROGRAM,
} from "../shared/package/generator_package.ts";
import { readDenoManifest } from "../shared/manifest.ts";
import type { Runtime } from "../shared/runtimes.ts";
import { filesBelow, ROOT } from "../shared/source_files.ts";
import { buildDifferences } from "./build_differences.ts";
import { TYPESCRIPT_7 } from "../shared/package/compile.ts";
import { faultsOfContents } from "../shared/package/contents.ts";
import { faultsOfRun, type Judge, orThrow } from "../shared/package/judge.ts";
import { pack, readFiles, type Tarball } from "../shared/package/pack.ts";
import type { Project } from "../shared/package/project.ts";
import { preparePackages, repositoryJudges } from "./template_judges.ts";
import { toolJudges } from "./tool_judges.ts";
import { oldestConfig } from "./type_checks.ts";

/** The generator's name on npm. */
const PACKAGE = "@restwright/generate";

/** A document whose output needs types, a body, an error and a parameter. */
const DOCUMENT = `openapi: 3.1.0
info: { title: Pet Store, version: "1" }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      tags: [pets]
      operationId: getPet
      responses:
        200: { description: OK, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
        404: { description: Gone, content: { application/json: { schema: { type: object } } } }
    put:
      tags: [pets]
      operationId: updatePet
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      responses: { 204: { description: Done } }
components:
  schemas:
    Pet: { type: object, required: [name], properties: { name: { type: string } } }
`;

/** A program that uses the library. The compiler reads its declarations. */
const PROGRAM_TEXT = `import { generate, type GenerateResult } from "${PACKAGE}";

const result: GenerateResult = await generate("{}");
console.log(result.files.has("client.ts"), result.report.operations);
`;

/**
 * Returns the judges.
 *
 * @param builder The tool that built the package
 * @param tarball The packed package
 * @param project A project in which the packages of the toolkit and of the generator are installed
 * @param runtimes The runtimes that run the program
 */
export async function generatorJudges(
  builder: Builder,
  tarball: Tarball,
  project: Project,
  runtimes: readonly Runtime[],
): Promise<Judge[]> {
  await project.write("pets.yaml", DOCUMENT);
  await project.write("generating.ts", PROGRAM_TEXT);
  const judges: Judge[] = [
    { name: "contents", judge: () => contents(tarball, project) },
    {
      name: "a second build has the same bytes",
      isForRelease: true,
      judge: () => secondBuild(builder, tarball),
    },
    {
      name: "dnt and the compiler build the same",
      isForRelease: true,
      ...(builder === "dnt" ? {} : { leftOut: "dnt comes from JSR, which cannot be reached" }),
      judge: () => otherBuilder(),
    },
    ...toolJudges(ROOT, tarball.path),
    ...runtimes.map((runtime) => ({
      name: `the command on ${runtime.kind} ${runtime.version}`,
      judge: () => command(project, runtime),
    })),
    { name: "npx finds the command", judge: () => npx(project) },
    {
      name: "its declarations and its output compile (tsc)",
      judge: () => types(project, runtimes),
    },
    ...await initJudges(project, runtimes),
  ];
  return judges.map((judge) => ({ ...judge, name: `${PACKAGE}: ${judge.name}` }));
}

async function contents(tarball: Tarball, project: Project): Promise<string[]> {
  const files = await readFiles(`${project.folder}/node_modules/${PACKAGE}`, tarball.paths);
  const home = homedir();
  const machine = home.length > 1 ? [ROOT, `${home}/`] : [ROOT];
  return faultsOfContents(files, machine, ["package.json", ...GENERATOR_DOCUMENTS]);
}

async function secondBuild(builder: Builder, tarball: Tarball): Promise<string[]> {
  const again = `${BUILD_FOLDER}/generator_again`;
  await buildGenerator(builder, again);
  const packed = await pack(`${ROOT}/${again}`, `${ROOT}/${BUILD_FOLDER}/generator_packed_again`);
  const [first, second] = await Promise.all([tarball, packed].map(({ path }) => readFile(path)));
  return first!.equals(second!) ? [] : ["the tarballs of two builds differ"];
}

async function otherBuilder(): Promise<readonly string[]> {
  const other = `${BUILD_FOLDER}/generator_compiled`;
  await buildGenerator("the TypeScript compiler", other);
  const filesOf = async (out: string) =>
    await readFiles(`${ROOT}/${out}`, await filesBelow(`${ROOT}/${out}`, ["."]));
  return buildDifferences(await filesOf(GENERATOR_OUT), await filesOf(other), false);
}

/** Runs the command, and checks that a second run would change nothing. */
async function command(project: Project, { kind, path, version }: Runtime): Promise<string[]> {
  const out = `sdk_${kind}_${version}`;
  const cli = `node_modules/${PACKAGE}/node/cli.js`;
  const prefix = kind === "deno" ? ["run", "-A", cli] : [cli];
  const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
  const run = (...args: readonly string[]) =>
    runChild(path, [...prefix, ...args], { cwd: project.folder, env, limit: 120 });
  const first = await run("pets.yaml", "--out", out, "--quiet", "--strict");
  const faults = faultsOfRun("the command", first, "");
  if (faults.length > 0) return faults;
  const check = await run("pets.yaml", "--out", out, "--quiet", "--check");
  const missing = await run("none.yaml", "--out", out);
  return [
    ...faultsOfRun("--check", check, ""),
    ...(missing.code === 2 ? [] : [`a missing document must end with 2, not ${missing.code}`]),
  ];
}

async function npx(project: Project): Promise<string[]> {
  const result = await runChild("npx", ["--no-install", PROGRAM, "--help"], {
    cwd: project.folder,
    limit: 120,
  });
  const faults = faultsOfRun("npx", result);
  if (faults.length > 0 || result.stdout.includes("--out FOLDER")) return faults;
  return [`npx printed\n${result.output}`];
}

/**
 * The documents of which `init` makes repositories: with pages and an idempotency key, with OAuth and
 * several servers, and with uploads, downloads and streams. Their tests run each program of the READMEs.
 */
const REPOSITORIES = [
  { path: "examples/generated/library.yaml", packageName: "@acme/library", className: "Library" },
  {
    path: "generate/tests/support/pages/payments.yaml",
    ...{ packageName: "@acme/payments", className: "Payments" },
  },
  {
    path: "generate/tests/support/pages/media.yaml",
    ...{ packageName: "@acme/media", className: "MediaDesk" },
  },
] as const;

/** Makes repositories with `init`, and returns their judges. */
async function initJudges(project: Project, runtimes: readonly Runtime[]): Promise<Judge[]> {
  const node = runtimes.findLast(({ kind }) => kind === "node");
  if (node === undefined) return [];
  const judges: Judge[] = [];
  for (const { path, ...names } of REPOSITORIES) {
    const document = basename(path);
    await project.write(document, await readFile(`${ROOT}/${path}`, "utf8"));
    const folder = `${project.folder}/repository_${names.className}`;
    const made = await initRepository(project, node, [document, folder, names.packageName]);
    orThrow(faultsOfRun("init", made, ""));
    const { name: toolkit } = await readDenoManifest(ROOT);
    const packages = { root: ROOT, project: project.folder, names: [toolkit, PACKAGE] };
    await preparePackages(folder, packages);
    const name = `a repository of init (${names.className})`;
    const own = [
      ...repositoryJudges({ name, folder, ...names }, ROOT, runtimes),
      checkJudge(name, folder, project, node),
    ];
    // Their tests and pages differ with the document. Their package and workflow hardly do.
    const isFirst = path === REPOSITORIES[0].path;
    const isForRelease = (name: string) => !isFirst && !/ on (?:node|bun) /.test(name);
    judges.push(...own.map((each) => ({ ...each, isForRelease: isForRelease(each.name) })));
  }
  return judges;
}

async function initRepository(
  project: Project,
  { path }: Runtime,
  [document, folder, name]: readonly [document: string, folder: string, name: string],
): Promise<ChildResult> {
  const options = ["--package", name, "--webhooks", "standard", "--quiet"];
  const cli = `node_modules/${PACKAGE}/node/cli.js`;
  return await runChild(path, [cli, "init", document, folder, ...options], { cwd: project.folder });
}

/** Generates the SDK of a repository again, which must change nothing. */
function checkJudge(name: string, folder: string, project: Project, node: Runtime): Judge {
  return {
    name: `${name}: npm run generate -- --check`,
    async judge() {
      const folders = [dirname(node.path), `${project.folder}/node_modules/.bin`];
      const programs = [...folders, process.env["PATH"] ?? ""].join(delimiter);
      const check = ["run", "--silent", "generate", "--", "--check", "--quiet"];
      const same = await runChild("npm", check, { cwd: folder, env: { PATH: programs } });
      return faultsOfRun("the check", same, "");
    },
  };
}

async function types(project: Project, runtimes: readonly Runtime[]): Promise<string[]> {
  const node = runtimes.find(({ kind }) => kind === "node");
  if (node === undefined) return ["Node is missing"];
  const args = [`node_modules/${PACKAGE}/node/cli.js`, "pets.yaml", "--out", "sdk", "--quiet"];
  const made = await runChild(node.path, args, { cwd: project.folder });
  const config = {
    compilerOptions: {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ erasableSyntaxOnly: true, verbatimModuleSyntax: true, noEmit: true },
      ...{ target: "ES2024", module: "nodenext", allowImportingTsExtensions: true },
      lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      typeRoots: [`${ROOT}/node_modules/@types`],
      types: ["node"],
    },
    files: ["sdk/mod.ts"],
  };
  const faults = faultsOfRun("the command", made);
  const configs = [["generated", config], ["generating", oldestConfig(["generating.ts"])]] as const;
  for (const [name, each] of configs) {
    const path = `tsconfig_${name}.json`;
    await project.write(path, JSON.stringify(each));
    const tsc = [`${ROOT}/${TYPESCRIPT_7}/bin/tsc`, "--pretty", "false", "-p", path];
    faults.push(...faultsOfRun(path, await runChild("node", tsc, { cwd: project.folder }), ""));
  }
  return faults;
}
