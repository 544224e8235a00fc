/** Tests of the check of the files in the tarball. */
import { assertEquals, describe, it } from "#test";
import { faultsOfContents, type PackedFile } from "../../../../scripts/shared/package/contents.ts";

const good: readonly PackedFile[] = [
  ...[
    ...["package.json", "LICENSE", "CHANGELOG.md", "SECURITY.md", "sbom.cdx.json", "llms.txt"],
    "docs/errors.md",
  ].map((path) => ({ path, text: "" })),
  { path: "README.md", text: "See [errors](docs/errors.md)." },
  { path: "esm/a.js", text: "export {};" },
  { path: "esm/a.d.ts", text: "export {};" },
];

/** Returns the faults of the good package with one file changed, added or removed. */
function faultsWith(path: string, text: string | undefined): string[] {
  const others = good.filter((file) => file.path !== path);
  return faultsOfContents(text === undefined ? others : [...others, { path, text }], ["/srv/kit"]);
}

describe("the contents of a package", () => {
  it("pass with modules, declarations and documents", () => {
    assertEquals(faultsOfContents(good, ["/srv/kit"]), []);
  });

  it("fail if one of these files is missing", () => {
    for (const path of ["LICENSE", "CHANGELOG.md", "llms.txt", "esm/a.d.ts"]) {
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

  it("fail with a source map, or a module that refers to one", () => {
    assertEquals(faultsWith("esm/a.js.map", "{}"), [
      "esm/a.js.map is a source map, or refers to one",
    ]);
    assertEquals(faultsWith("esm/a.js", "export {};\n//# sourceMappingURL=a.js.map\n"), [
      "esm/a.js is a source map, or refers to one",
    ]);
  });

  it("fail with a bundle without a source map, or with a map of a module that is missing", () => {
    const bundle = { path: "node/a.js", text: "export {};\n//# sourceMappingURL=a.js.map\n" };
    const map = (source: string) => ({
      path: "node/a.js.map",
      text: JSON.stringify({ sources: [source] }),
    });
    assertEquals(faultsOfContents([...good, bundle, map("../esm/a.js")], []), []);
    assertEquals(faultsOfContents([...good, bundle], []), ["node/a.js.map is missing"]);
    assertEquals(faultsOfContents([...good, bundle, map("../esm/b.js")], []), [
      "esm/b.js is missing",
    ]);
  });

  it("fail with a link to a page that is not in the package", () => {
    assertEquals(faultsWith("docs/errors.md", undefined), [
      "README.md: there is no file docs/errors.md",
    ]);
    assertEquals(faultsWith("llms.txt", "- [Retries](docs/retries.md): How."), [
      "llms.txt: there is no file docs/retries.md",
    ]);
  });
});
