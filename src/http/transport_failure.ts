import { TransportError, type TransportErrorKind } from "../errors/transport_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";

// fetch tells a failed connection from a mistake in the program by the text or the code of what it
// rejects with, on each runtime in another way. URL, method, headers and body are checked before
// they are sent, so that what is left is a failed connection, or a bug in an adapter.

/** Codes that runtimes give to failures of the network; any other code is a mistake. */
const kindsByCode: readonly (readonly [TransportErrorKind, RegExp])[] = [
  ["dns", /^(?:ENOTFOUND|EAI_\w+|DNS\w*)$/],
  ["refused", /^(?:ECONNREFUSED|ConnectionRefused)$/],
  ["tls", /CERT|SELF_SIGNED|^UNABLE_TO_|^(?:ERR_)?(?:TLS|SSL)|^EPROTO$|ALTNAME/],
  ["timeout", /^(?:ETIMEDOUT|Timeout|UND_ERR_\w+_TIMEOUT)$/],
  ["proxy", /^ERR_PROXY|^Proxy/],
  ["reset", /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|ConnectionClosed|ConnectionReset)$/],
  [
    "other",
    /^(?:E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET|EADDRNOTAVAIL|HPE_\w+|Z_\w+|UND_ERR_(?:ABORTED|CLOSED|DESTROYED|HEADERS_OVERFLOW|INFO|PRX_TLS|RESPONSE\w*|RES_\w+)|ERR_HTTP\w*|ERR_ZLIB\w*|ERR_STREAM_PREMATURE_CLOSE)$/,
  ],
  // Bun names what its client stumbles over in camel case; a redirect or a URL is ours to check.
  ["other", /^(?!.*(?:Redirect|URL|Argument))[A-Z][a-z]\w*$/],
];

/** What fetch and body reads reject with where there is no code: Deno, Node, browsers, workerd. */
const failureTexts =
  /^(?:fetch failed|terminated|error (?:reading|decoding|sending|trying|in input stream)|Failed to fetch|Load failed|NetworkError|network error|Network connection lost|internal error; reference = |client error|connection )|unexpected (?:end of file|EOF)|CRC computed|invalid gzip|corrupt (?:gzip|deflate)|brotli error/i;

/** What is said beneath "fetch failed", without a code, where the request was at fault. */
const mistakeTexts =
  /^(?:unknown scheme|bad port|URL scheme must be a HTTP\(S\) scheme|unexpected redirect)$|are blocked$/;

/** Kinds by what the text says, where there is no code. */
const kindsByText: readonly (readonly [TransportErrorKind, RegExp])[] = [
  ["dns", /dns error|name resolution|Name or service not known|failed to lookup/i],
  ["tls", /certificate|fatal alert|corrupt message|InvalidContentType|\btls\b/i],
  ["proxy", /\bproxy\b|unsuccessful tunnel/i],
  ["refused", /connection refused/i],
  ["timeout", /timed? ?out/i],
  ["reset", /reset|closed|reading a body|terminated|broken pipe/i],
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
  const code = codeOf(error) ?? codeOf(cause) ?? codeOf(error.cause);
  if (code !== undefined) return kindsByCode.find(([, pattern]) => pattern.test(code))?.[0];
  if (error.name !== "NetworkError" && !failureTexts.test(error.message)) return undefined;
  const text = cause?.message ?? error.message;
  if (mistakeTexts.test(text)) return undefined;
  // The words of a URL tell nothing.
  const words = `${text} ${error.message}`.replace(/https?:\/\/\S+/gi, "");
  return kindsByText.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
}

function codeOf(error: unknown): string | undefined {
  const isObject = typeof error === "object" && error !== null;
  const code: unknown = isObject && "code" in error ? error.code : undefined;
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
  // One that knows its request has been through here before, in the stream of a body.
  if (isOwn && error.request !== undefined) {
    return new TransportError(error.message, { ...known, kind, cause: error.cause });
  }
  const said = !isOwn && error.cause instanceof Error ? error.cause.message : "";
  // A class of the SDK's own is kept as the cause.
  const beneath = isOwn && error.constructor === TransportError ? error.cause : error;
  return new TransportError(
    `${method} ${url} failed: ${withoutUrls(said || error.message, url)}`,
    { ...known, kind, cause: withoutSecrets(beneath, url) },
  );
}

/** Puts the URL that may be shown in place of each that has a query, credentials or a fragment. */
function withoutUrls(text: string, shown: string): string {
  return text.replace(/https?:\/\/[^\s"'<>]+/gi, (url) => {
    const tail = /[),.:;]*$/.exec(url)?.[0] ?? "";
    return /[?@#]/.test(url) ? shown + tail : url;
  });
}

/**
 * A value as it may be shown with an error: itself, or a copy where one of its texts holds a URL
 * that may not. Deno puts the URL into the message, Bun into a property.
 */
function withoutSecrets(value: unknown, shown: string, depth = 0): unknown {
  if (typeof value === "string") return withoutUrls(value, shown);
  if (typeof value !== "object" || value === null || depth > 8) return value;
  const properties = Object.getOwnPropertyDescriptors(value);
  let isClean = true;
  for (const descriptor of Object.values(properties)) {
    if (!("value" in descriptor)) continue;
    const before: unknown = descriptor.value;
    descriptor.value = withoutSecrets(before, shown, depth + 1);
    isClean &&= descriptor.value === before;
  }
  if (isClean) return value;
  if (Array.isArray(value)) return Object.values(properties).map((each) => each.value).slice(0, -1);
  // An Error made anew is still printed as one; its class is that of the original.
  const copy: object = value instanceof Error ? new Error() : {};
  Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
  return Object.defineProperties(copy, properties);
}
