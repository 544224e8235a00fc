/** Tests of the configuration of the compiler. */
import { assertEquals, describe, it } from "#test";
import { compilerConfig } from "../../../../scripts/shared/package/compile.ts";

describe("compilerConfig", () => {
  const strictness = { strict: true, noImplicitReturns: true };

  it("checks without output", () => {
    const job = { name: "web", files: ["mod.ts"], types: [] };
    const { compilerOptions, files } = compilerConfig(job, strictness);
    assertEquals(files, ["../../mod.ts"]);
    const { noEmit, types } = compilerOptions;
    assertEquals({ noEmit, types }, { noEmit: true, types: [] });
  });

  it("rewrites imports when it builds JavaScript", () => {
    const job = { name: "npm", files: ["mod.ts"], types: [], outDir: "npm/esm" };
    const { noEmit, outDir, types, rewriteRelativeImportExtensions } =
      compilerConfig(job, strictness).compilerOptions;
    assertEquals({ noEmit, outDir, types, rewriteRelativeImportExtensions }, {
      noEmit: undefined,
      outDir: "../../npm/esm",
      types: [],
      rewriteRelativeImportExtensions: true,
    });
  });

  it("is as strict as deno.json", () => {
    const job = { name: "web", files: ["mod.ts"], types: [] };
    const { strict, noImplicitReturns } = compilerConfig(job, strictness).compilerOptions;
    assertEquals({ strict, noImplicitReturns }, strictness);
  });
});
