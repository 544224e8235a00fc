import { readdirSync, readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { blocksInComments, runBlock } from "../support/documents.ts";

/** The modules of the toolkit. */
const modules = [
  "mod.ts",
  ...readdirSync(new URL("src/", sourceRoot()), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts")).sort(),
];

describe("the examples in doc comments", () => {
  for (const path of modules) {
    const blocks = blocksInComments(readFileSync(new URL(path, sourceRoot()), "utf8"));
    for (const block of blocks) {
      it(`${path}, ${block.heading}: runs, and prints what its comments show`, async () => {
        const printed = await runBlock(block, {});
        // Some show their lines in comments below, or none.
        if (block.prints.length > 0) assertEquals(printed, block.prints);
      });
    }
  }
});
