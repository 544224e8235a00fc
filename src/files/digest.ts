/** The digests that a download is checked against, given by the program or by the server. */
import { fromBase64 } from "../base/base64.ts";
import { lazyImport } from "../base/lazy_import.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { DigestCheck, HashName } from "./digest_check.ts";
import { isEncoded } from "./file_part.ts";

const hashing = lazyImport(() => import("./digest_check.ts"));

/** The bytes of the digest of each hash function, the strongest function first. */
const lengths: Readonly<Record<HashName, number>> = { "sha-512": 64, "sha-256": 32 };

/**
 * The digest that a file must have, by SHA-256 or SHA-512, in hexadecimal or Base64.
 *
 * @internal
 */
export type KnownDigest =
  | { readonly sha256: string; readonly sha512?: undefined }
  | { readonly sha512: string; readonly sha256?: undefined };

/**
 * A digest that is computed while a file is downloaded: the result of `reprDigest`, or an object of
 * your own for another hash function.
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
  start(response: Response): DigestCheck | undefined | Promise<DigestCheck | undefined>;
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
      for (const name of Object.keys(lengths) as HashName[]) {
        const found = new RegExp(`(?:^|,)[ \\t]*${name}=:([A-Za-z0-9+/=]*):`).exec(field)?.[1];
        const expected = found === undefined ? undefined : fromBase64(found);
        if (expected !== undefined) return startCheck(name, expected, `Repr-Digest ${name}`);
      }
      return undefined;
    },
  };
}

/**
 * Checks the option `digest`.
 *
 * @throws {UnexpectedValueError} If it is neither a known digest nor an object with a method `start`
 */
export function checkedDigest(
  digest: KnownDigest | FileDigest | undefined,
): FileDigest | undefined {
  if (digest === undefined || typeof Object(digest).start === "function") {
    return digest as FileDigest | undefined;
  }
  const { sha256, sha512 } = Object(digest) as KnownDigest;
  if ((sha256 === undefined) === (sha512 === undefined)) {
    const expected = "{ sha256: … }, { sha512: … } or a result of reprDigest";
    throw new UnexpectedValueError("digest", expected, digest);
  }
  return sha512 === undefined ? knownDigest("sha-256", sha256) : knownDigest("sha-512", sha512);
}

function knownDigest(name: HashName, value: string): FileDigest {
  const length = lengths[name];
  const bytes = typeof value !== "string"
    ? undefined
    : value.length === length * 2 && /^[\da-f]*$/i.test(value)
    ? Uint8Array.from(value.match(/../g)!, (pair) => parseInt(pair, 16))
    : fromBase64(value);
  if (bytes?.length !== length) {
    const expected = `a ${name} digest: ${length * 2} hexadecimal digits, or Base64`;
    throw new UnexpectedValueError(`digest.${name.replace("-", "")}`, expected, value);
  }
  return { start: () => startCheck(name, bytes, name) };
}

async function startCheck(
  name: HashName,
  expected: Uint8Array,
  source: string,
): Promise<DigestCheck> {
  return (await hashing()).startHash(name, expected, source);
}
