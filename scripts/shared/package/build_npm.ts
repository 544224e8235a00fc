/**
 * Builds the npm package. dnt builds the one that is published. Without JSR, where dnt comes from, and
 * to compare, the TypeScript compiler builds it from the same description.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { BUILD_FOLDER } from "../build_folder.ts";
import { type ChildResult, runChild, succeeded } from "../child.ts";
import { type Bundled, bundleName, bundlePackage } from "./bundle.ts";
import { compile } from "./compile.ts";
import { type Edition, editionEnv } from "../edition.ts";
import {
  compiledImports,
  type DenoManifest,
  importableEntries,
  readNpmManifest,
} from "../manifest.ts";
import { writeDocuments } from "./package_documents.ts";
import {
  describePackage,
  MODULES_FOLDER,
  npmImportMap,
  OUT,
  type PackageDescription,
  portFiles,
} from "./package_description.ts";
import { withPortNames } from "./port_names.ts";
import { getRuntime } from "../runtimes.ts";
import { filesBelow, ROOT } from "../source_files.ts";
import { SBOM_FILE, sbomOf } from "./sbom.ts";

/** The tool that compiles the modules. */
export type Builder = "dnt" | "the TypeScript compiler";

/**
 * Files that dnt writes and that do not belong in the package. With its own package.json, the
 * folder of the modules would be a package without an "imports" table, and the ports would not
 * resolve. The other files are for dnt's own checks and for packages that ship their sources.
 */
const LEFT_BY_DNT: readonly string[] = [
  `${MODULES_FOLDER}/package.json`,
  ".npmignore",
  "package-lock.json",
  "node_modules",
];

/**
 * The part of dnt's API that is used here. It is declared by hand because dnt's own types cannot be
 * loaded without JSR. dnt has to be 0.43 or later: earlier versions mistake `new.target` for
 * `import.meta`, and `globalThis` for a shim.
 */
interface Dnt {
  build(options: Record<string, unknown>): Promise<void>;
}

/** Loads dnt, which is a package of JSR. */
async function loadDnt(): Promise<Dnt> {
  // Not a literal, so that no tool tries to load it if JSR cannot be reached.
  const specifier = "@deno/dnt";
  return await import(specifier);
}

/** A module that a package exports, or that it has to contain. */
export interface EntryPoint {
  readonly name: string;
  /** The path of the source, relative to the root, with `./` before it. */
  readonly path: string;
}

/**
 * Compiles the modules of a package by dnt.
 *
 * @param entryPoints The modules that the package must contain
 * @param importMap The path of an import map for all that the modules import
 * @param description The package.json
 * @param out The folder of the package, relative to the root
 */
export async function compileByDnt(
  { entryPoints, importMap, description, out }: {
    readonly entryPoints: readonly EntryPoint[];
    readonly importMap: string;
    readonly description: object;
    readonly out: string;
  },
): Promise<void> {
  const dnt = await loadDnt();
  await dnt.build({
    entryPoints: [...entryPoints],
    outDir: `${ROOT}/${out}`,
    shims: {},
    // All supported runtimes have these features, and polyfills would run when the package loads.
    polyfills: false,
    importMap,
    // The import map is complete, so dnt does not need to read the manifests.
    configFile: false,
    scriptModule: false,
    declaration: "inline",
    test: false,
    // Deno and this repository's compiler, which is newer, have already checked the sources.
    typeCheck: false,
    skipSourceOutput: true,
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022", "ESNext", "DOM", "DOM.Iterable"],
      sourceMap: false,
    },
    package: { ...description },
  });
  for (const path of LEFT_BY_DNT) {
    await rm(`${ROOT}/${out}/${path}`, { recursive: true, force: true });
  }
}

async function buildByDnt(deno: DenoManifest, out: string): Promise<void> {
  const npm = await readNpmManifest(ROOT);
  await mkdir(`${ROOT}/${BUILD_FOLDER}`, { recursive: true });
  const importMap = `${ROOT}/${BUILD_FOLDER}/dnt_import_map.json`;
  await writeFile(importMap, JSON.stringify(npmImportMap(npm, pathToFileURL(`${ROOT}/`).href)));
  // The import map resolves a port to one of its files, but the package needs all of them.
  const branches = portFiles(npm).map((path) => ({ name: `./${path}`, path: `./${path}` }));
  const entryPoints = [
    ...Object.entries(deno.exports).map(([name, path]) => ({ name, path })),
    ...branches,
  ];
  await compileByDnt({ entryPoints, importMap, description: describePackage(deno, npm), out });
  const ports = compiledImports(npm.imports);
  const modules = (await filesBelow(`${ROOT}/${out}`, [MODULES_FOLDER])).filter((path) =>
    path.endsWith(".js")
  );
  for (const path of modules) {
    const module = path.slice(MODULES_FOLDER.length + 1);
    const source = await readFile(`${ROOT}/${module.replace(/\.js$/, ".ts")}`, "utf8")
      .catch(() => ""); // a module without a source here: added by dnt, or from a dependency
    const file = `${ROOT}/${out}/${path}`;
    const code = await readFile(file, "utf8");
    await writeFile(file, withPortNames({ path: module, code, source }, ports));
  }
}

