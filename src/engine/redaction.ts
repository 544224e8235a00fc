import { paramsMapping } from "./params.ts";
import type { PreparedRequest } from "./prepared_request.ts";
import type { EngineSettings } from "./settings.ts";
import { barePath, withoutFragment } from "./url.ts";

/** What may be shown of a request: nothing of it, or all but the values of some keys. */
export interface Redaction {
  /** Names, in lower case, of the fields whose values are not shown, at any depth. */
  readonly fields: ReadonlySet<string>;
  /** Whether the path is restricted: then neither params nor body are shown at all. */
  readonly restricted: boolean;
  /** What is shown in place of what is hidden. */
  readonly value: string;
}

const nothingHidden: Redaction = { fields: new Set(), restricted: false, value: "" };

/** What is hidden of a request (rule 6); undefined where nothing is. */
export function redactionOf(
  { path, urlWithoutParams, settings }: Pick<
    PreparedRequest,
    "path" | "urlWithoutParams" | "settings"
  >,
): Redaction | undefined {
  const restricted = isRestricted(path, urlWithoutParams, settings);
  const { redactFields, redactValue: value } = settings;
  if (!restricted && redactFields.length === 0) return undefined;
  return { fields: new Set(redactFields.map((name) => name.toLowerCase())), restricted, value };
}

/** Whether a path is restricted, however it was written: alone, below the base path, as a URI. */
function isRestricted(path: string, urlWithoutParams: string, settings: EngineSettings): boolean {
  const { restrictedPaths, base, prefix } = settings;
  if (restrictedPaths.length === 0) return false;
  const full = new URL(urlWithoutParams);
  const whole = barePath(full.pathname);
  const below = (start: string) => {
    const above = barePath(new URL(start).pathname);
    return whole.startsWith(`${above}/`) ? whole.slice(above.length + 1) : whole;
  };
  const names = [barePath(path), whole, below(base), below(prefix), full.origin + full.pathname];
  return names.some((name) => restrictedPaths.includes(barePath(name)));
}

/**
 * The debug record of one attempt (rule 6): a JSON object with method, url, params and body, and
 * with verify where TLS is not verified.
 *
 * @param request The request
 * @param sslVerify Whether the HTTP session verifies TLS, where the request does not say
 */
export function debugRecord(request: PreparedRequest, sslVerify: boolean): string {
  const {
    method,
    urlWithoutParams,
    body,
    params,
    options: { json },
    settings: { verify = sslVerify },
  } = request;
  const redaction = redactionOf(request);
  // What is shown is what is sent: the caller may have changed the value meanwhile.
  const sent = json !== undefined && body.kind === "whole" ? String(body.content) : "{}";
  const shownBody = redaction === undefined ? sent : redactedJson(JSON.parse(sent), redaction);
  return `{"method":${JSON.stringify(method)},` +
    `"url":${JSON.stringify(redactedUrl(urlWithoutParams, redaction))},` +
    `"params":${redactedJson(paramsMapping(params), redaction)},` +
    `"body":${shownBody}${verify ? "" : ',"verify":false'}}`;
}

/**
 * Writes a value as JSON for the log, redacted through nested objects and arrays.
 *
 * The value itself is not touched; `toJSON` methods count as in `JSON.stringify`.
 *
 * @param value The params or the body; undefined is shown as an empty mapping
 * @param redaction What may be shown
 */
export function redactedJson(value: unknown, redaction: Redaction = nothingHidden): string {
  const { fields, restricted, value: hidden } = redaction;
  if (restricted) return JSON.stringify(hidden);
  const show = function (this: unknown, key: string, inner: unknown): unknown {
    // A key of an array is an index, not a field.
    if (isSecret(key, fields) && !Array.isArray(this)) return hidden;
    return typeof inner === "bigint" ? String(inner) : inner;
  };
  return JSON.stringify(value, show) ?? "{}";
}

/**
 * Shows a URL: the values of redacted keys in its own query are replaced, the whole query where
 * the path is restricted; the fragment, which is never sent, is left out.
 *
 * @param url The URL, without credentials
 * @param redaction What may be shown
 */
export function redactedUrl(url: string, redaction: Redaction = nothingHidden): string {
  const { fields, restricted, value } = redaction;
  const hidden = new URLSearchParams([["", value]]).toString().slice(1);
  const shown = (pair: string, start: string, key: string, equals: string) =>
    equals !== "" && isSecret(decodedKey(key), fields) ? `${start}${key}=${hidden}` : pair;
  return withoutFragment(url).replace(
    /\?[^]*$/,
    (query) => restricted ? `?${hidden}` : query.replace(/([?&])([^=&]*)(=?)[^&]*/g, shown),
  );
}

/**
 * Returns true if a field is not shown. Case does not matter, since many servers ignore it; of the
 * name of a form field, such as `user[password]` or `password[]`, each part counts.
 */
function isSecret(name: string, fields: Redaction["fields"]): boolean {
  if (fields.size === 0) return false;
  const lower = name.toLowerCase();
  if (fields.has(lower)) return true;
  return lower.includes("[") &&
    lower.split(/[[\]]+/).some((part) => part !== "" && fields.has(part));
}

/** A key as the server reads it: `access%5Ftoken` is `access_token`. */
function decodedKey(key: string): string {
  return new URLSearchParams(`${key}=`).keys().next().value ?? key;
}
