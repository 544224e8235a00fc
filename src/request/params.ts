import { checkedEntries } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * A value of a query parameter or a form field. Null and undefined are left out.
 *
 * @category Requests
 */
export type ParamValue = string | number | bigint | boolean | null | undefined;

/**
 * Query parameters or form fields: a mapping, pairs, or `URLSearchParams`.
 *
 * Booleans are written as `true` and `false`, null and undefined are left out, and an array repeats
 * its key.
 *
 * @category Requests
 */
export type Params =
  | Readonly<Record<string, ParamValue | readonly ParamValue[]>>
  | ReadonlyArray<readonly [string, ParamValue]>
  | URLSearchParams;

/**
 * Encodes parameters as `application/x-www-form-urlencoded` (URL Standard §5.2).
 *
 * @param params The parameters
 * @param option The name of the option in the error
 * @returns The text, without a question mark; empty if there are no parameters
 * @throws {UnexpectedValueError} If a value is an object, a function or a symbol
 */
export function encodeParams(params: Params | object, option: string): string {
  if (params instanceof URLSearchParams) return params.toString();
  const encoded = new URLSearchParams();
  for (const [key, value] of checkedEntries(params, option, "URLSearchParams")) {
    for (const [index, each] of [value].flat().entries()) {
      if (each === null || each === undefined) continue;
      if (!/^(?:string|number|bigint|boolean)$/.test(typeof each)) {
        const place = Array.isArray(value) ? `${option}.${key}[${index}]` : `${option}.${key}`;
        const list = Array.isArray(value) ? "" : " or an array of these";
        throw new UnexpectedValueError(place, `a string, a number, a boolean, null${list}`, each);
      }
      encoded.append(key, String(each));
    }
  }
  return encoded.toString();
}

/** Returns parameters as a mapping from keys to a value, or to a list if the key repeats. */
export function paramsMapping(
  params: Params | object = {},
): Readonly<Record<string, unknown>> {
  if (!Array.isArray(params) && !(params instanceof URLSearchParams)) {
    return params as Readonly<Record<string, unknown>>;
  }
  const mapping = new Map<string, unknown>();
  for (const [key, value] of params) {
    mapping.set(key, mapping.has(key) ? [mapping.get(key), value].flat() : value);
  }
  return Object.fromEntries(mapping);
}

/**
 * Merges parameters over others by their keys. A value of undefined does not replace one.
 *
 * @throws {UnexpectedValueError} If the upper parameters are not valid
 */
export function mergeParams(
  above: Params | object | undefined,
  below: Params | object | undefined,
): Params | object | undefined {
  if (above === undefined) return below;
  encodeParams(above, "params"); // checks them
  const own = Object.entries(paramsMapping(above)).filter(([, value]) => value !== undefined);
  return { ...paramsMapping(below), ...Object.fromEntries(own) };
}

/**
 * Adds a query to a URL, after its own query and before its fragment.
 *
 * @param url The URL
 * @param query The query, without a question mark; an empty one does not change the URL
 */
export function addQuery(url: string, query: string): string {
  if (query === "") return url;
  const end = url.search(/#|$/);
  const start = url.slice(0, end);
  const separator = !start.includes("?") ? "?" : /[?&]$/.test(start) ? "" : "&";
  return start + separator + query + url.slice(end);
}
