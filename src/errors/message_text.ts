/** Makes external text, paths and requests safe and short enough for a message. */

/** The default maximum length of external text in a message, in UTF-16 code units. */
export const TEXT_LIMIT = 100;

/** The maximum length of an error message, in UTF-16 code units. */
const MESSAGE_LIMIT = 10_000;

/**
 * Makes external text safe for a message: shortens it, and escapes characters that control a
 * terminal or change the direction of the text.
 *
 * @param text A name, path, reason phrase or other text from a server, a document or a caller
 * @param limit The maximum length, in UTF-16 code units; longer text is shortened
 */
export function messageText(text: string, limit: number = TEXT_LIMIT): string {
  return escapeControls(shorten(text, limit));
}

/** Makes external text safe for a message like {@linkcode messageText}, and puts it in quotes. */
export function quotedText(text: string, limit: number = TEXT_LIMIT): string {
  return escapeControls(JSON.stringify(shorten(text, limit)));
}

/**
 * Limits a whole message to 10,000 characters and escapes control characters. Line breaks and tabs
 * are not escaped, because the messages of the toolkit and of an `errorFunc` may have several
 * lines.
 */
export function boundedMessage(message: string): string {
  const text = shorten(message, MESSAGE_LIMIT);
  return unsafe.test(text)
    ? shorten(text.replace(everyUnsafeButLayout, escaped), MESSAGE_LIMIT)
    : text;
}

/** Formats a path or URL for a message: removes credentials, and replaces the query by `?…`. */
export function pathForMessage(path: string): string {
  // Removes everything before the last @: in an invalid URL, any part of it may be a password.
  const open = path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^]*@/i, "$1…@");
  return messageText(open.replace(/[?#][^]*/, "?…"), 200);
}

/** Cuts a string to a number of UTF-16 code units, but never within a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)}…`;
}

/**
 * Escapes control characters, line and paragraph separators, bidirectional control characters and
 * lone surrogates, as in `\u001b`. For JSON text, the parsed value does not change.
 */
export function escapeControls(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, escaped) : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u;
const everyUnsafe = new RegExp(unsafe, "gu");
/**
 * The same, except tabs and line breaks. A carriage return without a line feed is included, because
 * it would overwrite the line on a terminal.
 */
const everyUnsafeButLayout = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/**
 * The request that led to an error, without credentials.
 *
 * @category Errors
 */
export interface RequestSummary {
  /** The HTTP method as it was sent. */
  readonly method: string;
  /** The URL without user name and password. Secrets are redacted as in the log. */
  readonly url: string;
}

/** The maximum length of a request's URL in a message, in UTF-16 code units. */
export const URL_LIMIT = 1000;

/** Formats a request for a message, as in `GET https://api.example.com/users/7`. */
export function requestText({ method, url }: RequestSummary): string {
  return `${messageText(method)} ${messageText(url, URL_LIMIT)}`;
}
