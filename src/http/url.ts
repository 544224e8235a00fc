/** Checks, splits and joins URLs and paths, and refuses paths that leave their base. */
import { pathAsGiven, UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";

/** A URL, and the credentials that were written into it. */
export interface SplitUrl {
  /** The URL without user name and password. */
  readonly url: string;
  /** The Authorization header of the user name and password; undefined if there are none. */
  readonly authorization?: string | undefined;
}

/** Reports if a path has a scheme and a host. Such a path is used as it stands (rule 1). */
export function isFullUri(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

/**
 * Parses a full `http` or `https` URL and removes its credentials.
 *
 * @param text The URL
 * @param option The name of the option in the error
 * @param show Returns the part of the text that the error shows. Default: only its length
 * @throws {UnexpectedValueError} If the text is not such a URL
 */
export function splitUrl(
  text: unknown,
  option: string,
  show?: (text: string) => unknown,
): SplitUrl {
  if (text === undefined || text === "") {
    throw new UnexpectedValueError(option, "set to a full URL", text);
  }
  const isHttp = typeof text === "string" && /^https?:\/\//i.test(text);
  const parsed = isHttp ? URL.parse(text) : null;
  if (parsed === null) {
    const expected = "a full URL that begins with http:// or https://";
    throw new UnexpectedValueError(
      option,
      isHttp ? `${expected}, with a valid host and port` : expected,
      typeof text === "string" && show ? show(text) : withUrlHint(text),
    );
  }
  const { username, password } = parsed;
  parsed.username = parsed.password = "";
  return {
    url: parsed.href,
    authorization: username + password === ""
      ? undefined
      : basicCredentials(decoded(username), decoded(password)),
  };
}

/** Describes a value that is not a full URL, and the URL that was probably meant. */
function withUrlHint(value: unknown): unknown {
  if (value instanceof URL) return withHint(value, "Pass its href, which is a string");
  // Any other text may be a secret.
  const host = /^(localhost|(?:[a-z0-9-]{1,30}\.){1,4}[a-z]{2,9})(:\d+)?(?=\/|$)/.exec(`${value}`);
  return host === null
    ? value
    : withHint(value, `Write "${host[1] === "localhost" ? "http" : "https"}://${host[0]}"`);
}

/** Decodes percent-encoding. Text that is not percent-encoded does not change. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the Authorization header of a user name and a password (RFC 7617), in UTF-8. */
export function basicCredentials(username: string, password: string): string {
  return `Basic ${base64Text(`${username}:${password}`)}`;
}

/** Reports if a host of a URL is this machine (W3C Secure Contexts §3.1). */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Encodes the UTF-8 of a text in Base64. */
export function base64Text(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/**
 * Returns the secrets in the value of a header with credentials: the value, its token without the
 * scheme, as in `Bearer …`, and for Basic credentials (RFC 7617) the password, too: as it is, and
 * without percent-encoding, which OAuth adds to it (RFC 6749 §2.3.1).
 */
export function credentialsIn(header: string): string[] {
  const [, scheme, token] = /^([\w-]+) +(\S+)$/.exec(header) ?? [];
  if (scheme === undefined || token === undefined) return [header];
  if (scheme.toLowerCase() !== "basic") return [header, token];
  try {
    const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0));
    const password = new TextDecoder().decode(bytes).replace(/^[^:]*:/, "");
    return [header, token, password, decoded(password)];
  } catch {
    return [header, token]; // not Base64
  }
}

/**
 * The path of a request below the base URL: a string, or a number that is one segment.
 *
 * @category Requests
 */
export type Path = string | number;

/** Checks a path and returns it as text. */
export function pathText(path: unknown): string {
  if (typeof path === "string" || Number.isFinite(path)) return String(path);
  throw new UnexpectedValueError("path", "a string or a finite number", path);
}

/**
 * Joins a base URL, or the path of an endpoint, and a path (rules 2 and 3).
 *
 * @param prefix The base, without a slash at its end
 * @param path The path, with its query
 * @throws {UnexpectedValueError} If the path leaves the base through `..`
 */
export function joinPath(prefix: string, path: string): string {
  const relative = path.replace(/^\/+/, "");
  if (/[.%]/.test(relative) && escapesBase(relative)) {
    throw new UnexpectedValueError(
      "path",
      "a path that does not lead above its base through dot segments (..)",
      pathAsGiven(path),
    );
  }
  return `${prefix}/${relative}`;
}

/** Joins the path of an endpoint and the path of a call by exactly one slash (generation 1). */
export function joinBySlash(prefix: string, suffix: string): string {
  return joinPath(prefix.replace(/(?<!\/)\/+$/, ""), suffix);
}

/** Joins the path of an endpoint and the path of a call; adds a missing slash (generation 2). */
export function joinAsWritten(prefix: string, suffix: string): string {
  joinPath("", suffix); // throws if it leaves the base
  const isJoined = prefix.endsWith("/") || /^[/?#]/.test(suffix);
  return `${prefix}${isJoined ? "" : "/"}${suffix}`;
}

/**
 * Joins the path of an endpoint and the path of a call. If one of them is empty, returns the other.
 *
 * @param joinSuffix Joins two paths that are not empty
 * @throws {UnexpectedValueError} If the path of the call leaves the endpoint's path, or resolves to
 * it: an id must not delete the collection
 */
export function joinPaths(
  { joinSuffix }: { readonly joinSuffix: (prefix: string, suffix: string) => string },
  prefix: string,
  suffix: string,
): string {
  if (suffix === "") return prefix;
  if (prefix !== "" && /[.%]/.test(suffix) && resolvesToBase(suffix)) {
    throw new UnexpectedValueError(
      "path",
      "a path that does not resolve to the endpoint's own path through dot segments (. or ..)",
      pathAsGiven(suffix),
    );
  }
  return prefix === "" ? suffix : joinSuffix(prefix, suffix);
}

/**
 * Reports if a path leaves its base through dot segments.
 *
 * The path is read as by the URL Standard (§4.4): tabs, line breaks, and blanks and controls at the
 * end are ignored, a backslash is a slash, and `%2e` is a dot.
 */
export function escapesBase(path: string): boolean {
  return depths(segmentsOf(path)).some((depth) => depth < 0);
}

/** Reports if a path resolves to its base through dot segments. */
export function resolvesToBase(path: string): boolean {
  const segments = segmentsOf(path.replace(/^\/+/, ""));
  if (segments.at(-1) === "") segments.pop(); // a slash at the end
  const levels = depths(segments);
  return levels.at(-1) === 0 && levels.every((depth) => depth >= 0);
}

/** Splits a path into the segments that the URL parser reads, without query and fragment. */
function segmentsOf(path: string): string[] {
  // deno-lint-ignore no-control-regex -- the URL parser strips these very characters
  const read = path.replace(/(?<![\x00-\x20])[\x00-\x20]+$|[\t\n\r]|[?#][^]*/g, "");
  return read.replace(/%2e/gi, ".").split(/[/\\]/);
}

/** Returns the depth below the base after each segment of a path. */
function depths(segments: readonly string[]): number[] {
  let depth = 0;
  return segments.map((segment) => depth += segment === ".." ? -1 : segment === "." ? 0 : 1);
}

/**
 * Returns a path to compare it: in lower case, without outer and repeated slashes, query, fragment and
 * percent-encoding. For a URI, paths that differ in case or slashes are different ones. For many servers
 * they are not.
 */
export function barePath(path: string): string {
  const plain = decoded(path.replace(/[?#][^]*/, ""));
  return withoutSlashes(plain.replace(/\/{2,}/g, "/")).toLowerCase();
}

/** Returns a URL without its fragment, which is never sent. */
export function withoutFragment(url: string): string {
  return url.replace(/#[^]*/, "");
}

/** Returns a path without slashes at its beginning and end. */
export function withoutSlashes(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, "");
}
