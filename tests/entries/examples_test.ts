/** Checks the first example of each entry point, which the API reference shows first. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { blocksIn, runBlock } from "../support/documents.ts";

const root = sourceRoot();
const { name, exports }: { name: string; exports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("deno.json", root), "utf8"),
);

for (const [entry, path] of Object.entries(exports).filter(([entry]) => entry !== "./cli")) {
  describe(`the first example of the entry point ${entry}`, () => {
    const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(readFileSync(new URL(path, root), "utf8"))!;
    const [example] = blocksIn(comment.replace(/^ \* ?/gm, ""));

    it("imports the entry point, and is complete: it runs and prints what its comments show", async () => {
      assert(example !== undefined, `${path} has no example`);
      assert(example.code.includes(`"${name + entry.slice(1)}"`), "another entry point");

      const printed = await runBlock(example, {});

      assert(example.prints.length > 0, "the example shows nothing");
      assertEquals(printed, example.prints);
    });

    it("uses APIClient", () => {
      assert(example !== undefined);
      assert(!example.code.includes("APISession"));
    });
  });
}
