import { isHeaderText } from "../header_text.ts";

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * A response like another with a body of its own; it keeps `url`, `redirected` and `type`.
 *
 * A status outside 200 to 599 and a reason phrase beyond Latin-1, both of which servers send and
 * the constructor refuses, are kept as well.
 */
export function responseLike(original: Response, body: BodyInit | null): Response {
  const { status, statusText, headers, url, redirected, type } = original;
  const isRegular = status >= 200 && status <= 599;
  const response = new Response(bodiless.has(status) ? null : body, {
    status: isRegular ? status : 200,
    statusText: isHeaderText(statusText) ? statusText : "",
    headers,
  });
  const ok = isRegular && response.ok;
  return withProperties(response, { status, statusText, ok, url, redirected, type });
}

/** Gives a response properties that its constructor cannot, and its clones too. */
export function withProperties(response: Response, properties: Record<string, unknown>): Response {
  const clone = response.clone.bind(response);
  const all = { ...properties, clone: () => withProperties(clone(), properties) };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  return response;
}

/** Frees the socket of a response that nobody reads. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
