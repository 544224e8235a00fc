import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { nodePackage, versionIn, VERSIONS } from "../../scripts/shared/runtimes.ts";
import { ROOT } from "../../scripts/shared/source_files.ts";
import { detectRuntime } from "../../src/base/runtime.ts";

/**
 * Finds a Node that runs TypeScript, on any runtime: the running one, one that the tests have
 * installed, or the one of the system. Returns its path, or undefined if there is none.
 */
export function findNode(): string | undefined {
  if (detectRuntime().name === "Node") return process.execPath;
  const { platform, arch } = process;
  const program = `${nodePackage(platform, arch)}/bin/${
    platform === "win32" ? "node.exe" : "node"
  }`;
  const installed = [VERSIONS.node26, VERSIONS.node24, VERSIONS.node22]
    .map((version) => `${ROOT}/.runtimes/node-${version}/node_modules/${program}`);
  return [...installed.filter((path) => existsSync(path)), "node"].find(runsTypeScript);
}

/** Reports if a Node runs TypeScript without a flag: 22.18 or later. */
function runsTypeScript(path: string): boolean {
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  const version = versionIn(status === 0 ? stdout : "") ?? "0.0.0";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}
