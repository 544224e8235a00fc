/** Adds constraints such as a minimum, and checks of the program, to a type of values. */
import { checkedCount, isPlain } from "../base/checks.ts";
import { isDate, isRegExp } from "../base/foreign_objects.ts";
import { messageText } from "../errors/message_text.ts";
import { optionHint } from "../errors/option_hints.ts";
import {
  describedAs,
  UnexpectedValueError,
  unknownOption,
} from "../errors/unexpected_value_error.ts";
import {
  type ScalarShape,
  type Shape,
  shapeOf,
  type TypeInput,
  type ValueType,
} from "./value_type.ts";

/**
 * The constraints that values of a type can have. Their names are those of JSON Schema.
 *
 * | values                  | constraints                         |
 * | ----------------------- | ----------------------------------- |
 * | strings                 | `minLength`, `maxLength`, `pattern` |
 * | numbers, bigints, dates | `minimum`, `maximum`                |
 * | arrays                  | `minItems`, `maxItems`              |
 *
 * @category Value types
 */
export type Constraints<T> = [T] extends [string] ? {
    /** The minimum number of characters. A character beyond U+FFFF, such as an emoji, counts as one. */
    readonly minLength?: number | undefined;
    /** The maximum number of characters. */
    readonly maxLength?: number | undefined;
    /**
     * A regular expression that must match somewhere in the string. Write `^` and `$` if it must match
     * the whole string. The flags `g` and `y` are not allowed.
     */
    readonly pattern?: RegExp | undefined;
  }
  // The smallest and the largest value that is allowed.
  : [T] extends [number]
    ? { readonly minimum?: number | undefined; readonly maximum?: number | undefined }
  : [T] extends [bigint]
    ? { readonly minimum?: bigint | undefined; readonly maximum?: bigint | undefined }
  : [T] extends [Date]
    ? { readonly minimum?: Date | undefined; readonly maximum?: Date | undefined }
  : [T] extends [readonly unknown[]] ? {
      /** The minimum number of items. */
      readonly minItems?: number | undefined;
      /** The maximum number of items. */
      readonly maxItems?: number | undefined;
    }
  : never;

/**
 * Adds constraints to a type. They are checked when a value is read and when it is written, in JSON
 * and in XML.
 *
 * `pattern` is searched for in the string as in JSON Schema. It need not match the whole string.
 * For a value that may be null, put `nullable` around the constrained type. For other rules use
 * {@linkcode refine}.
 *
 * @example
 * ```ts
 * import { constrain, element, integer, list, model, string } from "@restwright/restwright/models";
 *
 * class Book extends model("book", {
 *   isbn: element(constrain(string, { pattern: /^\d{13}$/ })),
 *   pages: element(constrain(integer, { minimum: 1 })),
 *   tags: element(constrain(list(string), { maxItems: 5 })),
 * }) {}
 * const book = Book.fromJson({ isbn: "9781234567897", pages: 120, tags: [] });
 * console.log(book.pages); // 120
 * ```
 *
 * @param type A type of strings, numbers, bigints, dates or lists
 * @param constraints The constraints. They are checked in the order of their declaration above
 * @throws {UnexpectedValueError} If a constraint is unknown, does not apply to the type, or
 * contradicts another one
 *
 * @category Value types
 */
export function constrain<T>(type: ValueType<T>, constraints: Constraints<T>): ValueType<T> {
  if (typeof type?.shape !== "object") {
    throw new UnexpectedValueError("type", "a type such as string (for a model, use refine)", type);
  }
  if (!isPlain(constraints)) {
    throw new UnexpectedValueError("constraints", "an object", constraints);
  }
  const given = constraints as Readonly<Record<string, unknown>>;
  const rules = rulesOf(type.shape, given);
  return rules.length === 0 ? type : { shape: withRules(type.shape, rules) };
}

