/** The client that has resources, with the options and raw methods that its callers know. */
import { APIClient, type ClientOptions } from "../client/client.ts";
import { notPassedOn } from "../client/client_base.ts";
import { APIError } from "../errors/api_error.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import { overlayParams } from "../content/params.ts";
import { type HeadersInput, mergeHeaders } from "../http/headers.ts";
import {
  isLevelEnabled,
  type Logger,
  loggerOf,
  type LogLevel,
  logLevels,
  silentLogger,
} from "../log/logger.ts";
import { consoleLogger } from "../log/console_logger.ts";
import type { FailedAttempt } from "../call/retry/hooks.ts";
import { backoffWait } from "../call/retry/wait.ts";
import type { Path } from "../http/url.ts";
import type { AuthSchemes } from "../auth/auth_schemes.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIStatusError,
  APIUserAbortError,
  AuthenticationError,
  ConflictError,
  InternalServerError,
  isRetried,
  PermissionDeniedError,
  RateLimitError,
  ResourceBadRequestError,
  ResourceError,
  resourceError,
  ResourceNotFoundError,
  statusMessage,
  UnprocessableEntityError,
} from "./errors.ts";
import type { AbstractPage, PageClass, ResourcePagePromise } from "./page.ts";
import type { ResourcePromise } from "./promise.ts";
import { fetchParts, type ResourceRequestOptions } from "./request.ts";
import { bodyFormat } from "./body_format.ts";
import { type ResourceCall, sendCall, sendList } from "./send.ts";
import { countRetries, RETRY_COUNT, stainlessFields, TIMEOUT } from "./stainless_headers.ts";
import { toFile } from "./uploads.ts";

/**
 * The options of a client with resources. Those of `APIClient` that are not named here can be passed,
 * too.
 *
 * @category Resources
 */
export interface ResourceClientOptions
  extends Omit<ClientOptions, "baseUrl" | "headers" | "params" | "retries" | "timeout"> {
  /** The base URL. Default: the static `baseUrl` of the class */
  baseURL?: string | null | undefined;
  /** The number of retries. Default: 2 */
  maxRetries?: number | undefined;
  /** The time in milliseconds without data after which an attempt fails. Default: 600,000, ten minutes */
  timeout?: number | undefined;
  /** Headers of each request. Null removes a header. Default: none */
  defaultHeaders?: HeadersInput | undefined;
  /** Query parameters of each request. Default: none */
  defaultQuery?: Readonly<Record<string, string | undefined>> | undefined;
  /** The lowest level that is logged. Default: that of the logger */
  logLevel?: LogLevel | "off" | undefined;
  /** The logger; null for none. Default: the one with the name of the client */
  logger?: Logger | null | undefined;
  /** Sends the requests. Its `init.headers` is a `Headers` object. Default: fetch */
  fetch?: Transport | undefined;
  /**
   * Other options for fetch. With `redirect: "manual"` or `"error"`, a redirect is an error. Default: none
   */
  fetchOptions?: object | undefined;
  /**
   * True to send the headers `X-Stainless-…`: the number of the retry, the timeout in seconds, the language,
   * the version of the package, the runtime and the system. Default: the static of this name
   */
  stainlessHeaders?: boolean | undefined;
}

/**
 * The values of the options that a class has of its own, and the schemes that are made of them.
 *
 * @category Resources
 */
export interface OwnValues {
  /** The values by the names of their options, which become fields of the client. Default: none */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** The security schemes among which each call chooses. Default: none */
  readonly schemes?: AuthSchemes | undefined;
}

/** The key of an option of copies, which shows that a constructor passes its options on. */
const COPY: unique symbol = Symbol("restwright.copy");

/**
 * A client whose methods are grouped in resources, such as `client.chat.completions.create()`.
 *
 * It has the options, raw methods, errors and defaults that the callers of such SDKs know: times are
 * in milliseconds, a call is retried twice, redirects are followed, and the classes of the errors are
 * statics of the client, too. Generated clients extend it.
 *
 * @example
 * ```ts
 * import { ResourceClient } from "@restwright/restwright/resources";
 *
 * const fetch = () => Promise.resolve(Response.json({ message: "no such pet" }, { status: 404 }));
 * const client = new ResourceClient({
 *   baseURL: "https://api.example.com",
 *   maxRetries: 1,
 *   timeout: 20_000,
 *   fetch,
 * });
 * try {
 *   await client.get("/pets/7", { query: { verbose: true } });
 * } catch (error) {
 *   if (!(error instanceof ResourceClient.NotFoundError)) throw error;
 *   console.log(error.status, error.message); // 404 404 no such pet
 * }
 * ```
 *
 * @category Resources
 */
