/**
 * `deno task corpora`: generates SDKs from public documents, and checks the output as its users would:
 * with tsc, `deno check`, `deno lint`, `deno publish --dry-run`, and with the generated tests on each
 * runtime. Without `--all`, it takes the small documents alone, as in CI; with paths, it takes those
 * documents instead. With `--from FOLDER`, it takes the documents of `sources.json` out of clones of
 * their repositories, such as `FOLDER/acme/specs`; names after it choose some of them. With `--verbose`,
 * it prints the problems of each document.
 */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { generate, type GenerateOptions, type Report, tests } from "../../generate/mod.ts";
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
import { readDenoManifest } from "../shared/manifest.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { checkDetails, checkLine } from "../shared/report.ts";
import { getRuntime, type Runtime } from "../shared/runtimes.ts";
import { filesBelow, ROOT } from "../shared/source_files.ts";
import { TYPESCRIPT_7 } from "../shared/package/compile.ts";
import { ask, faultsOfRun, type Judge } from "../shared/package/judge.ts";
import { pack } from "../shared/package/pack.ts";
import { type Project, projectWith } from "../shared/package/project.ts";
import process from "node:process";

/** The options of the SDKs: each document becomes an SDK with each of them. */
const VARIANTS: Readonly<Record<string, GenerateOptions>> = {
  sdk: {},
  sdk_with_options: { models: "xml", dates: true, bigint: true, openEnums: true },
};

/** Seconds after which a check seems to hang, also on a busy machine. */
const LIMIT = 1800;

/** The folder of the tests, which has the folders of the SDKs. */
const TESTS = "tests";

/** Generates an SDK and its tests into a project. */
async function generateInto(
  project: Project,
  folder: string,
  { name, text, read }: CorpusDocument,
  options: GenerateOptions,
): Promise<Report> {
  const sdk = `../../../${folder}/mod.ts`;
  const result = await generate(text, {
    ...options,
    file: name,
    read,
    outputs: [tests.with({ sdk })],
  });
  for (
    const [place, files] of [["", result.files], [
      `${TESTS}/`,
      result.outputs.get("tests")!,
    ]] as const
  ) {
    for (const [path, content] of files) {
      const target = `${project.folder}/${place}${folder}/${path}`;
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
  }
  return result.report;
}

/** Links the types of Node, with which Deno checks the imports of `node:test` and `node:assert`. */
async function linkTypes({ folder }: Project): Promise<void> {
  for (const name of ["@types", "undici-types"]) {
    const target = `${folder}/node_modules/${name}`;
    await rm(target, { recursive: true, force: true });
    await symlink(`${ROOT}/node_modules/${name}`, target, "junction");
  }
}

/** Writes the configurations of the checks: one package has all SDKs as its entry points. */
async function configure(project: Project, folders: readonly string[]): Promise<void> {
  const { name, version, compilerOptions } = await readDenoManifest(ROOT);
  // npm wrote the path of the tarball, which no published package can have.
  const dependencies = { [name]: version };
  await project.write("package.json", JSON.stringify({ type: "module", dependencies }));
  await project.write(
    "deno.json",
    JSON.stringify({
      name: "@example/corpora",
      version: "1.0.0",
      license: "MIT",
      exports: Object.fromEntries(folders.map((folder) => [`./${folder}`, `./${folder}/mod.ts`])),
      nodeModulesDir: "manual",
      compilerOptions,
      publish: { include: Object.keys(VARIANTS) },
    }),
  );
  await project.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        ...compilerOptions,
        ...{ erasableSyntaxOnly: true, noEmit: true, types: [], target: "ES2022" },
        ...{ module: "nodenext", allowImportingTsExtensions: true },
        lib: ["ES2022", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      },
      files: folders.map((folder) => `${folder}/mod.ts`),
    }),
  );
  const tests = (await filesBelow(project.folder, [TESTS])).filter((path) =>
    path.endsWith("_test.ts")
  );
  await project.write(ALL_TESTS, tests.map((path) => `import "./${path}";\n`).join(""));
  await project.write("all.ts", folders.map((folder) => `import "./${folder}/mod.ts";\n`).join(""));
}

