/** A child process that has the terminal to itself, for a person to watch. */
import { spawn } from "node:child_process";
import process from "node:process";

/** Runs a command on our own stdin, stdout and stderr; gives its exit code. */
export function passThrough(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<number> {
  // The terminal sends Ctrl-C to both; the child decides how to end, and we follow it.
  process.on("SIGINT", () => {});
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
}
