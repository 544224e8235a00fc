/** What is in the tarball, and what should not be. */
import { assertEquals, describe, it } from "#test";
import { faultsOfContents, type PackedFile } from "../../../scripts/tarball/contents.ts";

const MAP = JSON.stringify({ sources: ["../a.ts"], sourcesContent: ["export {};"] });

const good: readonly PackedFile[] = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md"].map((path) => ({ path, text: "" })),
  { path: "esm/a.js", text: "export {};" },
  { path: "esm/a.js.map", text: MAP },
  { path: "esm/a.d.ts", text: "export {};" },
];

/** What is said of the good package with one file changed, added, or taken away. */
function faultsWith(path: string, text: string | undefined): string[] {
  const others = good.filter((file) => file.path !== path);
  return faultsOfContents(text === undefined ? others : [...others, { path, text }], ["/srv/kit"]);
}

describe("the contents of a package", () => {
  it("are modules with declarations and maps, and the documents", () => {
    assertEquals(faultsOfContents(good, ["/srv/kit"]), []);
  });

  it("lack nothing of that", () => {
    for (const path of ["LICENSE", "CHANGELOG.md", "esm/a.d.ts", "esm/a.js.map"]) {
      assertEquals(faultsWith(path, undefined), [`${path} is missing`]);
    }
  });

  it("have no test and no path of the machine", () => {
    assertEquals(faultsWith("esm/b_test.d.ts", ""), ["esm/b_test.d.ts must not be in the package"]);
    assertEquals(faultsWith("README.md", "see /srv/kit/docs"), [
      "README.md contains a path of this machine: /srv/kit",
    ]);
  });

  it("import what webpack can follow, or say that it need not", () => {
    const fault = ["esm/a.js has an import that webpack cannot follow"];
    assertEquals(faultsWith("esm/a.js", 'const b = await import("./b.js");'), []);
    assertEquals(faultsWith("esm/a.js", "await import(name);"), fault);
    assertEquals(faultsWith("esm/a.js", "await import(rewritten(name));"), fault);
    assertEquals(faultsWith("esm/a.js", "await import(/* webpackIgnore: true */ name);"), []);
    assertEquals(faultsWith("esm/a.js", "import(rewritten(/* webpackIgnore: true */ name));"), []);
  });

  it("have maps that bring their sources along, by relative paths", () => {
    const absolute = JSON.stringify({ sources: ["file:///a.ts"], sourcesContent: [""] });
    assertEquals(faultsWith("esm/a.js.map", absolute), [
      "esm/a.js.map has a source with an absolute path, file:///a.ts",
    ]);
    assertEquals(faultsWith("esm/a.js.map", JSON.stringify({ sources: ["a.ts"] })), [
      "esm/a.js.map lacks the text of a source",
    ]);
  });
});