/**
 * Adds a check of your own to a type, a model, a list or a union. It is called when a value is read
 * and when it is written, in JSON and in XML. It is called after the constraints and checks that the
 * type already has, and only if these hold. If it throws, the message of the error becomes part of
 * the `ModelError`.
 *
 * @example
 * ```ts
 * import { attr, element, integer, model, refine } from "@restwright/restwright/models";
 *
 * class Span extends model("span", { from: attr(integer), to: attr(integer) }) {}
 * const ordered = refine(Span, ({ from, to }) => from <= to, "a span that ends after its start");
 * class Loan extends model("loan", { span: element(ordered) }) {}
 * console.log(Loan.fromJson({ span: { from: 1, to: 3 } }).span.to); // 3
 * ```
 *
 * @param type A type or a model
 * @param check Returns true if the value is valid. If it is a type guard, it narrows the type
 * @param expected The expected value as a noun phrase, for messages: "an even number"
 * @throws {UnexpectedValueError} If `check` is not a function, or `expected` not a string
 *
 * @category Value types
 */
export function refine<T, U extends T>(
  type: TypeInput<T>,
  check: (value: T) => value is U,
  expected: string,
): ValueType<U>;
/** Adds a check that does not narrow the type. */
export function refine<T>(
  type: TypeInput<T>,
  check: (value: T) => boolean,
  expected: string,
): ValueType<T>;
export function refine<T>(
  type: TypeInput<T>,
  check: (value: T) => boolean,
  expected: string,
): ValueType<T> {
  if (typeof check !== "function") throw new UnexpectedValueError("check", "a function", check);
  if (typeof expected !== "string" || expected === "") {
    throw new UnexpectedValueError("expected", "a description of a valid value", expected);
  }
  // Any other result than true is a mistake, such as the promise of an asynchronous function.
  const holds = (value: unknown) => check(value as T) === true;
  return { shape: withRules(shapeOf(type), [{ expected, holds }]) };
}

/** A condition that values must meet. */
interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

/** Returns a shape whose values must meet more rules. */
function withRules<S extends Shape>(shape: S, rules: readonly Rule[]): S {
  const check = (value: unknown) =>
    shape.check?.(value) ?? rules.find(({ holds }) => !holds(value))?.expected;
  const added = `(${rules.map(({ expected }) => expected).join(", ")})`;
  // The properties of a shape may be getters: a model that is declared below has no name yet.
  return Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(shape),
    check: { value: check, enumerable: true },
    expected: { get: () => `${shape.expected} ${added}`, enumerable: true },
    ...(shape.kind === "scalar" && shape.choices !== undefined && {
      choices: { get: () => allowed(shape, check), enumerable: true },
    }),
  }) as S;
}

/** Returns the choices of a shape that meet its constraints: they select the model of a union. */
function allowed({ choices }: ScalarShape, check: (value: unknown) => unknown): unknown[] {
  return choices!.filter((value) => {
    try {
      return check(value) === undefined;
    } catch {
      return false;
    }
  });
}

/** The values that each constraint applies to. Constraints are checked in this order. */
const APPLIES_TO: Readonly<Record<string, string>> = {
  minLength: "strings",
  maxLength: "strings",
  pattern: "strings",
  minimum: "numbers, bigints and dates",
  maximum: "numbers, bigints and dates",
  minItems: "lists",
  maxItems: "lists",
};

