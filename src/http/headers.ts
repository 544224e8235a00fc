/** Checks and merges headers, and keeps those of an HTTP session. */
import { checkedEntries, checkedName, isHeaderText } from "../base/checks.ts";
import { isHeaders } from "../base/foreign_objects.ts";
import type { NotSpreadable } from "../base/not_spreadable.ts";
import { isStyled, type StyledValue } from "../base/styled_value.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * Headers: a mapping, pairs, or `Headers`. The case of names does not matter. Merge them with
 * {@linkcode mergeHeaders}, not with a spread.
 *
 * In a mapping, null removes a header that was set before, and undefined does not change it. Of names
 * that differ only in case, the last one wins. Pairs with the same name are joined by a comma
 * (RFC 9110 §5.3).
 *
 * `Content-Length`, `Transfer-Encoding`, `Host`, `Connection`, `Keep-Alive`, `Proxy-Connection`,
 * `Upgrade`, `TE`, `Trailer` and `Expect` are refused: the runtime sets them. To upload a body of
 * known length, pass a `Blob` or `File`.
 *
 * @category Requests
 */
export type HeadersInput =
  | Readonly<Record<string, string | number | StyledValue<"header"> | null | undefined>>
  | ReadonlyArray<readonly [string, string]>
  | Headers
  | NotSpreadable;

/** Headers as they are sent, with names in lower case. */
export type HeaderFields = Record<string, string>;

/** Headers to merge over others, with names in lower case. Null removes a header. */
export type HeaderOverrides = Readonly<Record<string, string | null>>;

/**
 * The prototype of header fields. `__proto__` and `constructor` are names like any other.
 *
 * It is an empty object and not null, because engines iterate over objects without a prototype
 * several times slower.
 */
const noNames: object = Object.create(null);

/**
 * Headers that frame a message or belong to one connection (RFC 9110 §7.2, §7.6.1, §8.6, §10.1.1,
 * RFC 9112 §6). Merged over headers, this removes them.
 *
 * Only the transport may set them. With a caller's values, the server and a proxy can disagree on
 * where a request ends, and take a part of its body for another request (request smuggling).
 */
export const noFramingHeaders: HeaderOverrides = Object.assign(Object.create(noNames), {
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
 * Checks headers and returns them with names in lower case.
 *
 * @param input The headers
 * @param option The name of the option in the error
 * @throws {UnexpectedValueError} If a name or a value cannot be sent (RFC 9110 §5.5, §5.6.2), or a
 * header is a framing header
 */
export function checkedHeaders(input: HeadersInput, option = "headers"): HeaderOverrides {
  const checked: Record<string, string | null> = Object.create(noNames);
  const entries = isHeaders(input) ? input : checkedEntries(input, option, "Headers");
  const isJoining = entries === input;
  for (const [name, given] of entries) {
    const key = checkedName(option, name).toLowerCase();
    const value = isStyled(given) ? given.toParameter("header", name) : given;
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
 * Merges headers. Later layers replace earlier ones.
 *
 * The result is a plain object, because a `Headers` object for each call costs half a microsecond on
 * Node, an object 16 ns, and fetch accepts both.
 */
export function mergeFields(...layers: readonly (HeaderOverrides | undefined)[]): HeaderFields {
  const merged: HeaderFields = Object.create(noNames);
  for (const layer of layers) {
    for (const name in layer) {
      if (!Object.hasOwn(layer, name)) continue; // some programs extend Object.prototype
      const value = layer[name];
      if (typeof value === "string") merged[name] = value;
      else delete merged[name];
    }
  }
  return merged;
}

/**
 * Merges headers of any form, for a method that adds its own to those of its caller. A spread would
 * lose `Headers` and pairs.
 *
 * @param layers Mappings, pairs or `Headers`, or undefined for none. Later layers replace the headers of
 * earlier ones by name, in any case; null removes a header, also one of the session
 * @returns The headers as a mapping, with names in lower case
 * @throws {UnexpectedValueError} If a name or a value cannot be sent
 *
 * @example
 * ```ts
 * import { mergeHeaders } from "@restwright/restwright";
 *
 * const headers = new Headers({ "If-Match": "v1" }); // of a caller
 * console.log(mergeHeaders({ "if-match": "*", Accept: "text/csv" }, headers)); // { if-match: "v1", accept: "text/csv" }
 * ```
 *
 * @category Requests
 */
export function mergeHeaders(
  ...layers: readonly (HeadersInput | undefined)[]
): Record<string, string | null> {
  const merged = layers.flatMap((layer) =>
    layer === undefined ? [] : Object.entries(checkedHeaders(layer))
  );
  return Object.fromEntries(merged);
}

/**
 * Returns headers without Cookie and User-Agent, for browsers. They do not let programs set Cookie.
 * Some of them let programs set User-Agent, but then a request to another origin needs a preflight,
 * and fails if the API does not name the header in its CORS configuration.
 */
export function withoutBrowsersOwn(fields: HeaderFields): HeaderFields {
  return mergeFields(fields, { cookie: null, "user-agent": null });
}

function checkedValue(value: unknown, option: string): string {
  if (typeof value === "string" || typeof value === "number") {
    const text = String(value).replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, "");
    if (isHeaderText(text)) return text;
  }
  throw new UnexpectedValueError(
    option,
    "a string or number without line breaks, control characters or characters beyond Latin-1",
    value,
  );
}

/**
 * The headers of every request of an HTTP session. The case of names does not matter.
 *
 * They can be changed at any time. Printing the object does not show their values, which may be
 * secrets.
 *
 * @category Sessions and clients
 */
export class SessionHeaders {
  #fields: HeaderFields = mergeFields();

  /** Returns the value of a header; undefined if it is not set. */
  get(name: string): string | undefined {
    return this.#fields[name.toLowerCase()];
  }

  /**
   * Sets or removes a header.
   *
   * @param name The name
   * @param value The value; null removes the header
   * @throws {UnexpectedValueError} If the name or the value cannot be sent
   */
  set(name: string, value: string | number | null): void {
    this.setAll({ [name]: value });
  }

  /**
   * Sets several headers; null removes one.
   *
   * @throws {UnexpectedValueError} If a name or a value cannot be sent
   */
  setAll(input: HeadersInput): void {
    this.#fields = mergeFields(this.#fields, checkedHeaders(input));
  }

  /** Returns the names of the headers that are set. */
  names(): string[] {
    return Object.keys(this.#fields);
  }

  /** Returns the headers as they are sent. They must not be changed. */
  fields(): Readonly<Record<string, string>> {
    return this.#fields;
  }
}
