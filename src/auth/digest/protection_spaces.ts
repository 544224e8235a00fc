/**
 * Remembers the Digest sessions of each origin, so that requests are answered before a challenge.
 */
import type { DigestSession } from "./digest_session.ts";

/** The most realms that are stored per origin, because a server may name a new one each time. */
const MOST_REALMS = 10;

/** A session, and the URL prefixes that it is for; undefined means the whole origin. */
interface ProtectionSpace {
  readonly session: DigestSession;
  readonly prefixes: readonly string[] | undefined;
}

/**
 * The sessions of each origin, for answering requests before they are challenged (RFC 7616 §3.3,
 * domain and realm).
 */
export class ProtectionSpaces {
  readonly #byOrigin = new Map<string, readonly ProtectionSpace[]>();

  /** Returns the session for a URL; undefined if there is none yet. */
  find({ origin, href }: URL): DigestSession | undefined {
    return this.#byOrigin.get(origin)?.find(({ prefixes }) =>
      prefixes === undefined || prefixes.some((prefix) => href.startsWith(prefix))
    )?.session;
  }

  /** Adds a session. It replaces the one with the same realm. */
  begin({ origin }: URL, session: DigestSession): void {
    const { realm, domain } = session.challenge;
    const others = this.#byOrigin.get(origin) ?? [];
    const kept = others.filter((other) => other.session.challenge.realm !== realm);
    const prefixes = domain.length === 0 ? undefined : prefixesOf(domain, origin);
    this.#byOrigin.set(origin, [{ session, prefixes }, ...kept].slice(0, MOST_REALMS));
  }

  /** Removes a session that the server did not accept. */
  end({ origin }: URL, session: DigestSession): void {
    const others = this.#byOrigin.get(origin) ?? [];
    this.#byOrigin.set(origin, others.filter((other) => other.session !== session));
  }
}

/**
 * Returns the full URLs of a domain, without those of other origins: those origins send their own
 * challenges.
 */
function prefixesOf(domain: readonly string[], origin: string): string[] {
  return domain.flatMap((uri) => {
    try {
      const { href } = new URL(uri, origin);
      return href.startsWith(`${origin}/`) ? [href] : [];
    } catch {
      return [];
    }
  });
}
