/**
 * Bundles programs for browsers with esbuild, and prints their sizes as JSON.
 *
 * Run it with Node: `node measure.ts <JSON of a MeasureJob>`. A bundle is one file. It does not
 * contain the modules that are imported lazily, because none of the programs uses them.
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

/** The programs to measure, and the bundler. */
export interface MeasureJob {
  /** The path of esbuild's module. */
  readonly esbuild: string;
  /** The project in which the package is installed. The bundles are written there. */
  readonly folder: string;
  readonly programs: readonly { readonly code: string }[];
  /** A folder with packages that the project does not have, because they are optional peers. */
  readonly peers: string;
  /** Modules that the bundles import; none by default. */
  readonly external?: readonly string[];
}

/** A bundle and its sizes. */
export interface Measured {
  /** The path of the bundle. */
  readonly file: string;
  /** The minified size in bytes. */
  readonly minified: number;
  /** The minified and gzipped size in bytes. */
  readonly gzipped: number;
}

interface Resolving {
  readonly path: string;
  readonly kind: string;
}

/** The part of esbuild's API that is used here. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly contents: Uint8Array }[];
  }>;
}

interface PluginBuild {
  onResolve(
    options: { filter: RegExp },
    callback: (resolving: Resolving) => { path: string; external: true } | undefined,
  ): void;
}

const job = JSON.parse(process.argv[2]!) as MeasureJob;
const { build } = await import(pathToFileURL(job.esbuild).href) as Esbuild;
const measured: Measured[] = [];
for (const [index, { code }] of job.programs.entries()) {
  const withoutLazyImports = {
    name: "without lazy imports",
    setup({ onResolve }: PluginBuild) {
      onResolve(
        { filter: /./ },
        ({ path, kind }) => kind === "dynamic-import" ? { path, external: true } : undefined,
      );
    },
  };
  const { outputFiles: [output] } = await build({
    stdin: { contents: code, resolveDir: job.folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
    plugins: [withoutLazyImports],
    nodePaths: [job.peers],
    external: job.external ?? [],
  });
  const file = `${job.folder}/sized_${index}.mjs`;
  await writeFile(file, output!.contents);
  const gzipped = gzipSync(output!.contents, { level: 9 }).length;
  measured.push({ file, minified: output!.contents.length, gzipped });
}
console.log(JSON.stringify(measured));
