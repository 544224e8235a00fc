/** The digests that a download is checked against, given by the program or by the server. */
import { sha256 as sha256Hash, sha512 as sha512Hash } from "@noble/hashes/sha2.js";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isEncoded } from "./file_part.ts";

/** A hash function. */
interface HashFunction {
  /** Begins to hash. */
  create(): { update(chunk: Uint8Array): unknown; digest(): Uint8Array };
}

/**
 * The digest that a downloaded file must have. Make one with `sha256`, `sha512` or `reprDigest`.
 *
 * @category Files
 */
export interface FileDigest {
  /**
   * Begins to check a file.
   *
   * @param response The first response of the download
   * @returns The check; undefined if the response has no digest that can be checked
   */
  start(response: Response): DigestCheck | undefined;
}

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

/**
 * Returns a digest by SHA-256.
 *
 * @param value The digest, in hexadecimal or Base64
 * @throws {UnexpectedValueError} If it is neither
 *
 * @example
 * ```ts
 * import { sha256 } from "@restwright/restwright/files";
 *
 * const digest = sha256("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
 * ```
 *
 * @category Files
 */
export function sha256(value: string): FileDigest {
  return knownDigest("sha-256", sha256Hash, value);
}

/**
 * Returns a digest by SHA-512.
 *
 * @param value The digest, in hexadecimal or Base64
 * @throws {UnexpectedValueError} If it is neither
 *
 * @example
 * ```ts
 * import { sha512 } from "@restwright/restwright/files";
 *
 * const base64 =
 *   "m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==";
 * const digest = sha512(base64);
 * ```
 *
 * @category Files
 */
export function sha512(value: string): FileDigest {
  return knownDigest("sha-512", sha512Hash, value);
}

/**
 * Returns the digest that the server sends in the header Repr-Digest (RFC 9530 §3), by SHA-512 or
 * SHA-256. The download fails before the first byte if the server sends none.
 *
 * @example
 * ```ts
 * import { reprDigest, saveTo } from "@restwright/restwright/files";
 *
 * const format = saveTo(new WritableStream<Uint8Array>(), { digest: reprDigest() });
 * ```
 *
 * @category Files
 */
export function reprDigest(): FileDigest {
  return {
    start(response) {
      // The header is about the encoded bytes, which fetch has decoded.
      const field = isEncoded(response) ? "" : response.headers.get("repr-digest") ?? "";
      for (const [name, hash] of [["sha-512", sha512Hash], ["sha-256", sha256Hash]] as const) {
        const found = new RegExp(`(?:^|,)[ \\t]*${name}=:([A-Za-z0-9+/=]*):`).exec(field)?.[1];
        const expected = found === undefined ? undefined : fromBase64(found);
        if (expected !== undefined) return check(`Repr-Digest ${name}`, hash, hexOf(expected));
      }
      return undefined;
    },
  };
}

/** Returns a digest with a known value. */
function knownDigest(name: string, hash: HashFunction, value: string): FileDigest {
  const { length } = hash.create().digest();
  const bytes = typeof value !== "string"
    ? undefined
    : value.length === length * 2 && /^[\da-f]*$/i.test(value)
    ? Uint8Array.from(value.match(/../g)!, (pair) => parseInt(pair, 16))
    : fromBase64(value);
  if (bytes?.length !== length) {
    const expected = `a ${name} digest: ${length * 2} hexadecimal digits, or Base64`;
    throw new UnexpectedValueError("digest", expected, value);
  }
  return { start: () => check(name, hash, hexOf(bytes)) };
}

function check(name: string, hash: HashFunction, expected: string): DigestCheck {
  const running = hash.create();
  return {
    update: (chunk) => void running.update(chunk),
    finish() {
      const actual = hexOf(running.digest());
      return actual === expected ? undefined : `${name} must be ${expected}, but is ${actual}`;
    },
  };
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
