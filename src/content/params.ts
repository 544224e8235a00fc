/** Encodes query parameters and form fields in each style, and merges them by their keys. */
import { type Check, checkedEntries, checkedOptions, isPlain } from "../base/checks.ts";
import { isDate, isSearchParams } from "../base/foreign_objects.ts";
import { nestedIn } from "../base/nesting.ts";
import type { NotSpreadable } from "../base/not_spreadable.ts";
import { isStyled, type StyledValue } from "../base/styled_value.ts";
import {
  describedAs,
  describeValue,
  UnexpectedValueError,
} from "../errors/unexpected_value_error.ts";

/**
 * A value of a query parameter or a form field. Null and undefined are left out.
 *
 * @category Requests
 */
export type ParamValue = string | number | bigint | boolean | null | undefined;

/**
 * Query parameters or form fields: a mapping, pairs, or `URLSearchParams`. Merge them with
 * {@linkcode mergeParams}, not with a spread.
 *
 * Booleans are written as `true` and `false`, null and undefined are left out, and an array repeats
 * its key. For query parameters, {@linkcode ParamsStyle} changes the form of arrays and accepts
 * nested objects. A {@linkcode StyledValue} has a style of its own, such as `pipeDelimited([1, 2])` of
 * the entry point `styles`.
 *
 * @category Requests
 */
export type Params =
  | Readonly<Record<string, ParamValue | readonly ParamValue[] | StyledValue<"query">>>
  | ReadonlyArray<readonly [string, ParamValue]>
  | URLSearchParams
  | NotSpreadable;

/**
 * The form of arrays and nested objects in a query, or a function that writes the whole query.
 *
 * | value                     | `{ tags: ["a", "b"] }`   | as in OpenAPI             |
 * | ------------------------- | ------------------------ | ------------------------- |
 * | `{ arrays: "repeat" }`    | `tags=a&tags=b`          | `form`, `explode: true`   |
 * | `{ arrays: "brackets" }`  | `tags[]=a&tags[]=b`      |                           |
 * | `{ arrays: "comma" }`     | `tags=a,b`               | `form`, `explode: false`  |
 * | `{ objects: "brackets" }` | for objects: `f[name]=x` | `deepObject`              |
 *
 * Brackets are percent-encoded, and so is a comma inside a value. A key that repeats in pairs or in
 * `URLSearchParams` is an array. A function gets the parameters as a mapping, without null and
 * undefined, and returns the query as a string or as pairs.
 *
 * @category Requests
 */
export type ParamsStyle =
  | {
    /** The form of arrays. Default: "repeat" */
    readonly arrays?: "repeat" | "brackets" | "comma" | undefined;
    /** The form of nested objects. Default: none, they are not accepted */
    readonly objects?: "brackets" | undefined;
  }
  | ((params: Readonly<Record<string, unknown>>) => string | Iterable<readonly [string, string]>);

/** A style without a function. */
type Forms = Exclude<ParamsStyle, (...args: never) => unknown>;

const forms: Readonly<Record<string, readonly unknown[]>> = {
  arrays: ["repeat", "brackets", "comma"],
  objects: ["brackets"],
};

/** Checks a style of parameters, and returns a copy. */
export const checkedParamsStyle: Check<ParamsStyle> = (option, style) => {
  if (typeof style === "function") return style as ParamsStyle;
  if (!isPlain(style) || Array.isArray(style)) {
    const expected = 'an object such as { arrays: "comma" }, or a function that returns the query';
    throw new UnexpectedValueError(option, expected, style);
  }
  checkedOptions(style, Object.keys(forms), `${option}.`);
  for (const [name, value] of Object.entries(style)) {
    const accepted = forms[name]!;
    if (value === undefined || accepted.includes(value)) continue;
    const expected = accepted.map((form) => JSON.stringify(form)).join(" or ");
    throw new UnexpectedValueError(`${option}.${name}`, expected, value);
  }
  return { ...style };
};

