/** Runs generated tests with the test runner of the runtime. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChildResult, runChild } from "../../../scripts/shared/child.ts";
import process from "node:process";

/** Runs test files of a folder in one process. Deno does not check their types. */
export async function runTests(folder: string, files: Iterable<string>): Promise<ChildResult> {
  const all = join(folder, "all_test.ts");
  await writeFile(all, Array.from(files, (file) => `import "./${file}";\n`).join(""));
  const args = "Deno" in globalThis
    ? ["test", "-A", "--no-check", "--quiet", all]
    : "Bun" in globalThis
    ? ["test", "--timeout", "60000", all]
    : ["--test", "--test-reporter=tap", all];
  const cwd = fileURLToPath(new URL("../../../", import.meta.url));
  // Node runs no tests within tests, unless it knows nothing of the outer ones.
  return await runChild(process.execPath, args, { cwd, env: { NODE_TEST_CONTEXT: undefined } });
}

/** Returns the number of tests that passed. Deno: "3 passed"; Bun: "3 pass"; Node: "# pass 3". */
export function passedTests({ output }: ChildResult): number {
  // deno-lint-ignore no-control-regex
  const plain = output.replace(/\u001b\[[\d;]*m/g, "");
  const [, before, after] = /(?:\b(\d+) pass(?:ed)?\b|# pass (\d+))/.exec(plain) ?? [];
  return Number(before ?? after ?? 0);
}
