import { readFileSync } from "node:fs";
import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { generate } from "../mod.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const page = read("docs/generate.md");
const library = read("examples/generated/library.yaml");

/** Returns the block of code with a language and a word after it. */
function blockOf(info: string): string {
  const [, code] = new RegExp(`^\`\`\`${info}\\n([^]*?)^\`\`\`$`, "m").exec(page) ?? [];
  assert(code !== undefined, `the page has no block ${info}`);
  return code;
}

describe("the page on the generator", () => {
  it("has an overlay that fits the document of the library", async () => {
    const { files, report } = await generate(library, {
      overlays: [{ text: blockOf("yaml overlay"), file: "fixes.overlay.yaml" }],
    });
    assertEquals(report.problems, []);
    const books = files.get("endpoints/books.ts")!;
    assertStringIncludes(books, "  search(");
    assertEquals(books.includes("  delete_("), false);
  });
});
