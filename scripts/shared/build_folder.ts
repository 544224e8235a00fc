/**
 * The folder for build output. Each run has its own folder in .build/, so that two simultaneous
 * runs in one working tree do not delete each other's files.
 */
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import process from "node:process";
import { ROOT } from "./source_files.ts";

/** This run's folder, relative to the root. The next run deletes it. */
export const BUILD_FOLDER: string = `.build/run_${process.pid}`;

/** The folder in which Node keeps compiled modules, for all runs. */
export const COMPILE_CACHE: string = `${ROOT}/.build/compile_cache`;

/** Removes the folders of finished runs. Call it before this run builds anything. */
export async function removeOldBuilds(): Promise<void> {
  if (!existsSync(`${ROOT}/.build`)) return;
  for (const name of await readdir(`${ROOT}/.build`)) {
    const pid = /^run_(\d+)$/.exec(name)?.[1];
    if (pid === undefined || runsElsewhere(Number(pid))) continue;
    await rm(`${ROOT}/.build/${name}`, { recursive: true, force: true });
  }
}

function runsElsewhere(pid: number): boolean {
  // An earlier run may have had the same process id as this one.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
