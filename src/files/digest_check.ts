/** The hash functions for digests. They are loaded by the first download that checks a digest. */
import { sha256, sha512 } from "@noble/hashes/sha2.js";

/** The name of a hash function, as in the header Repr-Digest. */
export type HashName = "sha-256" | "sha-512";

/**
 * The check of one file.
 *
 * @category Files
 */
export interface DigestCheck {
  /** Adds bytes of the file. */
  update(chunk: Uint8Array): void;
  /** Ends the check, and returns a description of the difference; undefined if there is none. */
  finish(): string | undefined;
}

const functions = { "sha-256": sha256, "sha-512": sha512 };

/**
 * Begins to check the digest of a file.
 *
 * @param name The hash function
 * @param expected The digest that the file must have
 * @param source The name of the digest in a description of the difference
 */
export function startHash(name: HashName, expected: Uint8Array, source: string): DigestCheck {
  const running = functions[name].create();
  return {
    update: (chunk) => void running.update(chunk),
    finish() {
      const [wanted, actual] = [hexOf(expected), hexOf(running.digest())];
      return actual === wanted ? undefined : `${source} must be ${wanted}, but is ${actual}`;
    },
  };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
