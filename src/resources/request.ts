/** The options of a request in clients with resources, and their translation to those of the toolkit. */
import { isForeignBlob, isFormData, isSearchParams } from "../base/foreign_objects.ts";
import { isBytes } from "../base/bytes.ts";
import { isPlain } from "../base/checks.ts";
import { overlayParams } from "../content/params.ts";
import { isStreamFormat } from "../content/response_format.ts";
import { type HeadersInput, mergeHeaders } from "../http/headers.ts";
import type { Path } from "../http/url.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { checkedCallOptions } from "../options/settings.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { sse } from "../streams/sse.ts";

/**
 * The options of one request, as the last argument of the methods of resources.
 *
 * @category Resources
 */
export interface ResourceRequestOptions {
  /** Replaces the HTTP method. Default: that of the method of the resource */
  method?: string | undefined;
  /** Replaces the path. Default: that of the method of the resource */
  path?: string | undefined;
  /** Query parameters, merged over those of the method. Default: none */
  query?: object | null | undefined;
  /**
   * Replaces the body: an object or array as JSON; a string, a Blob, bytes, `FormData`, `URLSearchParams`
   * or a stream as it is. Default: that of the method of the resource
   */
  body?: unknown;
  /** Headers, merged over those of the client. Null removes a header. Default: none */
  headers?: HeadersInput | undefined;
  /** The number of retries. Default: that of the client */
  maxRetries?: number | undefined;
  /** The time in milliseconds without data after which an attempt fails. Default: that of the client */
  timeout?: number | undefined;
  /**
   * Options of fetch, merged over those of the client. Its `method`, `headers`, `body` and `signal` win
   * over the options of these names. With `redirect: "manual"` or `"error"`, a redirect is an error.
   * Default: none
   */
  fetchOptions?: object | undefined;
  /** Aborts the call. Default: none */
  signal?: AbortSignal | null | undefined;
  /**
   * The idempotency key. Default: a new one if the client or the method has `idempotencyHeader`, otherwise
   * none
   */
  idempotencyKey?: string | undefined;
  /** True to read server-sent events as a {@linkcode Stream}. It is for the methods of the client. */
  stream?: boolean | undefined;
}

/** The names of the options of one request. */
const optionNames: ReadonlySet<string> = new Set<keyof ResourceRequestOptions>([
  ...["body", "fetchOptions", "headers", "idempotencyKey", "maxRetries", "method"] as const,
  ...["path", "query", "signal", "stream", "timeout"] as const,
]);

/**
 * Returns the parameters and the options of a call whose first object can be either: it is the options if
 * it has properties, and all of them are names of options.
 *
 * @param first The parameters, or the options
 * @param options The options after the parameters
 * @param parameters The names of options that parameters have, too
 *
 * @category Resources
 */
export function optionsApart<P extends object>(
  first: P | ResourceRequestOptions | null | undefined,
  options: ResourceRequestOptions | undefined,
  parameters: readonly string[] = [],
): [params: P | null | undefined, options: ResourceRequestOptions | undefined] {
  const names = isPlain(first) ? Object.keys(first as object) : [];
  const isOptions = options === undefined && names.length > 0 &&
    names.every((name) => optionNames.has(name) && !parameters.includes(name));
  return isOptions
    ? [undefined, first as ResourceRequestOptions]
    : [first as P | null | undefined, options];
}

/** A request of a resource, in the terms of the toolkit. */
export interface ResourceRequest {
  readonly method: string;
  readonly path: Path;
  readonly options: RequestOptions;
}

/**
 * Merges the options of a caller over those that a method of a resource sets.
 *
 * @param request The request of the method
 * @param given The options of the caller
 * @param keyHeader The header of the idempotency key of the client; null if it sends none by itself
 */
export function withGiven(
  { method: ownMethod, path, options: own }: ResourceRequest,
  given: ResourceRequestOptions | null | undefined,
  keyHeader: string | null,
): ResourceRequest {
  const { body, stream, ...others } = withFetchOptions(checkedCallOptions(given ?? {}));
  const method = others.method?.toUpperCase() ?? ownMethod;
  const options: Record<string, unknown> = { ...own };
  const { idempotencyHeader = keyHeader } = own;
  const headers = headersOf(others, method, own, idempotencyHeader);
  const changes = { ...changesOf(others, own), headers };
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) options[name] = value;
  }
  if (body !== undefined) {
    for (const each of ["json", "xml", "data", "files", "content"]) delete options[each];
    Object.assign(options, bodyOf(body));
  }
  if (stream === true && !isStreamFormat(own.format)) {
    for (const each of ["convJson", "responseModel"]) delete options[each];
    options["format"] = sse({ json: true, until: "[DONE]", contentTypes: "any" });
  }
  return { method, path: others.path ?? path, options };
}

