/** Bundles a program with users' bundlers, and checks which modules of the package they take. */
import { readFile, symlink } from "node:fs/promises";
import { runChild } from "../shared/child.ts";
import { BUNDLED_FOLDER } from "../shared/package/bundle.ts";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import { MODULES_FOLDER } from "../shared/package/package_description.ts";
import { filesBelow } from "../shared/source_files.ts";
import type { ProgramSetting } from "./program_setting.ts";
import { toolPath } from "./tools.ts";

const PROGRAM = `import { APIClient } from "@restwright/restwright";
console.log(new APIClient({ baseUrl: "https://api.example.com" }));
`;

/** Vite's configuration. Nothing is minified, because the comments name the modules. */
const VITE_CONFIG = `export default {
  build: { minify: false, rolldownOptions: { input: "taken.js", checks: { bundlerTimings: false } } },
  ssr: { noExternal: true },
};
`;

/** A run of a bundler, which writes into a folder. */
interface Bundling {
  readonly name: string;
  /** The folder of the package whose modules it must take, and no others. */
  readonly takes: string;
  readonly command: readonly string[];
}

/**
 * Returns the runs. Each bundler writes comments with the paths of the modules.
 *
 * @param tool Returns the command that runs a file of a tool
 * @param bun The path of Bun; undefined if it is not installed
 * @param out Returns the folder to write into
 */
function bundlings(
  tool: (path: string) => readonly string[],
  bun: string | undefined,
  out: (name: string) => string,
): Bundling[] {
  const esbuild = (name: string, takes: string, ...options: readonly string[]): Bundling => ({
    name,
    takes,
    command: [
      ...tool("esbuild/bin/esbuild"),
      ...["taken.js", "--bundle", "--format=esm", "--log-level=warning", ...options],
      `--outdir=${out(name)}`,
    ],
  });
  const vite = (name: string, takes: string, ...options: readonly string[]): Bundling => ({
    name,
    takes,
    command: [
      ...tool("vite/bin/vite.js"),
      ...["build", "--config", "taken.vite.config.js", "--logLevel", "warn", ...options],
      ...["--outDir", out(name)],
    ],
  });
  const ofBun = (name: string, takes: string, target: string): Bundling[] =>
    bun === undefined ? [] : [{
      name,
      takes,
      command: [bun, "build", "taken.js", `--target=${target}`, `--outdir=${out(name)}`],
    }];
  const webpack = (name: string, takes: string, target: string): Bundling => ({
    name,
    takes,
    command: [...tool("").slice(0, 1), "webpacked.mjs", target, out(name)],
  });
  const [pages, servers] = [MODULES_FOLDER, BUNDLED_FOLDER];
  return [
    esbuild("esbuild for browsers", pages, "--platform=browser"),
    esbuild("esbuild for workerd", pages, "--conditions=workerd,worker,browser"),
    esbuild("esbuild for Node", servers, "--platform=node"),
    vite("Vite for browsers", pages),
    vite("Vite for a server", servers, "--ssr", "taken.js"),
    webpack("webpack for browsers", pages, "web"),
    webpack("webpack for workers", pages, "webworker"),
    webpack("webpack for Node", servers, "node"),
    ...ofBun("Bun for browsers", pages, "browser"),
    ...ofBun("Bun for Node", servers, "node"),
    ...ofBun("Bun for Bun", servers, "bun"),
  ];
}

/** Makes webpack available in the project, and returns the judge. */
export async function bundlerJudge({ root, project, runtimes }: ProgramSetting): Promise<Judge> {
  const { folder } = project;
  const webpack = `${root}/${toolPath("webpack")}`;
  await symlink(webpack, `${folder}/node_modules/webpack`, "junction");
  await project.write("taken.js", PROGRAM);
  await project.write("taken.vite.config.js", VITE_CONFIG);
  const configured = `${root}/scripts/npm/consumer/webpacked.mjs`;
  await project.write("webpacked.mjs", await readFile(configured, "utf8"));
  const runs = bundlings(
    (path) => ["node", `${root}/${toolPath(path)}`],
    runtimes.find(({ kind }) => kind === "bun")?.path,
    (name) => `taken/${name.replaceAll(" ", "_")}`,
  );
  return {
    name: "the modules that bundlers take",
    async judge() {
      const faults: string[] = [];
      for (const { name, takes, command: [program, ...args] } of runs) {
        const result = await runChild(program!, args, { cwd: folder });
        faults.push(...faultsOfRun(name, result));
        const taken = new Set<string>();
        const out = `taken/${name.replaceAll(" ", "_")}`;
        for (const path of await filesBelow(folder, [out])) {
          const text = await readFile(`${folder}/${path}`, "utf8");
          for (const [, found] of text.matchAll(TAKEN)) taken.add(found!);
        }
        if ([...taken].join() !== takes) {
          faults.push(`${name} takes modules of ${[...taken].join(" and ")}, not of ${takes}`);
        }
      }
      return faults;
    },
  };
}

/** The path of a module of the package, in a comment of a bundle. */
const TAKEN = /node_modules\/@restwright\/restwright\/(\w+)\//g;
