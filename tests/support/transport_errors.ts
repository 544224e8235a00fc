import { TransportError, type TransportErrorKind } from "../../src/errors/transport_error.ts";

/** The parts of an error. */
interface Shape {
  readonly name?: string;
  readonly code?: string;
  readonly message: string;
  readonly cause?: Shape;
}

/** Creates an error like those of a runtime's fetch. */
export function made({ name, code, message, cause }: Shape): Error {
  const error = new TypeError(message, cause && { cause: made(cause) });
  return Object.assign(error, name && { name }, code && { code });
}

/** Creates an error like those of Node and Deno, whose cause describes the failure. */
export function underFetchFailed(message: string, code?: string): Error {
  return made({ message: "fetch failed", cause: { message, ...(code && { code }) } });
}

const BUN_CLOSED = "The socket connection was closed unexpectedly. For more information, pass " +
  "`verbose: true` in the second argument to fetch()";

/** Errors that browsers reject with, and errors that are the same everywhere. */
export const browserFailures: readonly (readonly [string, Error, TransportErrorKind])[] = [
  ["Chrome", made({ message: "Failed to fetch" }), "other"],
  ["Firefox", made({ message: "NetworkError when attempting to fetch resource." }), "other"],
  ["Chrome, in the body", made({ message: "network error" }), "other"],
  ["Firefox, in the body", made({ message: "Error in input stream" }), "reset"],
  ["Firefox, in the request body", made({ message: "Error in body stream" }), "reset"],
  ["Cloudflare", made({ message: "Network connection lost." }), "reset"],
  [
    "Cloudflare, name not found",
    made({ message: "internal error; reference = eivp6l1lass6" }),
    "other",
  ],
  ["Safari", made({ message: "Load failed" }), "other"],
  ["a DOMException of the name NetworkError", new DOMException("lost", "NetworkError"), "other"],
  ["a DOMException of the name TimeoutError", new DOMException("late", "TimeoutError"), "timeout"],
  ["a TransportError of an adapter", new TransportError("no", { kind: "proxy" }), "proxy"],
];

