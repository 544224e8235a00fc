/** Bundles a user's program for the web, as users do. */
import { readFile } from "node:fs/promises";
import { runChild } from "../../shared/child.ts";
import { filesBelow } from "../../shared/source_files.ts";
import { faultsOfRun, orThrow } from "../../shared/package/judge.ts";
import type { Project } from "../../shared/package/project.ts";
import { toolPath } from "../tools.ts";
import { emitConfig } from "../type_checks.ts";

/** A bundler that builds a page from the program. */
export interface Bundler {
  readonly name: string;
  /** Bundles the program, and returns the folder of the page. */
  bundle(): Promise<string>;
}

/** The folder of the program's JavaScript in the project. */
const PROGRAM = "web";

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>A user's program</title>
<script type="module" src="./page.js"></script>
`;

/**
 * Vite's configuration. Workers are ES modules, because Vite's default format does not support a
 * program that is split into chunks. The check of bundler timings is off: it would warn on a busy
 * machine, and any warning is a fault.
 */
const VITE_CONFIG = `const rolldownOptions = { checks: { bundlerTimings: false } };
export default {
  root: "${PROGRAM}",
  build: { rolldownOptions },
  worker: { format: "es", rolldownOptions },
};
`;

/**
 * Compiles the program and writes it into the project as JavaScript.
 *
 * @param root The root of the repository
 * @param project The project in which the package is installed
 * @throws {Error} If the compiler fails
 */
export async function writeProgram(root: string, project: Project): Promise<void> {
  const folder = "scripts/npm/consumer/web";
  const sources = await filesBelow(root, [folder]);
  const files = sources.map((path) => path.replace(folder, "web_source"));
  for (const [index, path] of files.entries()) {
    await project.write(path, await readFile(`${root}/${sources[index]}`, "utf8"));
  }
  const { compilerOptions } = emitConfig(files, PROGRAM);
  const config = { compilerOptions: { ...compilerOptions, rootDir: "web_source" }, files };
  await project.write("tsconfig_web.json", JSON.stringify(config));
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig_web.json"];
  orThrow(faultsOfRun("tsc", await runChild("node", tsc, { cwd: project.folder })));
  await project.write(`${PROGRAM}/index.html`, PAGE);
  await project.write("vite.config.js", VITE_CONFIG);
}

/** Returns the bundlers. A warning makes `bundle()` reject. */
export function bundlers(root: string, project: Project): Bundler[] {
  return [{
    name: "esbuild",
    async bundle() {
      const entries = [`${PROGRAM}/page.js`, `${PROGRAM}/worker.js`];
      const options = ["--bundle", "--minify", "--splitting", "--format=esm"];
      const out = ["--outdir=by_esbuild", "--log-level=warning"];
      await runTool(root, project, "esbuild/bin/esbuild", [...entries, ...options, ...out]);
      await project.write("by_esbuild/index.html", PAGE);
      return `${project.folder}/by_esbuild`;
    },
  }, {
    name: "Vite",
    async bundle() {
      const out = ["--outDir", "../by_vite", "--emptyOutDir", "--logLevel", "warn"];
      const args = ["build", "--config", "vite.config.js", ...out];
      await runTool(root, project, "vite/bin/vite.js", args);
      return `${project.folder}/by_vite`;
    },
  }];
}

/**
 * Bundles the program for workerd, into one module and with the export conditions that its users
 * set. Returns the folder of the bundle.
 */
export async function bundleWorker(root: string, project: Project): Promise<string> {
  const options = ["--bundle", "--minify", "--format=esm", "--conditions=workerd,worker,browser"];
  const out = ["--outdir=by_esbuild_cloud", "--log-level=warning"];
  await runTool(root, project, "esbuild/bin/esbuild", [`${PROGRAM}/cloud.js`, ...options, ...out]);
  return `${project.folder}/by_esbuild_cloud`;
}

async function runTool(
  root: string,
  project: Project,
  tool: string,
  args: readonly string[],
): Promise<void> {
  const command = [`${root}/${toolPath(tool)}`, ...args];
  orThrow(faultsOfRun(tool, await runChild("node", command, { cwd: project.folder }), ""));
}
