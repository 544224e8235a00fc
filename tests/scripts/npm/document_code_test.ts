/** Tests of the modules that are created from the code blocks of documents. */
import { fileURLToPath } from "node:url";
import { assert, assertEquals, describe, it } from "#test";
import { documentPaths } from "../../../scripts/shared/source_files.ts";
import { documentModules } from "../../../scripts/npm/document_code.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const PAGE = [
  "# A page",
  "",
  "```ts",
  "first();",
  "```",
  "",
  "```sh",
  "npm install",
  "```",
  "",
  "```typescript",
  "second();",
  "third();",
  "```",
  "",
].join("\n");

describe("the code of a document", () => {
  const modules = documentModules("docs/a_page.md", PAGE);

  it("becomes a module for each block that is marked as ts or typescript", () => {
    assertEquals(modules.map(({ name }) => name), [
      "docs_a_page_block_1.ts",
      "docs_a_page_block_2.ts",
    ]);
  });

  it("keeps the line numbers of the document", () => {
    const lines = PAGE.split("\n");
    for (const { code } of modules) {
      const written = code.split("\n").flatMap((line, index) => line === "" ? [] : [index]);
      assertEquals(
        written.map((index) => code.split("\n")[index]),
        written.map((index) => lines[index]),
      );
    }
    assertEquals(modules.map(({ code }) => code.trim()), ["first();", "second();\nthird();"]);
  });
});

describe("the documents whose code is checked", () => {
  it("are the README and every page of docs", async () => {
    const [first, ...pages] = await documentPaths(
      fileURLToPath(sourceRoot()).replace(/[\\/]$/, ""),
    );
    assertEquals(first, "README.md");
    assert(pages.includes("docs/clients.md"));
    assertEquals(pages.filter((path) => !/^docs\/.*\.md$/.test(path)), []);
  });
});
