import { type Key, nameText, shownKeys } from "../errors/format_issue.ts";

/** A path in XML: `/rss/channel/item[2]/@id`, counted from 1 as in XPath. */
export function xmlPath(keys: readonly Key[]): string {
  return shownKeys(keys).map((key) => typeof key === "number" ? `[${key}]` : `/${nameText(key)}`)
    .join("");
}
