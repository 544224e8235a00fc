/** Runs the script of a repository that `init` makes, with git and with the generator. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  afterEach,
  assert,
  assertEquals,
  assertStringIncludes,
  beforeEach,
  describe,
  it,
} from "#test";
import { type ChildResult, runChild } from "../../../scripts/shared/child.ts";
import { SINCE_RELEASE, SINCE_RELEASE_TEXT } from "../../src/init/since_release.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const cli = join(root, "generate/cli.ts");

/** The command that runs the generator on this runtime. */
const GENERATOR: readonly string[] = "Deno" in globalThis
  ? [process.execPath, "run", "-A", "--no-check", "--config", join(root, "deno.json"), cli]
  : [process.execPath, cli];

/** Returns a document with operations that have these names. */
const documentWith = (...names: readonly string[]): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://pets.example.com" }],
    paths: Object.fromEntries(names.map((name) => [`/${name}`, {
      get: { tags: ["pets"], operationId: name, responses: { 204: { description: "" } } },
    }])),
  });

const env = {
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com" },
};

describe("the script that compares a repository with its last release", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-release-"));
    await git("init", "--quiet", "-b", "main");
    await write(SINCE_RELEASE, SINCE_RELEASE_TEXT);
    await write("restwright.json", JSON.stringify({ document: "openapi/pets.json", out: "src" }));
    await write(".gitignore", "node_modules/\n");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  async function git(...args: readonly string[]): Promise<void> {
    const { code, output } = await runChild("git", args, { cwd: folder, env });
    assertEquals(code, 0, output);
  }

  /** Makes a commit with a version and a document, and a tag if one is named. */
  async function commit(version: string, document: string, tag?: string): Promise<void> {
    await write("package.json", `${JSON.stringify({ name: "pets", version }, null, 2)}\n`);
    await write("openapi/pets.json", document);
    await git("add", "-A");
    await git("commit", "--quiet", "--allow-empty", "-m", version);
    if (tag !== undefined) await git("tag", tag);
  }

  /** Installs a program as the generator. */
  async function install(...command: readonly string[]): Promise<void> {
    const path = "node_modules/.bin/restwright-generate";
    const words = command.map((word) => `'${word}'`).join(" ");
    await write(path, `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(join(folder, path), 0o755);
  }

  const run = (...args: readonly string[]): Promise<ChildResult> =>
    runChild("sh", [SINCE_RELEASE, ...args], { cwd: folder, env });

  it("fails if a minor release breaks callers, and prints an entry of the changelog", async () => {
    await install(...GENERATOR);
    await commit("1.0.0", documentWith("listPets", "listToys"), "v1.0.0");
    await commit("1.1.0", documentWith("listPets", "listCats"));
    const failed = await run();
    assertEquals(failed.code, 1, failed.output);
    assertStringIncludes(failed.output, "pets.listToys: the method was removed");
    assertStringIncludes(failed.output, "version 1.1.0 must not break callers of v1.0.0");

    const entry = await run("--changelog");
    assertEquals(entry.code, 0, entry.output);
    assertStringIncludes(entry.stdout, "### Breaking\n\n- `pets.listToys`");
    assertStringIncludes(entry.stdout, "### Added\n\n- `pets.listCats`");
  });

  it("fails unless the version allows what breaks, before and after 1.0.0", async () => {
    await install("false");
    const document = documentWith("listPets");
    const cases: readonly (readonly [tag: string, version: string, code: number])[] = [
      ["1.2.3", "1.3.0", 1],
      ["1.2.3", "1.2.4", 1],
      ["1.2.3", "2.0.0", 0],
      ["1.2.3", "2.0.0-rc.1", 0],
      ["0.2.3", "0.2.4", 1],
      ["0.2.3", "0.3.0", 0],
      ["0.2.3", "1.0.0", 0],
      // The version of the next release is not decided yet.
      ["1.2.3", "1.2.3", 0],
    ];
    for (const [tag, version, code] of cases) {
      await commit(tag, document, `v${tag}`);
      await commit(version, document);
      const result = await run();
      assertEquals(result.code, code, `${tag} ${version}\n${result.output}`);
      if (tag === version) assertStringIncludes(result.output, "must not begin with 1");
      await git("tag", "-d", `v${tag}`);
    }
  });

  it("compares a commit that has its own tag with the release before", async () => {
    await install("false");
    await commit("1.0.0", documentWith("listPets"), "v1.0.0");
    await commit("1.1.0", documentWith("listPets"), "v1.1.0");
    const { code, output } = await run();
    assertEquals(code, 1, output);
    assertStringIncludes(output, "version 1.1.0 must not break callers of v1.0.0");
  });

  it("passes without a release, and if nothing breaks; another failure is its own", async () => {
    await install("true");
    await commit("0.1.0", documentWith("listPets"));
    const first = await run();
    assertEquals([first.code, first.output.trim()], [0, "there is no release to compare with"]);
    await git("tag", "v0.1.0");
    await commit("0.1.1", documentWith("listPets"));
    assertEquals((await run()).code, 0);
    await install("sh", "-c", "exit 2");
    const broken = await run();
    assert(broken.code === 2, broken.output);
  });
});
