import type { RequestOptions } from "../../../mod.ts";
import { attr, integer, model, string } from "../../../src/models/mod.ts";
import { type ItemStream, ndjson } from "../../../src/streams/mod.ts";
import type { ExpectedError, Kind, Result } from "./fault.ts";

class Book extends model("book", { id: attr(integer), title: attr(string) }) {}

/** The content of each right response. */
export const book: { id: number; title: string } = {
  id: 7,
  title: "The Weaver's Handbook, with a chapter on dyes",
};
const text = JSON.stringify(book);
const ROWS = 3;

/** A body that is right for each kind of call. */
export const bodies: Readonly<Record<Kind, string>> = {
  raw: text,
  json: text,
  model: text,
  stream: `${text}\n`.repeat(ROWS),
};

/** The most bytes of a converted body, and the most characters of an item of a stream. */
export const LIMIT: number = 2 ** 18;

/** Returns the request options of a kind of call. */
export function optionsOf(kind: Kind): RequestOptions {
  switch (kind) {
    case "raw":
      return {};
    case "json":
      return { convJson: true };
    case "model":
      return { responseModel: Book };
    case "stream":
      return { format: ndjson({ maxItemLength: LIMIT }) };
  }
}

/**
 * Reads what a call returned.
 *
 * @param value The value that the call returned
 * @param kind The kind of the call
 * @param leaves True if the body never ends, so that the caller has to leave it
 * @throws The error of the body
 */
export async function readResult(value: unknown, kind: Kind, leaves: boolean): Promise<Result> {
  switch (kind) {
    case "raw":
      return leaves
        ? await readPart(value as Response)
        : compared(await (value as Response).text());
    case "json":
      return value === null ? "empty" : compared(JSON.stringify(value));
    case "model":
      return value instanceof Book ? compared(value.toJsonString()) : "empty";
    case "stream":
      return await readRows(value as ItemStream<unknown>, leaves);
  }
}

function compared(read: string): Result {
  return read === text ? "whole" : read === "" ? "empty" : "wrong text";
}

async function readPart({ body }: Response): Promise<Result> {
  let length = 0;
  for await (const chunk of body!) {
    length += chunk.length;
    if (length > 64) return "left";
  }
  return "whole";
}

async function readRows(rows: ItemStream<unknown>, leaves: boolean): Promise<Result> {
  let count = 0;
  for await (const row of rows) {
    if (++count === ROWS && leaves) return "left";
    if (!leaves && JSON.stringify(row) !== text) return "wrong text";
  }
  return count === 0 ? "empty" : count === ROWS ? "whole" : "wrong text";
}

/** Returns a result or an error as text, for comparisons. */
export function describeResult(result: Result | Error): string {
  if (typeof result === "string") return result;
  if (result instanceof Error) {
    const { name, kind = "", message } = result as Error & { kind?: string };
    return `${name} ${kind}: ${message}`;
  }
  return `${result.error.name} ${result.kinds?.join(" or ") ?? ""}`;
}

/** Reports if a result is the expected one. */
export function isExpected(actual: Result | Error, expected: Result): boolean {
  if (typeof expected === "string" || !(actual instanceof Error)) return actual === expected;
  return isExpectedError(actual, expected);
}

function isExpectedError(actual: Error, { error, kinds }: ExpectedError): boolean {
  const { kind } = actual as Error & { readonly kind?: string };
  return actual instanceof error && (kinds === undefined || kinds.includes(kind ?? ""));
}
