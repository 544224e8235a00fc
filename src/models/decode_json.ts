import { ModelError } from "../errors/model_error.ts";
import { markedEncoding } from "../xml/byte_order_mark.ts";
import { JsonWalker } from "./json_walker.ts";
import type { ModelClass } from "./model_class.ts";
import { issueAt } from "./problems.ts";

/** How JSON is read. */
export interface JsonReadOptions {
  /**
   * How deep objects and arrays may be nested where a model follows them.
   *
   * @default {500}
   */
  readonly maxDepth?: number | undefined;
}

/**
 * Reads an instance from parsed JSON.
 *
 * @throws {ModelError} With every issue
 */
export function decodeJson<T>(
  model: ModelClass<T>,
  json: unknown,
  { maxDepth }: JsonReadOptions = {},
): T {
  return new JsonWalker(false, maxDepth).root(model as ModelClass<object>, json, false) as T;
}

/**
 * Parses JSON from a text or bytes (UTF-8, or what a byte-order mark or the charset says).
 *
 * @throws {ModelError} Where it is no JSON
 */
export function parseJson(model: string, source: string | Uint8Array, charset?: string): unknown {
  try {
    const text = typeof source === "string"
      ? source.replace(/^\ufeff/, "")
      : new TextDecoder(markedEncoding(source) ?? charset, { fatal: true }).decode(source);
    return JSON.parse(text);
  } catch (cause) {
    const issues = [issueAt([], "JSON", `is none: ${(cause as Error).message}`)];
    throw new ModelError(`${model} cannot be read from JSON`, { model, issues, cause });
  }
}
