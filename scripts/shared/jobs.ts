/** Runs jobs in parallel. */
import { availableParallelism } from "node:os";

/** A part of the work. It must not reject. */
export type Job = () => Promise<void>;

/**
 * The number of jobs that run at a time: one more than the cores, because groups of tests wait for
 * servers, processes and timers for a third of their time.
 */
export const WORKERS: number = availableParallelism() + 1;

/**
 * Runs all jobs. They start in their order, so long ones should come first.
 *
 * @param jobs The jobs
 * @param workers The number of jobs at a time. Default: `WORKERS`
 */
export async function runJobs(jobs: readonly Job[], workers: number = WORKERS): Promise<void> {
  const waiting = jobs.values();
  async function work(): Promise<void> {
    for (const job of waiting) await job();
  }
  await Promise.all(Array.from({ length: workers }, work));
}
