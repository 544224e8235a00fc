/**
 * Reads the Digest challenges of a response, the strongest first, and why others cannot be
 * answered.
 */
import { type Challenge, readChallenges, shown } from "../challenge.ts";
import { algorithmOf, byteText, type DigestAlgorithm } from "./algorithm.ts";

/**
 * The quality of protection: `auth` protects the request line, `auth-int` the body as well (RFC
 * 7616 §3.3, qop).
 */
export type DigestQop = "auth" | "auth-int";

/** A challenge of the scheme Digest (RFC 7616 §3.3). Its texts have one character per byte. */
export interface DigestChallenge {
  /** The realm. */
  readonly realm: string;
  /** The server's nonce. */
  readonly nonce: string;
  /** The value that the server wants back unchanged. */
  readonly opaque: string | undefined;
  /** The algorithm. */
  readonly algorithm: DigestAlgorithm;
  /** The algorithm as the server writes it; undefined if the server omits it, which means MD5. */
  readonly algorithmName: string | undefined;
  /** The kinds of protection that the server offers; empty means the scheme of RFC 2069. */
  readonly qops: readonly DigestQop[];
  /** True if the user name and password are UTF-8 in Unicode normalization form C. */
  readonly isUtf8: boolean;
  /** True if the user name is sent as a hash. */
  readonly isUserHashed: boolean;
  /** The URIs that the challenge protects; empty means the whole origin. */
  readonly domain: readonly string[];
}

/** The Digest challenges of a response. */
export interface DigestChallenges {
  /**
   * The challenges that can be answered, the strongest first. Equally strong ones stay in the order
   * of the header.
   */
  readonly known: readonly DigestChallenge[];
  /** The problem of each other challenge. */
  readonly problems: readonly string[];
}

/**
 * Parses the Digest challenges of a WWW-Authenticate header.
 *
 * @param header The header, or null if the response has none
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

/** Returns the challenge, or a description of the problem with it. */
function digestChallenge({ params, problem }: Challenge): DigestChallenge | string {
  if (problem !== undefined) return problem;
  const realm = params.get("realm");
  const nonce = params.get("nonce");
  const opaque = params.get("opaque");
  if (realm === undefined) return "has no realm";
  if (nonce === undefined || nonce === "") return "has no nonce";
  const algorithmName = params.get("algorithm");
  const algorithm = algorithmOf(algorithmName ?? "MD5");
  if (algorithm === undefined) return `requires the unsupported algorithm ${shown(algorithmName!)}`;
  const offered = words(params.get("qop")?.toLowerCase());
  const qops = offered.filter((qop) => qop === "auth" || qop === "auth-int");
  if (offered.length > 0 && qops.length === 0) {
    return `requires the unsupported qop ${shown(offered[0]!)}`;
  }
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

/** Returns the bytes of a header value, which a runtime or an adapter may have decoded as UTF-8. */
export function headerBytes(text: string): string {
  return /[\u0100-\uffff]/.test(text) ? byteText(text) : text;
}
