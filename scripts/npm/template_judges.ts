/** Tests the repository template in examples/template/ against the package, and packs it. */
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname } from "node:path";
import process from "node:process";
import { runChild } from "../shared/child.ts";
import type { Runtime } from "../shared/runtimes.ts";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";

/** The folder for the copy of the template. */
const FOLDER = "template";

/** The files that the template's npm package must have. */
const PACKED: readonly string[] = [
  "LICENSE",
  "README.md",
  "dist/mod.d.ts",
  "dist/mod.js",
  "package.json",
];

/** The commands of Deno that the template must pass, as in its workflow. */
const DENO_COMMANDS: readonly (readonly string[])[] = [
  ["fmt", "--check"],
  ["lint"],
  ["test"],
  // The tests have checked the types already.
  ["publish", "--dry-run", "--allow-dirty", "--no-check"],
];

/**
 * Returns the template's deno.json with the npm package in place of that of JSR, which has no
 * version that is not released yet.
 *
 * @param text The deno.json
 * @param packageName The name of the package, which is the same in both registries
 * @throws {Error} If it does not import the package from JSR
 */
export function withNpmImports(text: string, packageName: string): string {
  const manifest = JSON.parse(text) as { imports: Record<string, string> };
  const prefix = `jsr:${packageName}@`;
  const imports = Object.entries(manifest.imports).map(([name, target]) => {
    if (!target.startsWith(prefix)) throw new Error(`"${name}" must begin with ${prefix}`);
    return [name, `npm:${packageName}@${target.slice(prefix.length)}`];
  });
  const changed = {
    ...manifest,
    imports: Object.fromEntries(imports),
    nodeModulesDir: "manual",
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

/** Returns a fault for each file that the template's npm package lacks, or should not have. */
export function faultsOfPacked(paths: readonly string[]): string[] {
  return [
    ...PACKED.filter((path) => !paths.includes(path)).map((path) => `${path} is not packed`),
    ...paths.filter((path) => !PACKED.includes(path) && !path.startsWith("dist/"))
      .map((path) => `${path} is packed`),
  ];
}

/** A repository in a folder, as the template or the generator's `init` makes it. */
export interface Repository {
  /** Its name among the judges. */
  readonly name: string;
  readonly folder: string;
  /** The name of its package, and of the class of its client. */
  readonly packageName: string;
  readonly className: string;
}

/** Copies the template into the project, and returns its judges. */
export async function templateJudges(setting: ProgramSetting): Promise<Judge[]> {
  const { root, deno, project, runtimes } = setting;
  const folder = `${project.folder}/${FOLDER}`;
  const source = `${root}/examples/template`;
  const isOwn = (path: string) => !/\/(?:node_modules|dist)$/.test(path.replaceAll("\\", "/"));
  await cp(source, folder, { recursive: true, filter: isOwn });
  await preparePackages(folder, { root, project: project.folder, names: [deno.name] });
  return repositoryJudges(
    { name: "the template", folder, packageName: "@example/bookshop", className: "Bookshop" },
    root,
    runtimes,
  );
}

/**
 * Makes the packages of a project available to a repository in it. Installing them would take seconds,
 * and they are not in the registries before their release.
 *
 * @param folder The folder of the repository
 * @param names The names of the packages, of which the first one is the toolkit
 */
export async function preparePackages(
  folder: string,
  { root, project, names }: {
    readonly root: string;
    readonly project: string;
    readonly names: readonly string[];
  },
): Promise<void> {
  const manifest = await readFile(`${folder}/deno.json`, "utf8");
  await writeFile(`${folder}/deno.json`, withNpmImports(manifest, names[0]!));
  const link = async (from: string, name: string) => {
    await mkdir(dirname(`${folder}/node_modules/${name}`), { recursive: true });
    await symlink(`${from}/node_modules/${name}`, `${folder}/node_modules/${name}`, "junction");
  };
  for (const name of names) await link(project, name);
  for (const name of ["@types", "typescript", "undici-types"]) await link(root, name);
}

/** Returns the judges of a repository: its tests on each runtime, and its package. */
export function repositoryJudges(
  repository: Repository,
  root: string,
  runtimes: readonly Runtime[],
): Judge[] {
  return [
    ...[newest(runtimes, "deno"), newest(runtimes, "node"), newest(runtimes, "bun")]
      .flatMap((runtime) => runtime === undefined ? [] : [runtimeJudge(runtime, repository)]),
    packageJudge(root, repository),
  ];
}

/** Returns the newest runtime of a kind. */
function newest(runtimes: readonly Runtime[], kind: Runtime["kind"]): Runtime | undefined {
  return runtimes.filter((runtime) => runtime.kind === kind).at(-1);
}

/** Runs the tests of a repository. On Deno, also the other commands of its workflow. */
function runtimeJudge({ path, kind, version }: Runtime, { name, folder }: Repository): Judge {
  const commands = { deno: DENO_COMMANDS, node: [["--test"]], bun: [["test"]] }[kind];
  return {
    name: `${name} on ${kind} ${version}`,
    async judge() {
      // Users do not have the conditions by which this repository chooses an edition.
      const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
      const faults: string[] = [];
      for (const args of commands) {
        const result = await runChild(path, args, { cwd: folder, env, limit: 120 });
        faults.push(...faultsOfRun(`${kind} ${args.join(" ")}`, result));
      }
      return faults;
    },
  };
}

/** Builds and packs a repository, and imports the built module by its name. */
function packageJudge(
  root: string,
  { name, folder, packageName, className }: Repository,
): Judge {
  return {
    name: `${name} as an npm package`,
    async judge() {
      const programs = `${root}/node_modules/.bin${delimiter}${process.env["PATH"] ?? ""}`;
      const npm = await runChild("npm", ["pack", "--json", "--dry-run"], {
        cwd: folder,
        env: { PATH: programs },
      });
      const faults = faultsOfRun("npm pack", npm);
      if (faults.length > 0) return faults;
      // The output of the build comes first.
      const [packed] = JSON.parse(npm.stdout.slice(npm.stdout.search(/^\[/m))) as {
        readonly files: readonly { readonly path: string }[];
      }[];
      const code = `import("${packageName}").then((all) => console.log(typeof all.${className}));`;
      const used = await runChild("node", ["-e", code], { cwd: folder });
      return [
        ...faultsOfPacked(packed?.files.map(({ path }) => path) ?? []),
        ...faultsOfRun("node", used, "function"),
      ];
    },
  };
}
