import type { HeaderOverrides } from "./headers.ts";

/**
 * Headers that may go to every origin, beside `Accept` and `Accept-*`. They say which response is
 * wanted, or describe the body that goes with them; none of them can let anybody in. Every other
 * header counts as a credential: no list can know the names that all APIs give to theirs.
 */
const harmlessHeaders: readonly string[] = [
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
];

/** The origins that get a session's credentials, and the headers that are none. */
export interface CredentialPolicy {
  /** Returns true if a URL gets the session's credentials. */
  readonly allows: (url: string) => boolean;
  /** Returns true if the header of this lower-case name may go to every origin. */
  readonly isCrossOrigin: (name: string) => boolean;
}

/**
 * Trusts the origin of a session and those that it names, and never from https down to http.
 *
 * @param base The base URL: its origin is the session's own
 * @param origins Other origins that are trusted like it
 * @param crossOriginHeaders Names of headers that go to other origins too, beside the harmless ones
 */
export function credentialPolicy(
  base: string,
  origins: readonly string[],
  crossOriginHeaders: readonly string[],
): CredentialPolicy {
  const below = `${base}/`;
  const trusted = [base, ...origins].map((each) => new URL(each).origin);
  const named = crossOriginHeaders.map((name) => name.toLowerCase());
  const harmless: ReadonlySet<string> = new Set([...harmlessHeaders, ...named]);
  return {
    allows(url) {
      // Most URLs are below the base, which tells without parsing them.
      if (url.startsWith(below)) return true;
      const { origin, protocol } = new URL(url);
      return trusted.includes(origin) && (protocol === "https:" || !base.startsWith("https:"));
    },
    isCrossOrigin: (name) => /^accept(?:-|$)/.test(name) || harmless.has(name),
  };
}

/**
 * Returns the headers that may go to an origin that is not trusted. A header that was taken away by
 * null stays away.
 */
export function crossOriginHeaders(
  headers: HeaderOverrides,
  trust: CredentialPolicy,
): HeaderOverrides {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value === null || trust.isCrossOrigin(name)),
  );
}