async function buildByCompiler(deno: DenoManifest, out: string): Promise<void> {
  const entries = Object.values(deno.exports).map((path) => path.replace(/^\.\//, ""));
  // All files of the ports are listed, because the compiler follows only one branch of a port.
  const files = [...new Set([...entries, ...portFiles(await readNpmManifest(ROOT))])];
  const job = {
    name: "npm",
    files,
    types: [],
    outDir: `${out}/${MODULES_FOLDER}`,
    declaration: true,
  };
  orFail("the TypeScript compiler", await compile(ROOT, job, deno.compilerOptions));
}

/**
 * Completes a package that either builder compiled: the first lines of programs, package.json, the SBOM.
 *
 * @param description The package.json
 * @param out The folder of the package, relative to the root
 */
export async function describeBuild(
  description: Parameters<typeof sbomOf>[1] & { readonly bin: Readonly<Record<string, string>> },
  out: string,
): Promise<void> {
  const folder = `${ROOT}/${out}`;
  for (const path of Object.values(description.bin)) {
    // The first line names the program that runs a file. dnt may remove it.
    const code = await readFile(`${folder}/${path}`, "utf8");
    if (!code.startsWith("#!")) {
      await writeFile(`${folder}/${path}`, `#!/usr/bin/env node\n${code}`);
    }
  }
  await writeFile(`${folder}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
  await writeFile(`${folder}/${SBOM_FILE}`, await sbomOf(ROOT, description));
}

/**
 * Checks that each entry point, imported by the package's name on Node 22, exports the same names
 * as its source on Deno.
 *
 * @returns The number of exported names of all entry points together
 * @throws {Error} If Node 22 is missing, an import fails or the names differ
 */
export async function checkExports(deno: DenoManifest, edition: Edition): Promise<number> {
  const node = await getRuntime(ROOT, "node22");
  if ("trouble" in node) throw new Error(`Node 22 is required: ${node.trouble}`);
  const npm = await readNpmManifest(ROOT);
  const { name: packageName } = describePackage(deno, npm);
  let count = 0;
  for (const [entry, path] of importableEntries(deno, npm)) {
    const specifier = entry === "." ? packageName : `${packageName}/${entry.replace(/^\.\//, "")}`;
    const built = orFail(
      `import of ${specifier} on Node`,
      await runChild(node.path, ["--input-type=module", "-e", listNames(specifier)], {
        cwd: `${ROOT}/${OUT}`,
      }),
    );
    const source = orFail(
      `import of ${path} on Deno`,
      await runChild(process.execPath, ["eval", "--no-check", listNames(path)], {
        cwd: ROOT,
        env: editionEnv(edition),
      }),
    );
    if (built.stdout !== source.stdout) {
      throw new Error(`${specifier} exports ${built.stdout}\n${path} exports ${source.stdout}`);
    }
    count += (JSON.parse(built.stdout) as string[]).length;
  }
  return count;
}

function listNames(specifier: string): string {
  return `import * as entry from ${JSON.stringify(specifier)};
console.log(JSON.stringify(Object.keys(entry).sort()));`;
}

/** Returns the result of a command, and throws if it failed. */
export function orFail(what: string, result: ChildResult): ChildResult {
  if (!succeeded(result)) {
    throw new Error(`${what} ${result.trouble ?? `exited with ${result.code}`}\n${result.output}`);
  }
  return result;
}

/**
 * Deletes a folder, and builds the package into it.
 *
 * @param deno The deno.json
 * @param builder The tool that compiles the modules
 * @param out The folder, relative to the root
 */
export async function buildPackage(
  deno: DenoManifest,
  builder: Builder,
  out: string = OUT,
): Promise<void> {
  await rm(`${ROOT}/${out}`, { recursive: true, force: true });
  await mkdir(`${ROOT}/${out}`, { recursive: true });
  await (builder === "dnt" ? buildByDnt(deno, out) : buildByCompiler(deno, out));
  const npm = await readNpmManifest(ROOT);
  const description = describePackage(deno, npm);
  await bundlePackage(`${ROOT}/${out}`, bundledModules(description));
  await describeBuild(description, out);
  await writeDocuments(ROOT, `${ROOT}/${out}`, npm);
}

/** Returns the modules to bundle: those that the entry points of a package name. */
export function bundledModules(
  { exports, imports }: Pick<PackageDescription, "exports" | "imports">,
): Bundled {
  const entries = Object.entries(exports).flatMap(([entry, module]) =>
    typeof module === "string" ? [] : [[bundleName(entry), module.default] as const]
  );
  return { entries: Object.fromEntries(entries), imports };
}

/** Returns the builder for an edition. dnt is a package of JSR. */
export function builderFor(edition: Edition): Builder {
  return edition === "jsr" ? "dnt" : "the TypeScript compiler";
}