/**
 * Encodes parameters as `application/x-www-form-urlencoded` (URL Standard §5.2).
 *
 * @param params The parameters
 * @param option The name of the option in the error
 * @param style The form of arrays and nested objects
 * @returns The text, without a question mark; empty if there are no parameters
 * @throws {UnexpectedValueError} If a value is an object, a function or a symbol, or if the function
 * of the style does not return a query
 */
export function encodeParams(
  params: Params | object,
  option: string,
  style: ParamsStyle = {},
): string {
  const isQuery = isSearchParams(params);
  const entries = isQuery ? params : checkedEntries(params, option, "URLSearchParams");
  if (typeof style === "function") {
    const given = Object.entries(paramsMapping(params)).filter(([, value]) => value != null);
    const own = encodeParams(given.filter(([, value]) => isStyled(value)), option);
    const query = encodeWith(style, given.filter(([, value]) => !isStyled(value)));
    return query + (query && own && "&") + own;
  }
  const { arrays = "repeat" } = style;
  const isRepeated = arrays === "repeat";
  if (isQuery && isRepeated) return params.toString();
  const pairs: Pair[] = [];
  for (const [key, value] of isRepeated ? entries : Object.entries(paramsMapping(params))) {
    if (scalar.test(typeof value)) pairs.push([key, String(value)]);
    else if (isStyled(value)) {
      const text = value.toParameter("query", key);
      if (text !== undefined) pairs.push([text]);
    } else addPairs(pairs, key, value, { place: `${option}.${key}`, style, parents: [] });
  }
  return pairs.every(({ length }) => length === 2)
    ? new URLSearchParams(pairs as [string, string][]).toString()
    : pairs.map(encodePair).join("&");
}

/** A key and its value; several values are a comma list. Alone, it is text that is encoded already. */
type Pair = [key: string, ...values: string[]];

function encodePair([key, ...values]: Pair): string {
  return values.length === 0 ? key : `${encodeText(key)}=${values.map(encodeText)}`;
}

/** Adds the pairs of a parameter, which may be an array or a nested object. */
function addPairs(
  pairs: Pair[],
  key: string,
  value: unknown,
  { place, style, parents }: {
    readonly place: string;
    readonly style: Forms;
    readonly parents: readonly unknown[];
  },
): void {
  if (Array.isArray(value)) {
    const texts: string[] = [];
    for (const [index, each] of value.entries()) {
      if (each !== null && each !== undefined) {
        texts.push(scalarText(each, `${place}[${index}]`, true));
      }
    }
    if (style.arrays === "comma") {
      if (texts.length > 0) pairs.push([key, ...texts]);
      return;
    }
    const name = style.arrays === "brackets" && !key.endsWith("[]") ? `${key}[]` : key;
    for (const text of texts) pairs.push([name, text]);
  } else if (style.objects === "brackets" && isPlain(value)) {
    const within = nestedIn(value, parents, place);
    for (const [name, inner] of Object.entries(value)) {
      const inside = { place: `${place}.${name}`, style, parents: within };
      addPairs(pairs, `${key}[${name}]`, inner, inside);
    }
  } else if (value !== null && value !== undefined) {
    pairs.push([key, scalarText(value, place, false)]);
  }
}

/** The types of values that are written as text. */
const scalar = /^(?:string|number|bigint|boolean)$/;

/** Returns the text of a parameter, or of an element of an array. */
function scalarText(value: unknown, place: string, isElement: boolean): string {
  if (scalar.test(typeof value)) return String(value);
  const list = isElement ? "" : " or an array of these";
  const nested = !isElement && isPlain(value) && place.startsWith("params.")
    ? ' (for nested objects, set paramsStyle: { objects: "brackets" })'
    : "";
  const hint = isDate(value) ? " (convert a Date to text: date.toISOString())" : nested;
  throw new UnexpectedValueError(place, `a string, a number, a boolean, null${list}${hint}`, value);
}

