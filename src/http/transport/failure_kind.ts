/** Decides by codes and messages if an error is a failed connection, and of which kind. */
import type { TransportErrorKind } from "../../errors/transport_error.ts";

// fetch rejects with the same error classes for a failed connection and for a mistake in the
// program. Only the text or the code of the error shows the difference, and they depend on the
// runtime. URL, method, headers and body are checked before they are sent. Any other error is
// therefore a failed connection, or a bug in an adapter.

/** Patterns of the error codes that runtimes use for network failures. */
const kindsByCode: readonly (readonly [TransportErrorKind, RegExp])[] = [
  ["dns", /^(?:ENOTFOUND|EAI_\w+|DNS\w*)$/],
  ["refused", /^(?:ECONNREFUSED|ConnectionRefused)$/],
  ["tls", /CERT|SELF_SIGNED|^UNABLE_TO_|^(?:ERR_)?(?:TLS|SSL)|^EPROTO$|ALTNAME/],
  ["timeout", /^(?:ETIMEDOUT|Timeout|UND_ERR_\w+_TIMEOUT)$/],
  ["proxy", /^ERR_PROXY|^Proxy(?:Connect|Tunnel)/],
  // If a body ends before its Content-Length, the other end has usually hung up.
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
 * Messages of the errors without a code that fetch and body reads reject with, on Deno, Node and in
 * browsers. Deno's messages contain the system's error number. For a body that cannot be
 * decompressed, they differ by format.
 */
const failureTexts =
  /^(?:fetch failed|terminated|error (?:reading a body|decoding response|sending request|trying to connect)|Failed to fetch|Load failed|NetworkError|network error|client error|connection (?:closed before|.*\(os error)|error in \w+ stream|network connection lost|internal error; reference = |(?:deflate|gzip|brotli|zstd) decompression error)|unexpected (?:end of file|EOF)|CRC computed|amount of bytes read|invalid gzip|corrupt (?:gzip|deflate)|inflate failed$|failed to write whole buffer$|brotli error/i;

/** Texts in the cause of "fetch failed", without a code, that show a mistake in the request. */
const mistakeTexts =
  /^(?:unknown scheme|bad port|URL scheme must be a HTTP\(S\) scheme|unexpected redirect)$|are blocked$/;

/** Patterns of the texts for each kind, for errors without a code. */
const kindsByText: readonly (readonly [TransportErrorKind, RegExp])[] = [
  ["dns", /dns error|name resolution|Name or service not known|failed to lookup/i],
  ["tls", /certificate|fatal alert|corrupt message|InvalidContentType|\btls\b/i],
  ["proxy", /\bproxy\b|unsuccessful tunnel/i],
  ["refused", /connection refused/i],
  ["timeout", /timed? ?out/i],
  ["reset", /reset|closed|reading a body|in \w+ stream|connection lost|terminated|broken pipe/i],
];

/**
 * Classifies an error as a failed connection or as a mistake in the program.
 *
 * @param error The error that fetch or a body read rejected with
 * @returns The kind of the failed connection; undefined for a mistake in the program
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
  // The words in a URL must not decide on the kind.
  const words = `${text} ${message}`.replace(/https?:\/\/\S+/gi, "");
  return kindsByText.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
}

/** Error codes of the operating system, of which there are about a hundred: `EMFILE`, `EACCES`. */
const systemCodes = /^E[A-Z\d]+$/;

/** System codes that are only about files, such as a file that the caller wanted to upload. */
const fileCodes =
  /^E(?:NOENT|EXIST|ISDIR|NOTDIR|NOTEMPTY|BADF|LOOP|NAMETOOLONG|ROFS|NOSPC|FBIG|XDEV)$/;

/**
 * Codes of failures in Bun's HTTP client. Codes about the caller's input are excluded, because the
 * toolkit checks the input itself.
 */
const bunCodes = /^(?!.*(?:Redirect|URL|Argument|RequestBody|UnsupportedProxy))[A-Z][a-z]\w*$/;

/** Reports if a code that is also used for files and the like is about a connection here. */
function isOfConnection(error: Error, code: string): boolean {
  // The response broke off, or could not be decompressed, because of the bytes that were received.
  if (error.message === "terminated") return true;
  if (error.message === "fetch failed") {
    // Node's client asserts some properties of a response, such as a status of at least 100.
    if (code === "ERR_ASSERTION") return true;
    const isOfFile = fileCodes.test(code) || textIn(error.cause, "path") !== undefined;
    return systemCodes.test(code) && !isOfFile;
  }
  // Bun's fetch sets `path` to the URL. Errors of files have a path there.
  if (/^https?:/.test(textIn(error, "path") ?? "")) {
    return systemCodes.test(code) || bunCodes.test(code);
  }
  return /^(?:connect|getaddrinfo)$/.test(textIn(error, "syscall") ?? "");
}

/** Returns a string property of a value; undefined if it is missing or empty. */
function textIn(value: unknown, name: string): string | undefined {
  const text: unknown = Object(value)[name];
  return typeof text === "string" && text !== "" ? text : undefined;
}
