/** Verifies webhooks: the requests that an API sends to its users. */
import { isBytes, isUint8Array, sendableBytes } from "../base/bytes.ts";
import {
  checkedLimit,
  checkedOptions,
  checkedWaitLimit,
  isHeaderText,
  isToken,
} from "../base/checks.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { streamChunks } from "../base/stream_chunks.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { WebhookSignatureError, WebhookTimestampError, WebhookTooLargeError } from "./errors.ts";
import { requiredHeader, type WebhookScheme, type WebhookSecret } from "./scheme.ts";
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
  /**
   * The longest body in bytes that is accepted; null for no limit. Anybody can send a request, so that the
   * body of a `Request` is read only until there, and only if it has the headers of the scheme. Default:
   * 1048576, which is 1 MiB
   */
  readonly maxBodyBytes?: number | null | undefined;
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
 * @param options The scheme, and the limits for the time and the body
 * @returns The webhook with its body
 * @throws {WebhookHeaderError} If a header is missing, or cannot be read
 * @throws {WebhookSignatureError} If no secret made the signature
 * @throws {WebhookTimestampError} If it was sent too long ago, or in the future
 * @throws {WebhookTooLargeError} If its body is longer than `maxBodyBytes`
 * @throws {UnexpectedValueError} If the body was read or parsed already, or a secret or an option is wrong
 *
 * @category Webhooks
 */
export async function verifyWebhook(
  request: Request | WebhookMessage,
  secret: WebhookSecret | readonly WebhookSecret[],
  options: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  const { scheme = new StandardWebhooks(), tolerance = 300, maxBodyBytes = 2 ** 20, clock } =
    checkedOptions(options, ["scheme", "tolerance", "maxBodyBytes", "clock"]);
  const limit = checkedWaitLimit("tolerance", tolerance);
  const maxBytes = checkedLimit("maxBodyBytes", maxBodyBytes) ?? Infinity;
  const secrets = checkedSecrets(secret);
  const headers = headersOf(checkedRequest(request).headers);
  for (const name of scheme.requiredHeaders ?? []) requiredHeader(headers, name);
  const body = await bodyOf(request, maxBytes);
  const { header, id, sentAt, isMadeWith } = scheme.read({ headers, body });
  if (!await isMadeWithOne(secrets, isMadeWith)) throw new WebhookSignatureError(header);
  if (sentAt !== undefined && limit !== null) {
    const age = ((clock ?? systemClock).now() - sentAt.getTime()) / 1000;
    // An age that is NaN is refused, too.
    if (!(Math.abs(age) <= limit)) throw new WebhookTimestampError(sentAt, age, limit);
  }
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
  const secrets = Array.isArray(secret) ? [...secret] : [secret];
  const isSecret = (each: unknown) =>
    (typeof each === "string" || each instanceof Uint8Array) && each.length > 0;
  if (secrets.length > 0 && secrets.every(isSecret)) return secrets;
  const expected = "a string or bytes that are not empty, or a list with at least one of them";
  throw new UnexpectedValueError("secret", expected, secret);
}

/** @throws {UnexpectedValueError} If it is not a request, or its body was read */
function checkedRequest(request: Request | WebhookMessage): Request | WebhookMessage {
  if (typeof Object(request).headers !== "object" || request.headers === null) {
    const expected = "a Request, or an object with headers and the raw body";
    throw new UnexpectedValueError("request", expected, request);
  }
  if (isRequest(request) && (request.bodyUsed || request.body?.locked)) {
    const expected = "a request whose body nothing has read: pass its raw body instead, or a clone";
    throw new UnexpectedValueError("request", expected, describedAs("one whose body was read"));
  }
  return request;
}

function isRequest(request: Request | WebhookMessage): request is Request {
  return typeof (request as Request).arrayBuffer === "function";
}

/** Returns the headers; those that `Headers` cannot have are left out. */
function headersOf(headers: WebhookMessage["headers"]): Headers {
  if (typeof headers.get === "function") return headers as Headers;
  const all = new Headers();
  for (const [name, value] of Object.entries(headers as Readonly<Record<string, unknown>>)) {
    const text = Array.isArray(value) ? value.join(", ") : String(value);
    // HTTP/2 of Node has pseudo-headers, such as `:path`.
    if (value !== undefined && isToken(name) && isHeaderText(text)) all.append(name, text);
  }
  return all;
}

/**
 * Returns the raw body of a request.
 *
 * @throws {WebhookTooLargeError} If it is longer than a limit
 */
async function bodyOf(
  request: Request | WebhookMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (isRequest(request) && request.body) return await readBody(request.body, maxBytes);
  // Firefox has requests without `body`.
  const body = isRequest(request)
    ? new Uint8Array(await request.arrayBuffer())
    : bytesOf(request.body);
  if (body.length > maxBytes) throw new WebhookTooLargeError(maxBytes);
  return body;
}

/** Reads a stream into one buffer: its chunks may be many, and tiny. */
async function readBody(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(0);
  let length = 0;
  for await (const chunk of streamChunks(stream)) {
    if (!isUint8Array(chunk)) {
      throw new UnexpectedValueError("request", "a request whose body is a stream of bytes", chunk);
    }
    const end = length + chunk.length;
    if (end > maxBytes) throw new WebhookTooLargeError(maxBytes);
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(2 * bytes.length, maxBytes)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length = end;
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
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
