import { UnexpectedValueError } from "./errors/unexpected_value_error.ts";

/**
 * Writes a path with values in it, each of which is one segment, whatever is in it.
 *
 * A value is percent-encoded (RFC 3986 §2.1), slashes and question marks included, so that it cannot
 * lead elsewhere. An empty one and the dot segments `.` and `..` are refused: they would be another
 * path.
 *
 * @param texts The path between the values, as it is
 * @param values Texts and numbers
 * @returns The path
 * @throws {UnexpectedValueError} Where a value cannot be a segment
 *
 * @example
 * ```ts
 * import { path } from "@restwright/restwright";
 *
 * const [id, name] = [7, "a/b?.txt"];
 * console.log(path`/users/${id}/files/${name}`); // /users/7/files/a%2Fb%3F.txt
 * ```
 */
export function path(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | bigint)[]
): string {
  const segments = values.map(segment);
  return texts.map((text, index) => text + (segments[index] ?? "")).join("");
}

function segment(value: unknown, index: number): string {
  const option = `path value ${index + 1}`;
  const isNumber = typeof value === "bigint" ||
    (typeof value === "number" && Number.isFinite(value));
  if (isNumber) return String(value);
  if (typeof value !== "string") {
    throw new UnexpectedValueError(option, "a text or a finite number", value);
  }
  if (/^\.{0,2}$/.test(value)) {
    throw new UnexpectedValueError(option, "a text that is neither empty nor a dot segment", value);
  }
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new UnexpectedValueError(option, "a text without lone surrogates", value, cause);
  }
}
