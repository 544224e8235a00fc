/** The styles of parameters of OpenAPI, each as a function that returns a value in the style. */
import { checkedFlag, checkedOptions, checkedText, isPlain } from "../../base/checks.ts";
import type { ParameterPlace, StyledValue } from "../../base/styled_value.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { jsonText } from "../json_body.ts";
import type { ParamValue } from "../params.ts";
import { bracketNames, checkedArrayNames } from "./bracket_names.ts";
import { scalarText, shownScalar, textsOf } from "./input.ts";
import { encodeAll, encodeReserved, encoderFor } from "./percent_encoding.ts";
import { type Form, StyleValue, written } from "./style_value.ts";

/**
 * A parameter in a style; null and undefined if the value can be null or undefined.
 *
 * @typeParam Place The places that have the style
 * @typeParam V The type of the value
 *
 * @category Styles
 */
export type Styled<Place extends ParameterPlace, V> =
  | StyledValue<Place>
  | Extract<V, null | undefined>;

/**
 * Options of a style.
 *
 * @category Styles
 */
export interface StyleOptions {
  /** True if each element or field is written on its own. Default: that of the style */
  readonly explode?: boolean | undefined;
  /**
   * True if the reserved characters of URLs (RFC 3986 §2.2) and percent-encoded ones are sent as they
   * are. Characters that would end the value are always encoded: `#[]&=+` in a query, `/?#[]` in a
   * path, the comma and the semicolon in a cookie, and in arrays and objects the delimiter of the style.
   *
   * @default {false}
   */
  readonly allowReserved?: boolean | undefined;
}

const formForm: Form = {
  style: "form",
  places: ["query", "cookie"],
  isNamed: true,
  delimiter: ",",
  separator: "&",
};

const simpleForm: Form = {
  style: "simple",
  places: ["path", "header"],
  isNamed: false,
  delimiter: ",",
  separator: ",",
};

const labelForm: Form = {
  style: "label",
  places: ["path"],
  start: ".",
  isNamed: false,
  delimiter: ",",
  separator: ".",
};

const matrixForm: Form = {
  style: "matrix",
  places: ["path"],
  start: ";",
  isNamed: true,
  delimiter: ",",
  separator: ";",
  end: ";",
};

const cookieForm: Form = {
  style: "cookie",
  places: ["cookie"],
  isNamed: true,
  delimiter: ",",
  separator: "; ",
  isPlain: true,
};

/**
 * The style `form`: `ids=3,4`, or with `explode` `ids=3&ids=4`. Objects are `filter=a,1,b,2`, or with
 * `explode` `a=1&b=2`, without the name of the parameter. An array in an exploded object repeats its
 * key, as Spring reads it: `sort=a&sort=b`.
 *
 * In a cookie, exploded values are separated by `; ` and not by `&`, which no server would split.
 *
 * @param value The value. An empty array or object is left out
 * @param options `explode`, which is true by default, and `allowReserved`
 * @returns A value for the request options `params`, `data` and `cookies`
 * @throws {UnexpectedValueError} If the value or an option is not valid
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { form } from "@restwright/restwright/styles";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({ "GET /pets": [] });
 * const session = new APISession({ url: "https://pets.example.com", fetch });
 * await session.get("pets", { params: { ids: form([3, 4], { explode: false }) } });
 * console.log(fetch.calls[0]?.url); // https://pets.example.com/pets?ids=3,4
 * ```
 *
 * @category Styles
 */
export function form<V extends ParamValue | object>(
  value: V,
  options?: StyleOptions,
): Styled<"query" | "cookie", V> {
  return styled(formForm, value, options, true);
}

/**
 * The style `spaceDelimited`: `ids=3%204`, and `filter=a%201%20b%202` for an object.
 *
 * OpenAPI does not define it with `explode: true`, which servers read like {@linkcode form}.
 *
 * @param value The value. An empty array or object is left out
 * @param options `allowReserved`
 * @returns A value for the request options `params` and `data`
 * @throws {UnexpectedValueError} If the value or an option is not valid
 *
 * @category Styles
 */
export function spaceDelimited<V extends ParamValue | object>(
  value: V,
  options?: Pick<StyleOptions, "allowReserved">,
): Styled<"query", V> {
  return delimited("spaceDelimited", "%20", value, options);
}

/**
 * The style `pipeDelimited`: `ids=3%7C4`, and `filter=a%7C1%7Cb%7C2` for an object.
 *
 * OpenAPI does not define it with `explode: true`, which servers read like {@linkcode form}.
 *
 * @param value The value. An empty array or object is left out
 * @param options `allowReserved`
 * @returns A value for the request options `params` and `data`
 * @throws {UnexpectedValueError} If the value or an option is not valid
 *
 * @category Styles
 */
