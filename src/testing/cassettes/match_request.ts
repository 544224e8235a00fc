/** Decides if a request is the same as a recorded one, and describes the differences. */
import { isPlain } from "../../base/checks.ts";
import { diffLines, jsonLines } from "../expected_call.ts";
import { editDistance } from "../mock_route.ts";
import { bodyText } from "./body_format.ts";
import type { RecordedBody, RecordedHeaders, RecordedRequest } from "./cassette_data.ts";
import { REDACTED, replacePlaceholders, splitAtPlaceholders } from "./placeholders.ts";
import { decoded } from "./redact_text.ts";

/**
 * The parts of a request that must be as recorded, beside the method and the path.
 *
 * @category Cassettes
 */
export interface MatchRules {
  /** True if the scheme, the host and the port are compared. Default: true */
  readonly origin?: boolean | undefined;
  /** True if the body is compared. Default: true */
  readonly body?: boolean | undefined;
  /** Names of headers that are compared. Default: none */
  readonly headers?: readonly string[] | undefined;
  /**
   * Names of parameters, fields of forms and keys of JSON that are not compared, such as a nonce.
   * Default: none
   */
  readonly ignore?: readonly string[] | undefined;
}

/** The values that took the place of placeholders in the requests so far. */
export type Bindings = Map<string, string>;

/**
 * Compares a request with a recorded one.
 *
 * A placeholder in the recorded request stands for any text, unless the request has a placeholder
 * itself: then both must be the same.
 *
 * @returns The values of the placeholders; undefined if the requests differ
 */
export function matchRequest(
  recorded: ComparableRequest,
  sent: ComparableRequest,
): Bindings | undefined {
  const bindings: Bindings = new Map();
  if (!matches(recorded.parts, sent.parts, bindings)) return undefined;
  // Headers are not compared, but they have values to put back.
  for (const [name, value] of Object.entries(recorded.request.headers)) {
    const own: Bindings = new Map();
    if (matches(value, sent.request.headers[name], own)) {
      own.forEach((each, key) => bindings.set(key, each));
    }
  }
  return bindings;
}

/** A request with its parts in a form in which they can be compared. */
export interface ComparableRequest {
  /** The request. */
  readonly request: RecordedRequest;
  /** The parts by name. */
  readonly parts: Readonly<Record<string, unknown>>;
}

/** Returns the parts of a request that the rules compare. */
export function comparable(request: RecordedRequest, rules: MatchRules): ComparableRequest {
  return { request, parts: compared(request, rules) };
}

/**
 * Describes the differences between a request and a recorded one.
 *
 * @returns For each part that differs, its name, and the lines of both. A line of the recorded
 * request alone begins with `-`, one of the other alone with `+`
 */
export function describeDifferences(
  { parts: expected }: ComparableRequest,
  { parts: actual }: ComparableRequest,
): string[] {
  return Object.keys(expected).flatMap((part) => {
    const [left, right] = [aligned(expected[part], actual[part]), actual[part]];
    return left === right
      ? []
      : [`${part}:`, ...diffLines(linesOf(part, left), linesOf(part, right))];
  });
}

/** Returns a number that is lower the more two requests resemble each other. */
export function distance(recorded: ComparableRequest, sent: ComparableRequest): number {
  const text = ({ request: { method, url } }: ComparableRequest) =>
    `${method} ${replacePlaceholders(url, () => REDACTED)}`;
  return 4 * editDistance(text(recorded), text(sent)) +
    describeDifferences(recorded, sent).filter((line) => /^[+-]/.test(line)).length;
}

function compared(request: RecordedRequest, rules: MatchRules): ComparableRequest["parts"] {
  const { origin = true, body = true, headers = [], ignore = [] } = rules;
  const ignored = new Set(ignore.map((name) => name.toLowerCase()));
  const url = new URL(request.url);
  return {
    method: request.method,
    ...(origin && { origin: url.origin }),
    path: url.pathname.split("/").map(percentDecoded),
    params: pairs(url.search.slice(1), ignored),
    ...(headers.length > 0 && {
      headers: Object.fromEntries(
        headers.map((name) => [name, request.headers[name.toLowerCase()] ?? null]),
      ),
    }),
    ...(body && { body: comparedBody(request, request.headers, ignored) }),
  };
}

/** Returns the pairs of a query or a form. The order matters only among pairs with the same name. */
function pairs(query: string, ignored: ReadonlySet<string>): Record<string, string[]> {
  const found: [string, string[]][] = [];
  for (const pair of query.split("&")) {
    const [, name = "", value = ""] = /^([^=]*)=?([^]*)/.exec(pair) ?? [];
    const key = decoded(name);
    if (pair === "" || ignored.has(key.toLowerCase())) continue;
    const known = found.find(([each]) => each === key);
    if (known === undefined) found.push([key, [decoded(value)]]);
    else known[1].push(decoded(value));
  }
  return Object.fromEntries(found);
}

