/** Tests of the compiler configurations with which the declarations are checked. */
import { assert, assertEquals, describe, it } from "#test";
import { typeChecks } from "../../../scripts/npm/type_checks.ts";

const checks = typeChecks({
  modules: ["a.ts"],
  commonJs: ["b.cts"],
  disposing: ["c.ts"],
  inferred: ["d.ts"],
}, "/r");
const optionsOf = (name: string): unknown[] =>
  checks.map(({ config }) => config.compilerOptions[name]);

describe("the type checks of the package", () => {
  it("run three compilers, each with both resolutions and the globals of each platform", () => {
    const compilers = [
      ".tools/node_modules/typescript-5.9",
      "node_modules/typescript",
      "node_modules/typescript-7",
    ];
    for (const compiler of compilers) {
      const names = checks.filter((check) => check.compiler === compiler)
        .map(({ name }) => name.replace(/^.*, /, ""));
      assertEquals(names, [
        "nodenext",
        "bundler",
        "declarations",
        "ES2020",
        "the plain DOM",
        "Node 22's globals",
        "Node 26's globals",
        "workers' globals",
      ]);
    }
  });

  it("leave all but one check by each older compiler to a release", () => {
    const usual = checks.filter(({ isForRelease }) => !isForRelease).map(({ name }) => name);
    const ofOlder = usual.filter((name) => !name.startsWith("TypeScript 7"));
    assertEquals(ofOlder, ["TypeScript 6, nodenext", "TypeScript 5.9, nodenext"]);
    assertEquals(usual.length, 10);
  });

  it("leave out the DOM types for a platform that has its own types", () => {
    const platforms = checks.filter(({ name }) => name.endsWith("globals"));
    for (const { config: { compilerOptions } } of platforms) {
      assertEquals(compilerOptions["lib"], ["ES2023", "ESNext.Disposable"]);
      assertEquals((compilerOptions["types"] as string[]).length, 1);
    }
    const [first] = platforms;
    const folder = "/r/.tools/node_modules/@node-22";
    assertEquals(first?.config.compilerOptions["typeRoots"], [folder]);
  });

  it("are strict, and check the declaration files except in a plain project", () => {
    assert(optionsOf("exactOptionalPropertyTypes").every((value) => value === true));
    for (const { name, config } of checks) {
      assertEquals(config.compilerOptions["skipLibCheck"], name.endsWith("the plain DOM"));
    }
  });

  it("leave out files that a configuration does not support", () => {
    for (const { name, config } of checks) {
      const bundled = config.compilerOptions["moduleResolution"] === "bundler";
      const plain = name.endsWith("the plain DOM");
      const declared = name.endsWith("declarations") ? ["d.ts"] : null;
      const expected = bundled ? ["a.ts", "c.ts"] : plain ? ["a.ts", "b.cts"] : declared;
      assertEquals(config.files, expected ?? ["a.ts", "c.ts", "b.cts"]);
    }
  });
});
