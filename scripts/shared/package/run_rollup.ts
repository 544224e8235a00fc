/**
 * Bundles modules with Rollup, and removes the comments with esbuild. Runtimes read comments, too: an
 * import takes a quarter longer with them.
 *
 * Run it with Node: `node run_rollup.ts <JSON of a BundleJob>`.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";

/** The modules to bundle. */
export interface BundleJob {
  /** The folder in which the packages `esbuild` and `rollup` are installed. */
  readonly tools: string;
  /** The folder of the package. The other paths are relative to it. */
  readonly folder: string;
  /** The folder for the bundles. */
  readonly out: string;
  /** The modules by the names of their bundles. What the first one needs is in one file. */
  readonly entries: Readonly<Record<string, string>>;
  /** The module of each port, such as `#log`. */
  readonly ports: Readonly<Record<string, string>>;
}

/** The part of Rollup's API that is used here. */
interface Rollup {
  rollup(options: Readonly<Record<string, unknown>>): Promise<{
    write(options: Readonly<Record<string, unknown>>): Promise<unknown>;
  }>;
}

/** The part of esbuild's API that is used here. */
interface Esbuild {
  transform(
    code: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly code: string; readonly map: string }>;
}

interface ModuleInfo {
  readonly importedIds: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

const job = JSON.parse(process.argv[2]!) as BundleJob;
const require = createRequire(`${job.tools}/package.json`);
const { rollup } = require("rollup") as Rollup;
const { transform } = require("esbuild") as Esbuild;
const input = Object.fromEntries(
  Object.entries(job.entries).map(([name, path]) => [name, join(job.folder, path)]),
);

/** The modules that the first entry imports statically. */
let shared: ReadonlySet<string> | undefined;

function sharedModules({ getModuleInfo }: Graph): ReadonlySet<string> {
  const found = new Set(Object.values(input).slice(0, 1));
  for (const id of found) getModuleInfo(id)?.importedIds.forEach((each) => found.add(each));
  return found;
}

const bundle = await rollup({
  input,
  plugins: [{
    name: "ports and packages",
    resolveId(specifier: string) {
      const module = job.ports[specifier];
      if (module !== undefined) return join(job.folder, module);
      // Packages stay imports.
      return /^[.\/]|^[A-Za-z]:/.test(specifier) ? null : { id: specifier, external: true };
    },
  }, {
    name: "without comments",
    // It keeps the comments that bundlers read, such as those in dynamic imports.
    renderChunk: (code: string) => transform(code, { charset: "utf8", sourcemap: true }),
  }],
  treeshake: { moduleSideEffects: false },
  onLog(_level: string, { code, message }: { readonly code?: string; readonly message: string }) {
    // TypeScript's helper for dynamic imports reads it. dnt's build has no such helper.
    if (code !== "THIS_IS_UNDEFINED") console.error(message);
  },
});
await bundle.write({
  dir: join(job.folder, job.out),
  format: "es",
  generatedCode: "es2015",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  manualChunks(id: string, graph: Graph) {
    shared ??= sharedModules(graph);
    return shared.has(id) ? "core" : undefined;
  },
  // Without this, each bundle would import everything that its imports import.
  hoistTransitiveImports: false,
  sourcemap: true,
  // The package has the sources, which are the compiled modules.
  sourcemapExcludeSources: true,
});
