/** Limits on documents, far above those of real ones, so that none can crash or block a program. */

/** The most characters of a file. */
export const MAX_CHARACTERS = 100_000_000;

/** The most levels of objects and lists inside of each other. Real documents have about 20. */
export const MAX_DEPTH = 200;

/** The most `$ref`s of all files. GitHub's document has 15,000. */
export const MAX_REFERENCES = 500_000;

/** The most files besides the document. */
export const MAX_FILES = 2_000;

/** The most values that aliases of YAML may repeat, each counted with the values inside of it. */
export const MAX_REPEATED = 1_000_000;

/** The most problems that a report lists. */
export const MAX_PROBLEMS = 10_000;

/** The most values that are copied for schemas that bind a `$dynamicRef`. */
export const MAX_BOUND = 300_000;
