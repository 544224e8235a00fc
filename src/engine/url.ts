import { pathAsGiven, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { decoded } from "../http/full_url.ts";

/** The way to a resource below the base URL: text, or a number that is one segment. */
export type Path = string | number;

/** Checks a path and gives it as text. */
export function pathText(path: unknown): string {
  if (typeof path === "string" || Number.isFinite(path)) return String(path);
  throw new UnexpectedValueError("path", "a text or a finite number", path);
}

/**
 * Puts a path below a base URL (rules 2 and 3), or below the path of an endpoint.
 *
 * @param prefix What it is put below, without a slash at its end
 * @param path The path, its query included
 * @throws {UnexpectedValueError} Where dot segments of the path climb above the prefix
 */
export function joinPath(prefix: string, path: string): string {
  const below = path.replace(/^\/+/, "");
  if (/[.%]/.test(below) && escapesBase(below)) {
    throw new UnexpectedValueError(
      "path",
      "a path that does not climb above its base by dot segments",
      pathAsGiven(path),
    );
  }
  return `${prefix}/${below}`;
}

/**
 * Whether dot segments lead above where the path begins, read as the URL Standard (§4.4) reads
 * them: tabs and line breaks do not count, nor blanks and controls at the end, a backslash is a
 * slash, `%2e` is a dot.
 */
export function escapesBase(path: string): boolean {
  return depths(path).some((depth) => depth < 0);
}

/** Whether dot segments lead back to where the path begins, so that it names what is above it. */
export function resolvesToBase(path: string): boolean {
  const read = depths(path.replace(/^\/+/, "").replace(/\/(?=[?#]|$)/, ""));
  return read.at(-1) === 0 && read.every((depth) => depth >= 0);
}

/** How deep each segment of a path leads. */
function depths(path: string): number[] {
  let depth = 0;
  // deno-lint-ignore no-control-regex -- the URL parser strips these very characters
  const read = path.replace(/(?<![\x00-\x20])[\x00-\x20]+$|[\t\n\r]|[?#][^]*$/g, "");
  return read.replace(/%2e/gi, ".").split(/[/\\]/).map((segment) =>
    depth += segment === ".." ? -1 : segment === "." ? 0 : 1
  );
}

/** A path without outer slashes, query, fragment and percent-encoding, as paths are compared. */
export function barePath(path: string): string {
  return withoutSlashes(decoded(path.replace(/[?#][^]*$/, "")));
}

/** A URL without its fragment, which is never sent. */
export function withoutFragment(url: string): string {
  return url.replace(/#[^]*$/, "");
}

/** A path without outer slashes. */
export function withoutSlashes(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, "");
}
