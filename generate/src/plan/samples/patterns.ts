/** Runs the patterns of documents, which may never end, with a time limit. */

import { type Context, createContext, Script } from "node:vm";

/** The milliseconds for a pattern. The usual ones take less than one. */
const LIMIT = 100;

/** The patterns without an end for which the generator waits. After them, it runs no doubtful one. */
const MAX_ENDLESS = 2;

/** The longest text that a pattern is tried with. */
const MAX_TEXT = 1000;

/** Runs the pattern, in a context of its own that has nothing else. */
const script = new Script('texts.findIndex((text) => new RegExp(pattern, "u").test(text))');

let context: Context | undefined;

/** Finds texts that match the patterns of one document. */
export class Patterns {
  /** The patterns that did not end in time. */
  readonly #endless = new Set<string>();
  /** The results so far, by the pattern and the texts. */
  readonly #found = new Map<string, string | undefined>();

  /**
   * Returns the first text that matches a pattern; undefined if none does, if the pattern is not valid,
   * or if it takes too long.
   */
  first(pattern: string, texts: readonly string[]): string | undefined {
    const key = JSON.stringify([pattern, texts]);
    if (this.#found.has(key)) return this.#found.get(key);
    const found = this.#run(pattern, texts);
    this.#found.set(key, found);
    return found;
  }

  #run(pattern: string, given: readonly string[]): string | undefined {
    const texts = given.filter(({ length }) => length <= MAX_TEXT);
    // A time limit costs milliseconds.
    if (isSimple(pattern)) {
      try {
        const regExp = new RegExp(pattern, "u");
        return texts.find((text) => regExp.test(text));
      } catch {
        return undefined;
      }
    }
    if (this.#endless.has(pattern) || this.#endless.size >= MAX_ENDLESS) return undefined;
    context ??= createContext(Object.create(null));
    Object.assign(context, { pattern, texts });
    try {
      return texts[script.runInContext(context, { timeout: LIMIT })];
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") this.#endless.add(pattern);
      return undefined;
    }
  }
}

/** Reports if a pattern ends soon: it repeats no group, and few characters a variable number of times. */
function isSimple(pattern: string): boolean {
  const variable = pattern.match(/[*+?]|\{\d+,/g) ?? [];
  return variable.length <= 3 && !/\)[*+?{]/.test(pattern);
}
