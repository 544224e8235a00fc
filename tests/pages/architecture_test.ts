import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { assert, assertEquals, assertMatch, describe, it } from "#test";
import { firstGeneration, secondGeneration } from "../../src/options/generation.ts";
import { ruleRows, sourceRoot } from "../support/contract_page.ts";
import {
  browserModules,
  cycleIn,
  importGraph,
  importsOf,
  modulesBelow,
  rowOf,
  upwardImports,
} from "../support/import_graph.ts";

const root = sourceRoot();
const page = readFileSync(new URL("docs/project/architecture.md", root), "utf8");

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
const rows = rowsOf("row").map(([, , rooms]) => quoted(rooms!));

const ofGenerator = ["mod.ts", "cli.ts"].map((name) => `generate/${name}`)
  .concat(modulesBelow(root, "generate/src/"));
const generatorGraph = importGraph(root, ofGenerator);
const levels = rowsOf("level").map(([, , rooms]) => quoted(rooms!));

/** Returns the ids of the rules that a cell names, such as `a-*`, or `a-1` to `a-3`. */
function rulesIn(cell: string, ids: readonly string[]): string[] {
  return cell.split(", ").flatMap((part) => {
    const [first, last] = quoted(part);
    if (first!.endsWith("-*")) {
      const prefix = first!.slice(0, -1);
      return ids.filter((id) => id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)));
    }
    return last === undefined ? [first!] : ids.slice(ids.indexOf(first!), ids.indexOf(last) + 1);
  });
}

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

  it("never lead to a higher row of docs/project/architecture.md", () => {
    assertEquals(upwardImports(graph, rows), []);
  });

  it("lead to the clients like those of Stainless only from their own room", () => {
    const importers = modules.filter((path) =>
      graph.get(path)!.some((imported) => imported.startsWith("src/resources/"))
    );

    assert(importers.length > 4, `${importers.length} modules`);
    assertEquals(importers.filter((path) => !path.startsWith("src/resources/")), []);
    assertEquals(rows[0], ["src/resources/"]);
  });

  it("are reported if they form a cycle or lead to a higher row", () => {
    const knot = new Map([
      ["src/a.ts", ["src/low/b.ts"]],
      ["src/low/b.ts", ["src/low/c.ts"]],
      ["src/low/c.ts", ["src/a.ts"]],
    ]);
    const two = [["src/"], ["src/low/"]];

    assertEquals(cycleIn(knot), ["src/a.ts", "src/low/b.ts", "src/low/c.ts", "src/a.ts"]);
    assertEquals(upwardImports(knot, two), [
      "src/low/c.ts (row 2) imports src/a.ts (row 1)",
    ]);
    assertEquals(rowOf("src/low/c.ts", two), 1);
    assertEquals(upwardImports(knot, [["src/low/"]]), ["src/a.ts is in no row"]);
  });
});

describe("the imports of the generator", () => {
  it("have no cycle, types included", () => {
    assert(ofGenerator.length > 100, `${ofGenerator.length} modules`);
    assert([...generatorGraph.values()].flat().length > 400);
    assertEquals(cycleIn(generatorGraph), undefined);
  });

  it("never lead to a higher level of docs/project/architecture.md", () => {
    assertEquals(upwardImports(generatorGraph, levels), []);
  });

  it("lead from no output to another one, nor into the planner", () => {
    const folderOf = (path: string) => /^generate\/src\/outputs\/(\w+)\//.exec(path)?.[1];
    const wrong = [...generatorGraph].flatMap(([path, targets]) => {
      const own = folderOf(path);
      if (own === undefined) return [];
      return targets.filter((target) =>
        target.startsWith("generate/src/plan/") || (folderOf(target) ?? own) !== own
      ).map((target) => `${path} imports ${target}`);
    });

    assertEquals(wrong, []);
  });

  it("lead to each room of the planner by its way in", () => {
    const roomOf = (path: string) => /^generate\/src\/plan\/(\w+)\//.exec(path)?.[1];
    const rooms = new Set([...generatorGraph.keys()].map(roomOf));
    assert(rooms.size > 9, `${rooms.size} rooms`);
    const wrong = [...generatorGraph].flatMap(([path, targets]) =>
      targets.filter((target) => {
        const room = roomOf(target);
        return room !== undefined && room !== roomOf(path) && !target.endsWith(`/${room}/mod.ts`);
      }).map((target) => `${path} imports ${target}`)
    );

    assertEquals(wrong, []);
  });

  it("lead through a mod.ts to the files that declare: it only exports again", () => {
    const others = (source: string) =>
      source.replace(/\/\*[^]*?\*\/|\/\/.*/g, "")
        .replace(/^export (?:type )?(?:\*|\{[^}]*\}) from "[^"]+";/gm, "").trim();
    const mods = ofGenerator.filter((path) =>
      path.startsWith("generate/src/") && path.endsWith("/mod.ts")
    );

    assertEquals(
      others(`/** A. */\nexport type * from "./a.ts";\nexport {\n  b,\n} from "./b.ts";`),
      "",
    );
    assertEquals(others(`export { a } from "./a.ts";\nconst b = 1;`), "const b = 1;");
    assert(mods.length > 15, `${mods.length} files`);
    assertEquals(
      mods.filter((path) => others(readFileSync(new URL(path, root), "utf8")) !== ""),
      [],
    );
  });

  it("lead from the model only to itself", () => {
    const model = [...generatorGraph].filter(([path]) => path.startsWith("generate/src/model/"));

    assert(model.length > 5);
    assertEquals(
      model.flatMap(([, targets]) => targets).filter((path) =>
        !path.startsWith("generate/src/model/")
      ),
      [],
    );
  });
});

