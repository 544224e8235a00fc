/**
 * Where a run puts what it builds: a folder of its own in .build/, so that two runs at a time, of two
 * people in one tree, do not take files away from each other.
 */
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import process from "node:process";
import { ROOT } from "./source_files.ts";

/** This run's folder, from the root. It stays after the run, until the next one. */
export const BUILD_FOLDER: string = `.build/run_${process.pid}`;

/** Removes the folders of runs that are over. To be called before this run builds anything. */
export async function removeOldBuilds(): Promise<void> {
  if (!existsSync(`${ROOT}/.build`)) return;
  for (const name of await readdir(`${ROOT}/.build`)) {
    const pid = /^run_(\d+)$/.exec(name)?.[1];
    if (pid === undefined || runsElsewhere(Number(pid))) continue;
    await rm(`${ROOT}/.build/${name}`, { recursive: true, force: true });
  }
}

function runsElsewhere(pid: number): boolean {
  // An earlier run may have had the number that is ours now.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
