/** Tests of the check of the files in the tarball. */
import { assertEquals, describe, it } from "#test";
import { faultsOfContents, type PackedFile } from "../../../scripts/tarball/contents.ts";

const MAP = JSON.stringify({ sources: ["../a.ts"], sourcesContent: ["export {};"] });

const good: readonly PackedFile[] = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md", "sbom.cdx.json"].map((path) => ({
    path,
    text: "",
  })),
  { path: "esm/a.js", text: "export {};" },
  { path: "esm/a.js.map", text: MAP },
  { path: "esm/a.d.ts", text: "export {};" },
];

/** Returns the faults of the good package with one file changed, added or removed. */
function faultsWith(path: string, text: string | undefined): string[] {
  const others = good.filter((file) => file.path !== path);
  return faultsOfContents(text === undefined ? others : [...others, { path, text }], ["/srv/kit"]);
}

describe("the contents of a package", () => {
  it("pass with modules, declarations, maps and documents", () => {
    assertEquals(faultsOfContents(good, ["/srv/kit"]), []);
  });

  it("fail if one of these files is missing", () => {
    for (const path of ["LICENSE", "CHANGELOG.md", "esm/a.d.ts", "esm/a.js.map"]) {
      assertEquals(faultsWith(path, undefined), [`${path} is missing`]);
    }
  });

  it("fail with a test or a path of the machine", () => {
    assertEquals(faultsWith("esm/b_test.d.ts", ""), ["esm/b_test.d.ts must not be in the package"]);
    assertEquals(faultsWith("README.md", "see /srv/kit/docs"), [
      "README.md contains a path of this machine: /srv/kit",
    ]);
  });

  it("fail with an import that webpack can neither follow nor ignore", () => {
    const fault = ["esm/a.js has an import that webpack cannot follow"];
    assertEquals(faultsWith("esm/a.js", 'const b = await import("./b.js");'), []);
    assertEquals(faultsWith("esm/a.js", "await import(name);"), fault);
    assertEquals(faultsWith("esm/a.js", "await import(rewritten(name));"), fault);
    assertEquals(faultsWith("esm/a.js", "await import(/* webpackIgnore: true */ name);"), []);
    assertEquals(faultsWith("esm/a.js", "import(rewritten(/* webpackIgnore: true */ name));"), []);
  });

  it("fail with a map without its sources or with an absolute path", () => {
    const absolute = JSON.stringify({ sources: ["file:///a.ts"], sourcesContent: [""] });
    assertEquals(faultsWith("esm/a.js.map", absolute), [
      "esm/a.js.map has a source with an absolute path, file:///a.ts",
    ]);
    assertEquals(faultsWith("esm/a.js.map", JSON.stringify({ sources: ["a.ts"] })), [
      "esm/a.js.map lacks the text of a source",
    ]);
  });
});
