import { assertEquals, describe, it } from "#test";
import { Progress } from "../../../scripts/test/progress.ts";

/** Runs two steps at a time, of which the first one ends last, and returns what was written. */
async function written(output: { isTTY?: boolean; columns?: number }): Promise<string[]> {
  const texts: string[] = [];
  const progress = new Progress(2, { ...output, write: (text: string) => texts.push(text) });
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const first = progress.run("lint", () => promise);
  await progress.run("Bun, part 1", () => Promise.resolve([]));
  resolve(["  lint passed", "  as always"]);
  await first;
  return texts;
}

describe("the progress of a run", () => {
  it("has a line in a log for each step that is done", async () => {
    assertEquals(await written({}), [
      "[ 1/2]  Bun, part 1 is done\n",
      "[ 2/2]  lint passed\n",
      "[ 2/2]  as always\n",
    ]);
  });

  it("has one line in a terminal, which is rewritten, below the results", async () => {
    assertEquals(await written({ isTTY: true, columns: 60 }), [
      "\r\x1b[K  0 of 2 steps done, running: lint",
      "\r\x1b[K  0 of 2 steps done, running: lint, Bun, part 1",
      "\r\x1b[K",
      "\r\x1b[K  1 of 2 steps done, running: lint",
      "\r\x1b[K  lint passed\n  as always\n",
    ]);
  });

  it("is not longer than the line of the terminal", async () => {
    const lines = await written({ isTTY: true, columns: 20 });
    assertEquals(lines[0], "\r\x1b[K  0 of 2 steps done");
  });
});