export class ResourceClient extends APIClient {
  /** The number of retries before a request fails. Default: 2 */
  static override readonly retries: number = 2;
  /** Seconds without data after which an attempt fails. Default: 600 */
  static override readonly timeout: number | null = 600;
  /** Seconds to wait before a retry: a half, doubled for each one, less a random quarter. */
  static override readonly backoff: number | ((retry: number) => number) = (retry) =>
    0.5 * 2 ** (retry - 1) * (1 - Math.random() / 4);
  /** The longest wait in seconds before a retry. Default: 8 */
  static override readonly maxBackoff: number | null = 8;
  /** False: the last failure is thrown at once. */
  static override readonly finalWait: boolean | undefined = false;
  /** True if redirects are followed. Default: true */
  static override readonly followRedirects: boolean = true;
  /** Returns the message of an error: the status, and the message of the body. */
  static override readonly errorFunc: ErrorFunction | undefined = statusMessage;

  /**
   * The base URLs of the environments, by their names; the first one is the default. Calls with a server
   * of their own go there only if the client has the base URL of its environment. Default: none
   */
  static readonly environments: Readonly<Record<string, string>> = {};

  /** The class of all errors of the API. */
  static readonly APIError: typeof ResourceError = ResourceError;
  /** The class of errors of responses, whatever the status is. */
  static readonly APIStatusError: typeof APIStatusError = APIStatusError;
  /** The class of errors without a complete response. */
  static readonly APIConnectionError: typeof APIConnectionError = APIConnectionError;
  /** The class of errors of requests that took too long. */
  static readonly APIConnectionTimeoutError: typeof APIConnectionTimeoutError =
    APIConnectionTimeoutError;
  /** The class of errors of calls that were aborted. */
  static readonly APIUserAbortError: typeof APIUserAbortError = APIUserAbortError;
  /** The class of errors with the status 404. */
  static readonly NotFoundError: typeof ResourceNotFoundError = ResourceNotFoundError;
  /** The class of errors with the status 409. */
  static readonly ConflictError: typeof ConflictError = ConflictError;
  /** The class of errors with the status 429. */
  static readonly RateLimitError: typeof RateLimitError = RateLimitError;
  /** The class of errors with the status 400. */
  static readonly BadRequestError: typeof ResourceBadRequestError = ResourceBadRequestError;
  /** The class of errors with the status 401. */
  static readonly AuthenticationError: typeof AuthenticationError = AuthenticationError;
  /** The class of errors with a status of 500 and above. */
  static readonly InternalServerError: typeof InternalServerError = InternalServerError;
  /** The class of errors with the status 403. */
  static readonly PermissionDeniedError: typeof PermissionDeniedError = PermissionDeniedError;
  /** The class of errors with the status 422. */
  static readonly UnprocessableEntityError: typeof UnprocessableEntityError =
    UnprocessableEntityError;
  /** Returns a file for an upload. */
  static readonly toFile: typeof toFile = toFile;

  /** True to send the headers `X-Stainless-…` with each request. Default: false */
  static readonly stainlessHeaders: boolean = false;

  /** The base URL. If another one is assigned, it is that of later calls. */
  baseURL: string;
  /** The number of retries. If another one is assigned, it is that of later calls. */
  maxRetries: number;
  /**
   * The time in milliseconds without data after which an attempt fails. If another one is assigned, it is
   * that of later calls.
   */
  timeout: number;

  /** The options of the caller, for copies. */
  readonly #given: ResourceClientOptions;
  readonly #settings: ClientOptions;
  readonly #schemes: AuthSchemes | undefined;
  /** The values of the fields that callers can assign, as the client was made with them. */
  readonly #fields: ReadonlyMap<string, unknown>;
  /** The copy that sends the calls after fields were assigned. */
  #copy: this | undefined;
  /** The values that were assigned to its fields. */
  #copied: Readonly<Record<string, unknown>> = {};
  /** The number of calls that this client sends as a copy. */
  #calls = 0;
  /** True if another copy has replaced this one. */
  #isReplaced = false;
  #isClosed = false;
  /** True if the class or the caller sets or removes the header with the timeout. */
  readonly #hasOwnTimeout: boolean;

