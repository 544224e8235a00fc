import { readFileSync } from "node:fs";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { entryPoints, llmsFull, llmsList } from "../../../../scripts/shared/pages/llms.ts";
import {
  groupPages,
  introductionOf,
  PAGE_GROUPS,
  pageName,
  pagesWithoutGroup,
  titleOf,
} from "../../../../scripts/shared/pages/pages.ts";
import { sourceRoot } from "../../../support/contract_page.ts";
import { docPages } from "../../../support/documents.ts";

const names = docPages().map((path) => pageName(path)!);
const texts = docPages().map((path) => readFileSync(new URL(path, sourceRoot()), "utf8"));

describe("the pages of the site", () => {
  it("include every page of docs/, in one group", () => {
    const grouped = PAGE_GROUPS.flatMap(({ pages }) => pages);

    assert(names.length > 25, `${names.length} pages`);
    assertEquals(pagesWithoutGroup(names), []);
    assertEquals(grouped.length, new Set(grouped).size);
  });

  it("have a title and an introduction", () => {
    for (const text of texts) {
      assert(text.startsWith(`# `) && titleOf(text) !== "");
      assert(/^[A-Z`].*\.$/.test(introductionOf(text)), introductionOf(text));
    }
  });
});

const groups = [{ title: "Failures", pages: ["errors", "retries"] }, {
  title: "More",
  pages: ["time"],
}];
const errors = "# Errors of `get`\n\nA call that fails\nthrows an [error](#x).\n\n## X\n";
const retries = "# Retries\n\nThere is nothing to configure:\n";
const time = "# Time\n\nAll times are in seconds.\n";

describe("groupPages", () => {
  it("returns the pages of each group with their titles", () => {
    const grouped = groupPages(new Map(Object.entries({ time, retries, errors })), groups);

    const titles = grouped.map(({ title, pages }) => [title, ...pages.map((page) => page.title)]);
    assertEquals(titles, [["Failures", "Errors of get", "Retries"], ["More", "Time"]]);
  });

  it("throws for a page that does not exist, and for a page in no group", () => {
    const thrown = assertThrows(
      () => groupPages(new Map(Object.entries({ time, errors, box: "# Boxes\n" })), groups),
      Error,
    );

    assertEquals(thrown.message.split("\n").slice(0, 2), [
      "docs/retries.md does not exist",
      "docs/box.md is in no group",
    ]);
  });
});

describe("llms.txt", () => {
  const grouped = groupPages(new Map(Object.entries({ time, retries, errors })), groups);

  it("lists the entry points, and the pages of each group with their introductions", () => {
    const exports = { ".": "./mod.ts", "./time": "./src/time/mod.ts" };
    const files: Record<string, string> = {
      "mod.ts": "/**\n * A toolkit for `fetch`.\n *\n * @module\n */\n",
      "src/time/mod.ts": "/**\n * Clocks: of the system,\n * and fake ones. They tick.\n */\n",
    };
    const entries = entryPoints("@a/name", exports, (path) => files[path]!);

    assertEquals(
      llmsList("Name", "A toolkit.", entries, grouped),
      `# Name

> A toolkit.

The programs on these pages run as they are. A few need a package that they import, such as zod.
These are the entry points to import from:

- \`@a/name\`: A toolkit for \`fetch\`.
- \`@a/name/time\`: Clocks: of the system, and fake ones.

## Failures

- [Errors of get](errors.md): A call that fails throws an error.
- [Retries](retries.md): There is nothing to configure.

## More

- [Time](time.md): All times are in seconds.
`,
    );
  });

  it("has the texts of all pages in llms-full.txt", () => {
    const full = llmsFull("Name", "A toolkit.", grouped);

    assert(full.startsWith("# Name\n\n> A toolkit.\n\n---\nsource: errors.md\n---\n\n# Errors"));
    for (const text of [errors, retries, time]) assert(full.includes(text));
  });
});