describe("a bundle for browsers", () => {
  it("contains no code that needs Deno, Node or Bun, not even to load later", () => {
    const bundled = browserModules(root, ["mod.ts"]);
    const ofTransport = bundled.filter((path) => path.startsWith("src/http/transport/"));

    assert(bundled.length > 60, `${bundled.length} modules`);
    assertEquals(ofTransport, [
      "src/http/transport/browser.ts",
      "src/http/transport/sent_method.ts",
    ]);
    assertEquals(bundled.filter((path) => path.startsWith("src/http/cookies/")), [
      "src/http/cookies/none.ts",
    ]);
  });

  it("contains the code of lists only if the program imports it", () => {
    const pagingIn = (...entries: readonly string[]) =>
      browserModules(root, entries).filter((path) => path.startsWith("src/paging/"));

    assertEquals(pagingIn("mod.ts"), []);
    assert(pagingIn("mod.ts", "src/paging/mod.ts").length > 9);
  });

  it("contains the styles of parameters only if the program imports them", () => {
    const stylesIn = (...entries: readonly string[]) =>
      browserModules(root, entries).filter((path) => path.startsWith("src/content/styles/"));

    assertEquals(stylesIn("mod.ts"), []);
    assert(stylesIn("mod.ts", "src/content/styles/mod.ts").length > 3);
  });

  it("contains the code of polling only if the program imports it", () => {
    const pollingIn = (...entries: readonly string[]) =>
      browserModules(root, entries).filter((path) => path.startsWith("src/polling/"));

    assertEquals(pollingIn("mod.ts"), []);
    assert(pollingIn("mod.ts", "src/polling/mod.ts").length > 1);
  });

  it("contains the code of resources only if the program imports it", () => {
    const resourcesIn = (...entries: readonly string[]) =>
      browserModules(root, entries).filter((path) => path.startsWith("src/resources/"));

    assertEquals(resourcesIn("mod.ts"), []);
    assert(resourcesIn("mod.ts", "src/resources/mod.ts").length > 1);
  });
});

describe("docs/project/architecture.md", () => {
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

  it("names a function or table for each question that exists in its file", () => {
    const answers = rowsOf("question");
    assert(answers.length > 12, `${answers.length} questions`);
    for (const [question, file, name] of answers) {
      const source = readFileSync(new URL(quoted(file!)[0]!, root), "utf8");
      const declared = new RegExp(
        `^export (?:async )?(?:function|class|const) ${quoted(name!)[0]}\\b`,
        "m",
      );
      assertMatch(source, declared, question);
    }
  });

  it("names the files of each rule of the contract once", () => {
    const contract = readFileSync(new URL("docs/project/contract.md", root), "utf8");
    const ids = ruleRows(contract).map(({ id }) => id);
    const named = rowsOf("rules").flatMap(([rules]) => rulesIn(rules!, ids));

    assertEquals(rulesIn("`a-*`, `b-1` to `b-3`", ["a-1", "a-b-1", "b-1", "b-2", "b-3"]), [
      ...["a-1", "b-1", "b-2", "b-3"],
    ]);
    assertEquals(named.sort(), ids.sort());
  });

  it("lists every module that is imported lazily", () => {
    const parts = modules.flatMap((path) => {
      const source = readFileSync(new URL(path, root), "utf8");
      const loads = source.matchAll(
        /lazyImport\((?:async )?\(\) =>\s*\(?(?:await )?import\("([^"]+)"\)/g,
      );
      return [...loads].map(([, part]) =>
        part!.startsWith("#") ? part! : posix.join(posix.dirname(path), part!)
      );
    });

    assert(parts.length > 9, `${parts.length} modules`);
    assertEquals(
      rowsOf("module").flatMap(([parts]) => quoted(parts!)).sort(),
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