export function pipeDelimited<V extends ParamValue | object>(
  value: V,
  options?: Pick<StyleOptions, "allowReserved">,
): Styled<"query", V> {
  return delimited("pipeDelimited", "%7C", value, options);
}

/**
 * The style `deepObject`: `filter[a]=1&filter[b]=2`, with percent-encoded brackets. Objects may be
 * nested.
 *
 * @param value A plain object. If it is empty, it is left out
 * @param options `allowReserved`, and `arrays`, the names of the elements of an array in
 * `{ filter: { tags: ["a", "b"] } }`: "repeat" for `filter[tags]` twice, which is the default, "brackets"
 * for `filter[tags][]`, "indices" for `filter[tags][0]` and `filter[tags][1]`. OpenAPI defines none of
 * them. Objects in arrays need "indices"
 * @returns A value for the request options `params` and `data`
 * @throws {UnexpectedValueError} If the value or an option is not valid
 *
 * @category Styles
 */
export function deepObject<V extends object | null | undefined>(
  value: V,
  options: Pick<StyleOptions, "allowReserved"> & {
    readonly arrays?: "repeat" | "brackets" | "indices" | undefined;
  } = {},
): Styled<"query", V> {
  const { arrays = "repeat", allowReserved = false } = checkedOptions(options, [
    "arrays",
    "allowReserved",
  ]);
  checkedArrayNames("arrays", arrays);
  const isReserved = checkedFlag("allowReserved", allowReserved);
  if (value === null || value === undefined) return value as Extract<V, null | undefined>;
  const option = "deepObject value";
  if (!isPlain(value) || Array.isArray(value)) {
    throw new UnexpectedValueError(option, "a plain object", value);
  }
  const pairs: [suffix: string, text: string][] = [];
  for (const { name, value: inner, option: place } of bracketNames(value, "", arrays, option)) {
    pairs.push([encodeAll(name), scalarText(inner, place)!]);
  }
  const shown = JSON.stringify(value, (_key, inner) => shownScalar(inner));
  return new StyleValue("deepObject", ["query"], () => JSON.parse(shown), (_place, name) => {
    const encode = encoderFor("query", isReserved, "");
    const start = encodeAll(name);
    const texts = pairs.map(([suffix, text]) => `${start}${suffix}=${encode(text)}`);
    return texts.length === 0 ? undefined : texts.join("&");
  });
}

/**
 * The style `simple`: `3,4`. Objects are `a,1,b,2`, or with `explode` `a=1,b=2`.
 *
 * In a header, nothing is percent-encoded, and a comma in a value is sent as it is.
 *
 * @param value The value. An empty array or object leaves a header out; a path cannot have one
 * @param options `explode`, which is false by default, and `allowReserved`
 * @returns A value for the path tag, and for the request option `headers`
 * @throws {UnexpectedValueError} If the value or an option is not valid
 *
 * @category Styles
 */
export function simple<V extends ParamValue | object>(
  value: V,
  options?: StyleOptions,
): Styled<"path" | "header", V> {
  return styled(simpleForm, value, options, false);
}

/**
 * The style `label`: `.3,4`, or with `explode` `.3.4`. Objects are `.a,1,b,2`, or with `explode`
 * `.a=1.b=2`.
 *
 * @param value The value, which is not an empty array or object
 * @param options `explode`, which is false by default, and `allowReserved`
 * @returns A value for the path tag
 * @throws {UnexpectedValueError} If the value or an option is not valid
 *
 * @category Styles
 */
export function label<V extends ParamValue | object>(
  value: V,
  options?: StyleOptions,
): Styled<"path", V> {
  return styled(labelForm, value, options, false);
}

/**
 * The style `matrix`: `;ids=3,4`, or with `explode` `;ids=3;ids=4`. Objects are `;filter=a,1,b,2`, or
 * with `explode` `;a=1;b=2`.
 *
 * @param name The name of the parameter, which a path does not know
 * @param value The value, which is not an empty array or object
 * @param options `explode`, which is false by default, and `allowReserved`
 * @returns A value for the path tag
 * @throws {UnexpectedValueError} If the name, the value or an option is not valid
 *
 * @category Styles
 */
export function matrix<V extends ParamValue | object>(
  name: string,
  value: V,
  options?: StyleOptions,
): Styled<"path", V> {
  return styled(matrixForm, value, options, false, checkedText("name", name));
}

