/** Decides which origins get the credentials of a session, and which headers are harmless. */
import type { HeaderOverrides } from "./headers.ts";

/**
 * Headers that may go to every origin, with `Accept` and `Accept-*`. They describe the wanted
 * response, or the body of the request; none of them grants access. Every other header counts as a
 * credential, because no list can know the names that all APIs use.
 */
const harmlessHeaders: ReadonlySet<string> = new Set([
  "cache-control",
  "content-encoding",
  "content-language",
  "content-type",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "pragma",
  "range",
  "user-agent",
]);

/** Reports if a header, named in lower case, may go to every origin because it grants no access. */
export function isHarmless(name: string): boolean {
  return /^accept(?:-|$)/.test(name) || harmlessHeaders.has(name);
}

/** The origins that get a session's credentials, and the headers that are not credentials. */
export interface CredentialPolicy {
  /** Returns true if a URL gets the session's credentials. */
  readonly allows: (url: string) => boolean;
  /** Returns true if the header with this lower-case name may go to every origin. */
  readonly isCrossOrigin: (name: string) => boolean;
}

/**
 * Creates a policy that trusts the origin of a session and those that it names, but never `http:` if
 * the session uses `https:`.
 *
 * @param base The base URL of the session
 * @param origins Other trusted origins
 * @param crossOriginHeaders Names of other headers that may go to every origin
 */
export function credentialPolicy(
  base: string,
  origins: readonly string[],
  crossOriginHeaders: readonly string[],
): CredentialPolicy {
  const baseWithSlash = `${base}/`;
  let trusted: readonly string[] | undefined; // few clients call other URLs
  return {
    allows(url) {
      // Most URLs begin with the base, so that they need not be parsed.
      if (url.startsWith(baseWithSlash)) return true;
      trusted ??= [base, ...origins].map((each) => new URL(each).origin);
      const { origin, protocol } = new URL(url);
      return trusted.includes(origin) && (protocol === "https:" || !base.startsWith("https:"));
    },
    isCrossOrigin: (name) =>
      isHarmless(name) || crossOriginHeaders.some((each) => each.toLowerCase() === name),
  };
}

/**
 * Returns the headers that may go to an origin that is not trusted. A header that null removes stays
 * removed.
 */
export function crossOriginHeaders(
  headers: HeaderOverrides,
  trust: CredentialPolicy,
): HeaderOverrides {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value === null || trust.isCrossOrigin(name)),
  );
}

/**
 * Reports if a redirect keeps the headers and credentials of the call: to the same origin, or
 * between two trusted origins, but never from `https:` to `http:`.
 */
export function keepsCallCredentials(trust: CredentialPolicy, from: string, to: string): boolean {
  const [source, target] = [new URL(from), new URL(to)];
  if (source.origin === target.origin) return true;
  const isDowngrade = source.protocol === "https:" && target.protocol === "http:";
  return !isDowngrade && trust.allows(from) && trust.allows(to);
}
