/** The schemes of signed webhooks: their interface, and the parts that they share. */
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { WebhookHeaderError } from "./errors.ts";

/**
 * A secret: the key of an HMAC, or the public key of the sender. Its scheme says what a string stands
 * for. Bytes are always the key of an HMAC, which only the sender and you may know. Pass a public key as a
 * string that begins with `whpk_`.
 *
 * @category Webhooks
 */
export type WebhookSecret = string | Uint8Array;

/**
 * A webhook that was received, with its body as it was sent.
 *
 * @category Webhooks
 */
export interface ReceivedWebhook {
  /** The headers. */
  readonly headers: Headers;
  /** The raw body. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * The signature of a webhook, as a scheme has read it.
 *
 * @category Webhooks
 */
export interface WebhookSignature {
  /** The name of the header with the signature. */
  readonly header: string;
  /** The id of the webhook, which stays the same if the sender tries again. */
  readonly id?: string | undefined;
  /** The time at which it was sent, if the signature covers it. */
  readonly sentAt?: Date | undefined;
  /** Reports if a secret made the signature. It compares in constant time. */
  readonly isMadeWith: (secret: WebhookSecret) => Promise<boolean>;
}

/**
 * A way to sign webhooks. {@linkcode StandardWebhooks} and {@linkcode HmacWebhooks} are two.
 *
 * @category Webhooks
 */
export interface WebhookScheme {
  /**
   * The names of the headers that each webhook has. If a webhook lacks one of them, its body is not read.
   * Default: none
   */
  readonly requiredHeaders?: readonly string[] | undefined;
  /**
   * Reads the signature of a webhook.
   *
   * @throws {WebhookHeaderError} If a header is missing, or cannot be read
   */
  read(webhook: ReceivedWebhook): WebhookSignature;
}

/** @throws {WebhookHeaderError} If the header is missing */
export function requiredHeader(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new WebhookHeaderError(name);
  return value;
}

/** Reads a time in seconds since 1970; undefined if the text is none. */
export function readSeconds(text: string): Date | undefined {
  return /^\d{1,11}$/.test(text) ? new Date(Number(text) * 1000) : undefined;
}

/** Returns texts and bytes as one sequence of bytes. */
export function joinBytes(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const encoded = parts.map((each) => typeof each === "string" ? encoder.encode(each) : each);
  const joined = new Uint8Array(encoded.reduce((length, each) => length + each.length, 0));
  let at = 0;
  for (const each of encoded) {
    joined.set(each, at);
    at += each.length;
  }
  return joined;
}

/** The first characters of public keys: with `whpk_`, as PEM, and as Base64 or bytes of RFC 8410. */
const publicKeyStarts = [
  "whpk_",
  "-----BEGIN ",
  "MCowBQYDK2Vw",
  "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70",
];

/**
 * Reports if one of several signatures is the HMAC of the data. WebCrypto compares in constant time (Web
 * Cryptography Level 2, HMAC, "Verify").
 *
 * @param hash The name of the hash function
 * @param key The key
 * @throws {UnexpectedValueError} If it is a public key: anybody could sign with it
 */
export async function isHmac(
  hash: "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512",
  key: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const start = String.fromCharCode(...key.subarray(0, 12));
  if (publicKeyStarts.some((each) => start.startsWith(each))) {
    const expected =
      "a secret that only the sender and you know; StandardWebhooks takes a public key " +
      "as a string: whpk_ and 32 bytes in Base64";
    throw new UnexpectedValueError("secret", expected, describedAs("a public key"));
  }
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, [
    "verify",
  ]);
  for (const signature of signatures) {
    if (await crypto.subtle.verify("HMAC", imported, signature, data)) return true;
  }
  return false;
}
