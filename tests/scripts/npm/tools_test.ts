/** Tests that the judges' tools are not installed for every task, and name no registry. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { toolPath } from "../../../scripts/npm/tools.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const FOLDERS = ["", "scripts/npm/tools/"];

function read(path: string): string {
  return readFileSync(new URL(path, sourceRoot()), "utf8");
}

describe("the tools of the judges", () => {
  it("are not in the dependencies that every task installs", () => {
    const [everyTask, tools] = FOLDERS.map((folder) => {
      const { devDependencies } = JSON.parse(read(`${folder}package.json`));
      return Object.keys(devDependencies as Record<string, string>);
    });
    assertEquals(everyTask?.filter((name) => tools?.includes(name)), []);
    assert(tools?.includes("publint"));
  });

  it("are locked without the name of a registry, like all dependencies", () => {
    for (const folder of FOLDERS) {
      const { packages } = JSON.parse(read(`${folder}package-lock.json`));
      const locked = Object.values(packages as Record<string, Record<string, unknown>>);
      assert(locked.length > 1);
      assertEquals(locked.filter(({ resolved }) => resolved !== undefined), []);
    }
  });

  it("are found in the folder .tools", () => {
    assertEquals(toolPath("publint/src/cli.js"), ".tools/node_modules/publint/src/cli.js");
  });
});