/** Encodes a key or a value as `URLSearchParams` does. */
function encodeText(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** Returns the query that a function of the user writes. */
function encodeWith(
  encode: Exclude<ParamsStyle, Forms>,
  params: readonly (readonly [string, unknown])[],
): string {
  const option = "paramsStyle";
  const expected = "a function that returns a query string without #, or pairs of strings";
  let query: unknown;
  let pairs: readonly unknown[] | undefined;
  try {
    query = encode(Object.fromEntries(params));
    if (typeof query === "object" && query !== null && Symbol.iterator in query) {
      pairs = Array.from(query as Iterable<unknown>);
    }
  } catch (cause) {
    throw new UnexpectedValueError(option, expected, describedAs("one that throws"), cause);
  }
  if (pairs !== undefined) return encodeParams(pairs, option);
  if (typeof query === "string" && !query.includes("#")) return query.replace(/^\?/, "");
  throw new UnexpectedValueError(
    option,
    expected,
    describedAs(`one that returns ${describeValue(query)}`),
  );
}

/** Returns parameters as a mapping from keys to a value, or to a list if the key repeats. */
export function paramsMapping(
  params: Params | object = {},
): Readonly<Record<string, unknown>> {
  if (!Array.isArray(params) && !(isSearchParams(params))) {
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
 * @throws {UnexpectedValueError} If the upper parameters are neither a mapping nor pairs. The values
 * are checked when they are encoded
 */
export function overlayParams(
  above: Params | object | undefined,
  below: Params | object | undefined,
): Params | object | undefined {
  if (above === undefined) return below;
  if (!(isSearchParams(above))) checkedEntries(above, "params", "URLSearchParams");
  const own = Object.entries(paramsMapping(above)).filter(([, value]) => value !== undefined);
  return { ...paramsMapping(below), ...Object.fromEntries(own) };
}

/**
 * Merges query parameters of any form, for a method that adds its own to those of its caller. A spread
 * would lose `URLSearchParams` and pairs.
 *
 * @param layers Mappings, pairs or `URLSearchParams`, or undefined for none. Later layers replace the
 * parameters of earlier ones by key; a value of undefined replaces none, and null leaves one out
 * @returns The parameters as a mapping
 * @throws {UnexpectedValueError} If a layer is anything else
 *
 * @example
 * ```ts
 * import { mergeParams } from "@restwright/restwright";
 *
 * const params = new URLSearchParams("tag=a&tag=b&size=5"); // of a caller
 * console.log(mergeParams({ size: 20, sort: "name" }, params)); // { size: "5", sort: "name", tag: ["a","b"] }
 * ```
 *
 * @category Requests
 */
export function mergeParams(
  ...layers: readonly (Params | object | undefined)[]
): Record<string, unknown> {
  let merged: Params | object | undefined;
  for (const layer of layers) merged = overlayParams(layer, merged);
  return { ...paramsMapping(merged) };
}

/** Checks the parameters of a client, and returns a copy. A function of the style is not called. */
export function checkedClientParams(
  params: Params | object | undefined,
  style: ParamsStyle,
): Params | object | undefined {
  if (params !== undefined && typeof style !== "function") encodeParams(params, "params", style);
  return overlayParams(params, undefined);
}

/**
 * Returns the name of the parameter that a key of a query belongs to: `filter` for `filter[name]`,
 * if the style writes such keys.
 */
export function paramName(key: string, style: ParamsStyle): string {
  if (typeof style === "function") return key.replace(/[[.][^]*/, "");
  const hasBrackets = style.arrays === "brackets" || style.objects === "brackets";
  return hasBrackets ? key.replace(/\[[^]*/, "") : key;
}

/** Returns the keys that a parameter with a style of its own has in a query. */
export function styledKeys(name: string, value: StyledValue<"query">): string[] {
  return [...new URLSearchParams(value.toParameter("query", name)).keys()];
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
