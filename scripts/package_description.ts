/** The npm package, described once for whichever tool builds it. */
import {
  compiledImports,
  compiledPath,
  type DenoManifest,
  type ImportsTable,
  npmBranches,
  type NpmManifest,
} from "./manifest.ts";

/** The package.json that is published on npm. */
export interface PackageDescription {
  name: string;
  version: string;
  description: string;
  keywords: string[];
  license: string;
  type: "module";
  sideEffects: false;
  /** Where it is developed; npm checks the provenance by it. */
  repository?: { type: string; url: string };
  engines: Record<string, string>;
  exports: Record<string, { types: string; default: string } | string>;
  imports: ImportsTable;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
}

/** The folder of the compiled modules in the package. */
export const MODULES_FOLDER = "esm";

/** Describes the package by what the two manifests say. */
export function describePackage(deno: DenoManifest, npm: NpmManifest): PackageDescription {
  const exports = Object.entries(deno.exports).map(([name, path]) => {
    const module = compiledPath(inPackage(path));
    return [name, { types: module.replace(/\.js$/, ".d.ts"), default: module }] as const;
  });
  return {
    name: npm.name,
    version: deno.version,
    description: "A toolkit for building API client libraries on web-standard fetch",
    keywords: ["api", "client", "fetch", "http", "rest", "retry", "sdk"],
    license: "MIT",
    type: "module",
    sideEffects: false,
    ...(npm.repository === undefined ? {} : { repository: npm.repository }),
    engines: { ...npm.engines },
    // Tools that look for a package's version or folder read its description.
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    imports: compiledImports(publishedPorts(npm), `./${MODULES_FOLDER}`),
    dependencies: { ...npm.dependencies },
    peerDependencies: { ...npm.peerDependencies },
    peerDependenciesMeta: { ...npm.peerDependenciesMeta },
  };
}

/** The modules behind the published ports, whichever branch leads to them. */
export function portFiles(npm: NpmManifest): string[] {
  const files = Object.values(npmBranches(publishedPorts(npm))).flatMap(Object.values<string>);
  return [...new Set(files)].map((path) => path.replace(/^\.\//, ""));
}

/** The ports of src/: #test is for this repository alone. */
function publishedPorts(npm: NpmManifest): ImportsTable {
  return Object.fromEntries(
    Object.entries(npm.imports).filter(([, branches]) => branches["default"]?.startsWith("./src/")),
  );
}

/** The npm edition's part of the imports table as an import map, for a tool that wants one. */
export function npmImportMap(
  npm: NpmManifest,
  rootUrl: string,
): { imports: Record<string, string> } {
  const ports = Object.entries(npm.imports)
    .map(([port, branches]) => [port, new URL(branches["default"]!, rootUrl).href] as const);
  const packages = Object.entries(npm.dependencies ?? {})
    // A package's modules beside its main one are looked up by its name with a slash.
    .flatMap(([name, range]) => [
      [name, `npm:${name}@${range}`] as const,
      [`${name}/`, `npm:/${name}@${range}/`] as const,
    ]);
  return { imports: Object.fromEntries([...ports, ...packages]) };
}

/**
 * The files of a package that have no business in it: tests, examples and the like, what dnt adds to
 * make old runtimes like new ones, and descriptions of packages within it, which know no ports.
 */
export function strangers(files: readonly string[]): string[] {
  return files.filter((path) =>
    /(^|\/)(tests?|examples|bench|scripts|node_modules)\//.test(path) ||
    /_test\.|(^|\/)_dnt\.|\/package\.json$/.test(path)
  );
}

function inPackage(path: string): string {
  return `./${MODULES_FOLDER}/${path.replace(/^\.\//, "")}`;
}
