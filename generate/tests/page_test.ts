import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { generate } from "../mod.ts";
import { runCommand } from "../src/write/command.ts";

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
    assertEquals(/^ {2}delete/m.test(books), false);
  });

  for (const [name, count] of [["configuration", 1], ["configuration_of_several", 2]] as const) {
    it(`has a ${name.replaceAll("_", " ")} with which the command runs`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "restwright-page-"));
      try {
        await writeFile(join(folder, "library.yaml"), library);
        await writeFile(join(folder, "restwright.json"), blockOf(`json ${name}`));
        const printed: string[] = [];
        const run = (args: readonly string[]) =>
          runCommand(args, {
            folder,
            readInput: () => Promise.resolve(""),
            print: (line) => void printed.push(line),
            printError: (line) => void printed.push(line),
          });
        assertEquals(await run([]), 0);
        const summaries = printed.filter((line) => line.includes(" operations, "));
        assertEquals(summaries.length, count);
        assertEquals(await run(["--check"]), 0);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});
