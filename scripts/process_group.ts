/** A child process and all that it started: a group of processes, led by the child. */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Whether processes of the group are still at work. Windows has no groups: never, there. */
export function groupLives(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch {
    return false;
  }
  // In a container without an init, ended processes whose parent is gone stay as zombies.
  return process.platform !== "linux" || groupWorks(leader);
}

/** Ends every process of the group. */
export function endGroup(leader: number): void {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // They ended by themselves meanwhile.
  }
}

/** Whether Linux lists a process of the group that is no zombie. */
function groupWorks(leader: number): boolean {
  return readdirSync("/proc").some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      // After the name, which is in parentheses and may hold anything: state, parent, group.
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(group) === leader && state !== "Z" && state !== "X";
    } catch {
      return false;
    }
  });
}
