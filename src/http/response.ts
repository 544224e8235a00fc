import { isHeaderText } from "../checks.ts";

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** Why the stream of a body failed, once it has. */
export interface BodyFailure {
  reason?: { readonly error: unknown };
}

/** The methods that read a body whole. */
const wholeReaders = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;

/**
 * A response like another with a body of its own; it keeps `url`, `redirected` and `type`.
 *
 * A status outside 200 to 599 and a reason phrase beyond Latin-1, both of which servers send and
 * the constructor refuses, are kept as well.
 *
 * @param original The other one
 * @param body The body
 * @param failure Where the body's stream says why it failed, for whoever reads it whole: Chromium
 * rejects with a TypeError "Failed to fetch" instead
 */
export function responseLike(
  original: Response,
  body: BodyInit | null,
  failure?: BodyFailure,
): Response {
  const { status, statusText, headers, url, redirected, type } = original;
  const isRegular = status >= 200 && status <= 599;
  const response = new Response(bodiless.has(status) ? null : body, {
    status: isRegular ? status : 200,
    statusText: isHeaderText(statusText) ? statusText : "",
    headers,
  });
  const odd = isRegular ? {} : { status, ok: false };
  return withProperties(response, { url, redirected, type, statusText, ...odd }, failure);
}

/** A response that came by way of a redirect; an adapter's own does not know its URL. */
export function redirectedResponse(response: Response, url: string): Response {
  return withProperties(response, { redirected: true, url: response.url || url });
}

/** Gives a response properties that its constructor cannot, and its clones too. */
function withProperties(
  response: Response,
  properties: Record<string, unknown>,
  failure?: BodyFailure,
): Response {
  const clone = response.clone.bind(response);
  const all = {
    ...properties,
    ...(failure === undefined ? {} : readersTelling(response, failure)),
    clone: () => withProperties(clone(), properties, failure),
  };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  return response;
}

function readersTelling(response: Response, failure: BodyFailure): Record<string, unknown> {
  const readers = wholeReaders.flatMap((name) => {
    // Not every runtime has all of them.
    const read = response[name] as (() => Promise<unknown>) | undefined;
    const telling = async (): Promise<unknown> => {
      try {
        return await read?.call(response);
      } catch (error) {
        throw failure.reason === undefined ? error : failure.reason.error;
      }
    };
    return read === undefined ? [] : [[name, telling] as const];
  });
  return Object.fromEntries(readers);
}
