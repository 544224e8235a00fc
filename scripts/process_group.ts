/** Process groups: a child process, which leads the group, and all processes that it started. */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Reports if a process of the group still runs. On Windows, which has no groups, returns false. */
export function groupLives(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch {
    return false;
  }
  // In a container without an init process, ended processes without a parent remain as zombies.
  return process.platform !== "linux" || groupWorks(leader);
}

/** Ends every process of the group. */
export function endGroup(leader: number): void {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // The processes have already ended.
  }
}

/** Reports if /proc lists a process of the group that is not a zombie. */
function groupWorks(leader: number): boolean {
  return readdirSync("/proc").some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      // Skips the name, which is in parentheses and can contain any character.
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(group) === leader && state !== "Z" && state !== "X";
    } catch {
      return false;
    }
  });
}
