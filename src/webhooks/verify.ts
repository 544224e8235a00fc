/** Verifies webhooks: the requests that an API sends to its users. */
import { isBytes, sendableBytes } from "../base/bytes.ts";
import { checkedOptions, checkedWaitLimit } from "../base/checks.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { WebhookSignatureError, WebhookTimestampError } from "./errors.ts";
import type { ReceivedWebhook, WebhookScheme, WebhookSecret } from "./scheme.ts";
import { StandardWebhooks } from "./standard.ts";

/**
 * The headers and the raw body of a webhook, for servers that have no `Request`.
 *
 * @category Webhooks
 */
export interface WebhookMessage {
  /** The headers: `Headers`, or an object such as `request.headers` of Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, as text or bytes, as it was sent. */
  readonly body: string | ArrayBufferLike | ArrayBufferView;
}

/**
 * The options of {@linkcode verifyWebhook}.
 *
 * @category Webhooks
 */
export interface VerifyWebhookOptions {
  /** The scheme. Default: that of Standard Webhooks */
  readonly scheme?: WebhookScheme | undefined;
  /**
   * The seconds by which the time of the webhook may differ from that of this machine, if its scheme signs
   * a time; null for no limit. Default: 300
   */
  readonly tolerance?: number | null | undefined;
  /** The clock. Default: that of the runtime */
  readonly clock?: Pick<Clock, "now"> | undefined;
}

/**
 * A webhook whose signature is that of its sender.
 *
 * @category Webhooks
 */
export interface VerifiedWebhook {
  /** The id, which stays the same if the sender tries again; undefined if the scheme has none. */
  readonly id: string | undefined;
  /** The time at which it was sent; undefined if the scheme signs none. */
  readonly sentAt: Date | undefined;
  /** The raw body. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Returns the body as text. */
  text(): string;
  /**
   * Returns the body as parsed JSON.
   *
   * @throws {SyntaxError} If it is not JSON
   */
  json<T = unknown>(): T;
}

/**
 * Verifies that a webhook comes from its sender, before anything reads its body.
 *
 * @example A webhook of an API that follows the Standard Webhooks specification
 * ```ts
 * import { verifyWebhook, WebhookError } from "@restwright/restwright/webhooks";
 *
 * async function handler(request: Request): Promise<Response> {
 *   try {
 *     const webhook = await verifyWebhook(request, "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
 *     console.log(webhook.id, webhook.json());
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     if (!(error instanceof WebhookError)) throw error;
 *     return new Response(error.message, { status: 400 });
 *   }
 * }
 *
 * const forged = new Request("https://example.com/hook", { method: "POST", body: "{}" });
 * console.log((await handler(forged)).status); // 400
 * ```
 *
 * @param request The request, whose body nothing has read, or its headers and its raw body
 * @param secret The secret, or several of them while one replaces another
 * @param options The scheme, and the limit for the time
 * @returns The webhook with its body
 * @throws {WebhookHeaderError} If a header is missing, or cannot be read
 * @throws {WebhookSignatureError} If no secret made the signature
 * @throws {WebhookTimestampError} If it was sent too long ago, or in the future
 * @throws {UnexpectedValueError} If the body was read or parsed already, or a secret or an option is wrong
 *
 * @category Webhooks
 */
export async function verifyWebhook(
  request: Request | WebhookMessage,
  secret: WebhookSecret | readonly WebhookSecret[],
  options: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  const { scheme = new StandardWebhooks(), tolerance = 300, clock = systemClock } = checkedOptions(
    options,
    ["scheme", "tolerance", "clock"],
  );
  const limit = checkedWaitLimit("tolerance", tolerance);
  const secrets = checkedSecrets(secret);
  const webhook = await received(request);
  const { header, id, sentAt, isMadeWith } = scheme.read(webhook);
  if (!await isMadeWithOne(secrets, isMadeWith)) throw new WebhookSignatureError(header);
  if (sentAt !== undefined && limit !== null) {
    const age = (clock.now() - sentAt.getTime()) / 1000;
    if (Math.abs(age) > limit) throw new WebhookTimestampError(sentAt, age, limit);
  }
  const { body } = webhook;
  const text = () => new TextDecoder().decode(body);
  return { id, sentAt, body, text, json: <T>() => JSON.parse(text()) as T };
}

async function isMadeWithOne(
  secrets: readonly WebhookSecret[],
  isMadeWith: (secret: WebhookSecret) => Promise<boolean>,
): Promise<boolean> {
  for (const each of secrets) {
    if (await isMadeWith(each)) return true;
  }
  return false;
}

/** @throws {UnexpectedValueError} If there is no secret, or an empty one */
function checkedSecrets(
  secret: WebhookSecret | readonly WebhookSecret[],
): readonly WebhookSecret[] {
  const secrets = Array.isArray(secret) ? secret : [secret];
  const isSecret = (each: unknown) =>
    (typeof each === "string" || each instanceof Uint8Array) && each.length > 0;
  if (secrets.length > 0 && secrets.every(isSecret)) return secrets;
  const expected = "a string or bytes that are not empty, or a list with at least one of them";
  throw new UnexpectedValueError("secret", expected, secret);
}

/** Returns the headers and the raw body of a request. */
async function received(request: Request | WebhookMessage): Promise<ReceivedWebhook> {
  if (typeof Object(request).headers !== "object" || request.headers === null) {
    const expected = "a Request, or an object with headers and the raw body";
    throw new UnexpectedValueError("request", expected, request);
  }
  const headers = headersOf(request.headers);
  if (typeof (request as Request).arrayBuffer !== "function") {
    return { headers, body: bytesOf((request as WebhookMessage).body) };
  }
  if ((request as Request).bodyUsed) {
    const expected = "a request whose body nothing has read: pass its raw body instead, or a clone";
    throw new UnexpectedValueError("request", expected, describedAs("one whose body was read"));
  }
  return { headers, body: new Uint8Array(await (request as Request).arrayBuffer()) };
}

function headersOf(headers: WebhookMessage["headers"]): Headers {
  if (typeof headers.get === "function") return headers as Headers;
  const all = new Headers();
  for (const [name, value] of Object.entries(headers as Readonly<Record<string, unknown>>)) {
    // HTTP/2 of Node has pseudo-headers, such as `:path`.
    if (value === undefined || name.startsWith(":")) continue;
    for (const each of Array.isArray(value) ? value : [value]) all.append(name, String(each));
  }
  return all;
}

/** @throws {UnexpectedValueError} If a body is neither text nor bytes */
function bytesOf(body: WebhookMessage["body"]): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (isBytes(body)) {
    const bytes = sendableBytes(body);
    return ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
  }
  const expected =
    "the raw body as text or bytes: what was parsed has other bytes than those that " +
    "were signed, so turn off the parser of JSON for this route";
  throw new UnexpectedValueError("body", expected, body);
}
