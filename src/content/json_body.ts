/** Writes a JSON body, and refuses values that JSON would lose. */
import { isPlain } from "../base/checks.ts";
import { RestwrightError } from "../errors/base_error.ts";
import { type Key, pathText } from "../errors/format_issue.ts";
import { UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import { noBody, type RequestBody } from "../http/request_body.ts";
import { isModelClass } from "../models/model_class.ts";

/**
 * Serialises a JSON body, once for all attempts. `undefined` makes no body.
 *
 * @param json The value
 * @param method The method as it is sent
 * @throws {UnexpectedValueError} If JSON cannot hold the value or would lose part of it, or if the
 * method takes no body
 */
export function jsonBody(json: unknown, method: string): RequestBody {
  if (json === undefined) return noBody;
  refuseBody("json", json, method);
  return { kind: "whole", content: jsonText(json), type: "application/json" };
}

/**
 * Returns a value as JSON.
 *
 * @param json The value
 * @param option The name of the value in errors
 * @throws {UnexpectedValueError} If JSON cannot hold the value, or would lose part of it
 */
export function jsonText(json: unknown, option = "json"): string {
  let content: string | undefined;
  let cause: unknown;
  if (!isPlain(json) && hasToJsonOnBun(json)) {
    throw new UnexpectedValueError(option, expectedForBare(json)!, json);
  }
  try {
    content = JSON.stringify(json);
  } catch (error) {
    if (error instanceof RestwrightError) throw error; // of a model: it names what is wrong
    cause = error;
  }
  const loss = content === undefined || mayLose(content) ? findLoss(json) : undefined;
  if (loss !== undefined) {
    const { keys, expected, received } = loss;
    const place = pathText(["json", ...keys]).replace(/^json/, () => option);
    throw new UnexpectedValueError(place, expected, received, cause);
  }
  if (content !== undefined) return content;
  throw new UnexpectedValueError(
    option,
    "a value that JSON can represent (no cycle, bigint, function or symbol)",
    json,
    cause,
  );
}

/**
 * Throws if the method takes no body.
 *
 * @param option The request option
 * @param value Its value
 * @param method The method as it is sent
 * @throws {UnexpectedValueError} For GET and HEAD, which fetch sends without a body
 */
export function refuseBody(option: string, value: unknown, method: string): void {
  if (method !== "GET" && method !== "HEAD") return;
  throw new UnexpectedValueError(
    option,
    `left out, because a ${method} request has no body`,
    withHint(value, "Use params for values in the URL"),
  );
}

/**
 * Returns true if JSON may have lost something: it writes `null`, `{}` or, for bytes, `{"0":1}`.
 *
 * Reading the text first spares most bodies the walk.
 */
function mayLose(content: string): boolean {
  return content.includes("null") || content.includes("{}") || content.includes('{"0":');
}

/** How deep `isLossless` follows a value: well within the stack of every runtime. */
const LOSSLESS_DEPTH = 100;

/**
 * Returns true if JSON holds all of a value, which is the case for most bodies with a null in them.
 *
 * False leaves the decision to `findLoss`, which knows every kind of value and the path to it, but
 * takes ten times as long: with it alone a body with nulls would cost 2.7 to 4.7 times as much as
 * without a check, and not 1.2 to 1.6 times.
 */
function isLossless(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  if (value instanceof Date) return value.toJSON === Date.prototype.toJSON && !isNaN(+value);
  if (depth === LOSSLESS_DEPTH || "toJSON" in value || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isLossless(value[i], depth + 1)) return false;
    return true;
  }
  let isWritten = Object.getPrototypeOf(value) === Object.prototype;
  for (const key in value) { // twice as fast as Object.keys
    const each = (value as Readonly<Record<string, unknown>>)[key];
    if (each === undefined) continue;
    if (!isLossless(each, depth + 1)) return false;
    isWritten ||= Object.hasOwn(value, key);
  }
  return isWritten;
}

/** A value that JSON cannot hold, and the keys that lead to it. */
interface Loss {
  readonly keys: readonly Key[];
  readonly expected: string;
  readonly received: unknown;
}

/** An object or array that is being walked. */
interface Level {
  readonly value: Readonly<Record<Key, unknown>>;
  /** The keys of an object; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  /** The index of the next key or element. */
  next: number;
  /** If `JSON.stringify` has written none of its values so far. */
  isBare: boolean;
}

/**
 * Finds the first value that `JSON.stringify` refuses, or writes as `null` or `{}` although it is
 * something else. Values are read as it reads them, so `toJSON` methods are called. Models are left
 * out: their `toJSON` checks them.
 *
 * Returns undefined if there is none, or if a getter or a `toJSON` method throws. Does not recurse,
 * since Deno serialises objects of any depth.
 */
