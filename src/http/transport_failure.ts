import { failureKind } from "#transport";
import { shorten } from "../errors/message_text.ts";
import { type RequestSummary, requestText } from "../errors/request_summary.ts";
import { RestwrightError } from "../errors/base_error.ts";
import { RedirectError } from "../errors/redirect_error.ts";
import { TransportError, type TransportErrorKind } from "../errors/transport_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RedirectStep } from "./redirect_step.ts";

/**
 * Tells a failed connection from a mistake.
 *
 * @param error What a transport or the reading of a body rejected with
 * @returns What went wrong between the two ends; undefined for a mistake in the program
 */
export function transportErrorKind(error: unknown): TransportErrorKind | undefined {
  if (error instanceof TransportError) return error.kind;
  // An error of the toolkit's own is what it says it is: a login that was refused, say.
  if (!isError(error) || error instanceof RestwrightError) return undefined;
  if (error.name === "TimeoutError") return "timeout";
  return error.name === "AbortError" ? undefined : failureKind(error);
}

/** Whether a value is an error, of another realm too: test runners run tests in one of their own. */
function isError(value: unknown): value is Error {
  return value instanceof Error || "stack" in Object(value);
}

/**
 * Returns the error for a step to a port that fetch blocks (Fetch Standard §2.9); any other error is
 * returned as it is.
 *
 * @param error The error that a transport rejected with
 * @param step The step
 * @param request The call, as errors show it
 */
export function explainBlockedPort(
  error: unknown,
  step: RedirectStep,
  request: RequestSummary,
): unknown {
  if (!isBlockedPort(error)) return error;
  const port = Number(new URL(step.url).port);
  if (step.redirectedBy !== undefined) {
    const found = `a ${step.redirectedBy} points to port ${port}, which fetch blocks`;
    return new RedirectError(found, step.redirectedBy, request);
  }
  const expected = "one that fetch does not block (Fetch Standard §2.9), or carried by an adapter";
  return new UnexpectedValueError("port", expected, port, error);
}

/** Reports if fetch refused a port; Bun sends the request, and browsers do not give the reason. */
function isBlockedPort(error: unknown): boolean {
  if (!isError(error)) return false;
  const { message, cause } = error;
  return /^Fetch failed: Requests to port \d+ are blocked$/.test(message) || // Deno
    message === "fetch failed" && isError(cause) && cause.message === "bad port"; // Node
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
  if (kind === undefined) return error;
  const { message, cause } = error as Error; // nothing else has a kind
  const own = error instanceof TransportError ? error : undefined;
  // One that knows its request has been through here before, in the stream of a body.
  if (own?.request) return new TransportError(message, { ...known, kind, cause });
  const { url } = known.request;
  const said = own === undefined && isError(cause) ? cause.message : "";
  // A class of the SDK's own is kept as the cause.
  const shownCause = own?.constructor === TransportError ? cause : error;
  // What is thrown may be anything that looks like an error.
  const reason = withoutUrls(String(said || message || "no reason given"), url);
  return new TransportError(
    `${requestText(known.request)} failed: ${shorten(reason, 1000)}`,
    { ...known, kind, cause: withoutSecrets(shownCause, url) },
  );
}

/**
 * Puts the URL that may be shown in place of each that has a query, credentials or a fragment.
 *
 * Nobody can tell where a URL ends that was written decoded, with blanks and quotes in it: the rest
 * of the line goes with it, but for what Deno says behind it.
 */
function withoutUrls(text: string, shown: string): string {
  return text.replace(/https?:[^\r\n]*/gi, (rest) => {
    if (!/[?@#]/.test(rest)) return rest;
    const end = rest.lastIndexOf("): client ");
    return end < 0 ? shown : shown + rest.slice(end);
  });
}

/**
 * A value as it may be shown with an error: itself, or a copy where one of its texts holds a URL
 * that may not. Deno puts the URL into the message, Bun into a property.
 */
function withoutSecrets(value: unknown, shown: string, depth = 0): unknown {
  if (typeof value === "string") return withoutUrls(value, shown);
  if (typeof value !== "object" || value === null || depth > 8) return value;
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(value);
  let prototype: object | null = Object.getPrototypeOf(value);
  if (isError(value) && properties["message"] === undefined && value.message) {
    // That of a DOMException is no property, and nothing but a DOMException can be asked for it.
    for (const name of ["name", "message"] as const) properties[name] = { value: value[name] };
    prototype = Error.prototype;
  }
  let copy: object | undefined;
  // Deno keeps what a DOMException says under symbols.
  for (const key of Reflect.ownKeys(properties)) {
    const descriptor = properties[key]!;
    const inner: unknown = withoutSecrets(descriptor.value, shown, depth + 1);
    if (inner === descriptor.value) continue;
    descriptor.value = inner;
    // An Error made anew is still printed as one; its class is that of the original.
    copy ??= Array.isArray(value) ? [] : isError(value) ? new Error() : {};
  }
  if (!copy) return value;
  return Object.setPrototypeOf(Object.defineProperties(copy, properties), prototype);
}
