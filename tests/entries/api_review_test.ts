/** Checks that docs/project/api_review.md lists the exports of every entry point. */
import { readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { exportedNames } from "../../scripts/shared/pages/exported_names.ts";

const root = sourceRoot();
const page = readFileSync(new URL("docs/project/api_review.md", root), "utf8");
const { exports }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("deno.json", root), "utf8"),
);
const exported = Object.entries(exports).flatMap(([entry, path]) =>
  [...exportedNames(root, path.replace("./", "")).keys()]
    .map((name) => ({ name, entry: entry.replace("./", "") }))
);

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
      ["entry points", Object.keys(exports).length],
    ]);
  });
});
