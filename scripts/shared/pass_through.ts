/** Runs a child process that uses this process's terminal. */
import { spawn } from "node:child_process";
import process from "node:process";
import { programOf } from "./npm_program.ts";

/** Runs a command with this process's stdin, stdout and stderr, and returns its exit code. */
export function passThrough(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<number> {
  // The terminal sends Ctrl-C to both processes. The child handles it; this one waits for its end.
  process.on("SIGINT", () => {});
  const program = programOf(command, args);
  const child = spawn(program.command, [...program.args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
}
