/** The code of documents, block by block. */
import { assertEquals, describe, it } from "#test";
import { documentModules } from "../../../scripts/tarball/document_code.ts";

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

  it("is a module for each block of TypeScript, by either name of it", () => {
    assertEquals(modules.map(({ name }) => name), [
      "docs_a_page_block_1.ts",
      "docs_a_page_block_2.ts",
    ]);
  });

  it("has each line where it stands in the document", () => {
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
