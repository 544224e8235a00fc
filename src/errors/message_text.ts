/** The longest name, reason phrase or other foreign text in a message, in UTF-16 code units. */
export const TEXT_LIMIT = 100;

/** The longest message of an error, in UTF-16 code units. */
const MESSAGE_LIMIT = 10_000;

/**
 * Returns a foreign text as a message may show it: short, and without characters that act on a
 * terminal or reorder the line.
 *
 * @param text A name, a path, a reason phrase, of a server, a document or a caller
 * @param limit The longest text that is not shortened, in UTF-16 code units
 */
export function messageText(text: string, limit: number = TEXT_LIMIT): string {
  return escapeControls(shorten(text, limit));
}

/** Returns a foreign text in quotes, as {@linkcode messageText} returns it without them. */
export function quotedText(text: string, limit: number = TEXT_LIMIT): string {
  return escapeControls(JSON.stringify(shorten(text, limit)));
}

/**
 * Returns a whole message, limited to 10,000 characters and without control characters. Line breaks
 * and tabs stay: the messages of the toolkit and of an `errorFunc` may have several lines.
 */
export function boundedMessage(message: string): string {
  const text = shorten(message, MESSAGE_LIMIT);
  return unsafe.test(text)
    ? shorten(text.replace(everyUnsafeButLayout, escaped), MESSAGE_LIMIT)
    : text;
}

/**
 * Returns a path or URL as a message may show it: without credentials and without its query, which
 * is `?…`.
 */
export function pathForMessage(path: string): string {
  // Everything before the last @ goes: in a URL that cannot be parsed, it may be a password.
  const open = path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^]*@/i, "$1…@");
  return messageText(open.replace(/[?#][^]*$/, "?…"), 200);
}

/** Returns a text cut to a number of UTF-16 code units, never within a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)}…`;
}

/**
 * Returns a text with control characters, line and paragraph separators, marks of direction and
 * lone surrogates written as `\u001b`. JSON stays the same JSON.
 */
export function escapeControls(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, escaped) : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u;
const everyUnsafe = new RegExp(unsafe, "gu");
/** The same but for tabs and line breaks; a carriage return alone would overwrite the line. */
const everyUnsafeButLayout = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;
