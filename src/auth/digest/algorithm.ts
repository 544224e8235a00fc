/**
 * The hash algorithms of Digest. RFC 7616 requires MD5 and SHA-512/256, which WebCrypto does not
 * have, and it only hashes whole bodies.
 */
import { md5 } from "@noble/hashes/legacy.js";
import { sha256, sha512, sha512_256 } from "@noble/hashes/sha2.js";

/** A hash function for bytes, given at once or in chunks. */
export interface HashFunction {
  (bytes: Uint8Array): Uint8Array;
  create(): { update(chunk: Uint8Array): unknown; digest(): Uint8Array };
}

/** An algorithm of Digest authentication (RFC 7616 §3.3). */
export interface DigestAlgorithm {
  /** The hash function. */
  readonly hash: HashFunction;
  /** The strength compared to the other algorithms; higher is stronger. */
  readonly strength: number;
  /** True for the `-sess` forms, which bind the secret to the first nonce. */
  readonly isSession: boolean;
}

/** Hash functions by name. SHA-512 is in no RFC, but some servers name it. */
const hashes: ReadonlyMap<string, readonly [hash: HashFunction, strength: number]> = new Map([
  ["md5", [md5, 1]],
  ["sha-256", [sha256, 2]],
  ["sha-512-256", [sha512_256, 3]],
  ["sha-512", [sha512, 4]],
]);

/**
 * Returns the algorithm with this name, in upper or lower case.
 *
 * @returns The algorithm; undefined if the name is not known
 */
export function algorithmOf(name: string): DigestAlgorithm | undefined {
  const [, base, sess] = /^(.*?)(-sess)?$/.exec(name.toLowerCase())!;
  const found = hashes.get(base!);
  if (found === undefined) return undefined;
  return { hash: found[0], strength: found[1], isSession: sess !== undefined };
}

/** Encodes a text as UTF-8, with one character per byte, as headers require. */
export function byteText(text: string): string {
  if (!/[\x80-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Returns the hash of a text that has one character per byte, in hexadecimal. */
export function hexHash(hash: HashFunction, text: string): string {
  return hex(hash(Uint8Array.from(text, (character) => character.charCodeAt(0))));
}

/** Returns the hash of bytes that arrive in chunks, in hexadecimal. */
export async function hexHashOf(
  hash: HashFunction,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const state = hash.create();
  for await (const chunk of chunks) state.update(chunk);
  return hex(state.digest());
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
