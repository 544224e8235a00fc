/** Formats the issues of a document for messages and for JSON: their paths, places and texts. */
import { messageText, quotedText, shorten } from "./message_text.ts";

/** One part of a path: a property name or an index. */
export type Key = string | number;

/**
 * Formats an issue for a message: `items[2].price (line 3, column 5): expected a number`.
 *
 * @param where The path of the issue; empty for the whole document
 * @param issue The description of the issue and, for XML, its line and column
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
  // The messages of some schema libraries have several lines.
  const text = messageText(
    shorten(message, ISSUE_LIMIT).replace(/(?<!\s)\s*\n\s*/g, " "),
    ISSUE_LIMIT,
  );
  return where === "" ? text : `${messageText(where, ISSUE_LIMIT)}${place}: ${text}`;
}

/** The maximum length of the path and of the description of one issue, in UTF-16 code units. */
const ISSUE_LIMIT = 500;

/** The maximum length of a name in a path, in UTF-16 code units. */
const NAME_LIMIT = 60;

/** The maximum number of issues in the JSON of an error. */
const JSON_ISSUES = 100;

/** The maximum number of keys of a path that are all shown. A longer path is shortened. */
const STEPS = 24;

const ELLIPSIS = "…";

/** Shortens a path of more than 24 keys to the first 8, an ellipsis and the last 8. */
export function shownKeys(keys: readonly Key[]): readonly Key[] {
  return keys.length <= STEPS ? keys : [...keys.slice(0, 8), ELLIPSIS, ...keys.slice(-8)];
}

/** Formats a path as in code: `items[2].price`, `["odd name"]`. */
export function pathText(keys: readonly Key[]): string {
  return shownKeys(keys).map((key) => {
    if (typeof key === "number") return `[${key}]`;
    if (key === ELLIPSIS) return key;
    return key.length <= NAME_LIMIT && /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
      ? `.${key}`
      : `[${quotedText(key, NAME_LIMIT)}]`;
  }).join("").replace(/^\./, "");
}

/** Formats the name of an element or attribute for a message or a path. */
export function nameText(name: string): string {
  return messageText(name, NAME_LIMIT);
}

/** Returns issues for the JSON of an error: at most 100, with long strings and paths shortened. */
export function issuesForJson<T extends object>(issues: readonly T[]): readonly object[] {
  return issues.slice(0, JSON_ISSUES).map((issue) =>
    Object.fromEntries(Object.entries(issue).map(([name, value]) => [name, forJson(value)]))
  );
}

function forJson(value: unknown): unknown {
  if (typeof value === "string") return shorten(value, ISSUE_LIMIT);
  return Array.isArray(value) ? shownKeys(value).map(forJson) : value;
}
