import type { DigestSession } from "./digest_session.ts";

/** The most realms that are remembered of one origin: a server may name a new one each time. */
const MOST_REALMS = 10;

/** A session, and what the URLs begin with that it is for; none for the whole origin. */
interface ProtectionSpace {
  readonly session: DigestSession;
  readonly prefixes: readonly string[] | undefined;
}

/** Which requests can be answered before they are challenged (RFC 7616 §3.3, domain and realm). */
export class ProtectionSpaces {
  readonly #byOrigin = new Map<string, readonly ProtectionSpace[]>();

  /** The session that a request belongs to; undefined where there is none yet. */
  find({ origin, href }: URL): DigestSession | undefined {
    return this.#byOrigin.get(origin)?.find(({ prefixes }) =>
      prefixes === undefined || prefixes.some((prefix) => href.startsWith(prefix))
    )?.session;
  }

  /** Begins a session, in the place of the one of the same realm. */
  begin({ origin }: URL, session: DigestSession): void {
    const { realm, domain } = session.challenge;
    const others = this.#byOrigin.get(origin) ?? [];
    const kept = others.filter((other) => other.session.challenge.realm !== realm);
    const prefixes = domain.length === 0 ? undefined : prefixesOf(domain, origin);
    this.#byOrigin.set(origin, [{ session, prefixes }, ...kept].slice(0, MOST_REALMS));
  }

  /** Ends a session that the server has not accepted. */
  end({ origin }: URL, session: DigestSession): void {
    const others = this.#byOrigin.get(origin) ?? [];
    this.#byOrigin.set(origin, others.filter((other) => other.session !== session));
  }
}

/** The URIs of a domain in full; those of other origins are for challenges of their own. */
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
