/**
 * Bundles the compiled modules of a package for Node, Deno and Bun, which load a package from a disk.
 * To find, read and link a module costs them more than to compile it, and a call needs more than a
 * hundred.
 */
import { fileURLToPath } from "node:url";
import { runChild, succeeded } from "../child.ts";
import type { ImportsTable } from "../manifest.ts";
import { installInto } from "../npm_packages.ts";
import { checkDetails } from "../report.ts";
import { getRuntime } from "../runtimes.ts";
import { ROOT } from "../source_files.ts";
import type { BundleJob } from "./run_rollup.ts";

/** The package's folder of bundled modules, named after the condition that selects it. */
export const BUNDLED_FOLDER = "node";

const BUNDLER = ".tools/bundler";

/** The modules of a package that are bundled. Their paths are relative to the package. */
export interface Bundled {
  /** The modules that programs import, by the path of their bundle in `node/`, without `.js`. */
  readonly entries: Readonly<Record<string, string>>;
  /** The "imports" table of the package. */
  readonly imports?: ImportsTable;
}

/** Returns the bundle of an entry point: `.` becomes `mod`, and `./testing/vcr` `testing/vcr`. */
export function bundleName(entry: string): string {
  return entry === "." ? "mod" : entry.replace(/^\.\//, "");
}

/**
 * Bundles the modules of a built package into its folder `node/`.
 *
 * All that the first entry needs at once is in one file, and each module is in one file only, so
 * that there is one of each class. Modules that are loaded when they are first needed stay in files
 * of their own. Packages are imported as before.
 *
 * @param folder The absolute path of the package
 * @param bundled The modules
 * @throws {Error} If Rollup fails or warns
 */
export async function bundlePackage(
  folder: string,
  { entries, imports = {} }: Bundled,
): Promise<void> {
  const installed = await installInto(`${ROOT}/scripts/shared/bundler`, `${ROOT}/${BUNDLER}`);
  if (installed !== undefined && !succeeded(installed)) {
    throw new Error(checkDetails("npm ci", installed));
  }
  const node = await getRuntime(ROOT, "node24");
  if ("trouble" in node) throw new Error(`Node 24 is required: ${node.trouble}`);
  const job: BundleJob = {
    tools: `${ROOT}/${BUNDLER}`,
    folder,
    out: BUNDLED_FOLDER,
    entries,
    ports: Object.fromEntries(
      Object.entries(imports).map(([port, branches]) => [port, branches["default"]!]),
    ),
  };
  const program = fileURLToPath(new URL("./run_rollup.ts", import.meta.url));
  const run = await runChild(node.path, [program, JSON.stringify(job)], { cwd: folder });
  if (!succeeded(run) || run.output !== "") throw new Error(checkDetails("Rollup", run));
}
