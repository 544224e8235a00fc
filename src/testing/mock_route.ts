/** Parses and matches the routes of a mock transport, and finds those that resemble a request. */
import { quotedText, shorten } from "../errors/message_text.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/** A method with a pattern for paths or URLs. */
export interface RoutePattern {
  /** The pattern as it is written, such as `GET /books/:id`. */
  readonly name: string;
  /** The method in upper case. */
  readonly method: string;
  /** The origin; undefined if the pattern matches every origin. */
  readonly origin: string | undefined;
  /** Matches the path. Each group is the value of one name. */
  readonly path: RegExp;
  /** The names of the path parameters, in order. */
  readonly names: readonly string[];
}

/** A method, and a path or a URL without a query. */
const syntax = /^([!#$%&'*+.^`|~\w-]+) (\/[^\s?#]*|https?:\/\/[^\s?#]+)$/i;

/** A path parameter, a wildcard, or a character that regular expressions treat specially. */
const tokens = /\/:([a-z_]\w*)|[*.+?^${}()|[\]\\]/gi;

/**
 * Parses a method with a pattern.
 *
 * @param name The text, such as `GET /books/:id` or `GET https://api.example.com/files/*`
 * @throws {UnexpectedValueError} If it is something else
 */
export function parseRoute(name: string): RoutePattern {
  const [, method, pattern] = syntax.exec(name) ?? [];
  const url = pattern === undefined ? null : URL.parse(pattern, "http://mock.invalid");
  if (method === undefined || pattern === undefined || url === null) {
    throw new UnexpectedValueError(
      "route",
      'a method and a path without a query, as in "GET /books/:id", or a method and a full URL',
      describedAs(quotedText(name)),
    );
  }
  const names: string[] = [];
  const path = url.pathname.replace(tokens, (token: string, parameter: string | undefined) => {
    if (parameter === undefined) return token === "*" ? ".*" : `\\${token}`;
    names.push(parameter);
    return "/([^/]+)";
  });
  return {
    name,
    method: method.toUpperCase(),
    origin: pattern.startsWith("/") ? undefined : url.origin,
    path: new RegExp(`^${path}$`),
    names,
  };
}

/** Returns the decoded path parameters if a pattern matches a request; undefined if it does not. */
export function matchRoute(
  route: RoutePattern,
  method: string,
  url: URL,
): Record<string, string> | undefined {
  if (route.method !== method.toUpperCase()) return undefined;
  if (route.origin !== undefined && route.origin !== url.origin) return undefined;
  const match = route.path.exec(url.pathname);
  if (match === null) return undefined;
  return Object.fromEntries(
    route.names.map((name, index) => [name, decoded(match[index + 1] ?? "")]),
  );
}

/** Decodes percent-encoding. Text that is not valid stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the patterns as they are written. Those that resemble the request most come first. */
export function closestFirst(
  routes: readonly RoutePattern[],
  method: string,
  url: URL,
): string[] {
  const distances = routes.map(({ name, origin }) => {
    const sent = `${method} ${origin === undefined ? "" : url.origin}${url.pathname}`;
    return { name, distance: editDistance(filledIn(name, sent), sent) };
  });
  return distances.sort((one, other) => one.distance - other.distance).map(({ name }) => name);
}

/** Replaces the path parameters and wildcards of a pattern by the segments of a request. */
function filledIn(name: string, sent: string): string {
  const segments = sent.split("/");
  return name.split("/").map((segment, index) =>
    /^(?::\w|\*$)/.test(segment) ? segments[index] ?? segment : segment
  ).join("/");
}

/** The length at which texts are cut before they are compared, to bound the time. */
const COMPARED_LENGTH = 300;

/** Returns the number of characters to insert, remove or replace (Levenshtein distance). */
export function editDistance(one: string, other: string): number {
  const [left, right] = [shorten(one, COMPARED_LENGTH), shorten(other, COMPARED_LENGTH)];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