/** The options of a request, with what `fetchOptions` says about redirects. */
type WithRedirects = ResourceRequestOptions & { readonly followRedirects?: boolean | undefined };

/** Returns options in which the parts of `fetchOptions` that the toolkit sets itself are options. */
function withFetchOptions(options: ResourceRequestOptions): WithRedirects {
  if (options.fetchOptions === undefined) return options;
  const { method, headers, body, signal, rest, followRedirects } = fetchParts(options.fetchOptions);
  const all: Record<string, unknown> = { ...options, fetchOptions: rest };
  if (headers !== undefined) all["headers"] = mergeHeaders(options.headers, headers);
  for (const [name, value] of Object.entries({ method, body, signal, followRedirects })) {
    if (value !== undefined) all[name] = value;
  }
  return all;
}

/** The options of fetch, and those among them that the toolkit sets itself. */
export interface FetchParts {
  readonly method: string | undefined;
  readonly signal: AbortSignal | null | undefined;
  readonly body: unknown;
  readonly headers: HeadersInput | undefined;
  /** The others. */
  readonly rest: object;
  /** False if a redirect is an error. */
  readonly followRedirects: boolean | undefined;
}

/**
 * Takes options of fetch apart.
 *
 * @throws {UnexpectedValueError} If they are not an object
 */
export function fetchParts(fetchOptions: object): FetchParts {
  if (typeof fetchOptions !== "object" || fetchOptions === null) {
    throw new UnexpectedValueError("fetchOptions", "an object with options of fetch", fetchOptions);
  }
  // The toolkit sets `duplex` if the body needs it.
  const { method, headers, body, signal, redirect, duplex: _, ...rest } = fetchOptions as
    & RequestInit
    & { readonly duplex?: unknown };
  const followRedirects = redirect === undefined ? undefined : redirect === "follow";
  return { method, headers: headers as HeadersInput, body, signal, rest, followRedirects };
}

/** Returns the options of the toolkit for those of a caller; undefined for those that do not change. */
function changesOf(
  { query, maxRetries, timeout, fetchOptions, signal, followRedirects }: WithRedirects,
  own: RequestOptions,
): Record<string, unknown> {
  return {
    params: query === undefined || query === null ? undefined : overlayParams(query, own.params),
    retries: maxRetries,
    timeout: timeout === undefined ? undefined : timeout / 1000,
    fetchOptions,
    signal,
    followRedirects,
  };
}

/** Returns the headers with an idempotency key; undefined if they do not change. */
function headersOf(
  { headers, idempotencyKey }: ResourceRequestOptions,
  method: string,
  own: RequestOptions,
  keyHeader: string | null,
): Record<string, string | null> | undefined {
  // The toolkit itself sends a key with POST and PATCH.
  const needsKey = keyHeader !== null && (method === "PUT" || method === "DELETE");
  const key = idempotencyKey ?? (needsKey ? crypto.randomUUID() : undefined);
  if (headers === undefined && key === undefined) return undefined;
  const ofKey = key === undefined ? {} : { [keyHeader ?? "Idempotency-Key"]: key };
  return mergeHeaders(ofKey, own.headers, headers);
}

/** Returns the option for a body: JSON for plain objects and arrays, others as they are. */
export function bodyOf(body: unknown): Pick<RequestOptions, "content" | "data" | "json"> {
  if (body === null || isPlain(body)) return { json: body };
  if (isFormData(body) || isSearchParams(body)) return { data: body };
  const isRaw = typeof body === "string" || body instanceof Blob || isForeignBlob(body) ||
    isBytes(body) ||
    body instanceof ReadableStream ||
    typeof Object(body)[Symbol.asyncIterator] === "function";
  return isRaw ? { content: body as NonNullable<RequestOptions["content"]> } : { json: body };
}
