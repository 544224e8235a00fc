import { messageText, quotedText, shorten } from "./message_text.ts";

/** A step along a path: a name, or an index. */
export type Key = string | number;

/**
 * An issue as a message tells it: `items[2].price (line 3, column 5): expected a number`.
 *
 * @param where Its path; empty for the whole document
 * @param issue What is wrong, and where in XML
 */
export function formatIssue(
  where: string,
  { message, line, column }: {
    readonly message: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
  },
): string {
  const place = line === undefined ? "" : ` (line ${line}, column ${column})`;
  // Some schema libraries write several lines.
  const said = messageText(shorten(message, ISSUE_LIMIT).replace(/\s*\n\s*/g, " "), ISSUE_LIMIT);
  return where === "" ? said : `${messageText(where, ISSUE_LIMIT)}${place}: ${said}`;
}

/** The longest path and the longest description of one issue in a message, in UTF-16 code units. */
const ISSUE_LIMIT = 500;

/** The longest name in the text of a path, in UTF-16 code units. */
const NAME_LIMIT = 60;

/** How many issues the JSON of an error holds. */
const JSON_ISSUES = 100;

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
    return key.length <= NAME_LIMIT && /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
      ? `.${key}`
      : `[${quotedText(key, NAME_LIMIT)}]`;
  }).join("").replace(/^\./, "");
}

/** Returns the name of an element or attribute as a message or a path shows it. */
export function nameText(name: string): string {
  return messageText(name, NAME_LIMIT);
}

/** Returns issues as the JSON of an error holds them: at most 100, with long texts cut. */
export function issuesForJson<T extends object>(issues: readonly T[]): readonly object[] {
  return issues.slice(0, JSON_ISSUES).map((issue) =>
    Object.fromEntries(Object.entries(issue).map(([name, value]) => [name, forJson(value)]))
  );
}

function forJson(value: unknown): unknown {
  if (typeof value === "string") return shorten(value, ISSUE_LIMIT);
  return Array.isArray(value) ? shownKeys(value).map(forJson) : value;
}
