import { readFile } from "node:fs/promises";
import { assertEquals, assertMatch, describe, it } from "#test";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "../../src/base/version.ts";

describe("the toolkit's version", () => {
  // contract: version-1
  it("equals the version in deno.json, which JSR publishes", async () => {
    const manifest = JSON.parse(
      await readFile(new URL("../../deno.json", import.meta.url), "utf8"),
    );
    assertEquals(TOOLKIT_VERSION, manifest.version);
    assertEquals(`@restwright/${TOOLKIT_NAME}`, manifest.name);
  });

  it("is major.minor.patch", () => {
    assertMatch(TOOLKIT_VERSION, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });
});
