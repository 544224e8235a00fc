import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, describe, it } from "#test";
import { describePackage } from "../../scripts/shared/package/package_description.ts";
import { readDenoManifest, readNpmManifest } from "../../scripts/shared/manifest.ts";
import { sbomOf } from "../../scripts/shared/package/sbom.ts";
import { filesBelow } from "../../scripts/shared/source_files.ts";
import { sourceRoot } from "../support/contract_page.ts";

const root = fileURLToPath(sourceRoot()).replace(/[\\/]$/, "");
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const page = read("docs/project/dependencies.md");
const npm = await readNpmManifest(root);
const deno = await readDenoManifest(root);
const lock = JSON.parse(read("package-lock.json")).packages as Record<
  string,
  { version: string; license: string; dependencies?: Record<string, string> }
>;

/** Returns the rows of the table below a heading, as lists of cells. */
function rowsBelow(heading: string): string[][] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  return section.split("\n## ")[0]!.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", "")));
}

const always = rowsBelow("Packages that are always installed");
const optional = rowsBelow("Optional packages");
const jsr = rowsBelow("Packages of the JSR edition");
const ofGenerator = rowsBelow("Packages of the generator");

const rangesIn = (rows: readonly string[][]) =>
  Object.fromEntries(rows.map(([name, range]) => [name, range]));

describe("the page of dependencies", () => {
  it("has the packages and ranges of package.json and deno.json", async () => {
    assertEquals(rangesIn(always), npm.dependencies);
    assertEquals(rangesIn(optional), npm.peerDependencies);
    for (const [name, range] of [...jsr]) {
      assertEquals(deno.imports[name!], `jsr:${name}@${range}`);
    }
    const { imports } = await readDenoManifest(`${root}/generate`);
    const ranges = ofGenerator.map(([name, range]) => [name!, `npm:${name}@${range}`]);
    assertEquals(Object.fromEntries(ranges), imports);
  });

  it("has the version, licence and dependencies of each package in package-lock.json", () => {
    for (const [name, , version, , , licence, own] of [...always, ...optional, ...ofGenerator]) {
      const locked = lock[`node_modules/${name}`]!;
      assertEquals([name, version, licence], [name, locked.version, locked.license]);
      const dependencies = Object.keys(locked.dependencies ?? {});
      if (dependencies.length === 0) assertEquals(own, "none");
      for (const each of dependencies) assert(own!.includes(each), `${name} needs ${each}`);
    }
  });

  const importedBy = async (folder: string): Promise<string[]> => {
    const imported = new Set<string>();
    for (const path of await filesBelow(root, [folder])) {
      // Comments have examples, which import other packages.
      const code = read(path).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
      for (
        const [, name] of code.matchAll(
          /(?:from |import\(|UNDICI: string = )"((?:@[\w-]+\/)?[a-z][\w-]*)[^" ]*"/g,
        )
      ) {
        const isPackage = name! in lock || `node_modules/${name}` in lock || name! in deno.imports;
        if (isPackage) imported.add(name!);
      }
    }
    return [...imported].sort();
  };

  it("has each package that the sources import, and no other", async () => {
    const listed = [...always, ...optional, ...jsr].map(([name]) => name!);
    assertEquals(await importedBy("src"), listed.sort());
    assertEquals(await importedBy("generate/src"), ofGenerator.map(([name]) => name!).sort());
  });
});

describe("the SBOM of the npm package", () => {
  it("has each package that is always installed, with its version and checksum", async () => {
    const text = await sbomOf(root, describePackage(deno, npm));
    const { bomFormat, metadata, components } = JSON.parse(text) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: { name: string; version: string; hashes: unknown[] }[];
    };
    assertEquals(bomFormat, "CycloneDX");
    assertEquals(metadata.component.name, npm.name);
    assertEquals(metadata.component.version, deno.version);
    const names = new Set(components.map(({ name }) => name));
    for (const [name, , , , , , own] of always) {
      assert(names.has(name!), name);
      for (const [each] of own!.replace("none", "").matchAll(/[\w-]+(?=[ (→]|$)/g)) {
        if (each in lock || `node_modules/${each}` in lock) assert(names.has(each), each);
      }
    }
    for (const { name, version, hashes } of components) {
      assertEquals(version, lock[`node_modules/${name}`]!.version);
      assertEquals(hashes.length, 1);
    }
  });
});
