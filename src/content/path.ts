/** The template tag `path`, which encodes values as segments of a path. */
import { isStyled, type StyledValue } from "../base/styled_value.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isFullUri, type Path } from "../http/url.ts";

/** Functions that follow how paths are built. */
export interface PathWatch {
  /** Called with each path that the tag builds. */
  readonly onPath?: (path: string, texts: readonly string[]) => void;
  /**
   * Called when an endpoint has put its path, the prefix, before that of a call. `join` does the same
   * with other texts.
   */
  readonly onJoin?: (
    joined: string,
    prefix: string,
    path: Path,
    join: (prefix: string, suffix: string) => string,
  ) => void;
}

/**
 * Telemetry sets these functions. A path is a string, which cannot have its template with it, and
 * without telemetry nobody needs it.
 */
export let pathWatch: PathWatch = {};

/** Sets the functions that follow how paths are built. */
export function watchPaths(watch: PathWatch): void {
  pathWatch = watch;
}

/**
 * Builds a path from a template literal. Each value becomes exactly one path segment. An array becomes
 * several, with slashes between them.
 *
 * A value is percent-encoded (RFC 3986 §2.1), including slashes and question marks, so that it
 * cannot change the rest of the path. An empty string and the dot segments `.` and `..` throw,
 * because they would result in a different path. Empty strings in an array are kept, as a final slash
 * may have a meaning, but not all of them can be empty.
 *
 * @param texts The parts of the path between the values; they are not encoded
 * @param values Strings and numbers, arrays of them, which become several segments, and values with a
 * style of their own, such as `label([1, 2])` of the entry point `styles`, which become a segment or a
 * part of one
 * @returns The path
 * @throws {UnexpectedValueError} If a value cannot be a segment, or if the values make a URL
 *
 * @example
 * ```ts
 * import { path } from "@restwright/restwright";
 *
 * const [id, name] = [7, "a/b?.txt"];
 * console.log(path`/users/${id}/files/${name}`); // /users/7/files/a%2Fb%3F.txt
 * console.log(path`/files/${name.split("/")}`); // /files/a/b%3F.txt
 * ```
 *
 * @category Endpoints
 */
export function path(
  texts: TemplateStringsArray,
  ...values: readonly (
    | string
    | number
    | bigint
    | readonly (string | number | bigint)[]
    | StyledValue<"path">
  )[]
): string {
  const segments = values.map((value, index) => {
    const option = `path value ${index + 1}`;
    return Array.isArray(value) ? segmentsOf(value, option) : segment(value, option);
  });
  const result = texts.map((text, index) => text + (segments[index] ?? "")).join("");
  // Of values whose slashes are not encoded, several together could be a URL.
  if (isFullUri(result) && !isFullUri(texts[0]!)) {
    throw new UnexpectedValueError("path", "a path, and no URL made of its values", result);
  }
  pathWatch.onPath?.(result, texts);
  return result;
}

function segmentsOf(values: readonly unknown[], option: string): string {
  if (values.every((value) => value === "")) {
    throw new UnexpectedValueError(option, "an array with a value that is not empty", values);
  }
  return values.map((value, index) => value === "" ? "" : segment(value, `${option}[${index}]`))
    .join("/");
}

function segment(given: unknown, option: string): string {
  const isEncoded = isStyled(given);
  const value = isEncoded ? given.toParameter("path", option) ?? "" : given;
  const isNumber = typeof value === "bigint" ||
    (typeof value === "number" && Number.isFinite(value));
  if (isNumber) return String(value);
  if (typeof value !== "string") {
    throw new UnexpectedValueError(option, "a string or a finite number", value);
  }
  if (/^\.{0,2}$/.test(value)) {
    throw new UnexpectedValueError(option, "a string that is not empty, `.` or `..`", value);
  }
  if (isEncoded) return value;
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new UnexpectedValueError(option, "a string without lone surrogates", value, cause);
  }
}