/** Errors that the runtimes reject with, as measured on each of them. */
export const failures: readonly (readonly [string, Error, TransportErrorKind])[] = [
  [
    "Deno, refused",
    underFetchFailed("tcp connect error: Connection refused (os error 111)"),
    "refused",
  ],
  ["Deno, name not found", underFetchFailed("dns error: failed to lookup address"), "dns"],
  ["Deno, reset", underFetchFailed("Connection reset by peer (os error 104)"), "reset"],
  [
    "Deno, closed before headers",
    underFetchFailed("client error (SendRequest): connection closed before message completed"),
    "reset",
  ],
  [
    "Deno, closed in the body",
    made({ message: "error reading a body from connection" }),
    "reset",
  ],
  ["Deno, certificate", underFetchFailed("invalid peer certificate: UnknownIssuer"), "tls"],
  [
    "Node, refused",
    underFetchFailed("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"),
    "refused",
  ],
  ["Node, name not found", underFetchFailed("getaddrinfo ENOTFOUND a.invalid", "ENOTFOUND"), "dns"],
  ["Node, name server down", underFetchFailed("getaddrinfo EAI_AGAIN a", "EAI_AGAIN"), "dns"],
  ["Node, reset", underFetchFailed("read ECONNRESET", "ECONNRESET"), "reset"],
  ["Node, closed before headers", underFetchFailed("other side closed", "UND_ERR_SOCKET"), "reset"],
  [
    "Node, closed in the body",
    made({
      message: "terminated",
      cause: { message: "other side closed", code: "UND_ERR_SOCKET" },
    }),
    "reset",
  ],
  ["Node, broken pipe", underFetchFailed("write EPIPE", "EPIPE"), "reset"],
  [
    "Node, self-signed certificate",
    underFetchFailed("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    "tls",
  ],
  [
    "Node, another host's certificate",
    underFetchFailed("Hostname/IP does not match", "ERR_TLS_CERT_ALTNAME_INVALID"),
    "tls",
  ],
  [
    "Node, no TLS on that port",
    underFetchFailed("SSL routines: wrong version number", "ERR_SSL_WRONG_VERSION_NUMBER"),
    "tls",
  ],
  [
    "Node, connecting took too long",
    underFetchFailed("connect", "UND_ERR_CONNECT_TIMEOUT"),
    "timeout",
  ],
  [
    "Node, headers took too long",
    underFetchFailed("headers", "UND_ERR_HEADERS_TIMEOUT"),
    "timeout",
  ],
  ["Node, no answer to packets", underFetchFailed("connect ETIMEDOUT", "ETIMEDOUT"), "timeout"],
  ["Node, not HTTP", underFetchFailed("Expected HTTP/", "HPE_INVALID_CONSTANT"), "other"],
  ["Deno, a wrong checksum in gzip", made({ message: "CRC computed does not match" }), "other"],
  ["Deno, a wrong size in gzip", made({ message: "amount of bytes read does not match" }), "other"],
  ["node:http on Bun, invalid gzip", made({ message: "inflate failed" }), "other"],
  [
    "node:http on Deno, bytes after gzip",
    made({ message: "failed to write whole buffer" }),
    "other",
  ],
  [
    "node:http on Node, bytes after gzip",
    made({ code: "ERR_TRAILING_JUNK_AFTER_STREAM_END", message: "Trailing junk found" }),
    "other",
  ],
  [
    "Node, a status below 100",
    underFetchFailed("assert(statusCode >= 100)", "ERR_ASSERTION"),
    "other",
  ],
  ["Node, network is unreachable", underFetchFailed("connect ENETUNREACH", "ENETUNREACH"), "other"],
  ["Node, a proxy that refuses the tunnel", underFetchFailed("Request was cancelled."), "other"],
  ["Bun, refused", made({ code: "ECONNREFUSED", message: "Unable to connect." }), "refused"],
  ["Bun, refused, older", made({ code: "ConnectionRefused", message: "Unable." }), "refused"],
  ["Bun, name not found", made({ code: "ENOTFOUND", message: "getaddrinfo" }), "dns"],
  ["Bun, closed", made({ code: "ECONNRESET", message: BUN_CLOSED }), "reset"],
  ["Bun, no TLS on that port", made({ code: "EPROTO", message: "handshake failed" }), "tls"],
  [
    "Bun, a proxy that refuses the tunnel",
    made({ code: "ERR_PROXY_TUNNEL", message: "407" }),
    "proxy",
  ],
  [
    "Bun, a body that cannot be inflated",
    made({ code: "ZlibError", message: "fetching" }),
    "other",
  ],
  ...browserFailures,
];

/** Errors that fetch rejects with if it blocks the port of a URL. */
export const blockedPorts: readonly (readonly [string, Error])[] = [
  ["Deno", made({ message: "Fetch failed: Requests to port 1 are blocked" })],
  ["Node", underFetchFailed("bad port")],
];

/** Errors that are thrown unchanged, because the connection did not fail. */
export const mistakes: readonly (readonly [string, unknown])[] = [
  ["a bug in an adapter", new TypeError("x.map is not a function")],
  ["a property of undefined", new TypeError("Cannot read properties of undefined (reading 'id')")],
  ["an undefined name", new ReferenceError("helper is not defined")],
  ["an adapter's own error", new Error("no fixture for this URL")],
  ["an unexpected abort", new DOMException("aborted", "AbortError")],
  [
    "an unexpected abort, Node",
    made({ name: "AbortError", code: "ABORT_ERR", message: "The operation was aborted" }),
  ],
  ["a body that was read before, Deno", new TypeError("Body already consumed")],
  [
    "a body that was read before, Node",
    new TypeError("Body is unusable: Body has already been read"),
  ],
  ["an invalid URL, Deno", new TypeError("Invalid URL: 'x'")],
  ["an invalid URL, Node", underFetchFailed("Invalid URL", "ERR_INVALID_URL")],
  ["an invalid URL, Bun", made({ code: "ERR_INVALID_URL", message: "fetch() URL is invalid" })],
  ["an unknown scheme, Deno", new TypeError("Url scheme 'foo' not supported")],
  ["an unknown scheme, Node", underFetchFailed("unknown scheme")],
  ["an argument, Bun", made({ code: "ERR_INVALID_ARG_VALUE", message: "no" })],
  ["an argument, undici", underFetchFailed("invalid connection header", "UND_ERR_INVALID_ARG")],
  ["an Expect header, undici", underFetchFailed("not supported", "UND_ERR_NOT_SUPPORTED")],
  ["a missing argument", made({ code: "ERR_MISSING_ARGS", message: "no" })],
  ["a string", "fetch failed"],
  ["null", null],
  ["undefined", undefined],
  ["an object that looks like an error", { name: "TypeError", message: "fetch failed" }],
];
