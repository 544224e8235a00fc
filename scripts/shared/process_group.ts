/** Process groups: a child process, which leads the group, and all processes that it started. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Reports if a process of the group still runs. On Windows, which has no groups, returns false. */
export function groupLives(leader: number): boolean {
  if (process.platform === "win32") return false;
  try {
    process.kill(-leader, 0);
  } catch {
    return false;
  }
  // In a container without an init process, ended processes without a parent remain as zombies.
  return process.platform !== "linux" || groupWorks(leader);
}

/** The system's functions that end processes. Tests pass their own. */
export interface Killer {
  /** The value of `process.platform`. */
  platform: string;
  /** Ends the processes of a group, whose id is negative. Throws if none is left. */
  kill(group: number, signal: "SIGKILL"): void;
  /** Runs a command, and waits for its end. */
  run(command: string, args: readonly string[]): void;
}

const system: Killer = {
  platform: process.platform,
  kill: (group, signal) => void process.kill(group, signal),
  run: (command, args) => void spawnSync(command, [...args], { stdio: "ignore" }),
};

/**
 * Ends every process of the group. On Windows, these are the leader and its descendants, if the
 * leader still runs.
 */
export function endGroup(leader: number, { platform, kill, run }: Killer = system): void {
  if (platform === "win32") return run("taskkill", ["/PID", String(leader), "/T", "/F"]);
  try {
    kill(-leader, "SIGKILL");
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
