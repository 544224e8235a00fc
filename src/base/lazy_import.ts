/** Imports modules when they are first used. */

/** The modules that are being loaded. Loading takes real time, for which a fake clock waits. */
export const loadingModules: Set<Promise<unknown>> = new Set();

/**
 * Returns a function that imports a module when it is first called, so that bundlers put the module
 * into a file of its own.
 *
 * Only eight things are loaded like this: the XML parser, the codes of errors in XML, the writing of
 * XML, the cookie jar, the transports of the runtimes, the hash functions for digests of files, the
 * writing of forms for a fetch of the program, and the following of redirects. Everything else is
 * imported statically. An import that fails is tried again at the next call.
 *
 * @param load The dynamic import, written out, since bundlers and registries have to follow it
 * @returns A function that returns a promise at first, and the module once it is there
 */
export function lazyImport<M>(load: () => Promise<M>): () => M | Promise<M> {
  let module: M | Promise<M> | undefined;
  return () => {
    if (module !== undefined) return module;
    const loading = module = load();
    loadingModules.add(loading);
    const end = (loaded?: M) => {
      module = loaded;
      loadingModules.delete(loading);
    };
    // This also handles the error if nobody reads the result: a stream of XML may never be read.
    loading.then(end, () => end());
    return loading;
  };
}
