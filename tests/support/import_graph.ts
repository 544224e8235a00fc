import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";

/** The imports of each module, as paths from the root. Packages are left out. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The ports in package.json: the file of each condition, by the port's name. */
export type Ports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns the modules in a folder of the sources, as paths from the root. */
export function modulesBelow(root: URL, folder: string): string[] {
  const entries = readdirSync(new URL(folder, root), { recursive: true });
  const paths = entries.map((entry) => `${folder}${String(entry).replaceAll("\\", "/")}`);
  return paths.filter((path) => path.endsWith(".ts")).sort();
}

/** Builds the graph of the modules from their sources, with types and every branch of a port. */
export function importGraph(root: URL, modules: readonly string[]): ImportGraph {
  const { imports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  return new Map(
    modules.map((
      path,
    ) => [path, importsOf(path, readFileSync(new URL(path, root), "utf8"), imports)]),
  );
}

/** Returns the imports of one module. */
export function importsOf(path: string, source: string, ports: Ports = {}): string[] {
  const specifiers = ts.preProcessFile(source, true, true).importedFiles;
  const targets = specifiers.flatMap(({ fileName }) => {
    if (fileName.startsWith(".")) return [posix.join(posix.dirname(path), fileName)];
    return Object.values(ports[fileName] ?? {}).map((file) => posix.normalize(file));
  });
  return [...new Set(targets)].sort();
}

/**
 * Returns the modules in a bundle for browsers: everything that the entries import at run time.
 * Ports resolve to the branches for browsers.
 *
 * @param root The root
 * @param entries The entries, as paths from the root
 * @param which `all` includes the modules that are loaded on demand, `static` does not
 */
export function browserModules(
  root: URL,
  entries: readonly string[],
  which: "all" | "static" = "all",
): string[] {
  const { imports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
    imports: Ports;
  };
  const ports = Object.fromEntries(
    Object.entries(imports).map(([port, branches]) => {
      const taken = branches["browser"] ?? branches["default"]!;
      return [port, { browser: taken }];
    }),
  );
  const found = new Set(entries);
  for (const path of found) {
    const source = withoutTypeImports(readFileSync(new URL(path, root), "utf8"));
    const read = which === "all" ? source : source.replace(/\bimport\("[^"]*"\)/g, "");
    for (const target of importsOf(path, read, ports)) found.add(target);
  }
  return [...found].sort();
}

/**
 * Returns the modules that a user of the JSR package can reach: everything that the entries import,
 * types included. Ports resolve to the branches for Deno.
 */
export function jsrModules(root: URL, entries: readonly string[]): string[] {
  const { imports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
    imports: Ports;
  };
  const ports = Object.fromEntries(
    Object.entries(imports).map(([port, branches]) => {
      return [port, { deno: branches["deno"] ?? branches["default"]! }];
    }),
  );
  const found = new Set(entries);
  for (const path of found) {
    const source = readFileSync(new URL(path, root), "utf8");
    for (const target of importsOf(path, source, ports)) found.add(target);
  }
  return [...found].sort();
}

/** Removes the statements that do not exist at run time, such as imports of types only. */
function withoutTypeImports(source: string): string {
  return source
    .replace(/^(?:import|export) type [^;]*? from [^;]*;$/gm, "")
    .replace(/^(?:import|export) \{(?:\s*type [^,}]*,?)+\s*\} from [^;]*;$/gm, "");
}

/** Returns a cycle in the graph; undefined if there is none. */
export function cycleIn(graph: ImportGraph): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  function walk(path: string): string[] | undefined {
    if (done.has(path)) return undefined;
    const begun = way.indexOf(path);
    if (begun >= 0) return [...way.slice(begun), path];
    way.push(path);
    for (const target of graph.get(path) ?? []) {
      const cycle = walk(target);
      if (cycle !== undefined) return cycle;
    }
    way.pop();
    done.add(path);
    return undefined;
  }
  for (const path of graph.keys()) {
    const cycle = walk(path);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/**
 * Returns the index of the row that contains a module, counted from the top. If several entries
 * match, the longest one counts. Returns undefined if none matches.
 */
export function rowOf(path: string, rows: readonly (readonly string[])[]): number | undefined {
  const covers = (place: string) => place.endsWith("/") ? path.startsWith(place) : path === place;
  const found = rows.flatMap((places, row) =>
    places.filter(covers).map((place) => ({ row, length: place.length }))
  );
  return found.sort((one, other) => other.length - one.length)[0]?.row;
}

/** Describes each import of a higher row in a line. */
export function upwardImports(
  graph: ImportGraph,
  rows: readonly (readonly string[])[],
): string[] {
  const lines: string[] = [];
  for (const [path, targets] of graph) {
    const own = rowOf(path, rows);
    if (own === undefined) {
      lines.push(`${path} is in no row`);
      continue;
    }
    for (const target of targets) {
      const other = rowOf(target, rows) ?? 0;
      if (other < own) {
        lines.push(`${path} (row ${own + 1}) imports ${target} (row ${other + 1})`);
      }
    }
  }
  return lines;
}
