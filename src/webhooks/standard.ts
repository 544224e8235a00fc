/** The scheme of the Standard Webhooks specification: HMAC-SHA-256 (v1) and Ed25519 (v1a). */
import { fromBase64 } from "../base/base64.ts";
import { checkedOptions } from "../base/checks.ts";
import { checkedHeaderName } from "../http/headers.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { WebhookHeaderError } from "./errors.ts";
import {
  isHmac,
  joinBytes,
  readSeconds,
  type ReceivedWebhook,
  requiredHeader,
  type WebhookScheme,
  type WebhookSecret,
  type WebhookSignature,
} from "./scheme.ts";

/** The text before a secret for HMAC, before a public key, and before a private key. */
const [SECRET, PUBLIC_KEY, PRIVATE_KEY] = ["whsec_", "whpk_", "whsk_"] as const;

/**
 * The scheme of the [Standard Webhooks](https://www.standardwebhooks.com) specification, which OpenAI,
 * Svix and many others use. The headers are `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * - A secret is Base64, with or without `whsec_` before it, or the bytes of the key. It verifies the
 *   signatures `v1` (HMAC-SHA-256).
 * - A public key is `whpk_` and Base64. It verifies the signatures `v1a` (Ed25519). Without `whpk_`, or as
 *   bytes, it would be taken for a secret.
 *
 * Signatures of other versions are skipped.
 *
 * @example Svix has other names for the headers
 * ```ts
 * import { StandardWebhooks } from "@restwright/restwright/webhooks";
 *
 * const svix = new StandardWebhooks({ prefix: "svix-" });
 * ```
 *
 * @category Webhooks
 */
export class StandardWebhooks implements WebhookScheme {
  /** The names of the three headers. */
  readonly requiredHeaders: readonly [id: string, timestamp: string, signature: string];

  /**
   * Builds the scheme.
   *
   * @param options `prefix` is the text before `id`, `timestamp` and `signature` in the names of the
   * headers. Default: `webhook-`
   * @throws {UnexpectedValueError} If the prefix cannot begin the name of a header
   */
  constructor(options: { readonly prefix?: string | undefined } = {}) {
    const { prefix = "webhook-" } = checkedOptions(options, ["prefix"]);
    checkedHeaderName("prefix", prefix);
    this.requiredHeaders = Object.freeze(
      [
        `${prefix}id`,
        `${prefix}timestamp`,
        `${prefix}signature`,
      ] as const,
    );
  }

  /**
   * Reads the signature of a webhook.
   *
   * @param webhook The webhook
   * @throws {WebhookHeaderError} If one of the three headers is missing, or the timestamp is not a time in
   * seconds since 1970
   */
  read({ headers, body }: ReceivedWebhook): WebhookSignature {
    const [, timeHeader, header] = this.requiredHeaders;
    const [id, timestamp, signature] = this.requiredHeaders.map((name) =>
      requiredHeader(headers, name)
    ) as [string, string, string];
    const sentAt = readSeconds(timestamp);
    if (sentAt === undefined) {
      throw new WebhookHeaderError(timeHeader, "a time in seconds since 1970");
    }
    const listed = signature.split(/,?\s+/).map((each) => each.split(",", 2));
    const signaturesOf = (version: string) =>
      listed.flatMap(([name, text = ""]) => name === version ? fromBase64(text) ?? [] : []);
    const data = joinBytes(`${id}.${timestamp}.`, body);
    return {
      ...{ id, header, sentAt },
      isMadeWith: async (secret) =>
        typeof secret === "string" && secret.startsWith(PUBLIC_KEY)
          ? await isSignedBy(secret, signaturesOf("v1a"), data)
          : await isHmac("SHA-256", keyOf(secret), signaturesOf("v1"), data),
    };
  }
}

/** Reports if one of several signatures was made with the private key of a public one. */
async function isSignedBy(
  publicKey: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = fromBase64(publicKey.slice(PUBLIC_KEY.length));
  if (key?.length !== 32) {
    throw new UnexpectedValueError(
      "secret",
      "a public key: whpk_ and 32 bytes in Base64",
      publicKey,
    );
  }
  const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  for (const signature of signatures) {
    if (await crypto.subtle.verify("Ed25519", imported, signature, data)) return true;
  }
  return false;
}

/** Returns the bytes of a secret. */
function keyOf(secret: WebhookSecret): Uint8Array<ArrayBuffer> {
  if (typeof secret !== "string") return joinBytes(secret);
  const key = secret.startsWith(PRIVATE_KEY)
    ? undefined
    : fromBase64(secret.startsWith(SECRET) ? secret.slice(SECRET.length) : secret);
  if (key !== undefined && key.length > 0) return key;
  const expected = "Base64 with or without whsec_ before it, or a public key with whpk_";
  throw new UnexpectedValueError("secret", expected, secret);
}
