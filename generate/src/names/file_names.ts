/** Names of files that every system can have, whatever a document calls its tags. */
import { snakeCase, wordsOf } from "./words.ts";

/** The most characters of a name with its number and `.ts`. */
const MAX_LENGTH = 120;

/** Names of devices, which Windows has in every folder, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout)$/;

/** Endings by which test runners choose the files that they run. */
const CHOSEN_BY_RUNNERS = /(?:^|_)(?:test|bench)$/;

/** The names of the files of one folder, without `.ts`. No two differ in their case alone. */
export class FileNames {
  readonly #taken = new Set<string>();

  /**
   * Returns a name for what the document calls `text`: letters of ASCII in lower case, digits and
   * underscores. No other call gets the same.
   *
   * @param text Any text, such as the name of a tag
   * @param fallback The name if the text has no letter or digit
   */
  add(text: string, fallback: string): string {
    const words = snakeCase(wordsOf(text)) || fallback;
    const isRefused = DEVICES.test(words) || CHOSEN_BY_RUNNERS.test(words);
    const name = (isRefused ? `${words}_` : words).slice(0, MAX_LENGTH - 10);
    let unique = name;
    for (let number = 2; this.#taken.has(unique); number++) unique = `${name}_${number}`;
    this.#taken.add(unique);
    return unique;
  }
}

/** Reports if the path of an output file is safe: below the folder, and a file on every system. */
export function isSafePath(path: string): boolean {
  return path.split("/").every((part) =>
    /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(part) && part.length <= MAX_LENGTH &&
    !part.endsWith(".") && !DEVICES.test(part.split(".")[0]!.toLowerCase())
  );
}
