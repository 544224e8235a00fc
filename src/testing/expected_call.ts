/** Compares a request with the expectation of a test, and lists the differences. */
import { checkedOptions, isPlain } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { MockCall } from "./mock_call.ts";

/**
 * A value of a query parameter. It is compared as text.
 *
 * @internal
 */
export type ExpectedParam = string | number | boolean;

/**
 * The parts of a request that an assertion compares. A part that is left out is not compared.
 *
 * @category Test doubles
 */
export interface ExpectedCall {
  /** All parameters of the query. A name that occurs several times has an array. */
  readonly params?: Readonly<Record<string, ExpectedParam | readonly ExpectedParam[]>>;
  /** Some of the headers, in any case. Null expects that the header was not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The whole body as JSON. The order of the keys does not matter. */
  readonly json?: unknown;
  /** The whole body as text. */
  readonly text?: string;
  /** The number of requests that match. Default: at least 1 */
  readonly times?: number;
}

const parts: readonly string[] = ["headers", "json", "params", "text", "times"];

/**
 * Checks an expectation, because a misspelled part would not be compared.
 *
 * @throws {UnexpectedValueError} If a part is unknown, or `times` is not a whole number
 */
export function checkExpectedCall(expected: ExpectedCall): void {
  const { times } = checkedOptions(expected, parts);
  if (times === undefined || Number.isInteger(times) && times >= 0) return;
  throw new UnexpectedValueError("times", "a whole number of at least 0", times);
}

/**
 * Compares a request with an expectation.
 *
 * @returns For each part that differs, its name, and the lines of both values as JSON. A line of the
 * expectation alone begins with `-`, one of the request alone with `+`
 */
export function compareCall(call: MockCall, expected: ExpectedCall): string[] {
  const { params, headers, json, text } = expected;
  const lines: string[] = [];
  const compare = (part: string, wanted: unknown, sent: unknown) => {
    const [left, right] = [jsonLines(wanted), jsonLines(sent)];
    if (left.join("\n") !== right.join("\n")) lines.push(`${part}:`, ...diffLines(left, right));
  };
  if (params !== undefined) compare("params", mapValues(params, paramText), call.params);
  if (headers !== undefined) {
    const wanted = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const inLowerCase: Record<string, string | null> = Object.fromEntries(wanted);
    compare(
      "headers",
      inLowerCase,
      mapValues(inLowerCase, (_, name) => call.headers[name] ?? null),
    );
  }
  // A body that is not JSON is shown as text.
  if (json !== undefined) compare("json", json, call.json === undefined ? call.text : call.json);
  if (text !== undefined) compare("text", text, call.text);
  return lines;
}

/** Returns the number of lines that differ. */
export function differences(lines: readonly string[]): number {
  return lines.filter((line) => /^[+-]/.test(line)).length;
}

function mapValues<T>(
  mapping: Readonly<Record<string, T>>,
  change: (value: T, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mapping).map(([name, value]) => [name, change(value, name)]),
  );
}

function paramText(value: ExpectedParam | readonly ExpectedParam[]): string | string[] {
  return typeof value === "object" ? value.map(String) : String(value);
}

/** Returns the lines of a value as JSON, with sorted keys. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (!isPlain(each) || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([one], [other]) => one < other ? -1 : 1));
  }, 2).split("\n");
}

/** Marks the lines that only one of two lists has, by their longest common subsequence. */
export function diffLines(left: readonly string[], right: readonly string[]): string[] {
  // The length of the longest common subsequence of the lines from i and from j on.
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i]![j] = left[i] === right[j]
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && left[i] === right[j]) {
      lines.push(`  ${left[i++]}`);
      j++;
    } else if (j >= right.length || i < left.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!) {
      lines.push(`- ${left[i++]}`);
    } else {
      lines.push(`+ ${right[j++]}`);
    }
  }
  return lines;
}
