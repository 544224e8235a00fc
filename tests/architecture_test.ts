import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { assert, assertEquals, assertMatch, describe, it } from "#test";
import { firstGeneration, secondGeneration } from "../src/generation.ts";
import { sourceRoot } from "./support/contract_page.ts";
import {
  browserModules,
  cycleIn,
  importGraph,
  importsOf,
  layerOf,
  modulesBelow,
  upwardImports,
} from "./support/import_graph.ts";

const root = sourceRoot();
const page = readFileSync(new URL("docs/architecture.md", root), "utf8");

/** Returns the cells of the page's table whose first column has this heading, row by row. */
function rowsOf(head: string): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  assert(start >= 0, `a table of ${head}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
}

/** Returns the names in code quotes. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

const modules = modulesBelow(root, "src/");
const graph = importGraph(root, modules);
const layers = rowsOf("layer").map(([, , paths]) => quoted(paths!));

describe("the imports of the sources", () => {
  it("are found, including those of types, those at run time and those through a port", () => {
    const source = `import type { A } from "./a.ts";
export * from "../b.ts";
// import "./comment.ts";
const c = await import("./c.ts");
import { log } from "#log";
import "node:fs";`;
    const ports = { "#log": { deno: "./src/log/std.ts", default: "./src/log/npm.ts" } };

    assertEquals(importsOf("src/x/y.ts", source, ports), [
      ...["src/b.ts", "src/log/npm.ts", "src/log/std.ts", "src/x/a.ts", "src/x/c.ts"],
    ]);
    assert(modules.length > 150, `${modules.length} modules`);
    assert([...graph.values()].flat().length > 500);
    const unknown = [...graph.values()].flat().filter((path) => !modules.includes(path));
    assertEquals(unknown, []);
  });

  it("have no cycle, types included", () => {
    assertEquals(cycleIn(graph), undefined);
  });

  it("never lead to a higher layer of docs/architecture.md", () => {
    assertEquals(upwardImports(graph, layers), []);
  });

  it("are reported if they form a cycle or lead to a higher layer", () => {
    const knot = new Map([
      ["src/a.ts", ["src/low/b.ts"]],
      ["src/low/b.ts", ["src/low/c.ts"]],
      ["src/low/c.ts", ["src/a.ts"]],
    ]);
    const two = [["src/"], ["src/low/"]];

    assertEquals(cycleIn(knot), ["src/a.ts", "src/low/b.ts", "src/low/c.ts", "src/a.ts"]);
    assertEquals(upwardImports(knot, two), [
      "src/low/c.ts (layer 2) imports src/a.ts (layer 1)",
    ]);
    assertEquals(layerOf("src/low/c.ts", two), 1);
    assertEquals(upwardImports(knot, [["src/low/"]]), ["src/a.ts is in no layer"]);
  });
});

describe("a bundle for browsers", () => {
  it("contains no code that needs Deno, Node or Bun, not even to load later", () => {
    const bundled = browserModules(root, ["src/entries/client.ts", "src/entries/session.ts"]);
    const ofTransport = bundled.filter((path) => path.startsWith("src/http/transport/"));

    assert(bundled.length > 60, `${bundled.length} modules`);
    assertEquals(ofTransport, [
      "src/http/transport/browser.ts",
      "src/http/transport/sent_method.ts",
    ]);
    assertEquals(bundled.filter((path) => path.startsWith("src/cookies/")), [
      "src/cookies/none.ts",
    ]);
  });

  it("contains the code of page promises only if the program imports it", () => {
    const pagingIn = (...entries: readonly string[]) =>
      browserModules(root, entries).filter((path) => path.startsWith("src/paging/"));

    assertEquals(pagingIn("mod.ts"), []);
    assert(pagingIn("mod.ts", "src/paging/mod.ts").length > 4);
  });
});

describe("docs/architecture.md", () => {
  it("names only files and folders that exist", () => {
    const paths = [...page.matchAll(/`((?:src|tests|scripts|docs)\/[\w./]*)`/g)].map(([, path]) =>
      path!
    );

    assert(paths.length > 40, `${paths.length} paths`);
    assertEquals(paths.filter((path) => !existsSync(new URL(path, root))), []);
  });

  it("names a function for each step of a request that exists in the step's file", () => {
    for (const [step, , where, name] of rowsOf("step")) {
      const source = readFileSync(new URL(quoted(where!)[0]!, root), "utf8");
      assertMatch(source, new RegExp(`\\b${quoted(name!)[0]}\\b`), `step ${step}`);
    }
  });

  it("lists every module that is imported lazily", () => {
    const parts = modules.flatMap((path) => {
      const source = readFileSync(new URL(path, root), "utf8");
      const loads = source.matchAll(/lazyImport\(\(\) =>\s*import\("([^"]+)"\)/g);
      return [...loads].map(([, part]) => posix.join(posix.dirname(path), part!));
    });

    assert(parts.length >= 2, `${parts.length} modules`);
    assertEquals(
      rowsOf("module").map(([part]) => quoted(part!)[0]).sort(),
      [...new Set(parts)].sort(),
    );
  });

  it("lists every entry of the table of generations, with its values", () => {
    const rows = rowsOf("entry");
    assertEquals(rows.flatMap(([name]) => quoted(name!)), Object.keys(firstGeneration));
    for (const [name, one, two] of rows) {
      const key = quoted(name!)[0] as keyof typeof firstGeneration;
      if (typeof firstGeneration[key] === "function") continue;
      assertEquals(
        [one, two].map((cell) => quoted(cell!)),
        [firstGeneration[key], secondGeneration[key]].map((value) => [value].flat().map(String)),
        key,
      );
    }
  });

  it("lists every port, with its file for each edition and for browsers", () => {
    const { imports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
      imports: Record<string, Record<string, string>>;
    };
    const taken = Object.entries(imports).map(([port, branches]) =>
      [
        port,
        branches["deno"] ?? branches["default"],
        branches["default"],
        branches["browser"] ?? branches["default"],
      ].map((text) => `\`${text?.replace("./", "")}\``)
    );

    assertEquals(rowsOf("port").sort(), taken.sort());
  });
});