/**
 * A part of a path that can have slashes: `{+name}` of RFC 6570 (§3.2.3), as in the APIs of Google. The
 * reserved characters of URLs and percent-encoded ones are sent as they are, all others are encoded.
 *
 * Other than in the RFC, `?` and `#` are encoded, too, and dot segments are refused, also between
 * encoded slashes and as `%2E`: a value cannot lead out of the path. A URL is refused.
 *
 * @param value A string or a finite number
 * @returns A value for the path tag
 * @throws {UnexpectedValueError} If it is anything else, is a URL, or has a segment `.` or `..`
 *
 * @example
 * ```ts
 * import { path } from "@restwright/restwright";
 * import { reserved } from "@restwright/restwright/styles";
 *
 * console.log(path`/v1/${reserved("projects/a b/ducks/7")}`); // /v1/projects/a%20b/ducks/7
 * ```
 *
 * @category Styles
 */
export function reserved(value: string | number | bigint): StyledValue<"path"> {
  const option = "reserved value";
  const isText = typeof value === "string" || typeof value === "bigint" || Number.isFinite(value);
  if (!isText) throw new UnexpectedValueError(option, "a string or a finite number", value);
  const text = String(value);
  if (text.split(/[/\\]|%2f|%5c/i).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    throw new UnexpectedValueError(option, "a path without the segments `.` and `..`", value);
  }
  // At the start of a path, a URL would be another server.
  if (/^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(text)) {
    throw new UnexpectedValueError(option, "a path, and not a URL", value);
  }
  return new StyleValue("reserved", ["path"], () => text, () => encodeReserved(text));
}

/**
 * The style `cookie`: `ids=3; ids=4`, or without `explode` `ids=3,4`. Objects are `a=1; b=2`, or without
 * `explode` `filter=a,1,b,2`. Nothing is percent-encoded.
 *
 * @param value The value. An empty array or object is left out
 * @param options `explode`, which is true by default
 * @returns A value for the request option `cookies`
 * @throws {UnexpectedValueError} If an option is not valid, or a cookie cannot have the value
 *
 * @category Styles
 */
export function cookie<V extends ParamValue | object>(
  value: V,
  options: Omit<StyleOptions, "allowReserved"> = {},
): Styled<"cookie", V> {
  checkedOptions(options, ["explode"]);
  return styled(cookieForm, value, options, true);
}

/**
 * A value as JSON, for parameters with the content type `application/json`: `filter=%7B%22a%22%3A1%7D`.
 * In a header, it is not percent-encoded, and characters beyond ASCII are escaped (`\u00e9`).
 *
 * @param value Any value that JSON can hold. Null is written as `null`; undefined is returned as it is,
 * so that the parameter is left out
 * @returns A value for the path tag, and for the request options `params`, `data`, `headers` and
 * `cookies`
 * @throws {UnexpectedValueError} If JSON cannot hold the value, or would lose part of it
 *
 * @category Styles
 */
export function asJson<const V>(value: V): StyledValue | Extract<V, undefined> {
  if (value === undefined) return value as Extract<V, undefined>;
  const text = jsonText(value);
  return new StyleValue("json", everywhere, () => JSON.parse(text), (place, name) => {
    if (place === "header") return text.replace(/[^ -~]/g, unicodeEscape);
    if (place === "path") return encodeAll(text);
    return `${place === "cookie" ? name : encodeAll(name)}=${encodeAll(text)}`;
  });
}

const everywhere: readonly ParameterPlace[] = ["query", "path", "header", "cookie"];

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns a value in a style whose elements are always delimited. */
function delimited<V>(
  style: string,
  delimiter: string,
  value: V,
  options: Pick<StyleOptions, "allowReserved"> = {},
): Styled<"query", V> {
  checkedOptions(options, ["allowReserved"]);
  const form: Form = { style, places: ["query"], isNamed: true, delimiter, separator: "&" };
  return styled(form, value, options, false);
}

/**
 * Returns a value in a style.
 *
 * @param form The form of the style
 * @param value The value
 * @param options The options of the caller
 * @param isExploded The default of `explode`
 * @param fixedName The name of the parameter, if it does not come from its place
 */
function styled<V, Place extends ParameterPlace>(
  form: Form,
  value: V,
  options: StyleOptions = {},
  isExploded: boolean,
  fixedName?: string,
): Styled<Place, V> {
  const { explode = isExploded, allowReserved = false } = checkedOptions(options, [
    "explode",
    "allowReserved",
  ]);
  checkedFlag("explode", explode);
  checkedFlag("allowReserved", allowReserved);
  if (value === null || value === undefined) return value as Extract<V, null | undefined>;
  const texts = textsOf(value, `${form.style} value`, explode && form.isNamed);
  return new StyleValue(
    form.style,
    form.places,
    () => texts.shown,
    (place, name) =>
      written(texts, form, { place, name: fixedName ?? name, explode, allowReserved }),
  );
}
