import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, describe, it } from "#test";
import { recordReadingList } from "../../examples/cassettes/record.ts";
import { runChild } from "../../scripts/shared/child.ts";
import { sourceRoot } from "../support/contract_page.ts";
import { cassetteFolder } from "../support/cassette_folder.ts";

const examples = new URL("examples/cassettes/", sourceRoot());

/** Returns the arguments with which this runtime tests the example for its own test runner. */
function ownRunner(): string[] {
  const path = (name: string) => fileURLToPath(new URL(name, examples));
  if ("Deno" in globalThis) return ["test", "-A", "--no-check", path("deno_test.ts")];
  if ("Bun" in globalThis) return ["test", path("bun_test.mts")];
  return ["--test", "--test-reporter=tap", path("node_test.ts")];
}

describe("the examples of cassettes", () => {
  it("pass with the runtime's own test runner, without a server", async () => {
    // Node runs no tests within tests, unless it knows nothing of the outer ones.
    const env = { NODE_TEST_CONTEXT: undefined, RECORD: undefined };
    const cwd = fileURLToPath(sourceRoot());

    const { code, output } = await runChild(process.execPath, ownRunner(), { cwd, env });

    assertEquals(code, 0, output);
    // Deno: "1 passed"; Bun: "1 pass"; Node: "# pass 1".
    assert(/\b1 pass|# pass 1\b/.test(output), output);
  });

  it("have the cassette that the example API leads to", async () => {
    const folder = await cassetteFolder();
    try {
      const list = await recordReadingList(folder.file("library.json"));
      const { "library.json": recorded } = await folder.texts();

      assert(list.startsWith("ada waits for The Borrowed Bridge (1947), "), list);
      assertEquals(recorded, readFileSync(new URL("library.json", examples), "utf8"));
    } finally {
      await folder.remove();
    }
  });
});
