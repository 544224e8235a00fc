/** Builds the response of a recording, with the known values in place of its placeholders. */
import { responseLike } from "../../http/response.ts";
import { binaryText, bodyBytes, bodyText, textBody } from "./body_format.ts";
import type { RecordedBody, RecordedResponse } from "./cassette_data.ts";
import type { Bindings } from "./match_request.ts";
import { encodeAs, isPlaceholderOf, REDACTED, replacePlaceholders } from "./placeholders.ts";
import { withLength } from "./redact_cassette.ts";
import { escapeXml } from "./redact_text.ts";

/** The values of placeholders. */
export interface KnownValues {
  /** The secrets that the test knows, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The values in the requests so far, by placeholder. */
  readonly bindings: Bindings;
}

/**
 * Returns the response of a recording. Its placeholders are replaced by the values that are known;
 * the others stay, and are opaque values.
 *
 * @param recorded The recorded response
 * @param url The URL of the request
 * @param method The method of the request
 * @param values The values of placeholders
 */
export function replayResponse(
  recorded: RecordedResponse,
  url: string,
  method: string,
  values: KnownValues,
): Response {
  const { status, statusText = "", url: answered, headers: fields, ...rest } = recorded;
  const restored = restoreBody(rest, values);
  const headers = new Headers();
  for (const [name, each] of Object.entries(withLength(fields, restored))) {
    for (const value of typeof each === "string" ? [each] : each) {
      const isUrl = /(?:location|link)$/i.test(name);
      headers.append(
        name,
        byteText(restore(value, values, isUrl ? encodeURIComponent : undefined)),
      );
    }
  }
  const body = method === "HEAD" || Object.keys(restored).length === 0 ? null : bodyBytes(restored);
  const original = {
    status,
    statusText,
    headers,
    url: answered === undefined ? url : restore(answered, values, encodeURIComponent),
    redirected: answered !== undefined,
    type: "basic",
  } as const;
  return responseLike(original, body);
}

function restoreBody(body: RecordedBody, values: KnownValues): RecordedBody {
  const { json, text, base64 } = body;
  if (json !== undefined) return { json: restoreJson(json, values) };
  if (text !== undefined) {
    const whole = bodyText(text).replace(
      /"(REDACTED-\w+-number)"/g,
      (_, placeholder) => String(numberOf(placeholder, values)),
    );
    return textBody(restore(whole, values, /^\s*</.test(whole) ? escapeXml : undefined));
  }
  if (base64 === undefined) return body;
  return { base64: btoa(restore(atob(base64), values, undefined, utf8Bytes)) };
}

function restoreJson(value: unknown, values: KnownValues): unknown {
  if (typeof value === "string") {
    if (!value.includes(REDACTED)) return value;
    return isPlaceholderOf("number", value) ? numberOf(value, values) : restore(value, values);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => restoreJson(each, values));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [restore(key, values), restoreJson(each, values)]),
  );
}

/** Returns the number of a placeholder; 0 if it is not known. */
function numberOf(placeholder: string, values: KnownValues): number {
  const number = Number(restore(placeholder, values));
  return Number.isFinite(number) ? number : 0;
}

/**
 * Replaces the placeholders in a text by the known values.
 *
 * @param text The text
 * @param values The known values
 * @param escape Escapes a value for the text
 * @param encode Encodes a value as the whole text is encoded
 */
function restore(
  text: string,
  { secrets, bindings }: KnownValues,
  escape: (value: string) => string = unchanged,
  encode: (value: string) => string = unchanged,
): string {
  return replacePlaceholders(text, (found, name, form, offset) => {
    const placeholder = found.replace(/~$/, "");
    const bound = bindings.get(placeholder);
    // An unknown value is a valid one all the same, such as Base64.
    const plain = secrets[name] ?? bindings.get(`${REDACTED}-${name}`) ?? `${REDACTED}-${name}`;
    const value = bound ?? encodeAs(form, plain);
    if (form !== undefined) return encode(value);
    // A parameter in any text.
    const isParam = /[?&][^?=&\s"'<>]*=$/.test(text.slice(Math.max(0, offset - 200), offset));
    return encode((isParam ? encodeURIComponent : escape)(value));
  });
}

function unchanged(value: string): string {
  return value;
}

/** Returns a string with a character for each byte of a text in UTF-8. */
function utf8Bytes(text: string): string {
  return binaryText(new TextEncoder().encode(text));
}

/** Returns a text that a header can carry, with a character for each byte, as fetch returns it. */
function byteText(value: string): string {
  return /^[\t\x20-\xff]*$/.test(value) ? value : utf8Bytes(value.replace(/[\r\n\0]+/g, " "));
}
