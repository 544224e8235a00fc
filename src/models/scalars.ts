import type { ScalarShape, ValueType } from "./value_type.ts";

/** What a type of one's own is made of. */
export interface ScalarOptions<T> {
  /** What is expected, as it stands in messages: "a date as in RFC 822". */
  readonly expected: string;
  /** The value of a text; undefined where the text is none. */
  readonly parse: (text: string) => T | undefined;
  /** The text of a value; undefined where the value has none. */
  readonly format: (value: T) => string | undefined;
}

/**
 * Makes a type of one's own, whose values are texts in JSON and in XML.
 *
 * @example Prices that are written with their currency
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
 * @param options What is expected, and the two ways
 */
export function scalar<T>(options: ScalarOptions<T>): ValueType<T> {
  const { expected, parse, format } = options;
  const toText = (value: unknown) => value === undefined ? undefined : format(value as T);
  return made({
    expected,
    fromText: parse,
    fromJson: (json) => typeof json === "string" ? parse(json) : undefined,
    toText,
    toJson: toText,
  });
}

/** A text, in XML with all its blanks. */
export const string: ValueType<string> = made({
  expected: "a text",
  fromText: (text) => text,
  fromJson: textOnly,
  toText: textOnly,
  toJson: textOnly,
});

/**
 * A whole number that JavaScript holds exactly, up to 2^53 - 1 either way.
 *
 * In XML an `xs:integer`: `+7` and `007` are 7, so that a number whose zeros matter is a `string`.
 */
export const integer: ValueType<number> = made({
  expected: "a whole number",
  fromText: (text) => {
    const trimmed = trim(text);
    const value = /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : NaN;
    // Negative zero would not be written as it was read.
    return Number.isSafeInteger(value) ? value + 0 : undefined;
  },
  fromJson: (json) => Number.isSafeInteger(json) ? json : undefined,
  toText: (value) => Number.isSafeInteger(value) ? String(value) : undefined,
  toJson: (value) => Number.isSafeInteger(value) ? value : undefined,
});

/** A finite number. In XML an `xs:decimal` or `xs:double`, without `INF` and `NaN`. */
export const number: ValueType<number> = made({
  expected: "a number",
  fromText: (text) => {
    const trimmed = trim(text);
    const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed);
    return isNumber ? finite(Number(trimmed)) : undefined;
  },
  fromJson: finite,
  toText: (value) => finite(value) === undefined ? undefined : String(value),
  toJson: finite,
});

/** True or false. In XML an `xs:boolean`, which may be `1` or `0`, too. */
export const boolean: ValueType<boolean> = made({
  expected: "true or false",
  fromText: (text) => {
    const trimmed = trim(text);
    if (trimmed === "true" || trimmed === "1") return true;
    return trimmed === "false" || trimmed === "0" ? false : undefined;
  },
  fromJson: (json) => typeof json === "boolean" ? json : undefined,
  toText: (value) => typeof value === "boolean" ? String(value) : undefined,
  toJson: (value) => typeof value === "boolean" ? value : undefined,
  choices: [true, false],
});

/**
 * A whole number of any size, as a bigint.
 *
 * In JSON a number up to 2^53 - 1 either way, or a text of digits beyond: a larger number in JSON
 * has lost digits before anyone can look, and is refused. It is written the same way.
 */
export const bigint: ValueType<bigint> = made({
  expected: "a whole number, as a text where it is beyond 2^53 - 1",
  fromText: wholeNumber,
  fromJson: (json) => {
    if (typeof json === "string") return wholeNumber(json);
    return Number.isSafeInteger(json) ? BigInt(json as number) : undefined;
  },
  toText: (value) => typeof value === "bigint" ? String(value) : undefined,
  toJson: (value) => {
    if (typeof value !== "bigint") return undefined;
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  },
});

/** What a literal can be. */
export type LiteralValue = string | number | boolean;

/**
 * One value and no other.
 *
 * @example
 * ```ts
 * import { attr, literal, model } from "@restwright/restwright/models";
 *
 * class Feed extends model("rss", { version: attr(literal("2.0")) }) {}
 * console.log((await Feed.fromXml('<rss version="2.0"/>')).version); // 2.0
 * ```
 */
export function literal<const T extends LiteralValue>(value: T): ValueType<T> {
  return oneOf(value);
}

/**
 * One of several values.
 *
 * @example
 * ```ts
 * import { element, model, oneOf } from "@restwright/restwright/models";
 *
 * class Issue extends model("issue", { state: element(oneOf("open", "closed")) }) {}
 * console.log(Issue.fromJson({ state: "open" }).state); // open
 * ```
 */
export function oneOf<const T extends readonly [LiteralValue, ...LiteralValue[]]>(
  ...values: T
): ValueType<T[number]> {
  const texts = new Map(values.map((value) => [String(value), value]));
  const known = (value: unknown) => values.includes(value as LiteralValue) ? value : undefined;
  return made({
    expected: values.map((value) => JSON.stringify(value)).join(" or "),
    fromText: (text) => texts.get(text) ?? texts.get(trim(text)),
    fromJson: known,
    toText: (value) => known(value) === undefined ? undefined : String(value),
    toJson: known,
    choices: values,
  });
}

function made<T>(shape: Omit<ScalarShape, "kind">): ValueType<T> {
  return { shape: { kind: "scalar", ...shape } };
}

/** Without the blanks that XML Schema does not count. */
function trim(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}

function textOnly(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Longer ones are refused: making a bigint of digits takes more than linear time. */
const MAX_DIGITS = 1000;

function wholeNumber(text: string): bigint | undefined {
  const trimmed = trim(text);
  if (trimmed.length > MAX_DIGITS || !/^[+-]?\d+$/.test(trimmed)) return undefined;
  return BigInt(trimmed.replace(/^\+/, ""));
}
