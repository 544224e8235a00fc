import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { after, assertEquals, before, describe, it } from "#test";
import { type Front, startFront } from "../../../scripts/npm/browser/front.ts";
import { generated } from "../../../scripts/npm/consumer/web/generated.ts";
import { generate } from "../../mod.ts";
import { compareFolder } from "../../src/write/folder.ts";

const consumer = new URL("../../../scripts/npm/consumer/", import.meta.url);

describe("the generated SDK that browsers play, too", () => {
  let front: Front;
  before(async () => {
    front = await startFront("https://example.com");
  });
  after(async () => {
    await front?.stop();
  });

  it("is what the generator makes of its document", async () => {
    const document = await readFile(new URL("front.yaml", consumer), "utf8");
    const { files, report } = await generate(document, { models: "xml" });
    const { added, changed, stale } = await compareFolder(
      fileURLToPath(new URL("web/sdk", consumer)),
      files,
    );
    assertEquals([report.problems, added, changed, stale], [[], [], [], []]);
  });

  for (const [name, scene] of Object.entries(generated)) {
    it(name.replace("a generated client ", ""), async () => await scene({ url: front.url }));
  }
});
