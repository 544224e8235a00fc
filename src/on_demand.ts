/** Gives a part: as it is where it is at hand, else as a promise. */
export type Part<M> = () => M | Promise<M>;

/**
 * A part of the toolkit that most programs do without: it is loaded when somebody first needs it, so
 * that bundles for browsers are small, and it is at hand from then on.
 *
 * A call loads what it needs before it sends anything, so that a part that cannot be loaded (a browser
 * is offline) does not leave it open what a server has done; it is tried again the next time. Only
 * what a response tells comes later: that it is XML, an error whose class has a model, or what a hook
 * then asks for. What has to be there when nothing can be loaded, errors and retries above all, is no
 * such part.
 *
 * @param load Loads it: a dynamic import, which bundlers and registries can follow
 * @returns What gives it
 */
export function onDemand<M>(load: () => Promise<M>): Part<M> {
  let part: M | Promise<M> | undefined;
  return () =>
    part ??= quiet(
      load().then((loaded) => part = loaded, (error) => {
        part = undefined;
        throw error;
      }),
    );
}

/** Where another mistake is told first, nobody waits for this one. */
function quiet<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => {});
  return promise;
}

/**
 * Waits for parts that are being loaded.
 *
 * @param parts What is at hand, and promises of what is not
 * @param signals What ends the waiting, with its reason; the parts are loaded all the same
 */
export function allParts<P extends readonly unknown[]>(
  parts: P,
  signals: readonly AbortSignal[],
): Promise<{ -readonly [K in keyof P]: Awaited<P[K]> }> {
  // One signal serves any number of calls, and Node warns of eleven listeners on one.
  const signal = AbortSignal.any([...signals]);
  let end!: () => void;
  return new Promise<{ -readonly [K in keyof P]: Awaited<P[K]> }>((resolve, reject) => {
    end = () => reject(signal.reason);
    // Not by `onabort`: put back to null, it keeps the timer of AbortSignal.timeout on Deno.
    signal.addEventListener("abort", end);
    Promise.all(parts).then(resolve, reject);
  }).finally(() => signal.removeEventListener("abort", end));
}

/** Uses a part: at once where it is at hand. */
export function withPart<M, R>(part: M | Promise<M>, use: (part: M) => R): R | Promise<Awaited<R>> {
  return part instanceof Promise ? quiet(part.then(use)) as Promise<Awaited<R>> : use(part);
}
