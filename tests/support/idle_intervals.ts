/**
 * Records the intervals that are created from now on.
 *
 * The shared idle timer of `src/http/transport/receive.ts` is an interval that remains for a moment
 * after the last request, without keeping the program alive. Deno's op sanitizer reports it.
 *
 * @returns A function that stops recording. It clears the recorded intervals that do not keep the
 *   program alive, so that the sanitizer reports only the others.
 */
export function recordIntervals(): () => void {
  const original = globalThis.setInterval;
  const intervals: ReturnType<typeof setInterval>[] = [];
  const recording = (...args: Parameters<typeof original>) => {
    const interval = original(...args);
    intervals.push(interval);
    return interval;
  };
  globalThis.setInterval = recording as typeof original;
  return () => {
    globalThis.setInterval = original;
    intervals.filter(isIdle).forEach((interval) => clearInterval(interval));
  };
}

function isIdle(interval: unknown): boolean {
  const { hasRef } = interval as { hasRef?: () => boolean };
  return hasRef?.call(interval) === false;
}
