/** Keeps the machine busy beside tests, so that tests that depend on its speed fail. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";

/** A program that keeps a core busy until its stdin ends, which also happens if this process ends. */
const PROGRAM = `
process.stdin.on("end", () => process.exit()).resume();
function work() {
  const end = performance.now() + 50;
  while (performance.now() < end);
  setImmediate(work);
}
work();`;

/** Starts a busy process for each core. Returns the function that stops them. */
export function startLoad(): () => void {
  const children = Array.from(
    { length: availableParallelism() },
    () => spawn(process.execPath, ["eval", PROGRAM], { stdio: ["pipe", "ignore", "ignore"] }),
  );
  return () => children.forEach((child) => child.stdin.end());
}
