/** The general scheme of webhooks that are signed with an HMAC, as those of GitHub, Stripe and Slack. */
import { fromBase64 } from "../base/base64.ts";
import { check, checkedOptions, checkedText } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaderName } from "../http/headers.ts";
import { WebhookHeaderError } from "./errors.ts";
import {
  isHmac,
  joinBytes,
  readSeconds,
  type ReceivedWebhook,
  requiredHeader,
  type WebhookScheme,
  type WebhookSignature,
} from "./scheme.ts";

/**
 * The options of {@linkcode HmacWebhooks}.
 *
 * @category Webhooks
 */
export interface HmacWebhooksOptions {
  /** The header with the signature, or with several. */
  readonly signatureHeader: string;
  /**
   * The name of the signature, if the header is a list such as `t=1700000000,v1=…`. Default: the whole
   * header is the signature
   */
  readonly signatureField?: string | undefined;
  /** The text before each signature, such as `sha256=`. Signatures without it are skipped. Default: none */
  readonly prefix?: string | undefined;
  /** The encoding of the signature. Default: "hex" */
  readonly encoding?: "hex" | "base64" | undefined;
  /** The hash function. Default: "SHA-256" */
  readonly hash?: "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512" | undefined;
  /**
   * The header with the time at which the webhook was sent: seconds since 1970, or RFC 3339 with its time
   * zone. Default: none
   */
  readonly timestampHeader?: string | undefined;
  /** The name of this time, if it is in the list of the header with the signature. Default: none */
  readonly timestampField?: string | undefined;
  /** The header with the id of the webhook. Default: none */
  readonly idHeader?: string | undefined;
  /**
   * The signed text. `{body}` stands for the raw body, `{timestamp}` and `{id}` for the texts of
   * the headers. Default: "{body}"
   */
  readonly signed?: string | undefined;
}

const checkedEncoding = check(
  '"hex" or "base64"',
  (value) => value === "hex" || value === "base64",
);

const hashes = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];

const checkedHash = check(
  hashes.map((name) => `"${name}"`).join(" or "),
  (value) => hashes.includes(value as string),
);

/**
 * A scheme whose signature is an HMAC of the body, or of a text around it. A secret is the key as text, or
 * its bytes.
 *
 * @example GitHub and Stripe
 * ```ts
 * import { HmacWebhooks } from "@restwright/restwright/webhooks";
 *
 * const github = new HmacWebhooks({ signatureHeader: "X-Hub-Signature-256", prefix: "sha256=" });
 * const stripe = new HmacWebhooks({
 *   signatureHeader: "Stripe-Signature",
 *   signatureField: "v1",
 *   timestampField: "t",
 *   signed: "{timestamp}.{body}",
 * });
 * ```
 *
 * @category Webhooks
 */
export class HmacWebhooks implements WebhookScheme {
  readonly #options: HmacWebhooksOptions;

  /** The names of the headers that the options state. */
  readonly requiredHeaders: readonly string[];

  /**
   * Builds the scheme.
   *
   * @param options The place of the signature, and the text that is signed
   * @throws {UnexpectedValueError} If an option is unknown or has a wrong value, or if `signed` lacks the
   * body, or the timestamp that is stated
   */
  constructor(options: HmacWebhooksOptions) {
    const copy = {
      ...checkedOptions(options, [
        "signatureHeader",
        "signatureField",
        "prefix",
        "encoding",
        "hash",
        "timestampHeader",
        "timestampField",
        "idHeader",
        "signed",
      ]),
    };
    const { signatureHeader, timestampHeader, idHeader, ...others } = copy;
    checkedHeaderName("signatureHeader", signatureHeader);
    for (const [name, header] of Object.entries({ timestampHeader, idHeader })) {
      if (header !== undefined) checkedHeaderName(name, header);
    }
    const { signatureField, timestampField, prefix, signed = "{body}" } = others;
    for (const [name, text] of Object.entries({ signatureField, timestampField, prefix, signed })) {
      if (text !== undefined) checkedText(name, text);
    }
    if (others.encoding !== undefined) checkedEncoding("encoding", others.encoding);
    if (others.hash !== undefined) checkedHash("hash", others.hash);
    const hasTime = (timestampHeader ?? timestampField) !== undefined;
    // A time that is not signed proves nothing.
    const isWhole = signed.includes("{body}") && signed.includes("{timestamp}") === hasTime &&
      signed.includes("{id}") === (idHeader !== undefined);
    if (!isWhole) {
      const expected =
        "a string with {body}, with {timestamp} if and only if a timestamp is stated, " +
        "and with {id} if and only if idHeader is";
      throw new UnexpectedValueError("signed", expected, signed);
    }
    this.#options = copy;
    this.requiredHeaders = Object.freeze(
      [signatureHeader, timestampHeader, idHeader].filter((name) => name !== undefined),
    );
  }

  /**
   * Reads the signature of a webhook.
   *
   * @param webhook The webhook
   * @throws {WebhookHeaderError} If a header is missing, or the timestamp is not a time
   */
  read({ headers, body }: ReceivedWebhook): WebhookSignature {
    const { signatureHeader, signatureField, timestampHeader, timestampField, idHeader } =
      this.#options;
    const { prefix = "", encoding = "hex", hash = "SHA-256", signed = "{body}" } = this.#options;
    const header = requiredHeader(headers, signatureHeader);
    const timestamp = timestampHeader !== undefined
      ? requiredHeader(headers, timestampHeader)
      : timestampField !== undefined
      ? fieldsOf(header, timestampField)[0]
      : undefined;
    if (timestampField !== undefined && timestamp === undefined) {
      throw new WebhookHeaderError(signatureHeader, `a list with ${timestampField}`);
    }
    const id = idHeader === undefined ? undefined : requiredHeader(headers, idHeader);
    const texts = signatureField === undefined
      ? header.split(/[\s,]+/)
      : fieldsOf(header, signatureField);
    const signatures = texts.flatMap((text) => {
      if (!text.startsWith(prefix)) return [];
      const encoded = text.slice(prefix.length);
      return (encoding === "hex" ? fromHex(encoded) : fromBase64(encoded)) ?? [];
    });
    const parts = signed.split(/(\{(?:body|timestamp|id)\})/).map((part) =>
      part === "{body}" ? body : part === "{timestamp}" ? timestamp! : part === "{id}" ? id! : part
    );
    const data = joinBytes(...parts);
    return {
      ...{ header: signatureHeader, id },
      sentAt: timestamp === undefined
        ? undefined
        : readTime(timestampHeader ?? signatureHeader, timestamp),
      isMadeWith: async (secret) => await isHmac(hash, joinBytes(secret), signatures, data),
    };
  }
}

/**
 * Reads a time: seconds since 1970, or RFC 3339.
 *
 * @throws {WebhookHeaderError} If it is neither. Without a zone, it would depend on that of the server
 */
function readTime(header: string, text: string): Date {
  const isDate = /^\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const time = readSeconds(text) ?? new Date(isDate ? text.toUpperCase() : NaN);
  if (!Number.isNaN(time.getTime())) return time;
  const expected =
    "a time in seconds since 1970, or one such as 2026-11-20T10:00:00Z, with its time zone";
  throw new WebhookHeaderError(header, expected);
}

/** Returns the values of a field in a list such as `t=1700000000,v1=…,v1=…`. */
function fieldsOf(header: string, name: string): string[] {
  return header.split(/[,;]/).flatMap((each) => {
    const text = each.trim();
    return text.startsWith(`${name}=`) ? [text.slice(name.length + 1)] : [];
  });
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[\da-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16));
}
