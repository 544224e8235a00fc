/** Runs `deno publish --dry-run` in either edition. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { type ChildResult, runChild } from "../../shared/child.ts";
import { type Edition, editionEnv } from "../../shared/edition.ts";

const COMMAND: readonly string[] = ["publish", "--dry-run", "--allow-dirty"];

/**
 * Runs `deno publish --dry-run`. Only the JSR edition is published on JSR, so deno.json excludes
 * the files that only the npm edition imports, and a dry run of the npm edition would fail. For the
 * npm edition, this runs in a temporary copy whose deno.json excludes nothing.
 */
export async function dryRun(root: string, edition: Edition): Promise<ChildResult> {
  const run = (cwd: string) =>
    runChild(process.execPath, COMMAND, { cwd, env: editionEnv(edition) });
  if (edition === "jsr") return await run(root);
  const copy = await mkdtemp(join(tmpdir(), "restwright-publish-"));
  try {
    await copyWhole(root, copy);
    return await run(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Copies package.json and the files that deno.json includes, with a deno.json without excludes. */
async function copyWhole(root: string, copy: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, "deno.json"), "utf8"));
  const { include } = manifest.publish as { include: readonly string[] };
  for (const path of [...include, "package.json"]) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await cp(join(root, path), join(copy, path), { recursive: true });
  }
  const { workspace: _members, ...alone } = manifest;
  const whole = { ...alone, publish: { include } };
  await writeFile(join(copy, "deno.json"), JSON.stringify(whole));
}
