/** Extracts the media type of a Content-Type header, by the rule of the Fetch standard. */

/** The media type of a content type. */
export interface MediaType {
  /** The type without its parameters, in lower case; empty if there is no valid one. */
  readonly essence: string;
  /** The format; undefined if it is neither JSON nor XML. */
  readonly format: "json" | "xml" | undefined;
  /** The charset, if the content type has one. */
  readonly charset: string | undefined;
  /** The encoding for `TextDecoder`: UTF-8 if there is no charset, or one that it does not know. */
  readonly encoding: string;
}

/** The last result. Most APIs always send the same content type, and to parse it takes 1 to 2 µs. */
let last: { readonly contentType: string | null; readonly type: MediaType } | undefined;

/** A value of a list. A comma in quotes does not end it. */
const listed = /(?:[^",]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;

/** A type and a subtype, which are tokens (RFC 9110 §5.6.2), and the parameters. */
const typed = /^\s*([!#$%&'*+.^`|~\w-]+\/[!#$%&'*+.^`|~\w-]+)\s*(?:;([^]*))?$/;

/** A parameter with its value, which may be in quotes. */
// It matches at each position, with the end of the text at the latest, so it never goes back.
// eslint-disable-next-line regexp/no-super-linear-move, regexp/no-super-linear-backtracking
const parameter = /([^;=]*)(?:=\s*(?:"((?:[^"\\]|\\[^])*)(?:"[^;]*|\\?$)|([^;]*)))?(?:;|$)/g;

/**
 * Extracts the media type of a content type (Fetch Standard, "extract a MIME type"): if it is stated
 * more than once, for example by an API and by its proxy, the last valid value counts. It keeps the
 * charset of an earlier one of the same type.
 *
 * `application/json`, `text/json` and `+json` are JSON, `application/xml`, `text/xml` and `+xml` are
 * XML (RFC 6839, RFC 7303).
 *
 * @param contentType The value of the header; null if there is none
 */
export function mediaTypeOf(contentType: string | null): MediaType {
  if (last === undefined || last.contentType !== contentType) {
    last = { contentType, type: parse(contentType) };
  }
  return last.type;
}

function parse(contentType: string | null): MediaType {
  let essence = "";
  let charset: string | undefined;
  for (const [value] of (contentType ?? "").matchAll(listed)) {
    const [, name = "*/*", parameters = ""] = typed.exec(value) ?? [];
    if (name === "*/*") continue;
    const stated = name.toLowerCase();
    const named = charsetIn(parameters);
    if (named !== undefined || stated !== essence) charset = named;
    essence = stated;
  }
  const format = /^(?:(?:application|text)\/|[^]*\+)(json|xml)$/.exec(essence)?.[1];
  return {
    essence,
    format: format as "json" | "xml" | undefined,
    charset,
    encoding: encodingOf(charset),
  };
}

/** Returns the charset in the parameters of a media type. An empty one counts as none. */
function charsetIn(parameters: string): string | undefined {
  for (const [, name = "", quoted, plain] of parameters.matchAll(parameter)) {
    if (name.trim().toLowerCase() !== "charset") continue;
    const charset = quoted?.replace(/\\([^])/g, "$1") ?? plain?.trim();
    if (charset) return charset;
  }
  return undefined;
}

/** Returns the encoding of a charset, as `TextDecoder` names it. */
function encodingOf(charset: string | undefined): string {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return "utf-8";
  }
}
