import type { TransportErrorKind } from "../../errors/transport_error.ts";

// fetch tells a failed connection from a mistake in the program by the text or the code of what it
// rejects with, on each runtime in another way. URL, method, headers and body are checked before
// they are sent, so that what is left is a failed connection, or a bug in an adapter.

/** Codes that runtimes give to failures of the network. */
const kindsByCode: readonly (readonly [TransportErrorKind, RegExp])[] = [
  ["dns", /^(?:ENOTFOUND|EAI_\w+|DNS\w*)$/],
  ["refused", /^(?:ECONNREFUSED|ConnectionRefused)$/],
  ["tls", /CERT|SELF_SIGNED|^UNABLE_TO_|^(?:ERR_)?(?:TLS|SSL)|^EPROTO$|ALTNAME/],
  ["timeout", /^(?:ETIMEDOUT|Timeout|UND_ERR_\w+_TIMEOUT)$/],
  ["proxy", /^ERR_PROXY|^Proxy(?:Connect|Tunnel)/],
  // A body that ends before its Content-Length is the other end's hanging up, as a rule.
  [
    "reset",
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_(?:SOCKET|RES_CONTENT_LENGTH_MISMATCH)|ConnectionClosed|ConnectionReset)$/,
  ],
  [
    "other",
    /^(?:E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET|EADDRNOTAVAIL|HPE_\w+|Z_\w+|ZlibError|UND_ERR_(?:ABORTED|CLOSED|DESTROYED|HEADERS_OVERFLOW|INFO|PRX_TLS|RESPONSE\w*|RES_\w+)|ERR_HTTP\w*|ERR_ZLIB\w*|ERR_TRAILING_JUNK\w*|ERR_STREAM_PREMATURE_CLOSE)$/,
  ],
];

/**
 * What fetch and body reads reject with where there is no code: Deno, Node, browsers. Deno says
 * what the system did with its number, and what could not be inflated in the words of each format.
 */
const failureTexts =
  /^(?:fetch failed|terminated|error (?:reading a body|decoding response|sending request|trying to connect)|Failed to fetch|Load failed|NetworkError|network error|client error|connection (?:closed before|.*\(os error)|error in \w+ stream|network connection lost|internal error; reference = |(?:deflate|gzip|brotli|zstd) decompression error)|unexpected (?:end of file|EOF)|CRC computed|invalid gzip|corrupt (?:gzip|deflate)|inflate failed$|failed to write whole buffer$|brotli error/i;

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
  const { name, message, cause } = error;
  const code = textIn(error, "code") ?? textIn(cause, "code");
  if (code !== undefined) {
    const kind = kindsByCode.find(([, pattern]) => pattern.test(code))?.[0];
    return kind ?? (isOfConnection(error, code) ? "other" : undefined);
  }
  if (name !== "NetworkError" && !failureTexts.test(message)) return undefined;
  const text = textIn(cause, "message") ?? message;
  if (mistakeTexts.test(text)) return undefined;
  // The words of a URL tell nothing.
  const words = `${text} ${message}`.replace(/https?:\/\/\S+/gi, "");
  return kindsByText.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
}

/** Codes of the system, of which there are a hundred: `EMFILE`, `EACCES`. */
const systemCodes = /^E[A-Z\d]+$/;

/** Those of them that are about files alone: of one that the caller wanted to send, say. */
const fileCodes =
  /^E(?:NOENT|EXIST|ISDIR|NOTDIR|NOTEMPTY|BADF|LOOP|NAMETOOLONG|ROFS|NOSPC|FBIG|XDEV)$/;

/** What Bun calls what its client stumbles over; what it asks of its caller is ours to check. */
const bunCodes = /^(?!.*(?:Redirect|URL|Argument|RequestBody|UnsupportedProxy))[A-Z][a-z]\w*$/;

/** Whether a code that others use too, for files and the like, is about a connection here. */
function isOfConnection(error: Error, code: string): boolean {
  // A body breaks off, and does not inflate, by what the other end sends.
  if (error.message === "terminated") return true;
  if (error.message === "fetch failed") {
    // Node's client asserts what it takes for granted of a response: a status of at least 100.
    if (code === "ERR_ASSERTION") return true;
    const isOfFile = fileCodes.test(code) || textIn(error.cause, "path") !== undefined;
    return systemCodes.test(code) && !isOfFile;
  }
  // Bun's fetch puts the URL where errors of files have a path.
  if (/^https?:/.test(textIn(error, "path") ?? "")) {
    return systemCodes.test(code) || bunCodes.test(code);
  }
  return /^(?:connect|getaddrinfo)$/.test(textIn(error, "syscall") ?? "");
}

/** A text that an object has under a name; undefined where there is none, or an empty one. */
function textIn(value: unknown, name: string): string | undefined {
  const text: unknown = Object(value)[name];
  return typeof text === "string" && text !== "" ? text : undefined;
}
