/** The client that has resources, with the options and raw methods that its callers know. */
import { APIClient, type ClientOptions } from "../client/client.ts";
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
import type { ResourceRequestOptions } from "./request.ts";
import { bodyFormat } from "./body_format.ts";
import { type ResourceCall, sendCall, sendList } from "./send.ts";
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
  readonly baseURL?: string | null | undefined;
  /** The number of retries. Default: 2 */
  readonly maxRetries?: number | undefined;
  /** The time in milliseconds without data after which an attempt fails. Default: 600,000, ten minutes */
  readonly timeout?: number | undefined;
  /** Headers of each request. Null removes a header. Default: none */
  readonly defaultHeaders?: HeadersInput | undefined;
  /** Query parameters of each request. Default: none */
  readonly defaultQuery?: Readonly<Record<string, string | undefined>> | undefined;
  /** The lowest level that is logged. Default: that of the logger */
  readonly logLevel?: LogLevel | "off" | undefined;
}

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

  /** The options of the caller, for copies. */
  readonly #given: ResourceClientOptions;
  readonly #settings: ClientOptions;

  /**
   * Creates a client.
   *
   * @param options The options of the caller
   * @param settings The options that a class sets, in the terms of the toolkit
   */
  constructor(options: ResourceClientOptions = {}, settings: ClientOptions = {}) {
    const all = { ...settings, ...clientOptions(options, settings) };
    super(all);
    this.#given = options;
    this.#settings = { baseUrl: new.target.baseUrl, ...all };
  }

  /** The base URL. */
  get baseURL(): string {
    return this.#settings.baseUrl ?? "";
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

  /** The number of retries. */
  get maxRetries(): number {
    return this.#settings.retries ?? this.#statics.retries;
  }

  /** The time in milliseconds without data after which an attempt fails. */
  get timeout(): number {
    return (this.#settings.timeout ?? this.#statics.timeout ?? 0) * 1000;
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
   * @param options The options that differ
   */
  override withOptions(options: Partial<ResourceClientOptions>): this {
    const Class = this.constructor as new (options: ResourceClientOptions) => this;
    return new Class({ ...this.#given, ...options });
  }

  /**
   * Sends a GET request.
   *
   * @param path The path below the base URL, or a full URL
   * @param options The options
   * @returns The body: parsed if it is JSON, otherwise as text; null if there is none
   */
  get<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.#send("GET", path, options);
  }

  /** Sends a POST request, as {@linkcode ResourceClient.get} does. */
  post<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.#send("POST", path, options);
  }

  /** Sends a PATCH request, as {@linkcode ResourceClient.get} does. */
  patch<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.#send("PATCH", path, options);
  }

  /** Sends a PUT request, as {@linkcode ResourceClient.get} does. */
  put<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.#send("PUT", path, options);
  }

  /** Sends a DELETE request, as {@linkcode ResourceClient.get} does. */
  delete<T>(path: string, options?: ResourceRequestOptions): ResourcePromise<T> {
    return this.#send("DELETE", path, options);
  }

  /** Sends a request whose method and path are in the options. */
  request<T>(
    options: ResourceRequestOptions & { readonly method: string; readonly path: string },
  ): ResourcePromise<T> {
    return this.#send(options.method, options.path, options);
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
    try {
      return await super._req(method, path, options);
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

  #send<T>(
    method: string,
    path: string,
    options: ResourceRequestOptions | undefined,
  ): ResourcePromise<T> {
    return sendCall<T>(this, { method, path, given: options, call: { format: bodyFormat } });
  }
}

/** Returns a URL without slashes at its end, to compare it. */
function bareUrl(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

/** Returns the options of a caller in the terms of the toolkit. */
function clientOptions(
  options: ResourceClientOptions,
  settings: ClientOptions,
): ClientOptions {
  const { baseURL, maxRetries, timeout, defaultHeaders, defaultQuery, logLevel, ...rest } = options;
  const own: Record<string, unknown> = { ...rest };
  if (baseURL !== undefined && baseURL !== null) own["baseUrl"] = baseURL;
  if (maxRetries !== undefined) own["retries"] = maxRetries;
  if (timeout !== undefined) own["timeout"] = timeout / 1000;
  if (defaultHeaders !== undefined) {
    own["headers"] = mergeHeaders(settings.headers, defaultHeaders);
  }
  if (defaultQuery !== undefined) own["params"] = overlayParams(defaultQuery, settings.params);
  if (logLevel !== undefined) own["logger"] = withLevel(rest.logger, logLevel);
  return own;
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
