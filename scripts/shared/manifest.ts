/** Reads the two manifests, deno.json and package.json. */
import { readFile } from "node:fs/promises";

/** The "imports" of package.json: the conditions of each port, and the file for each condition. */
export type ImportsTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The parts of deno.json that the scripts read. */
export interface DenoManifest {
  name: string;
  version: string;
  exports: Readonly<Record<string, string>>;
  imports: Readonly<Record<string, string>>;
  compilerOptions: Readonly<Record<string, boolean>>;
}

/** The parts of package.json that the scripts read. */
export interface NpmManifest {
  name: string;
  /** The programs by name. On JSR, each is an entry point. */
  bin?: Readonly<Record<string, string>>;
  imports: ImportsTable;
  repository?: { readonly type: string; readonly url: string };
  engines: Readonly<Record<string, string>>;
  dependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
  peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
  [key: string]: unknown;
}

/** Reads the deno.json of a folder. */
export async function readDenoManifest(root: string): Promise<DenoManifest> {
  return JSON.parse(await readFile(`${root}/deno.json`, "utf8"));
}

/** Reads the package.json of a folder. */
export async function readNpmManifest(root: string): Promise<NpmManifest> {
  return JSON.parse(await readFile(`${root}/package.json`, "utf8"));
}

/** Returns the entry points that programs import, without the programs themselves. */
export function importableEntries(
  deno: Pick<DenoManifest, "exports">,
  { bin = {} }: Pick<NpmManifest, "bin">,
): [entry: string, path: string][] {
  const programs = Object.values(bin);
  return Object.entries(deno.exports).filter(([, path]) => !programs.includes(path));
}

/** The conditions that select an edition on Deno. A compiled copy is always the npm edition. */
const EDITION_CONDITIONS: readonly string[] = ["npm-edition", "deno"];

/**
 * Returns the table without Deno's branches, as compiled copies need it.
 *
 * @throws {Error} If a port has no default branch
 */
export function npmBranches(table: ImportsTable): ImportsTable {
  return Object.fromEntries(
    Object.entries(table).map(([port, branches]) => {
      const kept = Object.entries(branches).filter(([name]) => !EDITION_CONDITIONS.includes(name));
      if (branches["default"] === undefined) {
        throw new Error(`package.json: "${port}" has no default branch`);
      }
      return [port, Object.fromEntries(kept)];
    }),
  );
}

/** Returns the table for a compiled copy. Its paths are of JavaScript files in a folder. */
export function compiledImports(table: ImportsTable, folder: string = "."): ImportsTable {
  const compiled = (path: string): string => `${folder}/${compiledPath(path.replace(/^\.\//, ""))}`;
  return Object.fromEntries(
    Object.entries(npmBranches(table)).map(([port, branches]) => [
      port,
      Object.fromEntries(Object.entries(branches).map(([name, path]) => [name, compiled(path)])),
    ]),
  );
}

/** Returns the files that only the JSR edition uses, such as `src/log/std.ts`. */
export function jsrOnlyFiles(table: ImportsTable): string[] {
  return Object.values(table)
    .filter((branches) =>
      branches["deno"] !== undefined && branches["deno"] !== branches["default"]
    )
    .map((branches) => branches["deno"]!.replace(/^\.\//, ""));
}

/** Returns the path of a compiled module: `./src/a.ts` becomes `./src/a.js`. */
export function compiledPath(path: string): string {
  return path.replace(/\.ts$/, ".js");
}