/** Returns the rules of constraints. */
function rulesOf(shape: Shape, constraints: Readonly<Record<string, unknown>>): Rule[] {
  const isGiven = (name: string) => constraints[name] !== undefined;
  const unknown = Object.keys(constraints).find((name) =>
    isGiven(name) && !Object.hasOwn(APPLIES_TO, name)
  );
  if (unknown !== undefined) {
    const known = Object.keys(APPLIES_TO);
    throw unknownOption(unknown, known, optionHint(unknown, known));
  }
  const names = Object.keys(APPLIES_TO).filter(isGiven);
  const rules = names.map((name) => {
    const values = APPLIES_TO[name]!;
    if (values !== APPLIES_TO[names[0]!]) {
      const expected = `left out beside ${names[0]}, because it applies to ${values}`;
      throw new UnexpectedValueError(name, expected, constraints[name]);
    }
    if (shape.kind !== (values === "lists" ? "list" : "scalar")) {
      const expected =
        `left out for a type of the kind ${shape.kind}, because it applies to ${values}`;
      throw new UnexpectedValueError(name, expected, constraints[name]);
    }
    return ruleOf(name, constraints[name], shape);
  });
  for (const name of names.filter((name) => name.startsWith("min"))) {
    // For minLength, minimum and minItems: maxLength, maximum and maxItems.
    const upper = name.replace("min", "max");
    const [min, max] = [constraints[name], constraints[upper]];
    if (max === undefined || (min as number) <= (max as number)) continue;
    throw new UnexpectedValueError(name, `at most ${upper} (${shown(max)})`, shownAs(min));
  }
  return rules;
}

/**
 * Returns the rule of a constraint.
 *
 * @throws {UnexpectedValueError} If its value is invalid
 */
function ruleOf(name: string, value: unknown, shape: Shape): Rule {
  switch (name) {
    case "minLength":
    case "maxLength":
      return countRule(name, value, "character", (text) => isText(text) ? charactersIn(text) : NaN);
    case "minItems":
    case "maxItems":
      return countRule(name, value, "item", (items) => (items as readonly unknown[]).length);
    case "pattern":
      return patternRule(name, value);
    default:
      return boundRule(name, value, shape as ScalarShape);
  }
}

function countRule(
  name: string,
  value: unknown,
  unit: string,
  countIn: (value: unknown) => number,
): Rule {
  const limit = checkedCount(name, value);
  const amount = `${limit} ${unit}${limit === 1 ? "" : "s"}`;
  return name.startsWith("min")
    ? { expected: `at least ${amount}`, holds: (each) => countIn(each) >= limit }
    : { expected: `at most ${amount}`, holds: (each) => countIn(each) <= limit };
}

function patternRule(name: string, value: unknown): Rule {
  // With these flags, the result would depend on the string that was checked before.
  if (!isRegExp(value) || value.global || value.sticky) {
    throw new UnexpectedValueError(
      name,
      "a regular expression without the flags g and y",
      shownAs(value),
    );
  }
  return {
    expected: `a match for ${shown(value)}`,
    holds: (text) => isText(text) && value.test(text),
  };
}

function boundRule(name: string, value: unknown, { expected, toText }: ScalarShape): Rule {
  const isBound = Number.isFinite(value) || typeof value === "bigint" || isDate(value);
  if (!isBound || toText(value) === undefined) {
    const bound = `a number, a bigint or a Date that is a value of the type (${expected})`;
    throw new UnexpectedValueError(name, bound, shownAs(value));
  }
  // A copy, because a Date can be changed. Dates and bigints are compared like numbers.
  const bound = (isDate(value) ? new Date(value) : value) as number;
  const holds = name === "minimum"
    ? (each: unknown) => (each as number) >= bound
    : (each: unknown) => (each as number) <= bound;
  const text = shown(value);
  if (isDate(value)) {
    return { expected: `${text} or ${name === "minimum" ? "later" : "earlier"}`, holds };
  }
  return { expected: `${name === "minimum" ? "at least" : "at most"} ${text}`, holds };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Counts the code points of a text, as JSON Schema and XML Schema do. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Formats the value of a constraint for a message. */
function shown(value: unknown): string {
  return messageText(isDate(value) ? value.toISOString() : String(value));
}

/** Makes an error message show a Date or a regular expression. */
function shownAs(value: unknown): unknown {
  const isShown = isRegExp(value) ||
    isDate(value) && !Number.isNaN(value.getTime());
  return isShown ? describedAs(shown(value)) : value;
}
