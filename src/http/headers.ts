import { checkedEntries, checkedName } from "../checks.ts";
import { isHeaderText } from "../header_text.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * Headers as a caller gives them: a mapping, pairs, or `Headers`. Names are compared without case.
 *
 * In a mapping null takes a header away that was set beneath; undefined leaves it as it is. Of names
 * that differ only in case, the last one wins. Pairs with the same name are joined by a comma
 * (RFC 9110 §5.3).
 *
 * `Content-Length`, `Transfer-Encoding`, `Host`, `Connection`, `Keep-Alive`, `Proxy-Connection`,
 * `Upgrade`, `TE`, `Trailer` and `Expect` are refused: the runtime sets them. To upload a body of
 * known length, pass a `Blob` or `File`.
 */
export type HeadersInput =
  | Readonly<Record<string, string | number | null | undefined>>
  | ReadonlyArray<readonly [string, string]>
  | Headers;

/** Headers as they are sent: names in lower case, and no others that are inherited. */
export type HeaderFields = Record<string, string>;

/** Headers to be laid over others: null takes a header away. */
export type HeaderOverrides = Readonly<Record<string, string | null>>;

/**
 * A set of header fields, on which even `__proto__` and `constructor` are only names.
 *
 * Its prototype is empty in place of null: engines look names up in an object without a prototype as
 * in a table, and walk over it several times slower.
 */
const Fields = function () {} as unknown as new () => HeaderFields;
Fields.prototype = Object.create(null);

/**
 * Headers that frame a message or belong to one connection (RFC 9110 §7.2, §7.6.1, §8.6, §10.1.1,
 * RFC 9112 §6). Laid over headers, this removes them.
 *
 * Only the transport may set them. With a caller's values, the server and a proxy can disagree on
 * where a request ends, and take a part of its body for another request (request smuggling).
 */
export const noFramingHeaders: HeaderOverrides = Object.assign(new Fields(), {
  connection: null,
  "content-length": null,
  expect: null,
  host: null,
  "keep-alive": null,
  "proxy-connection": null,
  te: null,
  trailer: null,
  "transfer-encoding": null,
  upgrade: null,
});

/** The reason why framing headers are refused, and the remedy. */
const FRAMING = "the runtime sets it: the host comes from the URL, the length from a Blob or File";

/**
 * Checks headers and gives them as an overrides.
 *
 * @param input The headers
 * @param option What to call them in the error
 * @throws {UnexpectedValueError} If a name or a value cannot be sent (RFC 9110 §5.5, §5.6.2), or a
 * header is a framing header
 */
export function checkedHeaders(input: HeadersInput, option = "headers"): HeaderOverrides {
  const checked: Record<string, string | null> = new Fields();
  const isJoining = Array.isArray(input) || input instanceof Headers;
  for (
    const [name, value] of input instanceof Headers
      ? input
      : checkedEntries(input, option, "Headers")
  ) {
    const key = checkedName(option, name).toLowerCase();
    if (value === undefined) continue;
    if (key in noFramingHeaders) {
      throw new UnexpectedValueError(`${option}.${name}`, `left out (${FRAMING})`, value);
    }
    const before = checked[key];
    const text = value === null ? null : checkedValue(value, `${option}.${name}`);
    // Cookies are joined by a semicolon (RFC 6265 §5.4), all else by a comma (RFC 9110 §5.3).
    const separator = key === "cookie" ? "; " : ", ";
    checked[key] = isJoining && typeof before === "string" && text !== null
      ? `${before}${separator}${text}`
      : text;
  }
  return checked;
}

/**
 * Checks the name of a header that an option asks to send.
 *
 * @param option The option
 * @param name The name
 * @throws {UnexpectedValueError} If it is not a token, or is the name of a framing header
 */
export function checkedHeaderName(option: string, name: string): string {
  if (!(checkedName(option, name).toLowerCase() in noFramingHeaders)) return name;
  throw new UnexpectedValueError(option, `the name of another header (${FRAMING})`, name);
}

/**
 * Lays headers over others, from the bottom up: header fields, or overlays; undefined for none.
 *
 * All are plain objects: a `Headers` object made for each call costs Node 20 half a microsecond
 * where an object costs 16 ns, and fetch takes either.
 */
export function mergeHeaders(...layers: readonly (HeaderOverrides | undefined)[]): HeaderFields {
  const laid = new Fields();
  for (const layer of layers) {
    for (const name in layer) {
      const value = layer[name];
      if (typeof value === "string") laid[name] = value;
      else delete laid[name];
    }
  }
  return laid;
}

/**
 * Header fields without what browsers see to: Cookie, which they let no program set, and
 * User-Agent, which some of them do: a request to another origin then has to be asked for first,
 * and an API that does not name the header in its CORS is out of reach.
 */
export function withoutBrowsersOwn(fields: HeaderFields): HeaderFields {
  return mergeHeaders(fields, { cookie: null, "user-agent": null });
}

function checkedValue(value: unknown, option: string): string {
  if (typeof value === "string" || typeof value === "number") {
    const text = String(value).replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, "");
    if (isHeaderText(text)) return text;
  }
  throw new UnexpectedValueError(
    option,
    "a text or number without line breaks, control characters or characters beyond Latin-1",
    value,
  );
}
