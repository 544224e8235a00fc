/**
 * Starts npm and npx without a shell. On Windows they are batch files, which only a shell can run,
 * and a shell does not keep arguments with spaces or quotes as they are. So Node runs npm's program.
 */
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import process from "node:process";

/** An executable and its arguments. */
export interface Program {
  command: string;
  args: readonly string[];
}

/** The parts of a machine that the place of npm depends on. */
export interface Machine {
  /** The value of `process.platform`. */
  platform: string;
  /** The folders in which programs are searched: the variable PATH. */
  path: string;
  exists(path: string): boolean;
}

/** The machine that this process runs on. */
const here: Machine = {
  platform: process.platform,
  get path() {
    return process.env["PATH"] ?? "";
  },
  exists: existsSync,
};

/**
 * Returns the executable that runs a command, with its arguments.
 *
 * On Windows, npm is in the same folder as Node. Without that folder, the command stays as it is:
 * tools such as Volta have an `npm.exe`, which needs no shell.
 */
export function programOf(
  command: string,
  args: readonly string[],
  { platform, path, exists }: Machine = here,
): Program {
  if (platform !== "win32" || command !== "npm" && command !== "npx") return { command, args };
  for (const folder of path.split(win32.delimiter).filter((folder) => folder !== "")) {
    // An entry with a semicolon in its name is in quotes.
    const place = folder.replaceAll('"', "");
    const script = win32.join(place, "node_modules", "npm", "bin", `${command}-cli.js`);
    const node = win32.join(place, "node.exe");
    if (exists(script)) return { command: exists(node) ? node : "node", args: [script, ...args] };
  }
  return { command, args };
}
