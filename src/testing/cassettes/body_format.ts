/** Converts bodies to and from their recorded form: JSON, text, parts of a form, or Base64. */
import { joined } from "../../http/incoming_response.ts";
import type { RecordedBody, RecordedMessage } from "./cassette_data.ts";

/**
 * Returns the recorded form of a body: JSON or text if it can be read, the parts of a multipart form,
 * or else Base64.
 *
 * @param bytes The body, without a content coding
 * @param type The content type
 * @param isExact True if JSON must keep its whitespace, because a digest of the body is known
 */
export function recordedBody(
  bytes: Uint8Array,
  type: string | undefined,
  isExact: boolean = false,
): RecordedBody {
  if (bytes.length === 0) return {};
  const boundary = boundaryOf(type);
  const parts = boundary === undefined ? undefined : multipartParts(bytes, boundary);
  if (parts !== undefined) return { parts };
  const text = readableText(bytes);
  if (text === undefined) return { base64: btoa(binaryText(bytes)) };
  const json = sameJson(text, isExact);
  if (json !== undefined) return { json };
  return textBody(text);
}

/** Returns the recorded form of a text. Lines of their own are easier to read and to compare. */
export function textBody(text: string): RecordedBody {
  return { text: text.includes("\n") ? text.split("\n") : text };
}

/** Returns the text of a body that is text. */
export function bodyText(text: string | readonly string[]): string {
  return typeof text === "string" ? text : text.join("\n");
}

/** Returns the bytes of a body without parts. */
export function bodyBytes({ json, text, base64 }: RecordedBody): Uint8Array<ArrayBuffer> {
  if (base64 !== undefined) return textBytes(atob(base64));
  const content = json !== undefined ? JSON.stringify(json) : bodyText(text ?? "");
  return new TextEncoder().encode(content);
}

/** Returns a string with a character for each byte. */
export function binaryText(bytes: Uint8Array): string {
  let text = "";
  // A call has a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return text;
}

/** Returns the bytes of a string with a character for each byte. */
export function textBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns UTF-8 text; undefined for other bytes, and for text with control characters. */
function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // deno-lint-ignore no-control-regex -- these characters mark binary content
    return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A token of JSON: a string, or anything else except whitespace. */
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"|[^\s"]+/g;

/**
 * Returns the value of a JSON text; undefined if it is not JSON, or if writing the value would change
 * more than whitespace and escapes, as for numbers with many digits and repeated keys.
 */
function sameJson(text: string, isExact: boolean): unknown {
  // A string or a number alone is easier to read as text.
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const written = JSON.stringify(value);
    if (isExact) return written === text ? value : undefined;
    const compact = text.replace(
      tokens,
      (token) => token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : withoutEndZeros(token),
    );
    return withoutWhitespace(compact) === withoutWhitespace(written) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes numbers such as `1.50` as JavaScript does. */
function withoutEndZeros(numbers: string): string {
  return numbers.replace(/\d\.\d+/g, (number) => number.replace(/(?<!0)0+$/, "")).replace(
    /\.(?!\d)/g,
    "",
  );
}

/** Removes the whitespace between the tokens. */
function withoutWhitespace(json: string): string {
  return [...json.matchAll(tokens)].join("");
}

/** Returns the boundary of a multipart form; undefined for any other content type. */
function boundaryOf(type: string | undefined): string | undefined {
  if (type === undefined || !/^multipart\/form-data\b/i.test(type)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  return quoted ?? plain;
}

/** Returns the parts of a multipart form (RFC 7578); undefined if it is malformed. */
function multipartParts(bytes: Uint8Array, boundary: string): RecordedMessage[] | undefined {
  const sections = `\r\n${binaryText(bytes)}`.split(`\r\n--${boundary}`);
  if (sections.length < 2 || !sections.at(-1)!.startsWith("--")) return undefined;
  const parts: RecordedMessage[] = [];
  for (const section of sections.slice(1, -1)) {
    const [, head, content] = /^[ \t]*\r\n((?:.+\r\n)*)\r\n([^]*)$/.exec(section) ?? [];
    if (head === undefined || content === undefined) return undefined;
    const headers = Object.fromEntries(
      head.split("\r\n").filter((line) => line !== "").map((line) => {
        const [, name = line, value = ""] = /^([^:]*):([^]*)/.exec(line) ?? [];
        return [name.toLowerCase(), headerText(value.trimStart())];
      }),
    );
    parts.push({ headers, ...recordedBody(textBytes(content), headers["content-type"]) });
  }
  return parts;
}

/** Returns the text of a header whose bytes are UTF-8, as those of parts are. */
function headerText(value: string): string {
  return readableText(textBytes(value)) ?? value;
}

/** Reads a stream to its end. */
export async function readBytes(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks);
    chunks.push(value);
  }
}
