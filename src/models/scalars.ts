import type { ValueType } from "./value_type.ts";

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

/** A text, in XML with all its blanks. */
export const string: ValueType<string> = {
  shape: {
    kind: "scalar",
    expected: "a string",
    fromText: text,
    fromJson: text,
    toText: text,
    toJson: text,
  },
};

/**
 * A whole number that JavaScript holds exactly, up to 2^53 - 1 either way.
 *
 * In XML an `xs:integer`: `+7` and `007` are 7, so that a number whose zeros matter is a `string`.
 */
export const integer: ValueType<number> = {
  shape: {
    kind: "scalar",
    expected: "a whole number",
    fromText: (text) => {
      const trimmed = trim(text);
      // Negative zero would not be written as it was read.
      return /^[+-]?\d+$/.test(trimmed) ? whole(Number(trimmed) + 0) : undefined;
    },
    fromJson: whole,
    toText: (value) => textOf(whole(value)),
    toJson: whole,
  },
};

/** A finite number. In XML an `xs:decimal` or `xs:double`, without `INF` and `NaN`. */
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

/** True or false. In XML an `xs:boolean`, which may be `1` or `0`, too. */
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
 * In JSON a number up to 2^53 - 1 either way, or a text of digits beyond: a larger number in JSON
 * has lost digits before anyone can look, and is refused. It is written the same way.
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
  return {
    shape: {
      kind: "scalar",
      expected: values.map((value) => JSON.stringify(value)).join(" or "),
      fromText: (text) => texts.get(text) ?? texts.get(trim(text)),
      fromJson: known,
      toText: (value) => textOf(known(value)),
      toJson: known,
      choices: values,
    },
  };
}

/** Without the blanks that XML Schema does not count: four, and no other that JavaScript knows. */
export function trim(text: string): string {
  let [start, end] = [0, text.length];
  // A regular expression would look at blanks within the text again and again.
  while (start < end && blanks.includes(text[start]!)) start++;
  while (start < end && blanks.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

const blanks = " \t\r\n";

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

// What is of its type, or undefined.

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

/** Longer ones are refused: making a bigint of digits takes more than linear time. */
const MAX_DIGITS = 1000;

function digits(text: string): bigint | undefined {
  const trimmed = trim(text);
  if (trimmed.length > MAX_DIGITS || !/^[+-]?\d+$/.test(trimmed)) return undefined;
  return BigInt(trimmed.replace(/^\+/, ""));
}
