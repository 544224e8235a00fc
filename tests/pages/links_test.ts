import { existsSync, readdirSync, readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import {
  anchorsOf,
  brokenLinks,
  headingAnchor,
  linksOf,
} from "../../scripts/shared/pages/markdown_links.ts";
import { sourceRoot } from "../support/contract_page.ts";
import { docPages } from "../support/documents.ts";

const root = sourceRoot();
const paths = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...docPages(),
];
const pages = new Map(paths.map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
const broken = brokenLinks(pages, (path) => existsSync(new URL(path, root)));

describe("the links of the pages", () => {
  for (const path of paths) {
    it(`lead to existing files and headings: ${path}`, () => {
      assertEquals(broken.filter((line) => line.startsWith(`${path}:`)), []);
    });
  }

  it("are found in all pages, and so are the headings", () => {
    assert(paths.length > 30, `${paths.length} pages`);
    assert([...pages.values()].flatMap(linksOf).length > 200);
    assert([...pages.values()].every((text) => anchorsOf(text).size > 0));
  });
});

describe("linksOf", () => {
  for (
    const [name, page, links] of [
      ["a link", "See [a](b.md#c).", ["b.md#c"]],
      ["a link whose text is code", "[`a()`](b.md)", ["b.md"]],
      ["a link whose text has a line break", "[a\nb](c.md)", ["c.md"]],
      ["a link with a title", '[a](b.md "c")', ["b.md"]],
      ["an image in a link", "[![a](b.svg)](c.md)", ["b.svg", "c.md"]],
      ["a link by reference", "[a][b]\n\n[b]: c.md", ["c.md"]],
      ["no link in code", "`[a](b.md)` and ``[`](c.md)``", []],
      ["no link in a block of code", "```md\n[a](b.md)\n```\n[c](d.md)", ["d.md"]],
    ] as const
  ) {
    it(`finds ${name}`, () => {
      assertEquals(linksOf(page), [...links]);
    });
  }
});

describe("headingAnchor", () => {
  for (
    const [heading, anchor] of [
      ["The `stream` option", "the-stream-option"],
      ["What's new in 1.2?", "whats-new-in-12"],
      ["Time, clocks & `convJson`", "time-clocks--convjson"],
      ["snake_case", "snake_case"],
      ["Größe", "größe"],
    ] as const
  ) {
    it(`makes ${anchor}`, () => {
      assertEquals(headingAnchor(heading), anchor);
    });
  }

  it("is unique in a page: a repeated heading gets a number", () => {
    const page = "# A\n\n## B\n\n```sh\n# no heading\n```\n\n## B\n\n### [B](c.md)\n";
    assertEquals([...anchorsOf(page)], ["a", "b", "b-1", "b-2"]);
  });
});

describe("brokenLinks", () => {
  const page = "# A\n\n[1](#a) [2](#b) [3](c.md#d) [4](c.md#e) [5](f.md) [6](../g.ts) [7](../h.ts)";
  const web = "\n[8](https://example.com/i.md#j) [9](mailto:k@example.com) [10](../../outside.md)";
  const example = new Map([["docs/a.md", page + web], ["docs/c.md", "# D\n"]]);

  it("reports files and headings that do not exist, and no web addresses", () => {
    const files = ["docs/a.md", "docs/c.md", "g.ts"];
    assertEquals(brokenLinks(example, (path) => files.includes(path)), [
      "docs/a.md: docs/a.md has no heading #b",
      "docs/a.md: docs/c.md has no heading #e",
      "docs/a.md: there is no file docs/f.md",
      "docs/a.md: there is no file h.ts",
      "docs/a.md: there is no file ../outside.md",
    ]);
  });
});
