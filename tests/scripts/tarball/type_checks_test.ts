/** The ways in which users' compilers read the declarations. */
import { assert, assertEquals, describe, it } from "#test";
import { typeChecks } from "../../../scripts/tarball/type_checks.ts";

const checks = typeChecks(["a.ts"], ["b.cts"], "/types");
const optionsOf = (name: string): unknown[] =>
  checks.map(({ config }) => config.compilerOptions[name]);

describe("the type checks of the package", () => {
  it("are those of two compilers, each with both resolutions", () => {
    for (const compiler of ["node_modules/typescript", ".tools/node_modules/typescript-5.9"]) {
      const resolutions = checks.filter((check) => check.compiler === compiler)
        .map(({ config }) => config.compilerOptions["moduleResolution"]);
      assertEquals(resolutions, ["nodenext", "bundler", "nodenext"]);
    }
  });

  it("are strict, and read the declarations themselves", () => {
    assert(optionsOf("exactOptionalPropertyTypes").every((value) => value === true));
    assert(optionsOf("skipLibCheck").every((value) => value === false));
  });

  it("leave CommonJS out where bundlers resolve", () => {
    for (const { config } of checks) {
      const bundled = config.compilerOptions["moduleResolution"] === "bundler";
      assertEquals(config.files, bundled ? ["a.ts"] : ["a.ts", "b.cts"]);
    }
  });
});
