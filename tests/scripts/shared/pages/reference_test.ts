import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import {
  correctPage,
  moduleSummary,
  namePath,
  REFERENCE_STYLE,
  referenceOverview,
} from "../../../../scripts/shared/pages/reference.ts";
import { sourceRoot } from "../../../support/contract_page.ts";

const place = {
  root: "file:///home/ada/kit/",
  repository: "https://git.example.com/ada/kit",
  packageName: "@ada/kit",
  entries: [".", "./auth", "./testing/vcr"],
};
const button = (href: string) => `<a\n  class="sourceButton"\n  href="${href}"><svg></svg>\n</a>`;
const source = button("file:&#x2F;&#x2F;&#x2F;home&#x2F;ada&#x2F;kit&#x2F;src&#x2F;auth.ts");

describe("correctPage", () => {
  it("links sources in the repository", () => {
    assertEquals(
      correctPage(`a ${source} b ${source}`, place),
      `a ${button("https://git.example.com/ada/kit/blob/main/src/auth.ts")} b ` +
        button("https://git.example.com/ada/kit/blob/main/src/auth.ts"),
    );
  });

  it("removes the links to sources if the repository is not known", () => {
    assertEquals(correctPage(`a ${source} b`, { ...place, repository: undefined }), "a  b");
  });

  for (
    const [written, name] of [
      [".", "@ada/kit"],
      ["auth", "@ada/kit/auth"],
      ["testing/vcr", "@ada/kit/testing/vcr"],
      ["zod", "zod"],
      ["@ada/kit/auth", "@ada/kit/auth"],
    ]
  ) {
    it(`writes an import from ${written} as one from ${name}`, () => {
      const page = (from: string) =>
        `<code>import { type A } from &quot;${from}&quot;;\n</code><b data-copy="import * as mod ` +
        `from &quot;${from}&quot;;">`;
      assertEquals(correctPage(page(written!), place), page(name!));
    });
  }
});

describe("correctPage, for a site", () => {
  it("adds a link to the overview", () => {
    const page = (link: string) =>
      `<a href="../../" class="contextLink">kit</a><div>${link}<button id="theme-toggle"></div>`;
    const link = '<a href="../../../all.html" class="link">All exports</a>';

    assertEquals(correctPage(page(""), { ...place, overview: "../all.html" }), page(link));
    assertEquals(correctPage(page(""), place), page(""));
  });
});

describe("the style of the reference", () => {
  it("has a header without transparency in both themes, which covers the text below it", () => {
    const colors = [
      ...REFERENCE_STYLE.matchAll(/^(#topnav\S*).* \{ background-color: (.*); \}$/gm),
    ];
    assertEquals(colors.map(([, , color]) => color), ["#fff", "#121417"]);
  });
});

describe("moduleSummary", () => {
  it("is the first paragraph, without tags and with the names of links", () => {
    const text =
      "/**\n * Reads a {@linkcode Model},\n * quickly.\n *\n * More.\n *\n * @module\n */\n";
    assertEquals(moduleSummary(text), "Reads a `Model`, quickly.");
    assertEquals(moduleSummary("#!/usr/bin/env node\n/**\n * Reads.\n * @module\n */\n"), "Reads.");
  });

  it("exists for every entry point", () => {
    const read = (path: string) => readFileSync(new URL(path, sourceRoot()), "utf8");
    const { exports }: { exports: Record<string, string> } = JSON.parse(read("deno.json"));
    for (const [entry, path] of Object.entries(exports)) {
      assert(moduleSummary(read(path)).endsWith("."), entry);
    }
  });
});

describe("the overview of the reference", () => {
  it("lists the names of each entry point by category, with links to their pages", () => {
    const names = new Map([["b", "B"], ["c", "A"], ["a", "B"]]);
    const overview = referenceOverview("@ada/kit", [
      { entry: ".", summary: "All of it.", names: new Map() },
      { entry: "./auth", summary: "A part.", names },
    ], "./api/");

    const [root, auth] = overview.split("\n## ");
    assertEquals(root!.split("\n\n").slice(0, 2), ["## The root entry point", "All of it."]);
    assert(root!.includes('From `@ada/kit`: <a href="./api/index.html" target="_self">'));
    const link = (name: string) =>
      `<a id="name-${name}" href="./api/auth/~/${name}.html" target="_self">` +
      `<code>${name}</code></a>`;
    assertEquals(auth!.split("\n").filter((line) => line.startsWith("|")), [
      "| category | names |",
      "| --- | --- |",
      `| A | ${link("c")} |`,
      `| B | ${link("a")} ${link("b")} |`,
    ]);
  });

  it("links a second name of a class to the page of its first name", () => {
    assertEquals(namePath("./lists", "AsyncAPIIterator"), "lists/~/APIIterator.html");
  });
});