/** Returns a body in a form in which equal bodies are equal. */
function comparedBody(
  { json, text, base64, parts }: RecordedBody,
  headers: RecordedHeaders,
  ignored: ReadonlySet<string>,
): unknown {
  if (json !== undefined) return without(json, ignored);
  if (base64 !== undefined) return new Binary(base64);
  if (parts !== undefined) {
    return parts.map(({ headers, ...body }) => ({
      headers: partHeaders(headers),
      body: comparedBody(body, headers, ignored),
    })).filter(({ headers }) => {
      const [, name = ""] = /;\s*name="([^"]*)"/i.exec(String(headers["content-disposition"])) ??
        [];
      return !ignored.has(name.toLowerCase());
    });
  }
  const whole = bodyText(text ?? "");
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(String(headers["content-type"]));
  // A form without fields counts as none.
  return isForm && whole !== "" ? pairs(whole, ignored) : whole;
}

/** Returns the headers of a part without the charset that Bun adds to the type of a file. */
function partHeaders(headers: RecordedHeaders): RecordedHeaders {
  const type = headers["content-type"];
  if (typeof type !== "string") return headers;
  return { ...headers, "content-type": type.replace(/(?<!\s)\s*;\s*charset="?utf-8"?\s*$/i, "") };
}

/** Returns a JSON value without the keys that are ignored. */
function without(value: unknown, ignored: ReadonlySet<string>): unknown {
  if (ignored.size === 0 || !isPlain(value)) return value;
  if (Array.isArray(value)) return value.map((each) => without(each, ignored));
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !ignored.has(key.toLowerCase()))
      .map(([key, each]) => [key, without(each, ignored)]),
  );
}

/** Compares two values, and binds the placeholders of the recorded one. */
function matches(recorded: unknown, sent: unknown, bindings: Bindings): boolean {
  if (typeof recorded === "string") {
    return /^(?:string|number)$/.test(typeof sent) &&
      matchesText(recorded, String(sent), typeof sent === "string", bindings);
  }
  if (recorded instanceof Binary && sent instanceof Binary) {
    return matchesText(atob(recorded.base64), atob(sent.base64), true, bindings);
  }
  if (!isPlain(recorded)) return Object.is(recorded, sent);
  if (!isPlain(sent) || Array.isArray(recorded) !== Array.isArray(sent)) return false;
  const [expected, actual] = [Object.entries(recorded), Object.entries(sent)];
  if (expected.length !== actual.length) return false;
  const exact = new Map(actual);
  return expected.every(([key, value]) => {
    if (exact.has(key)) return matches(value, exact.get(key), bindings);
    // A key that contains a secret.
    return key.includes(REDACTED) &&
      actual.some(([each, other]) =>
        matchesText(key, each, true, bindings) && matches(value, other, bindings)
      );
  });
}

/** A body that is not text. */
class Binary {
  readonly base64: string;

  constructor(base64: string) {
    this.base64 = base64;
  }
}

/** Compares a text with a recorded one, whose placeholders stand for any text. */
function matchesText(
  recorded: string,
  sent: string,
  isText: boolean,
  bindings: Bindings,
): boolean {
  if (!recorded.includes(REDACTED)) return isText && recorded === sent;
  const parts = splitAtPlaceholders(recorded);
  if (parts.length === 1) return isText && recorded === sent;
  const end = parts.at(-1)!;
  if (!sent.startsWith(parts[0]!)) return false;
  let start = parts[0]!.length;
  for (let index = 1; index < parts.length; index += 2) {
    const isLast = index === parts.length - 2;
    const next = isLast ? sent.length - end.length : sent.indexOf(parts[index + 1]!, start + 1);
    if (next < start || isLast && !sent.endsWith(end)) return false;
    const value = sent.slice(start, next);
    if (!isValueOf(parts[index]!, value)) return false;
    bindings.set(parts[index]!, value);
    start = next + parts[index + 1]!.length;
  }
  return true;
}

/** Reports if a text can be the value of a placeholder. Another placeholder cannot. */
function isValueOf(placeholder: string, value: string): boolean {
  if (value === "" || placeholder === REDACTED) return value !== "";
  const [before, found, after] = splitAtPlaceholders(value);
  return before !== "" || after !== "" || found === placeholder;
}

/** Returns a recorded value, with the parts that match replaced by those of the request. */
function aligned(recorded: unknown, sent: unknown): unknown {
  if (matches(recorded, sent, new Map())) return sent;
  if (!isPlain(recorded) || !isPlain(sent)) return recorded;
  if (Array.isArray(recorded) || Array.isArray(sent)) {
    if (!Array.isArray(recorded) || !Array.isArray(sent)) return recorded;
    return recorded.map((each, index) => aligned(each, sent[index]));
  }
  return Object.fromEntries(
    Object.entries(recorded).map(([key, each]) => [key, aligned(each, sent[key])]),
  );
}

/** The most lines of a part that a message compares. */
const MOST_LINES = 400;

function linesOf(name: string, part: unknown): string[] {
  if (name === "path") return [(part as readonly string[]).join("/")];
  if (part instanceof Binary) return [`${atob(part.base64).length} bytes: ${part.base64}`];
  const lines = typeof part === "string" ? part.split("\n") : jsonLines(part);
  return lines.slice(0, MOST_LINES);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
