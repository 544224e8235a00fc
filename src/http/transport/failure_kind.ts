import type { TransportErrorKind } from "../../errors/transport_error.ts";

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

/** What fetch and body reads reject with where there is no code: Deno, Node, browsers. */
const failureTexts =
  /^(?:fetch failed|terminated|error (?:reading|decoding|sending|trying)|Failed to fetch|Load failed|NetworkError|network error|client error|connection |error in \w+ stream|network connection lost|internal error; reference = )|unexpected (?:end of file|EOF)|CRC computed|invalid gzip|corrupt (?:gzip|deflate)|brotli error/i;

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
  ["reset", /reset|closed|reading a body|in \w+ stream|connection lost|terminated|broken pipe/i],
];

/**
 * Tells a failed connection from a mistake, by what the runtime says.
 *
 * @param error What fetch or the reading of a body rejected with
 * @returns What went wrong between the two ends; undefined for a mistake in the program
 */
export function failureKind(error: Error): TransportErrorKind | undefined {
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
