/** The names of types: PascalCase, unique without regard to case, and none that the output needs. */

import { capitalized, joined, singularOf, wordsOf } from "./words.ts";

/** Names of the language and the platform, which a type of the output must not hide. */
const globals = "AbortController AbortSignal AggregateError Array ArrayBuffer AsyncGenerator " +
  "AsyncIterable AsyncIterator Atomics Awaited BigInt BigInt64Array BigUint64Array Blob Boolean " +
  "Bun Capitalize DataView Date Deno Error EvalError Exclude Extract File Float32Array " +
  "Float64Array FormData Function Generator Headers Infinity InstanceType Int16Array Int32Array " +
  "Int8Array Intl Iterable Iterator JSON Lowercase Map Math NaN NoInfer NonNullable Number " +
  "Object Omit Parameters Partial Pick Promise PromiseLike PropertyKey Proxy RangeError " +
  "ReadableStream Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect " +
  "RegExp Request Required Response ReturnType Set SharedArrayBuffer String Symbol SyntaxError " +
  "TextDecoder TextEncoder TypeError URIError URL URLSearchParams Uint16Array Uint32Array " +
  "Uint8Array Uint8ClampedArray Uncapitalize Uppercase WeakMap WeakRef WeakSet";

/** Names that the output imports to convert values, with `dates`, `bigint` or `models`. */
export const conversionNames: readonly string[] = ["Document", "Fields", "Model"];

/** Names that the output imports to read webhooks, and those of their errors in its comments. */
export const webhookNames: readonly string[] = [
  ...["VerifyWebhookOptions", "WebhookMessage", "WebhookSecret"],
  ...["WebhookHeaderError", "WebhookSignatureError", "WebhookTimestampError"],
  "WebhookTooLargeError",
];

const reserved: readonly string[] = globals.toLowerCase().split(" ");

/** The maximum length of a name, without a number that makes it unique. */
const MAX_LENGTH = 80;

/** The names of types and classes of one SDK. */
export class TypeNames {
  readonly #reserved: ReadonlySet<string>;
  readonly #taken = new Set<string>();

  /** @param others The names that the outputs reserve */
  constructor(others: Iterable<string> = []) {
    this.#reserved = new Set([...reserved, ...Array.from(others, (name) => name.toLowerCase())]);
  }

  /** Reports if a name is taken or reserved, also in another case. */
  has(name: string): boolean {
    return this.#taken.has(name.toLowerCase()) || this.#reserved.has(name.toLowerCase());
  }

  /** Takes a name that was chosen elsewhere. */
  reserve(name: string): void {
    this.#taken.add(name.toLowerCase());
  }

  /** Takes a name as another SDK has it, or one like it if it is taken. */
  takeStated(wanted: string): string {
    if (!/^[A-Za-z]\w{0,79}$/.test(wanted) || this.has(wanted)) return this.take(wanted);
    this.reserve(wanted);
    return wanted;
  }

  /**
   * Returns a name for what the document calls `wanted`, and takes it. It never was returned before,
   * also in another case.
   *
   * @param wanted Any text of the document
   * @param fallback The name if there is no letter or digit in it
   */
  take(wanted: string, fallback = "Schema"): string {
    let base = pascalCase(wanted) || fallback;
    if (this.#reserved.has(base.toLowerCase())) base += "Model";
    let name = base;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n++) {
      // `V1` becomes `V1_2` and not `V12`, which is another version.
      name = /\d$/.test(base) ? `${base}_${n}` : `${base}${n}`;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** Returns a text in PascalCase, with ASCII letters and digits only. Empty if there are none. */
export function pascalCase(text: string): string {
  const plain = text.slice(0, 1000).normalize("NFKD").replace(/\p{M}/gu, "");
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  // `ORDER_STATE` becomes `OrderState`, but `URL` and `HTTPError` stay as they are.
  const isLoud = !/[a-z]/.test(plain) && plain.length > 4;
  const rest = (word: string) => isLoud ? word.slice(1).toLowerCase() : word.slice(1);
  const parts = words.flatMap((word) => humps(word[0]!.toUpperCase() + rest(word)));
  const name = joined(parts, "", MAX_LENGTH);
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Splits a word before its capitals: `OrderState` has two parts. */
function humps(word: string): string[] {
  return word.split(/(?<=[a-z0-9])(?=[A-Z])/);
}

/**
 * Returns the start of the names of a method's types: `pets` and `list` become `Pets List`. Words that
 * would stand there twice stand there once.
 */
export function methodPrefix(field: string, method: string): string {
  const [group, own] = [wordsOf(field), wordsOf(method)];
  const lengths = Array.from(group, (_, index) => group.length - index);
  const shared = lengths.find((length) =>
    length <= own.length &&
    group.slice(-length).every((word, index) => singularOf(word) === singularOf(own[index]!))
  ) ?? 0;
  return [...group.slice(0, group.length - shared), ...own].map(capitalized).join(" ");
}
