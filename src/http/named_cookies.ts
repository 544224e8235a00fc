import { checkedName } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { storeOrNull } from "./cookie_store.ts";

/**
 * Cookies by their names, as in a Cookie header (RFC 6265 §4.1.1).
 *
 * @throws {UnexpectedValueError} Where a name or a value cannot stand in one
 */
export function cookiePairs(cookies: unknown): string {
  if (typeof cookies !== "object" || cookies === null || Array.isArray(cookies)) {
    throw new UnexpectedValueError(
      "cookies",
      `a mapping from names to values, ${storeOrNull}`,
      cookies,
    );
  }
  const pairs = Object.entries(cookies).map(([name, value]) => {
    checkedName("cookies", name);
    if (typeof value === "string" && /^(?:(?![",;\\])[!-~])*$/.test(value)) {
      return `${name}=${value}`;
    }
    throw new UnexpectedValueError(
      `cookies.${name}`,
      "a text of ASCII without blanks, quotes, commas, semicolons and backslashes",
      value,
    );
  });
  return pairs.join("; ");
}
