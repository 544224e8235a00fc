// WebCrypto has no MD5 and no SHA-512/256, which RFC 7616 asks for, and hashes whole bodies only.
import { md5 } from "@noble/hashes/legacy.js";
import { sha256, sha512, sha512_256 } from "@noble/hashes/sha2.js";

/** A hash function of bytes, also of bytes that come in chunks. */
export interface HashFunction {
  (bytes: Uint8Array): Uint8Array;
  create(): { update(chunk: Uint8Array): unknown; digest(): Uint8Array };
}

/** An algorithm of Digest authentication (RFC 7616 §3.3). */
export interface DigestAlgorithm {
  /** Its hash function. */
  readonly hash: HashFunction;
  /** How strong it is, compared to others. */
  readonly strength: number;
  /** Whether the secret is bound to the first nonce: the `-sess` forms. */
  readonly isSession: boolean;
}

/** Hash functions by name; SHA-512 is in no RFC, and is what some servers name. */
const hashes: ReadonlyMap<string, readonly [hash: HashFunction, strength: number]> = new Map([
  ["md5", [md5, 1]],
  ["sha-256", [sha256, 2]],
  ["sha-512-256", [sha512_256, 3]],
  ["sha-512", [sha512, 4]],
]);

/**
 * The algorithm of a name, upper or lower case.
 *
 * @returns undefined where it is not known
 */
export function algorithmOf(name: string): DigestAlgorithm | undefined {
  const [, base, sess] = /^(.*?)(-sess)?$/.exec(name.toLowerCase())!;
  const found = hashes.get(base!);
  if (found === undefined) return undefined;
  return { hash: found[0], strength: found[1], isSession: sess !== undefined };
}

/** A text in UTF-8, as a text of which each character is a byte: what headers are made of. */
export function byteText(text: string): string {
  if (!/[\x80-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** The hash of a text of which each character is a byte, in hexadecimal. */
export function hexHash(hash: HashFunction, text: string): string {
  return hex(hash(Uint8Array.from(text, (character) => character.charCodeAt(0))));
}

/** The hash of bytes that come in chunks, in hexadecimal. */
export async function hexHashOf(
  hash: HashFunction,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const state = hash.create();
  for await (const chunk of chunks) state.update(chunk);
  return hex(state.digest());
}

/** Bytes in hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
