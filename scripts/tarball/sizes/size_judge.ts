/** Checks the size of users' programs, bundled for browsers. */
import { fileURLToPath } from "node:url";
import { runChild } from "../../child.ts";
import type { Runtime } from "../../runtimes.ts";
import { faultsOfRun, type Judge } from "../judge.ts";
import type { Project } from "../project.ts";
import { toolPath } from "../tools.ts";
import type { Measured, MeasureJob } from "./measure.ts";
import { type SizedProgram, sizedPrograms } from "./programs.ts";

/**
 * Returns the judge. It checks that no bundle exceeds its limit. It also runs each bundle, to check
 * that it works with only the code that was measured.
 *
 * @param root The root of the repository
 * @param project The project in which the package is installed
 * @param runtimes The installed runtimes. Node 24, which measures, must be one of them.
 * @param print Called with a line for each size
 */
export function sizeJudge(
  root: string,
  project: Project,
  runtimes: readonly Runtime[],
  print: (line: string) => void,
): Judge {
  return {
    name: "sizes of bundles",
    async judge() {
      const node = runtimes.find(({ name }) => name === "node24")?.path;
      if (node === undefined) return ["Node 24, which measures the bundles, is not installed"];
      const job: MeasureJob = {
        esbuild: `${root}/${toolPath("esbuild/lib/main.js")}`,
        folder: project.folder,
        programs: sizedPrograms,
        peers: `${root}/node_modules`,
      };
      const measure = fileURLToPath(new URL("./measure.ts", import.meta.url));
      const result = await runChild(node, [measure, JSON.stringify(job)], { cwd: root });
      const broken = faultsOfRun("the measurement", result);
      if (broken.length > 0) return broken;
      const sizes = JSON.parse(result.stdout) as Measured[];
      const faults: string[] = [];
      for (const [index, program] of sizedPrograms.entries()) {
        const size = sizes[index]!;
        print(sizeLine(program, size));
        faults.push(
          ...faultsOfSize(program, size),
          ...faultsOfRun(program.name, await runChild(node, [size.file]), "works"),
        );
      }
      return faults;
    },
  };
}

/** Formats the size of a bundle as a line. */
export function sizeLine(
  { name, limit }: Pick<SizedProgram, "name" | "limit">,
  { minified, gzipped }: Pick<Measured, "minified" | "gzipped">,
): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  return `  ${name.padEnd(34)} ${kilobytes(gzipped)} gzipped of at most ${kilobytes(limit)}, ` +
    `${kilobytes(minified)} minified`;
}

/** Returns a fault if a bundle exceeds its limit; empty otherwise. */
export function faultsOfSize(
  { name, limit }: Pick<SizedProgram, "name" | "limit">,
  { gzipped }: Pick<Measured, "gzipped">,
): string[] {
  if (gzipped <= limit) return [];
  return [`${name}: ${gzipped} bytes gzipped, ${gzipped - limit} more than the limit`];
}
