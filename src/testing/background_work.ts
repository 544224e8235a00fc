/** The work that a fake clock waits for before it moves: it takes real time, and no timer of the clock. */
import { loadingModules } from "../base/lazy_import.ts";

const working = new Set<Promise<unknown>>();

/** Lets every fake clock wait for the end of some work, and returns the promise of the work. */
export function inBackground<T>(work: Promise<T>): Promise<T> {
  working.add(work);
  const done = () => void working.delete(work);
  work.then(done, done);
  return work;
}

/** Waits until no work is left, and no module is being loaded. Returns true if there was any. */
export async function backgroundWork(): Promise<boolean> {
  const isBusy = () => working.size + loadingModules.size > 0;
  const wasBusy = isBusy();
  while (isBusy()) await Promise.allSettled([...working, ...loadingModules]);
  return wasBusy;
}
