/** A module that is loaded when it is first needed. */
export interface OnDemand<T> {
  /** The module, once it is there: taken from here, it costs no wait. */
  readonly loaded: T | undefined;
  /** Loads it. */
  load(): Promise<T>;
}

/**
 * Puts off a module until it is needed, so that programs that never need it do not bring it along.
 *
 * @example The bundlers follow the import where its specifier is a literal
 * ```ts ignore
 * const digest = onDemand(() => import("./digest.ts"));
 *
 * const { answer } = digest.loaded ?? await digest.load();
 * ```
 *
 * @param load Imports the module
 */
export function onDemand<T>(load: () => Promise<T>): OnDemand<T> {
  const module = {
    loaded: undefined as T | undefined,
    load: async (): Promise<T> => module.loaded = await load(),
  };
  return module;
}
