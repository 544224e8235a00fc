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

/**
 * To whom a session's credentials go: to its own origin and to those that it trusts, and never from
 * https down to http.
 */
export class Trust {
  /** Takes the headers that are credentials away from those that it is laid over. */
  readonly secretHeaders: HeaderOverlay;
  readonly #base: string;
  readonly #origins: ReadonlySet<string>;

  /** @param options The origins and the headers */
  constructor({ base, origins, secretHeaders: own }: TrustOptions) {
    this.secretHeaders = Object.fromEntries(
      [...secretHeaders, ...own].map((name) => [name.toLowerCase(), null]),
    );
    this.#base = `${base}/`;
    this.#origins = new Set([base, ...origins].map((each) => new URL(each).origin));
  }

  /** Whether a URL gets the session's credentials. */
  covers(url: string): boolean {
    // Most URLs are below the base, which tells without parsing them.
    if (url.startsWith(this.#base)) return true;
    const { origin, protocol } = new URL(url);
    return this.#origins.has(origin) && (protocol === "https:" || !this.#base.startsWith("https:"));
  }
}