  /**
   * Creates a client.
   *
   * @param options The options of the caller
   * @param settings The options that a class sets, in the terms of the toolkit
   * @param own The values of the options that a class has of its own
   */
  constructor(
    options: ResourceClientOptions = {},
    settings: ClientOptions = {},
    own: OwnValues = {},
  ) {
    const all = { ...settings, ...clientOptions(options, settings, new.target) };
    super(all);
    this.#given = options;
    this.#settings = { baseUrl: new.target.baseUrl, ...all };
    this.#hasOwnTimeout = TIMEOUT in ownHeaders(options, settings);
    this.#schemes = own.schemes;
    this.baseURL = this.#settings.baseUrl ?? "";
    this.maxRetries = this.#settings.retries ?? new.target.retries;
    this.timeout = (this.#settings.timeout ?? new.target.timeout ?? 0) * 1000;
    // A field that is enumerable and named like a static is reported as one without effect.
    Object.defineProperty(this, "timeout", { enumerable: false });
    const { baseURL, maxRetries, timeout } = this;
    Object.assign(this, own.fields);
    this.#fields = new Map(Object.entries({ ...own.fields, baseURL, maxRetries, timeout }));
  }

  /** The security schemes among which each call chooses. */
  get authSchemes(): AuthSchemes {
    const schemes = this.#current().#schemes;
    if (schemes === undefined) throw new TypeError("this client has no security schemes");
    return schemes;
  }

  /**
   * True if the base URL is not that of the environment. Then all calls go to it, also those with a
   * server of their own.
   */
  get isBaseURLOverridden(): boolean {
    const { environments } = this.#statics;
    const { environment = Object.keys(environments)[0] } = this.#given as {
      readonly environment?: string;
    };
    const url = environment === undefined || !Object.hasOwn(environments, environment)
      ? undefined
      : environments[environment];
    return url === undefined || bareUrl(url) !== bareUrl(this.baseURL);
  }

  /** The header of idempotency keys; null if the client sends none by itself. */
  get idempotencyHeader(): string | null {
    const { idempotencyHeader = this.#statics.idempotencyHeader } = this.#settings;
    return idempotencyHeader;
  }

  get #statics(): typeof ResourceClient {
    return this.constructor as typeof ResourceClient;
  }

  /**
   * Creates a client with other options. Those that are not passed are the same.
   *
   * The constructor of a subclass has to pass all its options on, as in `super({ ...options })`.
   *
   * @param options The options that differ
   * @throws {UnexpectedValueError} If an option is not valid, or if the constructor does not pass its
   * options on
   */
  override withOptions(options: Partial<ResourceClientOptions>): this {
    const Class = this.constructor as new (options: ResourceClientOptions) => this;
    const mark = {};
    const all = { ...this.#given, ...this.#assigned(), ...options, [COPY]: mark };
    const copy = new Class(all);
    if (Reflect.get(copy.#given, COPY) === mark) return copy;
    copy.close().catch(() => {}); // it must not log in
    throw notPassedOn(Class.name);
  }

  /** Closes the client, and the copy that sends its calls if a field was assigned. */
  override async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([super.close(), this.#copy?.close()]);
  }

  /**
   * Sends a GET request.
   *
   * @param path The path below the base URL, or a full URL
   * @param options The options
   * @returns The body: parsed if it is JSON, otherwise as text; null if there is none
   */
  get<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.request({ ...options, method: "GET", path });
  }

  /** Sends a POST request, as {@linkcode ResourceClient.get} does. */
  post<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.request({ ...options, method: "POST", path });
  }

  /** Sends a PATCH request, as {@linkcode ResourceClient.get} does. */
  patch<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.request({ ...options, method: "PATCH", path });
  }

  /** Sends a PUT request, as {@linkcode ResourceClient.get} does. */
  put<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.request({ ...options, method: "PUT", path });
  }

