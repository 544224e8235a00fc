import { assertEquals, describe, it } from "#test";
import { programOf } from "../../../scripts/shared/npm_program.ts";

/** Returns a machine with Windows, and these files. */
function windows(path: string, ...files: string[]) {
  return { platform: "win32", path, exists: (file: string) => files.includes(file) };
}

const NODE = "C:\\Program Files\\nodejs";
const BIN = `${NODE}\\node_modules\\npm\\bin`;

describe("the program of a command", () => {
  it("is npm's own script on Windows, with the Node of the same folder", () => {
    const path = `C:\\Windows;;"${NODE}"`;
    const machine = windows(path, `${NODE}\\node.exe`, `${BIN}\\npm-cli.js`, `${BIN}\\npx-cli.js`);

    assertEquals(programOf("npm", ["ci", "a b"], machine), {
      command: `${NODE}\\node.exe`,
      args: [`${BIN}\\npm-cli.js`, "ci", "a b"],
    });
    assertEquals(programOf("npx", ["vitest"], machine), {
      command: `${NODE}\\node.exe`,
      args: [`${BIN}\\npx-cli.js`, "vitest"],
    });
  });

  it("is run by the Node of the PATH if npm is in a folder of its own", () => {
    const modules = "D:\\npm\\node_modules\\npm\\bin\\npm-cli.js";
    const { command, args } = programOf("npm", [], windows(`${NODE};D:\\npm\\`, modules));
    assertEquals([command, args], ["node", [modules]]);
  });

  it("is the command itself on other systems, without npm's script, and for other commands", () => {
    const machine = windows(NODE, `${NODE}\\node.exe`, `${BIN}\\npm-cli.js`);
    const rows = [
      ["npm", { ...machine, platform: "linux" }],
      ["npm", windows(NODE)],
      ["git", machine],
    ] as const;
    for (const [command, each] of rows) {
      assertEquals(programOf(command, ["a"], each), { command, args: ["a"] });
    }
  });
});
