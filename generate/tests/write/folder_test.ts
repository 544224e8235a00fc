import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, assertEquals, assertRejects, beforeEach, describe, it } from "#test";
import { FIRST_LINE } from "../../src/base/first_line.ts";
import { compareFolder, FolderError, writeFolder } from "../../src/write/folder.ts";
import process from "node:process";

const own = (text: string): string => `${FIRST_LINE}\n${text}\n`;
const noLinks = process.platform === "win32" ? "links need a privilege on Windows" : undefined;

describe("the folder of the output", () => {
  let base: string;
  let folder: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "restwright-generate-"));
    folder = join(base, "out");
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  async function write(files: Readonly<Record<string, string>>) {
    const map = new Map(Object.entries(files));
    const { folder: _, ...changes } = await compareFolder(folder, map);
    await writeFolder(await compareFolder(folder, map), map);
    return changes;
  }

  it("is made if it is missing", async () => {
    const changes = await write({ "mod.ts": own("1"), "endpoints/pets.ts": own("2") });
    assertEquals(changes, {
      ...{ added: ["mod.ts", "endpoints/pets.ts"], changed: [], unchanged: [], stale: [] },
    });
    assertEquals(await readFile(join(folder, "endpoints/pets.ts"), "utf8"), own("2"));
  });

  it("gets only the files that differ, and loses those that are not made any more", async () => {
    await write({
      ...{ "mod.ts": own("1"), "client.ts": own("1"), "endpoints/pets.ts": own("1") },
      ...{ "resources/a.ts": own("1"), "resources/b.ts": own("1") },
    });
    const past = new Date("2020-01-01T00:00:00Z");
    await utimes(join(folder, "mod.ts"), past, past);
    await writeFile(join(folder, "endpoints/mine.ts"), "export const mine = 1;\n");
    await writeFile(join(folder, "mine.ts"), "export {};\n");

    const changes = await write({
      "mod.ts": own("1"),
      "client.ts": own("2"),
      "endpoints/a.ts": own("3"),
    });
    assertEquals(changes, {
      ...{ added: ["endpoints/a.ts"], changed: ["client.ts"], unchanged: ["mod.ts"] },
      stale: ["endpoints/pets.ts", "resources/a.ts", "resources/b.ts"],
    });
    assertEquals((await stat(join(folder, "mod.ts"))).mtime, past);
    assertEquals(existsSync(join(folder, "endpoints/pets.ts")), false);
    assertEquals(existsSync(join(folder, "endpoints/mine.ts")), true);
    assertEquals(existsSync(join(folder, "mine.ts")), true);
  });

  it("is not compared with files of others, which are never overwritten", async () => {
    await mkdir(join(folder, "endpoints"), { recursive: true });
    await writeFile(join(folder, "endpoints/pets.ts"), "// mine\n");
    const error = await assertRejects(
      () => write({ "mod.ts": own("1"), "endpoints/pets.ts": own("2") }),
      FolderError,
    );
    assertEquals(
      error.message,
      "endpoints/pets.ts exists and does not begin with the generator's first line; move or delete it",
    );
    assertEquals(existsSync(join(folder, "mod.ts")), false);
  });

  it("must be a folder, and have no folder in place of a file", async () => {
    await writeFile(folder, "");
    await assertRejects(() => write({ "mod.ts": own("1") }), FolderError, "is not a folder");
    await rm(folder);
    await mkdir(join(folder, "mod.ts"), { recursive: true });
    await assertRejects(() => write({ "mod.ts": own("1") }), FolderError, "is not a file");
  });

  it("takes no path that leads elsewhere", async () => {
    for (const path of ["../mod.ts", "/mod.ts", "a/../../b.ts", "con.ts"]) {
      await assertRejects(() => write({ [path]: own("1") }), FolderError, "not a safe name");
    }
  });

  it("has no links that lead out of it", async () => {
    const outside = join(base, "outside");
    await mkdir(outside);
    await mkdir(folder);
    await writeFile(join(outside, "mod.ts"), own("outside"));
    const links: readonly (readonly [target: string, path: string])[] = [
      [join(outside, "mod.ts"), "mod.ts"],
      [join(outside, "none.ts"), "client.ts"],
      [outside, "endpoints"],
    ];
    for (const [target, path] of links) {
      await symlink(target, join(folder, path));
      const file = path === "endpoints" ? "endpoints/mod.ts" : path;
      await assertRejects(
        () => write({ [file]: own("1") }),
        FolderError,
        "leads out of the folder",
      );
      await rm(join(folder, path));
    }
    assertEquals(await readFile(join(outside, "mod.ts"), "utf8"), own("outside"));
    assertEquals(existsSync(join(outside, "none.ts")), false);
  }, { ignore: noLinks });

  it("may be a link itself, and have links inside of it", async () => {
    const real = join(base, "real");
    await mkdir(join(real, "parts"), { recursive: true });
    await symlink(real, folder);
    await symlink(join(real, "parts"), join(real, "endpoints"));
    await write({ "mod.ts": own("1"), "endpoints/pets.ts": own("2") });
    assertEquals(await readFile(join(real, "parts/pets.ts"), "utf8"), own("2"));
  }, { ignore: noLinks });

  it("keeps stale files behind a link that leads out of it", async () => {
    const outside = join(base, "outside");
    await mkdir(outside);
    await mkdir(folder);
    await writeFile(join(outside, "old.ts"), own("old"));
    await symlink(outside, join(folder, "endpoints"));
    assertEquals((await write({ "mod.ts": own("1") })).stale, []);
    assertEquals(existsSync(join(outside, "old.ts")), true);
  }, { ignore: noLinks });
});
