/** The TypeScript compiler, for the npm package and the check of src/. */
import { mkdir, writeFile } from "node:fs/promises";
import { BUILD_FOLDER } from "./build_folder.ts";
import { type ChildResult, runChild } from "./child.ts";

/** From the build folder to the root. */
const UP = "../..";

/**
 * The libraries of the language that Node 22 has all of, the oldest runtime. It has the symbols of
 * `ESNext.Disposable`, but not the syntax `using`.
 */
const NODE_22_LIBRARIES: readonly string[] = [
  "ES2024",
  "ES2025.Collection",
  "ES2025.Iterator",
  "ESNext.Disposable",
];

/** What to compile. */
export interface CompileJob {
  /** Names the configuration file. */
  name: string;
  /** From the root of the repository. */
  files: readonly string[];
  /** Names of type packages whose globals may be used; none means standard libraries only. */
  types: readonly string[];
  /** Where the output goes, from the root; undefined means a check without output. */
  outDir?: string;
  declaration?: boolean;
}

/** A configuration for `tsc -p`, to be put into the build folder. */
export interface CompilerConfig {
  compilerOptions: Record<string, unknown>;
  files: string[];
}

/**
 * The configuration of a job. The strictness comes from deno.json, so that both compilers judge
 * by the same rules.
 */
export function compilerConfig(
  job: CompileJob,
  strictness: Readonly<Record<string, boolean>>,
): CompilerConfig {
  const output = job.outDir === undefined ? { noEmit: true, allowImportingTsExtensions: true } : {
    outDir: `${UP}/${job.outDir}`,
    declaration: job.declaration ?? false,
    sourceMap: true,
    // The sources are not beside the output where it is published.
    inlineSources: true,
    rewriteRelativeImportExtensions: true,
  };
  return {
    compilerOptions: {
      ...strictness,
      target: "ES2022",
      lib: [...NODE_22_LIBRARIES, "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      module: "nodenext",
      moduleResolution: "nodenext",
      skipLibCheck: true,
      types: [...job.types],
      rootDir: UP,
      ...output,
    },
    files: job.files.map((file) => `${UP}/${file}`),
  };
}

/** Runs the compiler on a job. Output is written even where there are type errors. */
export async function compile(
  root: string,
  job: CompileJob,
  strictness: Readonly<Record<string, boolean>>,
): Promise<ChildResult> {
  await mkdir(`${root}/${BUILD_FOLDER}`, { recursive: true });
  const path = `${BUILD_FOLDER}/tsconfig_${job.name}.json`;
  await writeFile(`${root}/${path}`, JSON.stringify(compilerConfig(job, strictness), null, 2));
  const compiler = "node_modules/typescript/bin/tsc";
  return await runChild("node", [compiler, "--pretty", "false", "-p", path], { cwd: root });
}
