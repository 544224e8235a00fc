/**
 * The types of scalars: strings, numbers, booleans, bigints, literals, and those of the program.
 */
import { checkedOptions } from "../base/checks.ts";
import { messageText } from "../errors/message_text.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ValueType } from "./value_type.ts";

/**
 * Defines a type of your own, whose values are strings in JSON and in XML. If `parse` or `format`
 * throws, the message of the error becomes part of the `ModelError`.
 *
 * @example Prices with their currency
 * ```ts
 * import { attr, model, scalar } from "@restwright/restwright/models";
 *
 * const cents = scalar<number>({
 *   expected: "a price such as 9.50 EUR",
 *   parse: (text) => /^\d+\.\d\d EUR$/.test(text) ? Number(text.replace(/\D/g, "")) : undefined,
 *   format: (value) => `${(value / 100).toFixed(2)} EUR`,
 * });
 * class Offer extends model("offer", { price: attr(cents) }) {}
 * console.log((await Offer.fromXml('<offer price="9.50 EUR"/>')).price); // 950
 * ```
 *
 * @param options `expected`, the expected text as a noun phrase, for messages; `parse`, which returns the
 * value of a text, or undefined if the text is not valid; and `format`, which returns the text of a value,
 * or undefined if the value cannot be written
 *
 * @category Value types
 */
export function scalar<T>(options: {
  readonly expected: string;
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string | undefined;
}): ValueType<T> {
  const { expected, parse, format } = checkedOptions(options, ["expected", "format", "parse"]);
  const toText = (value: unknown) => value === undefined ? undefined : format(value as T);
  return {
    shape: {
      kind: "scalar",
      expected,
      fromText: parse,
      fromJson: (json) => typeof json === "string" ? parse(json) : undefined,
      toText,
      toJson: toText,
    },
  };
}

// Object literals, so that bundlers leave out the types that a program does not use.

/**
 * A string; in XML with all its white space.
 *
 * @category Value types
 */
export const string: ValueType<string> = {
  shape: {
    kind: "scalar",
    expected: "a string",
    fromText: text,
    fromJson: text,
    toText: text,
    toJson: text,
    takesAnyText: true,
  },
};

/**
 * A whole number from -(2^53 - 1) to 2^53 - 1, which JavaScript represents exactly.
 *
 * In XML it is an `xs:integer`: `+7` and `007` are read as 7. Use `string` if leading zeros matter.
 *
 * @category Value types
 */
export const integer: ValueType<number> = {
  shape: {
    kind: "scalar",
    expected: "a whole number",
    fromText: (text) => {
      const trimmed = trim(text);
      // Adding 0 turns -0 into 0, because -0 would be written as 0.
      return /^[+-]?\d+$/.test(trimmed) ? whole(Number(trimmed) + 0) : undefined;
    },
    fromJson: whole,
    toText: (value) => textOf(whole(value)),
    toJson: whole,
  },
};

/**
 * A finite number. In XML it is an `xs:decimal` or `xs:double`, except `INF` and `NaN`.
 *
 * @category Value types
 */
export const number: ValueType<number> = {
  shape: {
    kind: "scalar",
    expected: "a number",
    fromText: (text) => {
      const trimmed = trim(text);
      const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed);
      return isNumber ? finite(Number(trimmed)) : undefined;
    },
    fromJson: finite,
    toText: (value) => textOf(finite(value)),
    toJson: finite,
  },
};

/**
 * True or false. In XML it is an `xs:boolean`, so `1` and `0` are read, too.
 *
 * @category Value types
 */
export const boolean: ValueType<boolean> = {
  shape: {
    kind: "scalar",
    expected: "true or false",
    fromText: (text) => {
      const trimmed = trim(text);
      if (trimmed === "true" || trimmed === "1") return true;
      return trimmed === "false" || trimmed === "0" ? false : undefined;
    },
    fromJson: truth,
    toText: (value) => textOf(truth(value)),
    toJson: truth,
    choices: [true, false],
  },
};

/**
 * A whole number of any size, as a bigint.
 *
 * In JSON it is a number from -(2^53 - 1) to 2^53 - 1, and a string of digits beyond. A larger JSON
 * number is refused, because `JSON.parse` has already rounded it. In XML it is a text of at most
 * 1,000 digits.
 *
 * @category Value types
 */
