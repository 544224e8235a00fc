/** What may be shown of a request: nothing of it, or all but the values of some keys. */
export interface Redaction {
  /** Keys whose values are not shown, wherever they stand. */
  readonly fields: ReadonlySet<string>;
  /** Whether the path is restricted: then neither params nor body are shown at all. */
  readonly restricted: boolean;
  /** What is shown in place of what is hidden. */
  readonly value: string;
}

/**
 * Writes a value as JSON for the log, redacted through nested objects and arrays.
 *
 * The value itself is not touched; `toJSON` methods count as in `JSON.stringify`.
 *
 * @param value The params or the body; undefined is shown as an empty mapping
 * @param redaction What may be shown
 */
export function redactedJson(value: unknown, redaction: Redaction): string {
  if (redaction.restricted) return JSON.stringify(redaction.value);
  if (value === undefined) return "{}";
  const { fields } = redaction;
  if (fields.size === 0) return JSON.stringify(value) ?? "{}";
  const hide = function (this: unknown, key: string, inner: unknown): unknown {
    // A key of an array is an index, not a field.
    return fields.has(key) && !Array.isArray(this) ? redaction.value : inner;
  };
  return JSON.stringify(value, hide) ?? "{}";
}

/**
 * Shows a URL: the values of redacted keys in its own query are replaced, the whole query where
 * the path is restricted.
 *
 * @param url The URL, without credentials
 * @param redaction What may be shown
 */
export function redactedUrl(url: string, redaction: Redaction): string {
  const start = url.indexOf("?");
  if (start < 0 || (!redaction.restricted && redaction.fields.size === 0)) return url;
  const hash = url.indexOf("#", start);
  const query = hash < 0 ? url.slice(start + 1) : url.slice(start + 1, hash);
  const address = url.slice(0, start);
  const hidden = encodeURIComponent(redaction.value);
  if (redaction.restricted) return `${address}?${hidden}`;
  const shown = query.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 0) return pair;
    const key = pair.slice(0, equals);
    return redaction.fields.has(decodedKey(key)) ? `${key}=${hidden}` : pair;
  });
  return `${address}?${shown.join("&")}${hash < 0 ? "" : url.slice(hash)}`;
}

/** A key as the server reads it: `access%5Ftoken` is `access_token`. */
function decodedKey(key: string): string {
  return new URLSearchParams(`${key}=`).keys().next().value ?? key;
}
