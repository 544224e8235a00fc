/** Takes the reason of a signal that is aborted. */
export type AbortListener = (reason: unknown) => void;

/** Who listens to a signal: one listener stands on it for all of them. */
const listeners = new WeakMap<AbortSignal, Set<AbortListener>>();

/**
 * Listens to a signal, which may be that of any number of calls at once: Node warns of a leak where
 * more than ten listeners stand on one signal.
 *
 * @param signal The signal, not aborted yet
 * @param listener Takes its reason; each one listens once
 */
export function listen(signal: AbortSignal, listener: AbortListener): void {
  const all = listeners.get(signal);
  if (all !== undefined) {
    all.add(listener);
    return;
  }
  listeners.set(signal, new Set([listener]));
  signal.addEventListener("abort", tell);
}

/** Does not listen any more. */
export function unlisten(signal: AbortSignal, listener: AbortListener): void {
  const all = listeners.get(signal);
  all?.delete(listener);
  if (all?.size !== 0) return;
  listeners.delete(signal);
  signal.removeEventListener("abort", tell);
}

function tell({ target }: Event): void {
  const signal = target as AbortSignal;
  const failures: unknown[] = [];
  // Who is told goes away by that.
  for (const listener of [...listeners.get(signal) ?? []]) {
    try {
      listener(signal.reason);
    } catch (error) {
      failures.push(error); // it is no matter of the others
    }
  }
  if (failures.length > 0) throw failures[0];
}