/** The module that imports all tests. */
const ALL_TESTS = "all_tests.ts";

/**
 * The arguments with which each runtime runs the tests. Deno checks their types, too. It gets one module,
 * because it would load the package and an SDK again for each file.
 */
const TEST_COMMANDS: Readonly<Record<Runtime["kind"], readonly string[]>> = {
  deno: ["test", "--quiet", "-A", ALL_TESTS],
  node: ["--test", "--experimental-test-isolation=none", `${TESTS}/**/*_test.ts`],
  bun: ["test", "--timeout", "60000", TESTS],
};

/** Returns the checks of the output. */
function checksOf(
  { folder }: Project,
  runtimes: readonly Runtime[],
  { edition, given }: { readonly edition: Edition; readonly given: readonly string[] },
): Judge[] {
  // Users do not have the conditions by which this repository chooses an edition.
  const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
  const run = async (what: string, program: string, args: readonly string[]) =>
    faultsOfRun(what, await runChild(program, args, { cwd: folder, env, limit: LIMIT }));
  const tsc = [
    `${ROOT}/${TYPESCRIPT_7}/bin/tsc`,
    "--pretty",
    "false",
    "-p",
    "tsconfig.json",
  ];
  const publish = ["publish", "--dry-run", "--allow-dirty", "--quiet"];
  const deno = process.execPath;
  return [
    { name: "tsc, strict", judge: () => run("tsc", "node", tsc) },
    { name: "deno check", judge: () => run("deno check", deno, ["check", "--quiet", "all.ts"]) },
    {
      name: "deno lint",
      judge: () => run("deno lint", deno, ["lint", "--quiet", ...Object.keys(VARIANTS)]),
    },
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

/** Returns a runtime of each kind. */
async function getRuntimes(): Promise<Runtime[]> {
  const runtimes: Runtime[] = [];
  for (const name of ["deno", "node24", "bun"] as const) {
    const runtime = await getRuntime(ROOT, name);
    if ("trouble" in runtime) throw new Error(runtime.trouble);
    runtimes.push(runtime);
  }
  return runtimes;
}

async function main(
  chosen: DocumentArguments,
  isVerbose: boolean,
): Promise<string[]> {
  const { all, from, names } = chosen;
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
  const details: string[] = [];
  const given = [
    ...all === true ? ["--all"] : [],
    ...from === undefined ? [] : ["--from", from],
    ...names,
  ];
  try {
    const documents = await chosenDocuments(ROOT, chosen);
    const folders: string[] = [];
    const reports: Report[] = [];
    for (const document of documents) {
      for (const [variant, options] of Object.entries(VARIANTS)) {
        const folder = `${variant}/${document.name}`;
        const report = await generateInto(project, folder, document, options);
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
      `${counted(documents.length, "document")}: ${
        sum(({ operations }) => operations)
      } operations, ${sum(({ tests }) => tests)} tests, ` +
        `${sum(({ types }) => types)} types, ${sum(({ problems }) => problems.length)} problems, ` +
        `${sum(({ lists }) => lists.length)} lists in pages, ` +
        `${sum(({ wholeLists }) => wholeLists.length)} as a whole`,
    );
    await configure(project, folders);
    await linkTypes(project);
    for (const check of checksOf(project, await getRuntimes(), { edition, given })) {
      const result = await ask(check);
      console.log(checkLine(check.name, result));
      if (!succeeded(result)) details.push(checkDetails(check.name, result));
    }
  } finally {
    await project.remove();
  }
  return details;
}

endChildrenWithUs();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean" },
    from: { type: "string" },
    verbose: { type: "boolean" },
  },
});
try {
  const details = await main({ ...values, names: positionals }, values.verbose === true);
  if (details.length > 0) console.error(`\n${details.join("\n")}`);
  process.exitCode = details.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
