/** Checks that docs/project/api_review.md lists the exports of every entry point. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { exportedNames, INTERNAL } from "../../scripts/shared/pages/exported_names.ts";

const root = sourceRoot();
const page = readFileSync(new URL("docs/project/api_review.md", root), "utf8");
const { exports }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("deno.json", root), "utf8"),
);
const exported = Object.entries(exports).flatMap(([entry, path]) =>
  [...exportedNames(root, path.replace("./", ""))]
    .map(([name, category]) => ({ name, category, entry: entry.replace("./", "") }))
);
const internal = exported.filter(({ category }) => category === INTERNAL);

describe("the API review", () => {
  it("lists each exported name with its entry point, and no other", () => {
    const rows = [...page.matchAll(/^\| `(\w+)` +\| `([\w./]+)` +\| \S/gm)]
      .map(([, name, entry]) => `${entry} ${name}`);

    assertEquals(rows.sort(), exported.map(({ name, entry }) => `${entry} ${name}`).sort());
  });

  it("has the numbers of names and of entry points", () => {
    const counts = new Map<string, number>();
    for (const { name } of exported) counts.set(name, (counts.get(name) ?? 0) + 1);

    const rows = [...page.matchAll(/^\| ([a-z ]+?) +\| \d+ +\| (\d+) +\|$/gm)]
      .map(([, what, now]) => [what, Number(now)]);

    assertEquals(rows, [
      ["all", counts.size],
      ["at the root", exported.filter(({ entry }) => entry === ".").length],
      ["at several entry points", [...counts.values()].filter((count) => count > 1).length],
      ["for the compiler alone", new Set(internal.map(({ name }) => name)).size],
      ["entry points", Object.keys(exports).length],
    ]);
  });

  it("has the number of names of each entry point", () => {
    const rows = [...page.matchAll(/^\| `([\w./]+)` +\| \w+ +\| (\d+) +\|$/gm)]
      .map(([, entry, now]) => [entry, Number(now)]);

    assertEquals(
      rows,
      Object.keys(exports).map((entry) => entry.replace("./", "")).sort()
        .map((entry) => [entry, exported.filter((each) => each.entry === entry).length]),
    );
  });

  it("lists no name as gone that is still exported", () => {
    const [, gone = ""] = page.split(/^## Names that are gone$/m);
    const names = [
      ...gone.split(/^## /m)[0]!.matchAll(/^\| (`.+) of (?:the `?root|`([\w./]+))`? +\|/gm),
    ]
      .flatMap(([, listed, entry = "."]) =>
        [...listed!.matchAll(/\w+/g)].map(([name]) => `${entry} ${name}`)
      );

    assert(names.length > 40, `${names.length} names`);
    const all = new Set(exported.map(({ name, entry }) => `${entry} ${name}`));
    assertEquals(names.filter((name) => all.has(name)), []);
  });

  it("names the entry point of each name that left the root", () => {
    const [, port = ""] = page.split(/^## A port$/m);
    const rows = [...port.split(/^## /m)[0]!.matchAll(/^\| (.*) of the root +\| `(\w+)` +\|$/gm)];
    assert(rows.length > 5, `${rows.length} rows`);

    const moved = rows.flatMap(([, names, entry]) =>
      [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => `${entry} ${name}`)
    );
    const all = new Set(exported.map(({ name, entry }) => `${entry} ${name}`));
    assertEquals(moved.filter((name) => !all.has(name) || all.has(name.replace(/\w+/, "."))), []);
  });
});
