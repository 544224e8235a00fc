import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { denoChecks, importingAll } from "../../../scripts/test/checks.ts";
import { TYPESCRIPT_7 } from "../../../scripts/shared/package/compile.ts";
import { runChild } from "../../../scripts/shared/child.ts";
import {
  filesBelow,
  isModule,
  ROOT,
  SOURCE_FOLDERS,
} from "../../../scripts/shared/source_files.ts";
import { detectRuntime } from "../../../src/base/runtime.ts";

/** The longest command that Windows can run. */
const LONGEST_COMMAND = 32_767;

describe("the checks", () => {
  it("read every module of the repository, except those with packages of their own", async () => {
    const { modules, commands } = await denoChecks(ROOT, "jsr");
    const all = await filesBelow(ROOT, SOURCE_FOLDERS);
    const others = all.filter(isModule).filter((path) => !modules.includes(path));

    assertEquals(others.filter((path) => !/^(?:bench\/peers|examples\/template)\//.test(path)), []);
    assert(modules.includes("mod.ts"), "mod.ts is missing");
    assert(modules.length > 800, `${modules.length} modules`);
    assertEquals(new Set(modules).size, modules.length);
    const check = commands.find(({ name }) => name === "types (deno check)");
    assertEquals(check?.args.length, 3);
  });

  it("leave out the files of the JSR edition only in the npm edition", async () => {
    const jsr = await denoChecks(ROOT, "jsr");
    const npm = await denoChecks(ROOT, "npm");
    const missing = jsr.modules.filter((path) => !npm.modules.includes(path));

    assertEquals(missing.sort(), [
      ...["src/log/std.ts", "src/xml/std.ts", "tests/support/runner_std.ts"],
    ]);
    assertEquals(jsr.webOnly, npm.webOnly);
  });

  it("have commands that are short enough for Windows", async () => {
    const { commands } = await denoChecks(ROOT, "jsr");
    for (const { name, args } of commands) {
      const { length } = [process.execPath, ...args].join(" ");
      assert(length < LONGEST_COMMAND / 2, `${name}: ${length} characters`);
    }
  });

  it("find an error in the types of a module that another one imports", async () => {
    const folder = await mkdtemp(join(tmpdir(), "restwright-checks-"));
    try {
      await writeFile(join(folder, "good.ts"), "export const one: number = 1;\n");
      await writeFile(join(folder, "wrong.ts"), 'export const two: number = "2";\n');
      const entry = join(folder, "all.ts");
      await writeFile(entry, importingAll(["good.ts", "wrong.ts"], "."));
      // Only Deno has `deno check`. The compiler follows imports in the same way.
      const compiler = join(ROOT, TYPESCRIPT_7, "bin/tsc");
      const options = ["--noEmit", "--allowImportingTsExtensions", "--pretty", "false"];
      const { code, output } = detectRuntime().name === "Deno"
        ? await runChild(process.execPath, ["check", "--quiet", "--no-config", entry])
        : await runChild("node", [compiler, ...options, entry], { cwd: folder });

      assert(code !== 0, output);
      assertStringIncludes(output, "wrong.ts");
      assertStringIncludes(output, "TS2322");
      assert(!output.includes("good.ts"), output);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
