import type { HeaderOverlay } from "./headers.ts";

/** Headers that are secret wherever they are set; an SDK adds its own by `secretHeaders`. */
export const secretHeaders: readonly string[] = [
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
  "x-auth-token",
  "x-session-token",
];

/** To whom a session's credentials go. */
export interface Trust {
  /** Takes the headers that are credentials away from those that it is laid over. */
  readonly secretHeaders: HeaderOverlay;
  /** Whether a URL gets the session's credentials. */
  readonly covers: (url: string) => boolean;
}

/**
 * Trusts the origin of a session and those that it names, and never from https down to http.
 *
 * @param base The base URL: its origin is the session's own
 * @param origins Other origins that are trusted like it
 * @param ownSecrets Names of secret headers beside the toolkit's own
 */
export function trustOf(
  base: string,
  origins: readonly string[],
  ownSecrets: readonly string[],
): Trust {
  const below = `${base}/`;
  const trusted = [base, ...origins].map((each) => new URL(each).origin);
  return {
    secretHeaders: Object.fromEntries(
      [...secretHeaders, ...ownSecrets].map((name) => [name.toLowerCase(), null]),
    ),
    covers(url) {
      // Most URLs are below the base, which tells without parsing them.
      if (url.startsWith(below)) return true;
      const { origin, protocol } = new URL(url);
      return trusted.includes(origin) && (protocol === "https:" || !base.startsWith("https:"));
    },
  };
}
