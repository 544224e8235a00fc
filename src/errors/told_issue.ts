/** A step along a path: a name, or an index. */
export type Key = string | number;

/**
 * An issue as a message tells it: `items[2].price (line 3, column 5): expected a number`.
 *
 * @param where Its path; empty for the whole document
 * @param issue What is wrong, and where in XML
 */
export function toldIssue(
  where: string,
  { message, line, column }: {
    readonly message: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
  },
): string {
  const place = line === undefined ? "" : ` (line ${line}, column ${column})`;
  return where === "" ? message : `${where}${place}: ${message}`;
}

/** How many steps of a path are shown; of longer ones the first and the last. */
const STEPS = 24;

const ELLIPSIS = "…";

/** The steps of a path that are shown. */
export function shownKeys(keys: readonly Key[]): readonly Key[] {
  return keys.length <= STEPS ? keys : [...keys.slice(0, 8), ELLIPSIS, ...keys.slice(-8)];
}

/** A path as it is written in code: `items[2].price`, `["odd name"]`. */
export function pathText(keys: readonly Key[]): string {
  return shownKeys(keys).map((key) => {
    if (typeof key === "number") return `[${key}]`;
    if (key === ELLIPSIS) return key;
    return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }).join("").replace(/^\./, "");
}
