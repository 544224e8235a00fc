/** Writes SDKs with their tests into a project, and configures the tools that check them there. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type GenerateOptions, tests } from "../../generate/mod.ts";
import { generatePlanned } from "../../generate/src/generate.ts";
import { exampleModule } from "../shared/doc_examples.ts";
import { readDenoManifest } from "../shared/manifest.ts";
import type { Project } from "../shared/package/project.ts";
import { getRuntime, type Runtime } from "../shared/runtimes.ts";
import { filesBelow, ROOT } from "../shared/source_files.ts";
import { TYPESCRIPT_7 } from "../shared/package/compile.ts";
import type { CorpusDocument } from "./documents.ts";

/** The options of the SDKs: each document becomes an SDK with each of them. */
export const VARIANTS: Readonly<Record<string, GenerateOptions>> = {
  sdk: {},
  sdk_with_options: { models: "xml", dates: true, bigint: true, openEnums: true },
};

/** Seconds after which a check seems to hang, also on a busy machine. */
export const LIMIT = 1800;

/** The folder of the tests, which has the folders of the SDKs. */
export const TESTS = "tests";

/** The module that imports all tests. */
const ALL_TESTS = "all_tests.ts";

/** Returns the module with the examples of an SDK's doc comments. */
function exampleFile(folder: string): string {
  return `examples/${folder.replaceAll("/", "_")}.ts`;
}

/**
 * The arguments with which each runtime runs the tests. Deno gets one module, because it would load the
 * package and an SDK again for each file.
 */
export const TEST_COMMANDS: Readonly<Record<Runtime["kind"], readonly string[]>> = {
  deno: ["test", "--quiet", "-A", ALL_TESTS],
  node: ["--test", "--experimental-test-isolation=none", `${TESTS}/**/*_test.ts`],
  bun: ["test", "--timeout", "60000", TESTS],
};

/** Generates an SDK and its tests into a folder of a project. Returns the report and the plan. */
export async function generateInto(
  project: Project,
  folder: string,
  { name, text, read }: CorpusDocument,
  options: GenerateOptions,
): Promise<Awaited<ReturnType<typeof generatePlanned>>> {
  const sdk = `../../../${folder}/mod.ts`;
  const result = await generatePlanned(text, {
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
  const { className } = result.plan.client;
  const examples = exampleModule(result.files, className, `../${folder}/mod.ts`);
  await project.write(exampleFile(folder), examples);
  return result;
}

/** Links the types of Node, with which Deno checks the imports of `node:test` and `node:assert`. */
export async function linkTypes({ folder }: Project): Promise<void> {
  for (const name of ["@types", "undici-types"]) {
    const target = `${folder}/node_modules/${name}`;
    await rm(target, { recursive: true, force: true });
    await symlink(`${ROOT}/node_modules/${name}`, target, "junction");
  }
}

/** Writes the configurations of the checks: one package has all SDKs as its entry points. */
export async function configure(project: Project, folders: readonly string[]): Promise<void> {
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
      files: folders.flatMap((folder) => [`${folder}/mod.ts`, exampleFile(folder)]),
    }),
  );
  const tests = (await filesBelow(project.folder, [TESTS])).filter((path) =>
    path.endsWith("_test.ts")
  );
  await project.write(ALL_TESTS, tests.map((path) => `import "./${path}";\n`).join(""));
}

/** Returns the arguments with which Node runs tsc with a configuration in the current folder. */
export function tscArguments(config: string): string[] {
  return [`${ROOT}/${TYPESCRIPT_7}/bin/tsc`, "--pretty", "false", "-p", config];
}

/** Returns a runtime of each kind. */
export async function getRuntimes(): Promise<Runtime[]> {
  const runtimes: Runtime[] = [];
  for (const name of ["deno", "node24", "bun"] as const) {
    const runtime = await getRuntime(ROOT, name);
    if ("trouble" in runtime) throw new Error(runtime.trouble);
    runtimes.push(runtime);
  }
  return runtimes;
}
