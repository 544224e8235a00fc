import fc from "fast-check";
import { anyString, stringOf } from "../support/property.ts";

/** The longest input, in characters. */
const LONGEST = 1 << 16;

/** A change of a text. */
interface Change {
  readonly kind: "insert" | "replace" | "remove" | "repeat" | "move" | "cut";
  /** The place of the change, and the number of characters that it concerns. */
  readonly at: number;
  readonly length: number;
  readonly part: string;
  readonly times: number;
}

/** How often a part is repeated. Seldom often, so that most inputs are short. */
const times = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 5 }), weight: 30 },
  { arbitrary: fc.constantFrom(10, 100, 1000), weight: 2 },
  { arbitrary: fc.constantFrom(10_000, LONGEST), weight: 1 },
);

/**
 * Texts in the neighbourhood of a grammar: valid ones with some changes, parts of the grammar in any
 * order, long repetitions, and any text.
 *
 * @param seeds Valid texts
 * @param parts Parts of the grammar, such as delimiters and keywords
 */
export function textsLike(
  seeds: readonly string[],
  parts: readonly string[],
): fc.Arbitrary<string> {
  const part = fc.oneof(
    { arbitrary: fc.constantFrom(...parts), weight: 3 },
    { arbitrary: anyString, weight: 1 },
  );
  const change: fc.Arbitrary<Change> = fc.record({
    kind: fc.constantFrom("insert", "replace", "remove", "repeat", "move", "cut"),
    at: fc.nat(LONGEST),
    length: fc.nat(12),
    part,
    times,
  });
  const seed = fc.constantFrom(...seeds);
  const changed = fc.tuple(seed, fc.array(change, { maxLength: 5 }))
    .map(([text, changes]) => changes.reduce(apply, text));
  const repeated = fc.tuple(part, stringOf(...parts), times, part)
    .map(([start, unit, count, end]) => start + repeat(unit, count) + end);
  return fc.oneof(
    { arbitrary: changed, weight: 6 },
    { arbitrary: stringOf(...parts), weight: 2 },
    { arbitrary: repeated, weight: 1 },
    { arbitrary: anyString, weight: 1 },
  ).map((text) => text.slice(0, LONGEST));
}

function apply(text: string, { kind, at, length, part, times }: Change): string {
  const start = at % (text.length + 1);
  const end = Math.min(text.length, start + length);
  const [before, middle, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (kind) {
    case "insert":
      return before + part + middle + after;
    case "replace":
      return before + part + after;
    case "remove":
      return before + after;
    case "repeat":
      return before + repeat(middle, times) + after;
    case "move":
      return before + after + middle;
    case "cut":
      return before;
  }
}

function repeat(unit: string, times: number): string {
  return unit.repeat(Math.min(times, Math.ceil(LONGEST / Math.max(1, unit.length))));
}

/** The bytes of a body, one as each character, and the sizes of its chunks. */
export interface BodyInput {
  readonly bytes: string;
  /** The sizes of the chunks, which repeat to the end of the body. */
  readonly sizes: readonly number[];
}

/** Bodies in the neighbourhood of a format: texts in UTF-8, some with invalid bytes. */
export function bodiesLike(
  seeds: readonly string[],
  parts: readonly string[],
): fc.Arbitrary<BodyInput> {
  const inUtf8 = textsLike(seeds, [...parts, "é", "€", "😀", "\ufeff", "\ud800", "\0"])
    .map((text) => latin1Of(text));
  const breach = fc.option(fc.tuple(fc.nat(LONGEST), fc.nat(255)), { freq: 8 });
  const bytes = fc.tuple(inUtf8, breach).map(([text, change]) => {
    if (change === null) return text;
    const at = change[0] % (text.length + 1);
    return text.slice(0, at) + String.fromCharCode(change[1]) + text.slice(at + 1);
  });
  return fc.record({
    bytes,
    sizes: fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.nat(5000)), {
      minLength: 1,
      maxLength: 3,
    }),
  }).map((input) => ({ ...input, [fc.toStringMethod]: () => asciiJson(input) }));
}

/** Returns a value as JSON for a report, in which every byte can be seen. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Returns the bytes of the UTF-8 of a text, one as each character. */
export function latin1Of(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Returns the bytes of a body. */
export function bytesIn({ bytes }: BodyInput): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/** Returns the chunks of a body. A long one has at most a thousand. */
export function chunksOf(input: BodyInput): Uint8Array[] {
  const bytes = bytesIn(input);
  const least = Math.ceil(bytes.length / 1000);
  const chunks: Uint8Array[] = [];
  for (let start = 0, index = 0; start < bytes.length; index++) {
    const size = Math.max(least, input.sizes[index % input.sizes.length]!);
    chunks.push(bytes.slice(start, start + size));
    start += size;
  }
  return chunks;
}

/** Returns a text as a header can have it. */
export function inHeader(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "").trim();
}

/** Returns a text as a quoted string (RFC 9110 section 5.6.4). */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Texts that need quotes. */
export const quotable: fc.Arbitrary<string> = fc.array(
  fc.constantFrom("a", " ", ",", ";", '"', "\\", "<", ">", "=", "é"),
  { maxLength: 6 },
).map((all) => all.join(""));

/** Optional white space. */
export const space: fc.Arbitrary<string> = fc.constantFrom("", " ", "\t", "  ");
