import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/** A URL, and what the credentials make that were written into it. */
export interface SplitUrl {
  /** The URL without user name and password. */
  readonly url: string;
  /** The Authorization that user name and password make; undefined where there are none. */
  readonly authorization: string | undefined;
}

/** Whether a path has a scheme and a network location: then it is used as it stands (rule 1). */
export function isFullUri(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

/**
 * Reads a full `http` or `https` URL and takes the credentials out of it.
 *
 * @param text The URL
 * @param option What to call it in the error
 * @param show Makes what the error shows of the text. Default: its length alone
 * @throws {UnexpectedValueError} Where it is not a full URL of these schemes
 */
export function splitUrl(
  text: unknown,
  option: string,
  show?: (text: string) => unknown,
): SplitUrl {
  if (text === undefined || text === "") {
    throw new UnexpectedValueError(option, "given, by the class's static or as an option", text);
  }
  const isHttp = typeof text === "string" && /^https?:\/\//i.test(text);
  const parsed = isHttp ? URL.parse(text) : null;
  if (parsed === null) {
    const expected = "a full URL that begins with http:// or https://";
    throw new UnexpectedValueError(
      option,
      isHttp ? `${expected}, with a valid host and port` : expected,
      typeof text === "string" && show ? show(text) : text,
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

/** Undoes percent-encoding; a text that is not percent-encoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A user name and its password as an Authorization header writes them (RFC 7617), in UTF-8. */
export function basicCredentials(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
