import { messageText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { markedEncoding } from "../xml/byte_order_mark.ts";
import { issueAt } from "./problems.ts";

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
  } catch (error) {
    const reason = messageText((error as Error).message, 200);
    const issues = [issueAt([], "JSON", `is not valid JSON: ${reason}`)];
    // JavaScriptCore quotes a whole word of the text, however long it is.
    const cause = error instanceof SyntaxError ? new SyntaxError(reason) : error;
    throw new ModelError(`${model} cannot be read from JSON`, { model, issues, cause });
  }
}
