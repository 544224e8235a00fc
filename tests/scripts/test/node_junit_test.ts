/** Tests of the reporter for Node, which adds the failures that Node's JUnit report leaves out. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, assertEquals, describe, it } from "#test";
import { runChild } from "../../../scripts/shared/child.ts";
import { readJunit } from "../../../scripts/test/junit.ts";
import { runnerArgs, runnerEnv } from "../../../scripts/test/run_runtime.ts";
import { ROOT } from "../../../scripts/shared/source_files.ts";
import { findNode } from "../../support/node.ts";

describe("the report of Node's runner", () => {
  const node = findNode();
  const ignore = node === undefined ? "Node 22.18 or later is not installed" : undefined;

  it(
    "has failed hooks and late errors, which end a run with 1 although no test failed",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "restwright-troubles-"));
      try {
        const junit = join(folder, "j.xml");
        const files = ["tests/support/test_groups/failing_outside.ts"];
        const setting = { edition: "npm", bothGenerations: false } as const;
        const env = {
          ...runnerEnv({ kind: "node" }, files, setting),
          NODE_TEST_CONTEXT: undefined,
        };
        const args = runnerArgs({ kind: "node" }, junit);
        const child = await runChild(node!, args, { cwd: ROOT, env });
        assertEquals(child.code, 1, child.output);
        const report = readJunit(await readFile(junit, "utf8"), "node");
        assertEquals(report.tests.filter(({ outcome }) => outcome === "failed"), []);
        assertEquals([report.tests.length, report.isSuccess], [3, false]);
        const [hook, late, ...others] = report.troubles.map(({ text }) => text);
        assert(hook?.includes('"a group whose hook fails" failed outside of its tests'), hook);
        assert(hook?.includes("the server does not stop"), hook);
        assert(late?.includes("leaves a promise behind") && late.includes("too late"), late);
        assertEquals(others, []);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    { ignore },
  );
});
