import { readFileSync } from "node:fs";
import { assertEquals, assertThrows, describe, it } from "#test";
import {
  isPreview,
  isVersion,
  manifestWithVersion,
  moduleWithVersion,
  tagOf,
  versionInModule,
} from "../../../scripts/release/version_text.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const read = (path: string) => readFileSync(new URL(path, sourceRoot()), "utf8");

describe("a version", () => {
  it("is major.minor.patch, and may be a preview", () => {
    assertEquals(["0.1.0", "12.3.45", "1.0.0-beta.1"].map(isVersion), [true, true, true]);
    assertEquals(["1.0", "v1.0.0", "1.0.0 ", "", "next"].map(isVersion), [
      ...[false, false, false, false, false],
    ]);
    assertEquals(["1.0.0", "1.0.0-beta.1"].map(isPreview), [false, true]);
    assertEquals(tagOf("1.0.0"), "v1.0.0");
  });

  it("is written into the files of this repository without other changes", () => {
    const module = read("src/base/version.ts");
    const manifest = read("deno.json");
    const { version } = JSON.parse(manifest);

    assertEquals(versionInModule(moduleWithVersion(module, "98.7.6")), "98.7.6");
    assertEquals(moduleWithVersion(moduleWithVersion(module, "98.7.6"), version), module);
    const changed = JSON.parse(manifestWithVersion(manifest, "98.7.6"));
    assertEquals(changed, { ...JSON.parse(manifest), version: "98.7.6" });
    assertEquals(
      manifestWithVersion(JSON.stringify(changed, null, 2), version).includes("98"),
      false,
    );
  });

  it("is rejected if it is invalid or the file has no version", () => {
    assertThrows(
      () => manifestWithVersion(read("deno.json"), "1.0"),
      Error,
      "1.0 is not a version",
    );
    assertThrows(() => manifestWithVersion("{}", "1.0.0"), Error, "deno.json");
    assertThrows(() => moduleWithVersion("", "1.0.0"), Error, "src/base/version.ts");
    assertEquals(versionInModule(""), undefined);
  });
});