export const bigint: ValueType<bigint> = {
  shape: {
    kind: "scalar",
    expected: "a whole number, or a string of digits if it is beyond 2^53 - 1",
    fromText: digits,
    fromJson: (json) => {
      if (typeof json === "string") return digits(json);
      return Number.isSafeInteger(json) ? BigInt(json as number) : undefined;
    },
    toText: (value) => typeof value === "bigint" ? String(value) : undefined,
    toJson: (value) => {
      if (typeof value !== "bigint") return undefined;
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    },
  },
};

/**
 * A value that {@linkcode literal} and {@linkcode oneOf} accept.
 *
 * @internal
 */
export type LiteralValue = string | number | boolean;

/**
 * A single value.
 *
 * @example
 * ```ts
 * import { attr, literal, model } from "@restwright/restwright/models";
 *
 * class Feed extends model("rss", { version: attr(literal("2.0")) }) {}
 * console.log((await Feed.fromXml('<rss version="2.0"/>')).version); // 2.0
 * ```
 *
 * @throws {UnexpectedValueError} If it is not a string, a finite number or a boolean
 *
 * @category Value types
 */
export function literal<const T extends LiteralValue>(value: T): ValueType<T> {
  return oneOf(value);
}

/**
 * One of several values. For a list of values that may grow, use `openEnum`.
 *
 * @example
 * ```ts
 * import { element, model, oneOf } from "@restwright/restwright/models";
 *
 * class Issue extends model("issue", { state: element(oneOf("open", "closed")) }) {}
 * console.log(Issue.fromJson({ state: "open" }).state); // open
 * ```
 *
 * @throws {UnexpectedValueError} If a value is not a string, a finite number or a boolean, or if two
 * values have the same text: `oneOf(1, "1")` cannot be read from XML
 *
 * @category Value types
 */
export function oneOf<const T extends readonly [LiteralValue, ...LiteralValue[]]>(
  ...values: T
): ValueType<T[number]> {
  const texts = textsOf(values);
  const known = (value: unknown) => values.includes(value as LiteralValue) ? value : undefined;
  return {
    shape: {
      kind: "scalar",
      expected: values.map(jsonOf).join(" or "),
      fromText: (text) => texts.get(text) ?? texts.get(trim(text)),
      fromJson: known,
      toText: (value) => textOf(known(value)),
      toJson: known,
      choices: values,
    },
  };
}

/** Returns the values by their texts. */
function textsOf(values: readonly LiteralValue[]): ReadonlyMap<string, LiteralValue> {
  if (values.length === 0) throw new UnexpectedValueError("values", "at least one value", values);
  const texts = new Map<string, LiteralValue>();
  for (const [index, value] of values.entries()) {
    const option = `values[${index}]`;
    if (typeof value !== "string" && typeof value !== "boolean" && !Number.isFinite(value)) {
      throw new UnexpectedValueError(option, "a string, a finite number or a boolean", value);
    }
    const text = String(value);
    if (texts.has(text)) {
      const expected =
        "a value whose text no value before it has, because XML contains only the text";
      throw new UnexpectedValueError(option, expected, describedAs(messageText(jsonOf(value))));
    }
    texts.set(text, value);
  }
  return texts;
}

/** Removes the white space of XML around a text: four characters, fewer than `String.trim` removes. */
export function trim(text: string): string {
  let [start, end] = [0, text.length];
  // A regular expression would take quadratic time for a text with much white space inside.
  while (start < end && blanks.includes(text[start]!)) start++;
  while (start < end && blanks.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

const blanks = " \t\r\n";

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

function jsonOf(value: LiteralValue): string {
  return JSON.stringify(value);
}

// These functions return a value of the right type, or undefined.

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function whole(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? value as number : undefined;
}

function finite(value: unknown): number | undefined {
  return Number.isFinite(value) ? value as number : undefined;
}

function truth(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The maximum length of a bigint's text, because parsing takes more than linear time. */
const MAX_DIGITS = 1000;

function digits(text: string): bigint | undefined {
  const trimmed = trim(text);
  if (trimmed.length > MAX_DIGITS || !/^[+-]?\d+$/.test(trimmed)) return undefined;
  return BigInt(trimmed.replace(/^\+/, ""));
}
