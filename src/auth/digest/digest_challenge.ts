import { type Challenge, readChallenges, shown } from "../challenge.ts";
import { algorithmOf, byteText, type DigestAlgorithm } from "./algorithm.ts";

/** What is protected: the request line, or the body as well (RFC 7616 §3.3, qop). */
export type DigestQop = "auth" | "auth-int";

/** A challenge of the scheme Digest (RFC 7616 §3.3); its texts are bytes, a character each. */
export interface DigestChallenge {
  /** The realm. */
  readonly realm: string;
  /** The server's nonce. */
  readonly nonce: string;
  /** What the server wants back as it is. */
  readonly opaque: string | undefined;
  /** The algorithm. */
  readonly algorithm: DigestAlgorithm;
  /** The algorithm as the server writes it; undefined where it leaves it out, which means MD5. */
  readonly algorithmName: string | undefined;
  /** What is offered; none is the way of RFC 2069. */
  readonly qops: readonly DigestQop[];
  /** Whether user name and password are UTF-8 in the normal form C. */
  readonly isUtf8: boolean;
  /** Whether the user name is sent as a hash. */
  readonly isUserHashed: boolean;
  /** URIs of what it protects; none means the whole origin. */
  readonly domain: readonly string[];
}

/** The Digest challenges of a response. */
export interface DigestChallenges {
  /** Those that can be understood, the strongest first; those of one strength as they came. */
  readonly known: readonly DigestChallenge[];
  /** What is wrong with each of the others. */
  readonly problems: readonly string[];
}

/**
 * Reads the Digest challenges among those of WWW-Authenticate.
 *
 * @param header The header; null where there is none
 */
export function readDigestChallenges(header: string | null): DigestChallenges {
  const known: DigestChallenge[] = [];
  const problems: string[] = [];
  for (const challenge of readChallenges(header)) {
    if (challenge.scheme !== "digest") continue;
    const read = digestChallenge(challenge);
    if (typeof read === "string") problems.push(read);
    else known.push(read);
  }
  return { known: known.sort((a, b) => b.algorithm.strength - a.algorithm.strength), problems };
}

/** The challenge, or what is wrong with it. */
function digestChallenge({ params, problem }: Challenge): DigestChallenge | string {
  if (problem !== undefined) return problem;
  const realm = params.get("realm");
  const nonce = params.get("nonce");
  const opaque = params.get("opaque");
  if (realm === undefined) return "has no realm";
  if (nonce === undefined || nonce === "") return "has no nonce";
  const algorithmName = params.get("algorithm");
  const algorithm = algorithmOf(algorithmName ?? "MD5");
  if (algorithm === undefined) return `asks for the algorithm ${shown(algorithmName!)}`;
  const offered = words(params.get("qop")?.toLowerCase());
  const qops = offered.filter((qop) => qop === "auth" || qop === "auth-int");
  if (offered.length > 0 && qops.length === 0) return `asks for the qop ${shown(offered[0]!)}`;
  return {
    realm: headerBytes(realm),
    nonce: headerBytes(nonce),
    opaque: opaque === undefined ? undefined : headerBytes(opaque),
    algorithm,
    algorithmName,
    qops,
    isUtf8: params.get("charset")?.toLowerCase() === "utf-8",
    isUserHashed: params.get("userhash")?.toLowerCase() === "true",
    domain: words(params.get("domain")),
  };
}

function words(list: string | undefined): string[] {
  return list?.split(/[\t ,]+/).filter((word) => word !== "") ?? [];
}

/** The bytes of a header, which a runtime or an adapter may have read as UTF-8. */
export function headerBytes(text: string): string {
  return /[\u0100-\uffff]/.test(text) ? byteText(text) : text;
}
