import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { runChild, succeeded } from "../../scripts/shared/child.ts";
import { importableEntries } from "../../scripts/shared/manifest.ts";
import { sourceRoot } from "../support/contract_page.ts";

/** The changes of the process by the import of each entry point. */
type Effects = Readonly<Record<string, readonly string[]>>;

/** The output of import_effects.ts, and the kinds of permissions that it has asked Deno for. */
interface Imports {
  readonly effects: Effects;
  readonly permissions: readonly string[];
}

const root = sourceRoot();

/** Runs import_effects.ts in a fresh process that has no permission, and waits until it ends. */
async function runImports(folder: string, ...args: string[]): Promise<Imports> {
  const log = join(folder, `permissions${args.join("")}.jsonl`);
  const flags = "Deno" in globalThis ? ["run", "--quiet", "--no-check", "--no-prompt"] : [];
  const program = fileURLToPath(new URL("tests/support/import_effects.ts", root));
  const run = await runChild(process.execPath, [...flags, program, ...args], {
    cwd: fileURLToPath(root),
    env: { DENO_AUDIT_PERMISSIONS: log },
  });
  assert(succeeded(run), run.output);
  const effects = JSON.parse(run.stdout.split("\n").at(-1)!);
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  // The permission "import" is for modules of other hosts, as those of JSR are.
  const permissions = lines.filter(Boolean).map((line) => JSON.parse(line).permission)
    .filter((kind) => kind !== "import");
  return { effects, permissions };
}

describe("the import of an entry point", () => {
  const manifests = ["deno.json", "package.json"]
    .map((name) => JSON.parse(readFileSync(new URL(name, root), "utf8")));
  const entries = importableEntries(manifests[0], manifests[1]).map(([name]) => name);
  let folder: string;
  let imports: Imports;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-imports-"));
    imports = await runImports(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("is tested for each entry point but programs", () => {
    assertEquals(Object.keys(imports.effects).sort(), entries.sort());
  });

  for (const entry of entries) {
    it(`changes no global and no prototype, and starts nothing: ${entry}`, () => {
      assertEquals(imports.effects[entry], []);
    });
  }

  it("reads no file, no variable and no system information, and opens no connection", () => {
    // Only Deno has this log. The others run the same code.
    assertEquals(imports.permissions, []);
  });

  it("needs no global of the web, because some test environments have none", async () => {
    const { effects } = await runImports(folder, "--bare");
    assertEquals(Object.keys(effects), Object.keys(imports.effects));
  });

  it("would be noticed if it had effects", async () => {
    const { effects, permissions } = await runImports(folder, "--effects");
    const found = Object.values(effects)[0]!;
    const expected = [
      ...["globalThis.leakedName", "Array.prototype.leakedMethod", "Promise.all"],
      ...["listeners of warning", "setTimeout()", "debug()", "fetch()"],
    ];
    assertEquals(expected.filter((each) => !found.includes(each)), []);
    assertEquals(permissions, "Deno" in globalThis ? ["env"] : []);
  });
});
