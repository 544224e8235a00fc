import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "#test";
import { runChild, succeeded } from "../../scripts/shared/child.ts";
import { sourceRoot } from "../support/contract_page.ts";

const MEGABYTES = 100;

// After 1000 MB, the resident memory of Node 24 has grown by at most 24 MB for the formats of text,
// and by 103 MB for xmlRecords, whose live objects stay at 15 MB (large_stream.ts with a second
// argument of 1000). That takes longer than a test may.
describe("the memory for reading a stream of 100 MB", () => {
  const program = fileURLToPath(new URL("../support/large_stream.ts", import.meta.url));
  const flags = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
  const cwd = fileURLToPath(sourceRoot());

  for (const format of ["sse", "ndjson", "jsonArray", "xmlRecords"]) {
    it(`does not grow by half of its size after the first tenth: ${format}`, async () => {
      const args = [...flags, program, format, `${MEGABYTES}`];
      const run = await runChild(process.execPath, args, { cwd });
      assert(succeeded(run), run.output);
      const { growth }: { growth: number } = JSON.parse(run.stdout);
      assert(growth < MEGABYTES / 2, `${growth} MB`);
    });
  }
});
