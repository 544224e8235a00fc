import { checkedEntries } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/** One value of a query parameter or a form field; null and undefined are left out. */
export type ParamValue = string | number | bigint | boolean | null | undefined;

/**
 * Query parameters or form fields: a mapping, pairs, or `URLSearchParams`.
 *
 * Booleans are written `true` and `false`, null and undefined are left out, an array repeats its
 * key.
 */
export type Params =
  | Readonly<Record<string, ParamValue | readonly ParamValue[]>>
  | ReadonlyArray<readonly [string, ParamValue]>
  | URLSearchParams;

/**
 * Writes parameters in the form of `application/x-www-form-urlencoded` (URL Standard §5.2).
 *
 * @param params The parameters
 * @param option What to call them in the error
 * @returns The text, without a question mark; empty where there are none
 * @throws {UnexpectedValueError} Where a value is an object, a function or a symbol
 */
export function encodeParams(params: Params | object, option: string): string {
  if (params instanceof URLSearchParams) return params.toString();
  const encoded = new URLSearchParams();
  for (const [key, value] of checkedEntries(params, option, "URLSearchParams")) {
    for (const [index, each] of [value].flat().entries()) {
      if (each === null || each === undefined) continue;
      if (!/^(?:string|number|bigint|boolean)$/.test(typeof each)) {
        const place = Array.isArray(value) ? `${option}.${key}[${index}]` : `${option}.${key}`;
        const list = Array.isArray(value) ? "" : " or a list of these";
        throw new UnexpectedValueError(place, `a text, a number, a boolean, null${list}`, each);
      }
      encoded.append(key, String(each));
    }
  }
  return encoded.toString();
}

/** Parameters as a mapping from key to value, or to the list of values of a key that repeats. */
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
 * Parameters laid over others, key by key; what is undefined leaves what is beneath.
 *
 * @throws {UnexpectedValueError} Where those above are not what was expected
 */
export function paramsOver(
  below: Params | object | undefined,
  above: Params | object | undefined,
): Params | object | undefined {
  if (above === undefined) return below;
  encodeParams(above, "params"); // names what is wrong with them, as they were given
  const laid = Object.entries(paramsMapping(above)).filter(([, value]) => value !== undefined);
  return { ...paramsMapping(below), ...Object.fromEntries(laid) };
}

/**
 * Adds a query to a URL, behind the query that it has and before its fragment.
 *
 * @param url The URL
 * @param query The query, without a question mark; empty leaves the URL as it is
 */
export function addQuery(url: string, query: string): string {
  if (query === "") return url;
  const end = url.search(/#|$/);
  const address = url.slice(0, end);
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return address + separator + query + url.slice(end);
}
