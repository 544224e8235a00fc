import type { DigestSession } from "./digest_session.ts";

/** The most realms that are remembered of one origin: a server may name a new one each time. */
const MOST_REALMS = 10;

/** Which requests can be answered before they are challenged (RFC 7616 §3.3, domain and realm). */
export class ProtectionSpaces {
  readonly #byOrigin = new Map<string, readonly DigestSession[]>();

  /** The session that a request belongs to; undefined where there is none yet. */
  find(url: URL): DigestSession | undefined {
    return this.#byOrigin.get(url.origin)?.find((session) => isWithin(url, session));
  }

  /** Begins a session, in the place of the one of the same realm. */
  begin(url: URL, session: DigestSession): void {
    const { realm } = session.challenge;
    const others = this.#byOrigin.get(url.origin) ?? [];
    const kept = others.filter(({ challenge }) => challenge.realm !== realm);
    this.#byOrigin.set(url.origin, [session, ...kept].slice(0, MOST_REALMS));
  }

  /** Ends a session that the server has not accepted. */
  end(url: URL, session: DigestSession): void {
    const others = this.#byOrigin.get(url.origin) ?? [];
    this.#byOrigin.set(url.origin, others.filter((other) => other !== session));
  }
}

/** Whether a URL begins with one of those that a challenge names; of its own origin alone. */
function isWithin(url: URL, { challenge: { domain } }: DigestSession): boolean {
  return domain.length === 0 || domain.some((uri) => {
    const prefix = absolute(uri, url);
    return prefix?.origin === url.origin && url.href.startsWith(prefix.href);
  });
}

function absolute(uri: string, base: URL): URL | undefined {
  try {
    return new URL(uri, base.origin);
  } catch {
    return undefined;
  }
}
