/** Runs the TypeScript compiler, to build the npm package and to check src/. */
import { mkdir, writeFile } from "node:fs/promises";
import { BUILD_FOLDER } from "../build_folder.ts";
import { type ChildResult, runChild } from "../child.ts";

/** The newest compiler, which only checks: it is several times as fast as the one that builds. */
export const TYPESCRIPT_7 = "node_modules/typescript-7";

/** The root, relative to the build folder. */
const UP = "../..";

/**
 * The language libraries that Node 22, the oldest supported runtime, has completely. It has the
 * symbols of `ESNext.Disposable`, but not the `using` syntax.
 */
const NODE_22_LIBRARIES: readonly string[] = [
  "ES2024",
  "ES2025.Collection",
  "ES2025.Iterator",
  "ESNext.Disposable",
];

/** The libraries of browsers of 2024: Safari has iterator helpers since 2025. */
export const BROWSER_LIBRARIES: readonly string[] = NODE_22_LIBRARIES.filter((name) =>
  name !== "ES2025.Iterator"
);

/** Options for one run of the compiler. */
export interface CompileJob {
  /** The name that the configuration file `tsconfig_<name>.json` is made from. */
  name: string;
  /** The files to compile, relative to the root of the repository. */
  files: readonly string[];
  /** The folder whose structure the output has, relative to the root. The root by default. */
  rootDir?: string;
  /** The type packages whose globals may be used. If empty, only the standard libraries'. */
  types: readonly string[];
  /** The libraries of the language. Those of Node 22 by default. */
  libraries?: readonly string[];
  /** The output folder, relative to the root. With undefined, the compiler only checks. */
  outDir?: string;
  declaration?: boolean;
}

/** A tsconfig.json for `tsc -p`. Its paths are relative to the build folder. */
export interface CompilerConfig {
  compilerOptions: Record<string, unknown>;
  files: string[];
}

/**
 * Builds the tsconfig.json of a job. The strictness options come from deno.json, so that Deno and
 * tsc apply the same rules.
 */
export function compilerConfig(
  job: CompileJob,
  strictness: Readonly<Record<string, boolean>>,
): CompilerConfig {
  const output = job.outDir === undefined ? { noEmit: true, allowImportingTsExtensions: true } : {
    outDir: `${UP}/${job.outDir}`,
    declaration: job.declaration ?? false,
    rewriteRelativeImportExtensions: true,
  };
  return {
    compilerOptions: {
      ...strictness,
      target: "ES2022",
      lib: [...job.libraries ?? NODE_22_LIBRARIES, "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      module: "nodenext",
      moduleResolution: "nodenext",
      skipLibCheck: true,
      types: [...job.types],
      rootDir: job.rootDir === undefined ? UP : `${UP}/${job.rootDir}`,
      ...output,
    },
    files: job.files.map((file) => `${UP}/${file}`),
  };
}

/** Runs the compiler on a job. It writes output even if there are type errors. */
export async function compile(
  root: string,
  job: CompileJob,
  strictness: Readonly<Record<string, boolean>>,
): Promise<ChildResult> {
  await mkdir(`${root}/${BUILD_FOLDER}`, { recursive: true });
  const path = `${BUILD_FOLDER}/tsconfig_${job.name}.json`;
  await writeFile(`${root}/${path}`, JSON.stringify(compilerConfig(job, strictness), null, 2));
  const compiler = job.outDir === undefined ? TYPESCRIPT_7 : "node_modules/typescript";
  const tsc = `${compiler}/bin/tsc`;
  return await runChild("node", [tsc, "--pretty", "false", "-p", path], { cwd: root });
}
