/** Tests of the folders of scripts: one for each task, and one for what tasks share. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { assertEquals, describe, it } from "#test";
import { filesBelow, ROOT } from "../../scripts/shared/source_files.ts";

const { tasks } = JSON.parse(readFileSync(`${ROOT}/deno.json`, "utf8")) as {
  readonly tasks: Readonly<Record<string, { readonly command: string }>>;
};
const SHARED = "scripts/shared/";

describe("the folders of scripts", () => {
  it("are those of the tasks, which each run the main module of their folder", () => {
    // The generator is a program of its own.
    const { generate: _generator, ...own } = tasks;
    for (const [name, { command }] of Object.entries(own)) {
      assertEquals(command.split(" ").at(-1), `scripts/${name}/main.ts`);
    }
    const folders = readdirSync(`${ROOT}/scripts`).map((name) => `scripts/${name}/`);
    const ofTasks = Object.keys(own).map((name) => `scripts/${name}/`);
    assertEquals(folders.sort(), [...ofTasks, SHARED].sort());
  });

  it("import only from themselves and from the shared folder, which imports from no task", async () => {
    const modules = (await filesBelow(ROOT, ["scripts"])).filter((path) => path.endsWith(".ts"));
    const wrong: string[] = [];
    for (const path of modules) {
      const folder = path.split("/").slice(0, 2).join("/") + "/";
      const text = readFileSync(`${ROOT}/${path}`, "utf8");
      for (const [, specifier = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
        const target = posix.join(posix.dirname(path), specifier);
        if (!target.startsWith("scripts/") || !existsSync(`${ROOT}/${target}`)) continue;
        if (!target.startsWith(folder) && !target.startsWith(SHARED)) {
          wrong.push(`${path} imports ${target}`);
        }
      }
    }
    assertEquals(wrong, []);
  });
});
