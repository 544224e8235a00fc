import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";

/** What each module imports of the others, as paths from the root; packages are left out. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The ports of package.json: a name, its conditions, the file that each of them takes. */
export type Ports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The modules below a folder of the sources, as paths from the root. */
export function modulesBelow(root: URL, folder: string): string[] {
  const entries = readdirSync(new URL(folder, root), { recursive: true });
  const paths = entries.map((entry) => `${folder}${String(entry).replaceAll("\\", "/")}`);
  return paths.filter((path) => path.endsWith(".ts")).sort();
}

/** The graph of the modules as they are written: types, dynamic imports and every branch of a port. */
export function importGraph(root: URL, modules: readonly string[]): ImportGraph {
  const { imports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  return new Map(
    modules.map((
      path,
    ) => [path, importsOf(path, readFileSync(new URL(path, root), "utf8"), imports)]),
  );
}

/** What one module imports of the others. */
export function importsOf(path: string, source: string, ports: Ports = {}): string[] {
  const specifiers = ts.preProcessFile(source, true, true).importedFiles;
  const targets = specifiers.flatMap(({ fileName }) => {
    if (fileName.startsWith(".")) return [posix.join(posix.dirname(path), fileName)];
    return Object.values(ports[fileName] ?? {}).map((file) => posix.normalize(file));
  });
  return [...new Set(targets)].sort();
}

/**
 * The modules that a bundle for browsers has: what the entries import at run time, by the branches
 * that browsers take.
 *
 * @param root The root
 * @param entries The entries, as paths from it
 * @param which Whether those that it loads later are among them
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
 * The modules that a user of the JSR package can reach: what the entries import, types included, by
 * the branches that Deno takes.
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

/** Statements that are gone at run time, those included that import nothing but types. */
function withoutTypeImports(source: string): string {
  return source
    .replace(/^(?:import|export) type [^;]*? from [^;]*;$/gm, "")
    .replace(/^(?:import|export) \{(?:\s*type [^,}]*,?)+\s*\} from [^;]*;$/gm, "");
}

/** A way through the graph that comes back to where it began; undefined where there is none. */
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
 * The number of the floor that a module stands on: that of the longest path which it is, or lies
 * below.
 */
export function floorOf(path: string, floors: readonly (readonly string[])[]): number | undefined {
  const covers = (place: string) => place.endsWith("/") ? path.startsWith(place) : path === place;
  const found = floors.flatMap((places, floor) =>
    places.filter(covers).map((place) => ({ floor, length: place.length }))
  );
  return found.sort((one, other) => other.length - one.length)[0]?.floor;
}

/** The imports that lead to a higher floor, each as a line to read. */
export function upwardImports(
  graph: ImportGraph,
  floors: readonly (readonly string[])[],
): string[] {
  const lines: string[] = [];
  for (const [path, targets] of graph) {
    const own = floorOf(path, floors);
    if (own === undefined) {
      lines.push(`${path} stands on no floor`);
      continue;
    }
    for (const target of targets) {
      const other = floorOf(target, floors) ?? 0;
      if (other < own) lines.push(`${path} imports ${target}, ${own - other} floors up`);
    }
  }
  return lines;
}
