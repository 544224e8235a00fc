/** Decodes compressed bodies, so that they can be read and searched for secrets. */
import { builtinModule } from "../../base/runtime.ts";
import { readBytes } from "./body_format.ts";
import { CassetteError } from "./cassette_error.ts";

/** The part of `node:zlib` that is used. Not every version has all functions. */
type Zlib = Partial<
  Record<"brotliDecompressSync" | "zstdDecompressSync", (bytes: Uint8Array) => Uint8Array>
>;

/**
 * Decodes a body, so that it can be read, and so that secrets in it are found.
 *
 * @param bytes The body
 * @param codings The header content-encoding
 * @param isFetched True if fetch may have decoded the body already. Then it is decoded only if it
 * looks encoded, which a body in brotli never does
 * @throws {CassetteError} If the body cannot be decoded
 */
export async function decodeContent(
  bytes: Uint8Array,
  codings: string | undefined,
  isFetched: boolean,
): Promise<Uint8Array> {
  const names = (codings ?? "").toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  // The last coding was applied last (RFC 9110 §8.4).
  for (const name of names.reverse()) {
    if (bytes.length === 0 || !isEncoded(bytes, name, isFetched)) continue;
    try {
      bytes = await decode(bytes, name);
    } catch (cause) {
      // A body that fetch has decoded may look encoded by chance.
      if (isFetched && name === "deflate") continue;
      throw new CassetteError(`a body with the content-encoding ${name} cannot be decoded`, {
        reason: "invalid",
        cause,
      });
    }
  }
  return bytes;
}

function isEncoded(bytes: Uint8Array, name: string, isFetched: boolean): boolean {
  if (looksEncoded(bytes, name)) return true;
  // Some programs decode these without a change to the header.
  return !isFetched && !["gzip", "x-gzip", "zstd"].includes(name);
}

/** Reports if a body begins like one with a content coding. */
function looksEncoded([first, second, third, fourth]: Uint8Array, name: string): boolean {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return first === 0x1f && second === 0x8b;
    case "deflate": // the header of zlib (RFC 1950 §2.2)
      return first === 0x78 && (first * 256 + second!) % 31 === 0;
    case "zstd":
      return first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd;
    default:
      return false;
  }
}

async function decode(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const zlib = builtinModule<Zlib>("node:zlib");
  switch (name) {
    case "gzip":
    case "x-gzip":
      return await inflate(bytes, "gzip");
    case "deflate":
      // Some servers leave out the header of zlib.
      return await inflate(bytes, looksEncoded(bytes, name) ? "deflate" : "deflate-raw");
    case "br":
      if (zlib?.brotliDecompressSync) return zlib.brotliDecompressSync(bytes);
      break;
    case "zstd":
      if (zlib?.zstdDecompressSync) return zlib.zstdDecompressSync(bytes);
  }
  throw new TypeError(`this runtime cannot decode ${name}`);
}

async function inflate(
  bytes: Uint8Array,
  format: "gzip" | "deflate" | "deflate-raw",
): Promise<Uint8Array> {
  const whole = new Blob([new Uint8Array(bytes)]).stream();
  return await readBytes(whole.pipeThrough(new DecompressionStream(format)));
}
