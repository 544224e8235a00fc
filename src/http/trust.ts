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

/** Which origins get a session's credentials, and which headers are credentials. */
export interface TrustOptions {
  /** The base URL: its origin is the session's own. */
  readonly base: string;
  /** Other origins that are trusted like it. */
  readonly origins: readonly string[];
  /** Names of secret headers beside the toolkit's own. */
  readonly secretHeaders: readonly string[];
}

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
 * @param options The origins and the headers
 */
export function trustOf({ base, origins, secretHeaders: own }: TrustOptions): Trust {
  const below = `${base}/`;
  const trusted = [base, ...origins].map((each) => new URL(each).origin);
  return {
    secretHeaders: Object.fromEntries(
      [...secretHeaders, ...own].map((name) => [name.toLowerCase(), null]),
    ),
    covers(url) {
      // Most URLs are below the base, which tells without parsing them.
      if (url.startsWith(below)) return true;
      const { origin, protocol } = new URL(url);
      return trusted.includes(origin) && (protocol === "https:" || !base.startsWith("https:"));
    },
  };
}
