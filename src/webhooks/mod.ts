/**
 * Webhooks: verifies that a request comes from the API that signed it, by the Standard Webhooks
 * specification or any scheme with an HMAC.
 *
 * @example
 * ```ts
 * import { HmacWebhooks, verifyWebhook } from "@restwright/restwright/webhooks";
 *
 * const github = new HmacWebhooks({ signatureHeader: "X-Hub-Signature-256", prefix: "sha256=" });
 *
 * const webhook = await verifyWebhook(
 *   {
 *     headers: {
 *       "X-Hub-Signature-256":
 *         "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
 *     },
 *     body: "Hello, World!",
 *   },
 *   "It's a Secret to Everybody",
 *   { scheme: github },
 * );
 * console.log(webhook.text()); // Hello, World!
 * ```
 *
 * @module
 */

export {
  WebhookError,
  WebhookHeaderError,
  WebhookSignatureError,
  WebhookTimestampError,
  WebhookTooLargeError,
} from "./errors.ts";
export { HmacWebhooks, type HmacWebhooksOptions } from "./hmac.ts";
export type { ReceivedWebhook, WebhookScheme, WebhookSecret, WebhookSignature } from "./scheme.ts";
export { StandardWebhooks } from "./standard.ts";
export {
  type VerifiedWebhook,
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookMessage,
} from "./verify.ts";