  /** Sends a DELETE request, as {@linkcode ResourceClient.get} does. */
  delete<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.request({ ...options, method: "DELETE", path });
  }

  /** Sends a request whose method and path are in the options. */
  request<T>(
    options: ResourceRequestOptions & { readonly method: string; readonly path: string },
  ): ResourcePromise<T> {
    const { method, path } = options;
    return sendCall<T>(this, { method, path, given: options, call: { format: bodyFormat } });
  }

  /**
   * Requests a list.
   *
   * @param path The path below the base URL, or a full URL
   * @param pageClass The class of its pages
   * @param options The options
   */
  getAPIList<Item, P extends AbstractPage<Item> = AbstractPage<Item>>(
    path: string,
    pageClass: PageClass<Item, P>,
    options?: ResourceRequestOptions,
  ): ResourcePagePromise<P, Item> {
    const { body, ...given } = options ?? {};
    return sendList(this, {
      path,
      pageClass,
      given,
      call: body === undefined ? {} : { json: body },
    });
  }

  /** Sends the request of a method of the client itself, as that of a resource. */
  protected _call<T>(
    method: string,
    path: Path,
    options?: ResourceRequestOptions | null,
    call: ResourceCall = {},
  ): ResourcePromise<T> {
    return sendCall<T>(this, { method, path, given: options, call });
  }

  /** Requests the list of a method of the client itself, as that of a resource. */
  protected _list<P extends AbstractPage<Item>, Item = ReturnType<P["getPaginatedItems"]>[number]>(
    path: Path,
    pageClass: PageClass<Item, P>,
    options?: ResourceRequestOptions | null,
    call: ResourceCall = {},
  ): ResourcePagePromise<P, Item> {
    return sendList(this, { path, pageClass, given: options, call });
  }

  /** Sends a request, and throws the errors of clients with resources. */
  protected override async _req(
    method: string,
    path: Path,
    options: RequestOptions = {},
  ): Promise<unknown> {
    // An override of this method has run already, so that of the copy must not.
    const sender = this.#current();
    sender.#calls++;
    try {
      return await sender.#requested(method, path, options);
    } finally {
      sender.#calls--;
      sender.#closeIfReplaced();
    }
  }

  /** Closes a copy that another one has replaced, once its last call has ended. */
  #closeIfReplaced(): void {
    if (this.#isReplaced && this.#calls === 0) this.close().catch(() => {});
  }

  async #requested(method: string, path: Path, options: RequestOptions): Promise<unknown> {
    const { stainlessHeaders = this.#statics.stainlessHeaders } = this.#given;
    const { timeout } = options;
    const needsHeader = stainlessHeaders && !this.#hasOwnTimeout && typeof timeout === "number";
    const sent = needsHeader
      ? { ...options, headers: mergeHeaders({ [TIMEOUT]: Math.trunc(timeout) }, options.headers) }
      : options;
    try {
      return await super._req(method, path, sent);
    } catch (error) {
      throw resourceError(error, options.signal, this.#given.signal);
    }
  }

  /** Retries 408, 409, 429 and all statuses from 500, unless the header `x-should-retry` decides. */
  protected override _shouldRetry(
    { response }: FailedAttempt,
  ): boolean | undefined | Promise<boolean | undefined> {
    return response && isRetried(response);
  }

  /** Does not wait longer than a minute, whatever the server asks for. */
  protected override _retryWait(
    { error, attempt }: FailedAttempt,
  ): number | undefined | Promise<number | undefined> {
    const asked = error instanceof APIError ? error.retryAfter : undefined;
    if (asked === undefined || asked <= 60) return undefined;
    const {
      backoff = this.#statics.backoff,
      maxBackoff = this.#statics.maxBackoff,
      jitter = this.#statics.jitter,
    } = this.#settings;
    return backoffWait({ backoff, maxBackoff, jitter }, attempt);
  }

  /** Returns the fields whose values were assigned. */
  #assigned(): Record<string, unknown> {
    const changed: Record<string, unknown> = {};
    for (const [name, made] of this.#fields) {
      const value: unknown = Reflect.get(this, name);
      if (!Object.is(value, made)) changed[name] = value;
    }
    return changed;
  }

  /** Returns the client that sends calls: this one, or a copy if fields were assigned. */
  #current(): this {
    if (this.#isClosed) return this; // it refuses the call
    const isAsMade = [...this.#fields].every(([name, made]) =>
      Object.is(Reflect.get(this, name), made)
    );
    if (isAsMade) return this;
    const assigned = this.#assigned();
    if (this.#copy !== undefined && isSameRecord(this.#copied, assigned)) return this.#copy;
    const copy = this.withOptions({});
    const replaced = this.#copy;
    this.#copied = assigned;
    this.#copy = copy;
    if (replaced !== undefined) {
      replaced.#isReplaced = true;
      replaced.#closeIfReplaced();
    }
    return copy;
  }
}

