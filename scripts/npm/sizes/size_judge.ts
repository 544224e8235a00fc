/** Measures the size of users' programs, bundled for browsers. */
import { fileURLToPath } from "node:url";
import { runChild } from "../../shared/child.ts";
import type { Runtime } from "../../shared/runtimes.ts";
import { faultsOfRun, type Judge } from "../../shared/package/judge.ts";
import type { Project } from "../../shared/package/project.ts";
import { toolPath } from "../tools.ts";
import type { Measured, MeasureJob } from "../../shared/package/measure.ts";
import { type SizedProgram, sizedPrograms } from "./programs.ts";

/**
 * Returns the judge. It runs each bundle, to check that it works with only the code that was
 * measured. A size is printed, with a warning if it has grown by 3 % or more, but never a fault.
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
      const measure = fileURLToPath(new URL("../../shared/package/measure.ts", import.meta.url));
      const result = await runChild(node, [measure, JSON.stringify(job)], { cwd: root });
      const broken = faultsOfRun("the measurement", result);
      if (broken.length > 0) return broken;
      const sizes = JSON.parse(result.stdout) as Measured[];
      const faults: string[] = [];
      for (const [index, program] of sizedPrograms.entries()) {
        const size = sizes[index]!;
        print(sizeLine(program, size));
        faults.push(...faultsOfRun(program.name, await runChild(node, [size.file]), "works"));
      }
      return faults;
    },
  };
}

/** The growth of a bundle, in percent of its last known size, from which a line warns. */
const NOTABLE = 3;

/** Formats the size of a bundle as a line, and warns if it has grown much. */
export function sizeLine(
  { name, size }: Pick<SizedProgram, "name" | "size">,
  { minified, gzipped }: Pick<Measured, "minified" | "gzipped">,
): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const growth = (gzipped / size - 1) * 100;
  const change = `${growth < 0 ? "" : "+"}${growth.toFixed(1)} %`;
  return `  ${name.padEnd(34)} ${kilobytes(gzipped)} gzipped (${change}), ${kilobytes(minified)} ` +
    `minified${growth >= NOTABLE ? ": WARNING: it has grown" : ""}`;
}
