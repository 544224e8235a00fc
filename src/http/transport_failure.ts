import { TransportError, type TransportErrorKind } from "../errors/transport_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";

// fetch tells a failed connection from a mistake in the program by the text or the code of what it
// rejects with, on each runtime in another way. URL, method, headers and body are checked before
// they are sent, so that what is left is a failed connection, or a bug in an adapter.

/** Codes of mistakes: Node's argument checks, and undici's. */
const mistakeCodes = /^(?:ERR_INVALID_|ERR_MISSING_|UND_ERR_INVALID_|UND_ERR_NOT_SUPPORTED)/;

/** What undici says beneath "fetch failed", without a code, where the request was at fault. */
const mistakeTexts =
  /^(?:unknown scheme|bad port|URL scheme must be a HTTP\(S\) scheme|unexpected redirect)$/;

/** What fetch and body reads reject with, as far as it has no code: Deno, Node, browsers. */
const failureTexts =
  /^(?:fetch failed|terminated|error (?:reading|decoding|sending|trying)|Failed to fetch|Load failed|NetworkError|network error|client error|connection )/i;

/** Kinds by what code and text say; the first that fits is taken. */
const kinds: readonly (readonly [TransportErrorKind, RegExp])[] = [
  ["proxy", /proxy/i],
  ["dns", /ENOTFOUND|EAI_|dns error|name resolution|Name or service not known/i],
  ["refused", /ECONNREFUSED|ConnectionRefused|connection refused|refused/i],
  [
    "tls",
    /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|ALTNAME|certificate|fatal alert|tls/i,
  ],
  ["timeout", /TIMEOUT|ETIMEDOUT|timed? ?out/i],
  ["reset", /ECONNRESET|ECONNABORTED|UND_ERR_SOCKET|EPIPE|reset|closed|reading a body|terminated/i],
];

/**
 * Tells a failed connection from a mistake.
 *
 * @param error What a transport or the reading of a body rejected with
 * @returns What went wrong between the two ends; undefined for a mistake in the program
 */
export function transportErrorKind(error: unknown): TransportErrorKind | undefined {
  if (error instanceof TransportError) return error.kind;
  if (!(error instanceof Error)) return undefined;
  if (error.name === "TimeoutError") return "timeout";
  if (error.name === "AbortError") return undefined;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = codeOf(error) ?? codeOf(cause);
  const text = cause?.message ?? error.message;
  if (code === undefined) {
    if (error.name !== "NetworkError" && !failureTexts.test(error.message)) return undefined;
    if (mistakeTexts.test(text)) return undefined;
  } else if (mistakeCodes.test(code)) return undefined;
  const words = `${code ?? ""} ${text} ${error.message}`;
  return kinds.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
}

function codeOf(error: Error | undefined): string | undefined {
  const code: unknown = error !== undefined && "code" in error ? error.code : undefined;
  return typeof code === "string" && code !== "" ? code : undefined;
}

/** What is known of the request beside what the transport rejected with. */
export interface FailedRequest {
  /** The request, as it may be shown. */
  readonly request: RequestSummary;
  /** The retries made so far. */
  readonly retries: number;
  /** Why it is not sent again although it should be. */
  readonly note?: string | undefined;
}

/**
 * Makes the error that is raised for a failed connection; a mistake stays what it is.
 *
 * @param error What a transport or the reading of a body rejected with
 * @param known What is known of the request
 */
export function toTransportError(error: unknown, known: FailedRequest): unknown {
  const kind = transportErrorKind(error);
  if (kind === undefined || !(error instanceof Error)) return error;
  const { method, url } = known.request;
  const isOwn = error instanceof TransportError;
  const beneath = isOwn ? error.cause : error;
  // One that knows its request has been through here before, in the stream of a body.
  if (isOwn && error.request !== undefined) {
    return new TransportError(error.message, { ...known, kind, cause: beneath });
  }
  const said = !isOwn && error.cause instanceof Error ? error.cause.message : "";
  return new TransportError(
    `${method} ${url} failed: ${withoutUrls(said || error.message, url)}`,
    { ...known, kind, cause: withoutSecrets(beneath, url) },
  );
}

/** Puts the URL that may be shown in place of each that has a query or credentials. */
function withoutUrls(text: string, shown: string): string {
  return text.replace(/https?:\/\/[^\s"'<>()]+/gi, (url) => /[?@]/.test(url) ? shown : url);
}

/**
 * An error as it may be shown: itself, or a copy where one of its texts holds a URL that may not
 * (Deno puts it into the message, Bun into a property).
 */
function withoutSecrets(error: unknown, shown: string, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 8) return error;
  const cause = withoutSecrets(error.cause, shown, depth + 1);
  const names = Object.getOwnPropertyNames(error).filter((name) => name !== "cause");
  const texts = names.flatMap((name): [string, string][] => {
    const text: unknown = Reflect.get(error, name);
    return typeof text === "string" ? [[name, text]] : [];
  });
  const shownTexts = texts.map(([name, text]) => [name, withoutUrls(text, shown)] as const);
  const isClean = shownTexts.every(([, text], index) => text === texts[index]?.[1]);
  if (isClean && cause === error.cause) return error;
  const copy = new Error("", cause === undefined ? undefined : { cause });
  for (const [name, value] of [["name", error.name] as const, ...shownTexts]) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(error, name);
    Object.defineProperty(copy, name, { value, enumerable, configurable: true, writable: true });
  }
  return copy;
}
