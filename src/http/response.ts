/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * A response like another with a body of its own; it keeps `url`, `redirected` and `type`.
 *
 * A status outside 200 to 599, which the constructor refuses, is kept as well.
 */
export function responseLike(original: Response, body: BodyInit | null): Response {
  const { status, statusText, headers, url, redirected, type } = original;
  const isRegular = status >= 200 && status <= 599;
  const response = new Response(bodiless.has(status) ? null : body, {
    status: isRegular ? status : 200,
    statusText,
    headers,
  });
  const properties = { url, redirected, type, ...(isRegular ? {} : { status, ok: false }) };
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  return response;
}
