/** A value in a style, and the rules by which the styles write elements and fields (RFC 6570 §3.2.1). */
import { checkedName } from "../../base/checks.ts";
import type { ParameterPlace, StyledValue } from "../../base/styled_value.ts";
import { describedAs, UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { StyleTexts } from "./input.ts";
import { encodeAll, encoderFor } from "./percent_encoding.ts";

/** The form of a style. */
export interface Form {
  /** The name of its function. */
  readonly style: string;
  /** The places that have the style. */
  readonly places: readonly ParameterPlace[];
  /** The text before the parameter. Default: none */
  readonly start?: string;
  /** True if values have the name of the parameter. */
  readonly isNamed: boolean;
  /** The text between the elements and fields, if they are not written on their own. */
  readonly delimiter: string;
  /** The text between the elements and fields that are written on their own. */
  readonly separator: string;
  /** A reserved character that always ends a value. Default: none */
  readonly end?: string;
  /** True if nothing is percent-encoded. Default: headers only */
  readonly isPlain?: true;
}

/** A value in a style. */
export class StyleValue implements StyledValue {
  readonly #style: string;
  readonly #places: readonly ParameterPlace[];
  readonly #shown: () => unknown;
  readonly #write: StyledValue["toParameter"];

  constructor(
    style: string,
    places: readonly ParameterPlace[],
    shown: () => unknown,
    write: StyledValue["toParameter"],
  ) {
    this.#style = style;
    this.#places = places;
    this.#shown = shown;
    this.#write = write;
  }

  toJSON(): unknown {
    return this.#shown();
  }

  toParameter(place: ParameterPlace, name: string): string | undefined {
    if (this.#places.includes(place)) return this.#write(place, name);
    const expected = `a value in a style for a ${place}`;
    const given = `in the style ${this.#style}, which is for a ${this.#places.join(" or ")}`;
    throw new UnexpectedValueError(name, expected, describedAs(given));
  }
}

/** Returns the text of a value in a style; undefined for an empty array or object. */
export function written(
  { kind, parts }: StyleTexts,
  { start = "", isNamed, delimiter, separator, end = "", isPlain }: Form,
  { place, name, explode, allowReserved }: {
    readonly place: ParameterPlace;
    readonly name: string;
    readonly explode: boolean;
    readonly allowReserved: boolean;
  },
): string | undefined {
  if (parts.length === 0) return undefined;
  const isCookie = place === "cookie";
  const ends = end + (kind === "scalar" ? "" : delimiter);
  const encode = isPlain
    ? (text: string) => checkedCookieText(text, name)
    : encoderFor(place, allowReserved, ends);
  const encodeKey = isPlain
    ? (key: string) => checkedName(`cookies.${name}`, key)
    : encoderFor(place, false, "");
  const named = (key: string, text: string) =>
    // RFC 6570 §3.2.7 writes no `=` before an empty value in a path.
    text === "" && place === "path" ? key : `${key}=${text}`;
  const ownName = isCookie ? name : encodeAll(name);
  const withName = (text: string) => isNamed ? named(ownName, text) : text;
  if (kind !== "object") {
    const texts = parts.map(([text]) => encode(text));
    if (!explode) return start + withName(texts.join(delimiter));
    return start + texts.map(withName).join(isCookie ? "; " : separator);
  }
  const fields = parts.map(([text, key]) => [encodeKey(key!), encode(text)] as const);
  if (!explode) return start + withName(fields.flat().join(delimiter));
  const texts = fields.map(([key, text]) => isNamed ? named(key, text) : `${key}=${text}`);
  return start + texts.join(isCookie ? "; " : separator);
}

/** Checks a text that a cookie has as it is (RFC 6265 §4.1.1). OpenAPI shows one with a space. */
function checkedCookieText(text: string, name: string): string {
  if (/^(?! )(?:(?![",;\\])[ -~])*(?<! )$/.test(text)) return text;
  throw new UnexpectedValueError(
    `cookies.${name}`,
    "ASCII text without quotes, commas, semicolons, backslashes and outer spaces (the style form " +
      "percent-encodes them)",
    text,
  );
}
