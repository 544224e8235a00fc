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
  const show = function (this: unknown, key: string, inner: unknown): unknown {
    // A key of an array is an index, not a field.
    if (fields.has(key) && !Array.isArray(this)) return redaction.value;
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
export function redactedUrl(url: string, redaction: Redaction): string {
  const sent = url.replace(/#[^]*$/, "");
  const start = sent.indexOf("?");
  if (start < 0 || (!redaction.restricted && redaction.fields.size === 0)) return sent;
  const query = sent.slice(start + 1);
  const address = sent.slice(0, start);
  const hidden = new URLSearchParams([["", redaction.value]]).toString().slice(1);
  if (redaction.restricted) return `${address}?${hidden}`;
  const shown = query.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 0) return pair;
    const key = pair.slice(0, equals);
    return redaction.fields.has(decodedKey(key)) ? `${key}=${hidden}` : pair;
  });
  return `${address}?${shown.join("&")}`;
}

/** A key as the server reads it: `access%5Ftoken` is `access_token`. */
function decodedKey(key: string): string {
  return new URLSearchParams(`${key}=`).keys().next().value ?? key;
}
