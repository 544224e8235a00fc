/** Follows signals of other realms and of packages with signals of the runtime. */

/** The signals of the runtime that follow those of other realms. Each needs only one listener. */
const followers = new WeakMap<object, AbortSignal>();

/**
 * Returns a signal of the runtime for one of another realm or of a package, which `AbortSignal.any`
 * and fetch may refuse.
 *
 * @returns The signal itself if it is the runtime's own; undefined for anything else
 */
export function ownSignal(value: unknown): AbortSignal | undefined {
  if (value instanceof AbortSignal) return value;
  const signal = Object(value) as AbortSignal;
  const isSignal = typeof signal.aborted === "boolean" &&
    typeof signal.addEventListener === "function";
  if (!isSignal) return undefined;
  const known = followers.get(signal);
  if (known !== undefined) return known;
  const controller = new AbortController();
  followers.set(signal, controller.signal);
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
