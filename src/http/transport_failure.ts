/** Turns a failed connection into a `TransportError` without secrets. A mistake stays as it is. */
import { failureKind } from "#transport";
import { isError, RestwrightError } from "../errors/base_error.ts";
import { type RequestSummary, requestText, shorten } from "../errors/message_text.ts";
import { TransportError, type TransportErrorKind } from "../errors/transport_error.ts";

/**
 * Distinguishes a failed connection from a mistake in the program.
 *
 * @param error The error of a transport or of a body
 * @returns The kind of the failed connection; undefined for a mistake
 */
export function transportErrorKind(error: unknown): TransportErrorKind | undefined {
  if (error instanceof TransportError) return error.kind;
  // Other errors of the toolkit, such as that of a refused login, are not failed connections.
  if (!isError(error) || error instanceof RestwrightError) return undefined;
  if (error.name === "TimeoutError") return "timeout";
  return error.name === "AbortError" ? undefined : failureKind(error);
}

/** A request that failed. */
export interface FailedRequest {
  /** The request for errors. */
  readonly request: RequestSummary;
  /** The number of retries so far. */
  readonly retries: number;
}

/**
 * Returns a `TransportError` for a failed connection. A mistake is returned as it is.
 *
 * @param error The error of a transport or of a body
 * @param known The request
 */
export function toTransportError(error: unknown, known: FailedRequest): unknown {
  const kind = transportErrorKind(error);
  if (kind === undefined) return error;
  const { message, cause } = error as Error; // nothing else has a kind
  const own = error instanceof TransportError ? error : undefined;
  // The stream of a body has already converted an error that knows its request.
  if (own?.request) return new TransportError(message, { ...known, kind, cause });
  const { url } = known.request;
  const said = own === undefined && isError(cause) ? cause.message : "";
  // An error of a class of the SDK becomes the cause.
  const shownCause = own?.constructor === TransportError ? cause : error;
  // The message may be anything: not only errors are thrown.
  const reason = withoutUrls(String(said || message || "no reason given"), url);
  return new TransportError(
    `${requestText(known.request)} failed: ${shorten(reason, 1000)}`,
    { ...known, kind, cause: withoutSecrets(shownCause, url) },
  );
}

/**
 * Replaces each URL with a query, credentials or a fragment by the redacted URL.
 *
 * A decoded URL may contain blanks and quotes, so that its end is unknown. Therefore the rest of the
 * line is removed, except for the text that Deno adds after it.
 */
function withoutUrls(text: string, shown: string): string {
  return text.replace(/https?:[^\r\n]*/gi, (rest) => {
    if (!/[?@#]/.test(rest)) return rest;
    const end = rest.lastIndexOf("): client ");
    return end < 0 ? shown : shown + rest.slice(end);
  });
}

/**
 * Returns a value without secret URLs: the value itself, or a copy. Deno puts the URL into the
 * message, Bun into a property.
 */
function withoutSecrets(value: unknown, shown: string, depth = 0): unknown {
  if (typeof value === "string") return withoutUrls(value, shown);
  if (typeof value !== "object" || value === null || depth > 8) return value;
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(value);
  let prototype: object | null = Object.getPrototypeOf(value);
  if (isError(value) && properties["message"] === undefined && value.message) {
    // The message of a DOMException is not a property, and can only be read from a DOMException.
    for (const name of ["name", "message"] as const) properties[name] = { value: value[name] };
    prototype = Error.prototype;
  }
  let copy: object | undefined;
  // Deno keeps the message of a DOMException under symbols.
  for (const key of Reflect.ownKeys(properties)) {
    const descriptor = properties[key]!;
    const inner: unknown = withoutSecrets(descriptor.value, shown, depth + 1);
    if (inner === descriptor.value) continue;
    descriptor.value = inner;
    // A new Error is printed as an error. It gets the class of the original.
    copy ??= Array.isArray(value) ? [] : isError(value) ? new Error() : {};
  }
  if (!copy) return value;
  return Object.setPrototypeOf(Object.defineProperties(copy, properties), prototype);
}
