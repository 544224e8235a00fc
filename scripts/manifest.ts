/** What the two manifests, deno.json and package.json, say to the scripts. */
import { readFile } from "node:fs/promises";

/** package.json's "imports": a port, its conditions, the file each of them takes. */
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
  imports: ImportsTable;
  engines: Readonly<Record<string, string>>;
  dependencies?: Readonly<Record<string, string>>;
  [key: string]: unknown;
}

/** Reads deno.json in a folder. */
export async function readDenoManifest(root: string): Promise<DenoManifest> {
  return JSON.parse(await readFile(`${root}/deno.json`, "utf8"));
}

/** Reads package.json in a folder. */
export async function readNpmManifest(root: string): Promise<NpmManifest> {
  return JSON.parse(await readFile(`${root}/package.json`, "utf8"));
}

/** The table of a compiled copy: its default branches alone, as JavaScript files. */
export function compiledImports(table: ImportsTable): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).map(([port, branches]) => {
      const file = branches["default"];
      if (file === undefined) throw new Error(`package.json: "${port}" has no default branch`);
      return [port, compiledPath(file)];
    }),
  );
}

/** The files that only the JSR edition has, such as `src/log/std.ts`. */
export function jsrOnlyFiles(table: ImportsTable): string[] {
  return Object.values(table)
    .filter((branches) =>
      branches["deno"] !== undefined && branches["deno"] !== branches["default"]
    )
    .map((branches) => branches["deno"]!.replace(/^\.\//, ""));
}

/** `./src/a.ts` becomes `./src/a.js`. */
export function compiledPath(path: string): string {
  return path.replace(/\.ts$/, ".js");
}
