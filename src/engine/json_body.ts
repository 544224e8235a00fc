import { RestwrightError } from "../errors/base_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RequestBody } from "../http/request_body.ts";

/**
 * Serialises a body of JSON, once for all its attempts; undefined makes none.
 *
 * @param json The value
 * @param method The request's method, as it is sent
 * @throws {UnexpectedValueError} Where JSON cannot hold it, or the method takes no body
 */
export function jsonBody(json: unknown, method: string): RequestBody {
  if (json === undefined) return { kind: "none" };
  refuseBody("json", json, method);
  let content: string | undefined;
  let cause: unknown;
  try {
    content = JSON.stringify(json);
  } catch (error) {
    if (error instanceof RestwrightError) throw error; // of a model: it names what is wrong
    cause = error;
  }
  if (content !== undefined) return { kind: "whole", content, type: "application/json" };
  throw new UnexpectedValueError(
    "json",
    "a value that JSON can hold (no cycle, bigint, function or symbol)",
    json,
    cause,
  );
}

/**
 * Refuses a body where the method takes none.
 *
 * @param option The keyword that makes it
 * @param value What was given
 * @param method The request's method, as it is sent
 * @throws {UnexpectedValueError} For GET and HEAD, which fetch sends without a body
 */
export function refuseBody(option: string, value: unknown, method: string): void {
  if (method !== "GET" && method !== "HEAD") return;
  throw new UnexpectedValueError(option, `left out of a ${method} request`, value);
}
