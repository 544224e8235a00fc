/**
 * A part of the toolkit that most programs do without: it is loaded when somebody first needs it, so
 * that bundles for browsers are small, and it is at hand from then on.
 *
 * A call loads what it needs before it sends anything, so that a part that cannot be loaded (a browser
 * is offline) does not leave it open what a server has done; it is tried again the next time. Only
 * what a response tells comes later: that it is XML, an error whose class has a model, or what a hook
 * then asks for. A call that is ended meanwhile ends when its parts are there. What has to be there
 * when nothing can be loaded, errors and retries above all, is no such part.
 *
 * @param load Loads it: a dynamic import, which bundlers and registries can follow
 * @returns What gives it: as it is where it is at hand, else as a promise
 */
export function onDemand<M>(load: () => Promise<M>): () => M | Promise<M> {
  let part: M | Promise<M> | undefined;
  return () =>
    part ??= load().then((loaded) => part = loaded, (error) => {
      part = undefined;
      throw error;
    });
}

/** Uses a part: at once where it is at hand. */
export function withPart<M, R>(part: M | Promise<M>, use: (part: M) => R): R | Promise<Awaited<R>> {
  return part instanceof Promise ? part.then(use) as Promise<Awaited<R>> : use(part);
}