function findLoss(json: unknown): Loss | undefined {
  const levels: Level[] = [];
  const open = new Set<unknown>();
  const enter = (value: object): void => {
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const size = keys?.length ?? (value as unknown[]).length;
    levels.push({ value: value as Level["value"], keys, size, next: 0, isBare: true });
    open.add(value);
  };
  const loss = (expected: string, received: unknown): Loss => {
    const keys = levels.map(({ keys, next }) => keys === undefined ? next - 1 : keys[next - 1]!);
    return { keys: keys.slice(1), expected, received };
  };
  try {
    if (isLossless(json, 0)) return undefined;
    enter([json]);
    for (let level = levels[0]; level !== undefined; level = levels.at(-1)) {
      if (level.next === level.size) {
        levels.pop();
        open.delete(level.value);
        const expected = level.isBare ? expectedForBare(level.value) : undefined;
        if (expected !== undefined) return loss(expected, level.value);
        continue;
      }
      const key = level.keys === undefined ? level.next++ : level.keys[level.next++]!;
      const received = level.value[key];
      const value = asWritten(received, key);
      if (isLeftOut(value)) {
        const isElement = level.keys === undefined && levels.length > 1;
        if (isElement) return loss("a value that JSON can represent, or null", received);
        continue;
      }
      level.isBare = false;
      const expected = open.has(value)
        ? "a value that does not contain itself"
        : expectedFor(value, received);
      if (expected !== undefined) return loss(expected, received);
      if (typeof value === "object" && value !== null) enter(value);
    }
  } catch {
    // The error of JSON.stringify, if any, is the one to report.
  }
  return undefined;
}

/** Returns the value that `JSON.stringify` writes for a value. */
function asWritten(value: unknown, key: Key): unknown {
  if (value === null || /^(?:string|number|boolean|undefined|symbol)$/.test(typeof value)) {
    return value;
  }
  const { toJSON, constructor } = value as { toJSON?: unknown; constructor?: unknown };
  if (typeof toJSON !== "function" || hasToJsonOnBun(value)) return value;
  return isModelClass(constructor) ? "" : toJSON.call(value, String(key));
}

/** Returns true if `JSON.stringify` leaves a property with this value out, and writes null in an array. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/**
 * Returns what is expected in place of a value that JSON cannot hold.
 *
 * @param value The value that `JSON.stringify` writes
 * @param received The value before its `toJSON` was called
 */
function expectedFor(value: unknown, received: unknown): string | undefined {
  if (value === null) return tagOf(received) === "Date" ? "a valid date" : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : FINITE;
  if (typeof value === "bigint") return NO_BIGINT;
  if (typeof value !== "object" || isPlain(value)) return undefined;
  if (ArrayBuffer.isView(value)) return NO_BYTES;
  const tag = tagOf(value);
  if (tag === "Number") return Number.isFinite(Number(value)) ? undefined : FINITE;
  return tag === "BigInt" ? NO_BIGINT : undefined;
}

const FINITE = "a finite number, because JSON has neither NaN nor Infinity";
const NO_BIGINT = "a number or a string, because JSON has no bigint";
const NO_BYTES = "a string such as Base64, because JSON has no bytes";
const JSON_VALUE = "a plain object, an array or a scalar";

/** The request options for bodies that are not JSON, by their built-in kind. */
const bodyOptions: ReadonlyMap<string, string> = new Map([
  ["FormData", "data"],
  ["URLSearchParams", "data"],
  ["Blob", "content"],
  ["File", "content"],
  ["ReadableStream", "content"],
]);

/**
 * Returns what is expected in place of an object that JSON writes as `{}`.
 *
 * Plain objects and instances of a program's own classes may be empty. Built-in objects are not.
 */
function expectedForBare(value: object): string | undefined {
  if (typeof (value as { then?: unknown }).then === "function") {
    return "a value, not a promise (await it first)";
  }
  const tag = tagOf(value);
  if (tag === "Map") return "a plain object, such as Object.fromEntries(map)";
  if (tag === "Set") return "an array, such as [...set]";
  if (tag === "ArrayBuffer") return NO_BYTES;
  const option = bodyOptions.get(tag);
  if (option !== undefined) return `${JSON_VALUE} (pass a ${tag} as the option "${option}")`;
  return ["Object", "Array", "String", "Number", "Boolean"].includes(tag)
    ? undefined
    : `${JSON_VALUE}, because JSON.stringify writes {} for this object`;
}

/** Reports if a value has a `toJSON` on Bun alone. Elsewhere, JSON writes it as `{}`. */
function hasToJsonOnBun(value: unknown): value is object {
  return /^(?:FormData|Headers|URLSearchParams)$/.test(tagOf(value));
}

/** Returns the built-in kind of an object, as in "Date"; also of one from another realm. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
