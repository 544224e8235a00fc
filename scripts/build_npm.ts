/**
 * Builds the npm package into npm/. It uses dnt if JSR can be reached, and the TypeScript compiler
 * otherwise. Both use the same package description, and the same judges check the result.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { BUILD_FOLDER } from "./build_folder.ts";
import { type ChildResult, runChild, succeeded } from "./child.ts";
import { compile } from "./compile.ts";
import { type Edition, editionEnv } from "./edition.ts";
import {
  compiledImports,
  type DenoManifest,
  importableEntries,
  readNpmManifest,
} from "./manifest.ts";
import { describePackage, MODULES_FOLDER, npmImportMap, portFiles } from "./package_description.ts";
import { withPortNames } from "./port_names.ts";
import { getRuntime } from "./runtimes.ts";
import { filesBelow, ROOT } from "./source_files.ts";
import { SBOM_FILE, sbomOf } from "./sbom.ts";
import { withNpmName, withNpmNameInComments } from "./tarball/npm_names.ts";

/** The folder that the package is built into. */
export const OUT: string = `${ROOT}/npm`;

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

async function buildByDnt(deno: DenoManifest): Promise<void> {
  const npm = await readNpmManifest(ROOT);
  await mkdir(`${ROOT}/${BUILD_FOLDER}`, { recursive: true });
  const importMap = `${ROOT}/${BUILD_FOLDER}/dnt_import_map.json`;
  await writeFile(importMap, JSON.stringify(npmImportMap(npm, pathToFileURL(`${ROOT}/`).href)));
  // Not a literal, so that no tool tries to load it if JSR cannot be reached.
  const specifier = "@deno/dnt";
  const dnt: Dnt = await import(specifier);
  // The import map resolves a port to one of its files, but the package needs all of them.
  const branches = portFiles(npm).map((path) => ({ name: `./${path}`, path: `./${path}` }));
  await dnt.build({
    entryPoints: [
      ...Object.entries(deno.exports).map(([name, path]) => ({ name, path })),
      ...branches,
    ],
    outDir: OUT,
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
      sourceMap: true,
      inlineSources: true,
    },
    package: { ...describePackage(deno, npm) },
  });
  for (const path of LEFT_BY_DNT) await rm(`${OUT}/${path}`, { recursive: true, force: true });
  const ports = compiledImports(npm.imports);
  const modules = (await filesBelow(OUT, [MODULES_FOLDER])).filter((path) => path.endsWith(".js"));
  for (const path of modules) {
    const module = path.slice(MODULES_FOLDER.length + 1);
    const source = await readFile(`${ROOT}/${module.replace(/\.js$/, ".ts")}`, "utf8")
      .catch(() => ""); // a module without a source here: added by dnt, or from a dependency
    const code = await readFile(`${OUT}/${path}`, "utf8");
    await writeFile(`${OUT}/${path}`, withPortNames({ path: module, code, source }, ports));
  }
}

async function buildByCompiler(deno: DenoManifest): Promise<void> {
  const entries = Object.values(deno.exports).map((path) => path.replace(/^\.\//, ""));
  // All files of the ports are listed, because the compiler follows only one branch of a port.
  const files = [...new Set([...entries, ...portFiles(await readNpmManifest(ROOT))])];
  const job = { name: "npm", files, types: [], outDir: `npm/${MODULES_FOLDER}`, declaration: true };
  orFail("the TypeScript compiler", await compile(ROOT, job, deno.compilerOptions));
}

/** Completes the output of either builder: package.json, documents, the SBOM, the npm name in examples. */
async function finish(deno: DenoManifest): Promise<void> {
  const description = describePackage(deno, await readNpmManifest(ROOT));
  const { name: npmName } = description;
  for (const path of await filesBelow(OUT, [MODULES_FOLDER])) {
    if (!/\.(js|d\.ts)$/.test(path)) continue;
    const code = await readFile(`${OUT}/${path}`, "utf8");
    await writeFile(`${OUT}/${path}`, withNpmNameInComments(code, deno.name, npmName));
  }
  for (const path of Object.values(description.bin)) {
    // The first line names the program that runs a file. dnt may remove it.
    const code = await readFile(`${OUT}/${path}`, "utf8");
    if (!code.startsWith("#!")) await writeFile(`${OUT}/${path}`, `#!/usr/bin/env node\n${code}`);
  }
  await writeFile(`${OUT}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md"]) {
    const text = await readFile(`${ROOT}/${name}`, "utf8");
    await writeFile(`${OUT}/${name}`, withNpmName(text, deno.name, npmName));
  }
  await writeFile(`${OUT}/${SBOM_FILE}`, await sbomOf(ROOT, description));
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
      await runChild(node.path, ["--input-type=module", "-e", listNames(specifier)], { cwd: OUT }),
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

function orFail(what: string, result: ChildResult): ChildResult {
  if (!succeeded(result)) {
    throw new Error(`${what} ${result.trouble ?? `exited with ${result.code}`}\n${result.output}`);
  }
  return result;
}

/** Deletes the package's folder, and builds the package again. */
export async function buildPackage(deno: DenoManifest, edition: Edition): Promise<void> {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  await (edition === "jsr" ? buildByDnt(deno) : buildByCompiler(deno));
  await finish(deno);
}
