/** Records the parts of a request that its scheme added, so that recordings can hide them. */
import type { HeaderFields } from "./headers.ts";
import type { TransportInit } from "./transport.ts";

/**
 * The key of the request before its scheme, in the `init` for a transport. It is a property, so that
 * a wrapper may pass on a copy such as `{ ...init }`. Fetch does not read it.
 */
export const BEFORE_SCHEME: unique symbol = Symbol.for("restwright.beforeScheme");

/** A request before an authentication scheme. */
interface PlainRequest {
  readonly url: string;
  readonly headers: HeaderFields;
}

/** The parts of a request that an authentication scheme added or changed. */
export interface SchemeChanges {
  /** The names of parameters of the query. */
  readonly params: ReadonlySet<string>;
  /** The names of headers, in lower case. */
  readonly headers: ReadonlySet<string>;
  /** Segments of the path, as they are written in the URL. */
  readonly segments: ReadonlySet<string>;
}

/**
 * Adds the request before its scheme to an `init`, so that a transport that stores or shows requests
 * can hide the scheme's parts.
 */
export function keepPlainRequest(init: TransportInit, request: PlainRequest): void {
  Object.assign(init, { [BEFORE_SCHEME]: request });
}

/**
 * Returns the changes of the scheme to a request.
 *
 * @param url The URL that a transport got
 * @param init The `init` that a transport got
 * @returns The changes; undefined if there was no scheme, or if a wrapper did not pass on its `init`
 */
export function schemeChanges(url: string, init: TransportInit): SchemeChanges | undefined {
  const before: PlainRequest | undefined = Reflect.get(init, BEFORE_SCHEME);
  if (before === undefined) return undefined;
  const [plain, sent] = [new URL(before.url), new URL(url)];
  const segments = new Set(plain.pathname.split("/"));
  return {
    params: new Set(
      [...sent.searchParams].filter(([name, value]) => !plain.searchParams.has(name, value))
        .map(([name]) => name),
    ),
    headers: new Set(
      Object.entries(init.headers).filter(([name, value]) => before.headers[name] !== value)
        .map(([name]) => name.toLowerCase()),
    ),
    segments: new Set(
      sent.pathname.split("/").filter((segment) => segment !== "" && !segments.has(segment)),
    ),
  };
}