/** Reports if two records have the same names and values. */
function isSameRecord(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && Object.is(a[name], b[name]));
}

/** Returns a URL without slashes at its end, to compare it. */
function bareUrl(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

/** Returns the headers of each request that a class and its caller set. */
function ownHeaders(
  { defaultHeaders, fetchOptions }: ResourceClientOptions,
  { headers }: ClientOptions,
): Record<string, string | null> {
  const ofFetch = fetchOptions === undefined ? undefined : fetchParts(fetchOptions).headers;
  return mergeHeaders(headers, defaultHeaders, ofFetch);
}

/** Returns the options of a caller in the terms of the toolkit. */
function clientOptions(
  options: ResourceClientOptions,
  settings: ClientOptions,
  statics: typeof ResourceClient,
): ClientOptions {
  const { baseURL, maxRetries, timeout, defaultHeaders, defaultQuery, logLevel, ...others } =
    options;
  const { fetch, fetchOptions, stainlessHeaders = statics.stainlessHeaders, ...rest } = others;
  const own: Record<string, unknown> = { ...rest };
  // An empty text is that of a variable that is not set.
  if (baseURL) own["baseUrl"] = baseURL;
  if (maxRetries !== undefined) own["retries"] = maxRetries;
  if (timeout !== undefined) own["timeout"] = timeout / 1000;
  const parts = fetchOptions === undefined ? undefined : fetchParts(fetchOptions);
  if (parts !== undefined) {
    const { method, body, rest: kept, signal, followRedirects } = parts;
    // They are those of each call, so the toolkit refuses them.
    own["fetchOptions"] = { ...kept, ...method && { method }, ...body != null && { body } };
    if (signal != null) own["signal"] = signal;
    if (followRedirects !== undefined) own["followRedirects"] = followRedirects;
  }
  if (fetch !== undefined) own["fetch"] = typeof fetch === "function" ? withHeaders(fetch) : fetch;
  const headers = [settings.headers, defaultHeaders, parts?.headers];
  if (stainlessHeaders) {
    const seconds = (timeout ?? (settings.timeout ?? statics.timeout ?? 0) * 1000) / 1000;
    headers.unshift(stainlessFields({ version: statics.libVersion, seconds }));
    const kept = mergeHeaders(...headers)[RETRY_COUNT];
    if (kept === undefined) own["middleware"] = [countRetries, ...rest.middleware ?? []];
  }
  if (headers.some((each, index) => index !== 0 && each !== undefined) || stainlessHeaders) {
    own["headers"] = mergeHeaders(...headers);
  }
  if (defaultQuery !== undefined) own["params"] = overlayParams(defaultQuery, settings.params);
  if (logLevel !== undefined) own["logger"] = withLevel(rest.logger, logLevel);
  return own;
}

/** The methods of `Headers` that could be names of headers, which are in lower case. */
const headersMethods: ReadonlySet<string> = new Set(
  ["append", "delete", "entries", "get", "has", "keys", "set", "values"],
);

/** Returns a transport that calls the one of a caller, which expects a `Headers` object. */
function withHeaders(fetch: Transport): Transport {
  return (url, init) => {
    const headers = new Headers(init.headers);
    // A transport of the toolkit reads them as properties.
    for (const [name, value] of Object.entries(init.headers)) {
      if (headersMethods.has(name)) continue;
      Object.defineProperty(headers, name, { value, enumerable: true, configurable: true });
    }
    return fetch(url, Object.assign(init, { headers }));
  };
}

/** Returns the logger that writes the records of a level and above. */
function withLevel(logger: Logger | null | undefined, level: LogLevel | "off"): Logger {
  if (level === "off") return silentLogger;
  if (logger === undefined || logger === null) return consoleLogger({ level });
  const lowest = logLevels.indexOf(level);
  if (lowest < 0) {
    throw new UnexpectedValueError("logLevel", '"debug", "info", "warn", "error" or "off"', level);
  }
  const isEnabled = (each: LogLevel) =>
    logLevels.indexOf(each) >= lowest && isLevelEnabled(logger, each);
  return loggerOf((each, message) => {
    if (isEnabled(each)) logger[each](message);
  }, isEnabled);
}
