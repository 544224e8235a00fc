/** Describes the npm package, for both tools that can build it. */
import { BUNDLED_FOLDER, bundleName } from "./bundle.ts";
import {
  compiledImports,
  compiledPath,
  type DenoManifest,
  importableEntries,
  type ImportsTable,
  npmBranches,
  type NpmManifest,
} from "../manifest.ts";

/** The content of the package.json that is published on npm. */
export interface PackageDescription {
  name: string;
  version: string;
  description: string;
  keywords: string[];
  license: string;
  type: "module";
  sideEffects: false;
  /** The source repository. npm requires it to check the provenance. */
  repository?: { type: string; url: string };
  engines: Record<string, string>;
  bin: Record<string, string>;
  exports: Record<string, EntryFiles | string>;
  imports: ImportsTable;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
}

/** The files of an entry point, by condition. A tool takes the first one whose condition it sets. */
export interface EntryFiles {
  types: string;
  /** For bundlers of pages, which leave out more if each source is a module. */
  browser: string;
  /** For Node, Deno and Bun, which load few files faster. */
  node: string;
  default: string;
}

/** The name of the toolkit in texts. */
export const TITLE = "Restwright";

/** A sentence about the toolkit, without a full stop. */
export const DESCRIPTION = "A toolkit for building API client libraries on web-standard fetch";

/** The folder that the package is built into, relative to the root. */
export const OUT = "npm";

/** The packed package, which is judged and published, relative to the root. */
export const TARBALL = ".build/restwright.tgz";

/** The package's folder of compiled modules. */
export const MODULES_FOLDER = "esm";

/** Builds the published package.json from the two manifests. */
export function describePackage(deno: DenoManifest, npm: NpmManifest): PackageDescription {
  const exports = importableEntries(deno, npm).map(([name, path]) => {
    return [name, entryFiles(name, compiledPath(inPackage(path)))] as const;
  });
  return {
    name: npm.name,
    version: deno.version,
    description: DESCRIPTION,
    keywords: ["api", "client", "fetch", "http", "rest", "retry", "sdk"],
    license: "MIT",
    type: "module",
    sideEffects: false,
    ...(npm.repository === undefined ? {} : { repository: npm.repository }),
    engines: { ...npm.engines },
    // npm runs a program by its own name, and not by an entry point.
    bin: programFiles(npm),
    // Some tools import a package's package.json to find its version or folder.
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    imports: compiledImports(publishedPorts(npm), `./${MODULES_FOLDER}`),
    dependencies: { ...npm.dependencies },
    peerDependencies: { ...npm.peerDependencies },
    peerDependenciesMeta: { ...npm.peerDependenciesMeta },
  };
}

/**
 * Returns the files of an entry point by condition.
 *
 * @param entry The name of the entry point
 * @param module Its compiled module
 */
export function entryFiles(entry: string, module: string): EntryFiles {
  return {
    types: module.replace(/\.js$/, ".d.ts"),
    // First, because some tools set the conditions of browsers and of Node, such as for Electron.
    browser: module,
    node: `./${BUNDLED_FOLDER}/${bundleName(entry)}.js`,
    default: module,
  };
}

/** Returns the compiled programs by name. Their paths have no leading `./`, as npm writes them. */
export function programFiles({ bin = {} }: NpmManifest): Record<string, string> {
  const programs = Object.entries(bin).map(([name, path]) => [
    name,
    compiledPath(inPackage(path)).replace(/^\.\//, ""),
  ]);
  return Object.fromEntries(programs);
}

/** Returns the modules of all branches of the published ports. */
export function portFiles(npm: NpmManifest): string[] {
  const files = Object.values(npmBranches(publishedPorts(npm))).flatMap(Object.values<string>);
  return [...new Set(files)].map((path) => path.replace(/^\.\//, ""));
}

/** Returns the ports of src/. The port `#test` is not published: only this repository uses it. */
function publishedPorts(npm: NpmManifest): ImportsTable {
  return Object.fromEntries(
    Object.entries(npm.imports).filter(([, branches]) => branches["default"]?.startsWith("./src/")),
  );
}

/** Builds an import map of the npm edition's ports and dependencies, which dnt needs. */
export function npmImportMap(
  npm: NpmManifest,
  rootUrl: string,
): { imports: Record<string, string> } {
  const ports = Object.entries(npm.imports)
    .map(([port, branches]) => [port, new URL(branches["default"]!, rootUrl).href] as const);
  const packages = Object.entries({ ...npm.dependencies, ...testedPeers(npm) })
    // The entry with a slash is for imports of a package's other modules, such as `name/module`.
    .flatMap(([name, range]) => [
      [name, `npm:${name}@${range}`] as const,
      [`${name}/`, `npm:/${name}@${range}/`] as const,
    ]);
  return { imports: Object.fromEntries([...ports, ...packages]) };
}

/**
 * Returns the optional packages with the ranges of the tests. dnt reads no range with alternatives,
 * which some ranges of users have.
 */
function testedPeers({ peerDependencies = {}, devDependencies = {} }: NpmManifest) {
  return Object.fromEntries(
    Object.entries(peerDependencies).map(([name, range]) => [name, devDependencies[name] ?? range]),
  );
}

/**
 * Returns the files that do not belong in a package: tests, examples and the like, dnt's polyfills,
 * and nested package.json files, which have no ports. Below `src`, a folder of such a name is a topic:
 * the generator writes tests.
 */
export function strangers(files: readonly string[]): string[] {
  return files.filter((path) =>
    /^(?:(?!src\/)[^/]+\/)*(?:tests?|examples|bench|scripts)\//.test(path) ||
    /_test\.|(?:^|\/)_dnt\.|(?:^|\/)node_modules\/|\/package\.json$/.test(path)
  );
}

function inPackage(path: string): string {
  return `./${MODULES_FOLDER}/${path.replace(/^\.\//, "")}`;
}
