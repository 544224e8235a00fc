import { isPlain } from "../../checks.ts";
import { quotedText } from "../../errors/message_text.ts";
import { CassetteError } from "./cassette_error.ts";

/** A recorded body. At most one of the fields is there; a message without a body has none. */
export interface RecordedBody {
  /** The body as JSON. */
  readonly json?: unknown;
  /** The body as text, or its lines without their line feeds. */
  readonly text?: string | readonly string[];
  /** Any other body, as Base64 (RFC 4648 §4). */
  readonly base64?: string;
  /** The parts of a multipart form. */
  readonly parts?: readonly RecordedPart[];
}

/** The headers of a recorded message, with names in lower case. A repeated one has an array. */
export type RecordedHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A part of a recorded multipart form. */
export interface RecordedPart extends RecordedBody {
  /** The headers of the part, such as content-disposition. */
  readonly headers: RecordedHeaders;
}

/** A recorded request. */
export interface RecordedRequest extends RecordedBody {
  /** The method as it was sent. */
  readonly method: string;
  /** The full URL. */
  readonly url: string;
  /** The headers. */
  readonly headers: RecordedHeaders;
}

/** A recorded response. */
export interface RecordedResponse extends RecordedBody {
  /** The status. */
  readonly status: number;
  /** The reason phrase. Default: empty */
  readonly statusText?: string;
  /** The URL that answered, if fetch has followed redirects, as it does in browsers. */
  readonly url?: string;
  /** The headers. */
  readonly headers: RecordedHeaders;
}

/** A request with its response. */
export interface Interaction {
  /** The request. */
  readonly request: RecordedRequest;
  /** The response. */
  readonly response: RecordedResponse;
}

/** The content of a cassette, which can be written as JSON. */
export interface CassetteData {
  /** The version of the format. */
  readonly version: 1;
  /** The requests with their responses, in the order in which the requests were sent. */
  readonly interactions: readonly Interaction[];
}

/**
 * Parses the text of a cassette.
 *
 * @param text The JSON
 * @param name The name of the cassette in errors
 * @throws {CassetteError} If it is not a cassette
 */
export function parseCassette(text: string, name: string): CassetteData {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new CassetteError(`${name} is not JSON`, { reason: "invalid", cause });
  }
  return checkedCassette(value, name);
}

/** Returns the text of a cassette: indented JSON with the keys in a fixed order. */
export function cassetteText({ interactions }: CassetteData): string {
  const data = {
    version: 1,
    interactions: interactions.map(({ request, response }) => {
      const { method, url, headers, ...body } = request;
      const { status, statusText, url: answered, headers: fields, ...content } = response;
      return {
        request: { method, url, headers: sorted(headers), ...body },
        response: { status, statusText, url: answered, headers: sorted(fields), ...content },
      };
    }),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

function sorted(headers: RecordedHeaders): RecordedHeaders {
  return Object.fromEntries(
    Object.entries(headers).sort(([one], [other]) => one < other ? -1 : 1),
  );
}

/**
 * Checks a cassette.
 *
 * @param value The value
 * @param name The name of the cassette in errors
 * @throws {CassetteError} If it is not a cassette
 */
export function checkedCassette(value: unknown, name: string): CassetteData {
  const fail = (place: string, expected: string): never => {
    throw new CassetteError(`${name} is not a cassette: ${place} must be ${expected}`, {
      reason: "invalid",
    });
  };
  if (!isObject(value)) fail("it", "an object with version and interactions");
  const { version, interactions, log } = value as Record<string, unknown>;
  if (isObject(log) && Array.isArray(log["entries"])) {
    fail("a HAR", "read with readHar()");
  }
  if (version !== 1) fail("version", "1");
  if (!Array.isArray(interactions)) return fail("interactions", "an array");
  for (const [index, interaction] of interactions.entries()) {
    const place = `interactions[${index}]`;
    const { request, response } = Object(interaction);
    for (const [key, message] of Object.entries({ request, response })) {
      if (!isObject(message)) fail(`${place}.${key}`, "an object");
      checkBody(message, `${place}.${key}`, fail);
    }
    if (typeof request.method !== "string") fail(`${place}.request.method`, "a string");
    if (typeof request.url !== "string" || !URL.canParse(request.url)) {
      fail(`${place}.request.url`, "a full URL");
    }
    const { status } = response;
    if (!Number.isInteger(status) || status < 100 || status > 999) {
      fail(`${place}.response.status`, "a whole number from 100 to 999");
    }
  }
  return value as unknown as CassetteData;
}

/** The fields of a body. */
const bodyFields = ["json", "text", "base64", "parts"] as const;

function checkBody(
  message: Record<string, unknown>,
  place: string,
  fail: (place: string, expected: string) => never,
): void {
  const { headers, text, base64, parts } = message;
  if (!isObject(headers) || !Object.values(headers).every(isTextOrTexts)) {
    fail(`${place}.headers`, "a mapping from names to strings or arrays of strings");
  }
  const found = bodyFields.filter((field) => message[field] !== undefined);
  if (found.length > 1) fail(place, `an object with only one of ${found.join(" and ")}`);
  if (text !== undefined && !isTextOrTexts(text)) fail(`${place}.text`, "a string or its lines");
  if (base64 !== undefined && !isBase64(base64)) fail(`${place}.base64`, "a string of Base64");
  if (parts === undefined) return;
  if (!Array.isArray(parts)) return fail(`${place}.parts`, "an array");
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) fail(`${place}.parts[${index}]`, "an object");
    checkBody(part, `${place}.parts[${index}]`, fail);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isPlain(value) && !Array.isArray(value);
}

function isTextOrTexts(value: unknown): boolean {
  return typeof value === "string" ||
    Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isBase64(value: unknown): boolean {
  try {
    return typeof value === "string" && atob(value) !== undefined;
  } catch {
    return false;
  }
}

/** Returns a request for a message, as in `POST https://api.example.com/books`. */
export function describeRequest({ method, url }: RecordedRequest): string {
  return /[\s"]/.test(url) ? `${method} ${quotedText(url, 1000)}` : `${method} ${url}`;
}
