import { getLogger } from "#log";
import { checkedHeaderText, checkedLogger } from "./checks.ts";
import { Engine } from "./engine/engine.ts";
import type { Face } from "./engine/face.ts";
import type {
  JsonRequestOptions,
  RawRequestOptions,
  RequestOptions,
} from "./engine/request_options.ts";
import { readSettings } from "./engine/settings.ts";
import type { Path } from "./engine/url.ts";
import { userAgent } from "./engine/user_agent.ts";
import type { ErrorFunction } from "./errors/api_error.ts";
import { baseErrorMap, type ErrorMap } from "./errors/by_status.ts";
import { HttpSession } from "./http/http_session.ts";
import type { Transport } from "./http/transport.ts";
import type { Logger } from "./log/logger.ts";
import { detectRuntime } from "./runtime.ts";
import { checkedSession, refuseLeftovers, type SessionOptions } from "./session_options.ts";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "./version.ts";

/**
 * A session with an API (generation 1): base URL, retries, errors by status, logging.
 *
 * The author of an SDK derives a class from it, sets the statics, and adds endpoints. Every static
 * that is an option too can be overridden for one session by the option of the same name.
 *
 * @example An SDK in a few lines
 * ```ts
 * import { APIEndpoint, APISession } from "@restwright/restwright";
 *
 * interface User {
 *   readonly id: number;
 *   readonly name: string;
 * }
 *
 * class Users extends APIEndpoint {
 *   protected override readonly _path: string = "users";
 *
 *   get(id: number): Promise<User> {
 *     return this._get<User>(id, { convJson: true });
 *   }
 * }
 *
 * class Directory extends APISession {
 *   static override readonly url: string = "https://directory.example.com/v1";
 *   static override readonly libName: string = "directory-sdk";
 *   readonly users: Users = new Users(this);
 * }
 *
 * const answer = () => Promise.resolve(Response.json({ id: 7, name: "Ada" }));
 * const directory = new Directory({ adapter: answer });
 * console.log((await directory.users.get(7)).name); // Ada
 * ```
 */
export class APISession {
  /** Base URL. It is joined to request paths by a single slash. Default: none */
  static readonly url: string = "";
  /** A path between the base URL and the request's path. Default: empty */
  static readonly basePath: string = "";
  /** How often a request is sent again before it fails. Default: 3 */
  static readonly retries: number = 3;
  /** Seconds, multiplied by the retry's number, to wait without a Retry-After. Default: 1 */
  static readonly backoff: number = 1;
  /** The longest wait in seconds that Retry-After can ask for; null for no limit. Default: null */
  static readonly maxRetryAfter: number | null = null;
  /** Whether the last failed attempt too is followed by its wait. Default: true */
  static readonly finalWait: boolean = true;
  /** Seconds without data after which an attempt counts as stalled. Default: null, for none */
  static readonly timeout: number | null = null;
  /** Seconds that a call with all its attempts and waits may take. Default: null, for none */
  static readonly deadline: number | null = null;
  /** Whether redirects are followed. Default: true */
  static readonly followRedirects: boolean = true;
  /** The most redirects that are followed for one attempt. Default: 30 */
  static readonly maxRedirects: number = 30;
  /** Other origins that get the session's credentials. Default: none */
  static readonly trustedOrigins: readonly string[] = [];
  /**
   * Names of headers that hold a secret: they are not sent to another origin. Default: none beside
   * Authorization, Cookie, Proxy-Authorization, X-API-Key, X-Auth-Token and X-Session-Token
   */
  static readonly secretHeaders: readonly string[] = [];
  /** Makes the messages of errors built from a response. Default: the toolkit's own */
  static readonly errorFunc: ErrorFunction | undefined = undefined;
  /** The vendor of the integration, for the User-Agent. Default: unknown */
  static readonly vendor: string = "unknown";
  /** The product of the integration, for the User-Agent. Default: unknown */
  static readonly product: string = "unknown";
  /** The build of the integration, for the User-Agent. Default: unknown */
  static readonly build: string = "unknown";
  /** The SDK's name, for the User-Agent and the logger. Default: the toolkit's name */
  static readonly libName: string = TOOLKIT_NAME;
  /** The SDK's version, for the User-Agent. Default: the toolkit's version */
  static readonly libVersion: string = TOOLKIT_VERSION;
  /** Carries the requests below `adapterPath` in place of fetch. Default: none */
  static readonly adapter: Transport | undefined = undefined;
  /** The URL prefix of the adapter. Default: the base URL, a slash and the base path */
  static readonly adapterPath: string | undefined = undefined;
  /** Paths whose parameters and body are never logged. Default: none */
  static readonly restrictedPaths: readonly string[] = [];
  /** Overrides single entries of the base error map. Default: none */
  static readonly errorMap: ErrorMap = {};
  /** The base error map; overriding it removes all preset entries. Default: the contract's */
  static readonly baseErrorMap: ErrorMap = baseErrorMap;
  /** Whether options that nobody declares are refused by the constructor. Default: false */
  static readonly errorOnUnexpectedInput: boolean = false;
  /** Names of the class's own options, which are not left over; subclasses add to them. */
  static readonly optionNames: readonly string[] = [];

  /** Where records go: the `logger` option, or the logger named `<libName>.<class name>`. */
  protected readonly _log: Logger;

  readonly #engine: Engine;
  readonly #http: HttpSession;

  /**
   * Checks and stores the options; no request is made.
   *
   * @param options What is set for this session in place of the class's statics
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  constructor(options: SessionOptions = {}) {
    const defaults = new.target;
    if (defaults.errorOnUnexpectedInput) refuseLeftovers(options, defaults);
    const { url = defaults.url, basePath = defaults.basePath } = options;
    const settings = readSettings(options, defaults, { url, option: "url", basePath });
    const http = checkedSession(options.session) ?? new HttpSession();
    const agent = userAgent(integrationOf(options, defaults), detectRuntime());
    // One that was passed in may be shared: its headers stay as they are, and the agent of each
    // session goes beneath its own requests.
    const isShared = options.session !== undefined;
    if (!isShared) http.headers.set("user-agent", agent);
    const { adapter = defaults.adapter, adapterPath = defaults.adapterPath } = options;
    if (adapter !== undefined) {
      const prefix = adapterPath ?? `${settings.base}/${basePath.replace(/^\/+/, "")}`;
      http.mount(prefix, adapter);
    }
    this._log = checkedLogger("logger", options.logger) ??
      getLogger(`${defaults.libName}.${defaults.name}`);
    this.#engine = new Engine(settings, this.#face(isShared ? agent : undefined), http);
    this.#http = http;
  }

  /** What lies beneath: default headers, authentication, cookies, transports. */
  get session(): HttpSession {
    return this.#http;
  }

  /**
   * Sends a GET request.
   *
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response
   * @throws {APIError} The class of the status, where it is no success
   * @throws {TransportError} Where no whole response came and the attempts ran out
   * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
   */
  get(path: Path, options?: RawRequestOptions): Promise<Response>;
  /** Sends a GET request and parses the body of the response from JSON; an empty one gives null. */
  get<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a GET request; its options tell what comes back only when it runs. */
  get(path: Path, options?: RequestOptions): Promise<unknown>;
  get(path: Path, options?: RequestOptions): Promise<unknown> {
    return this._req("GET", path, options);
  }

  /**
   * Sends a POST request.
   *
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response
   * @throws {APIError} The class of the status, where it is no success
   * @throws {TransportError} Where no whole response came and the attempts ran out
   * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
   */
  post(path: Path, options?: RawRequestOptions): Promise<Response>;
  /** Sends a POST request and parses the body of the response from JSON; an empty one gives null. */
  post<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a POST request; its options tell what comes back only when it runs. */
  post(path: Path, options?: RequestOptions): Promise<unknown>;
  post(path: Path, options?: RequestOptions): Promise<unknown> {
    return this._req("POST", path, options);
  }

  /**
   * Sends a PUT request.
   *
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response
   * @throws {APIError} The class of the status, where it is no success
   * @throws {TransportError} Where no whole response came and the attempts ran out
   * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
   */
  put(path: Path, options?: RawRequestOptions): Promise<Response>;
  /** Sends a PUT request and parses the body of the response from JSON; an empty one gives null. */
  put<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a PUT request; its options tell what comes back only when it runs. */
  put(path: Path, options?: RequestOptions): Promise<unknown>;
  put(path: Path, options?: RequestOptions): Promise<unknown> {
    return this._req("PUT", path, options);
  }

  /**
   * Sends a PATCH request.
   *
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response
   * @throws {APIError} The class of the status, where it is no success
   * @throws {TransportError} Where no whole response came and the attempts ran out
   * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
   */
  patch(path: Path, options?: RawRequestOptions): Promise<Response>;
  /** Sends a PATCH request and parses the body of the response from JSON; an empty one gives null. */
  patch<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a PATCH request; its options tell what comes back only when it runs. */
  patch(path: Path, options?: RequestOptions): Promise<unknown>;
  patch(path: Path, options?: RequestOptions): Promise<unknown> {
    return this._req("PATCH", path, options);
  }

  /**
   * Sends a DELETE request.
   *
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response
   * @throws {APIError} The class of the status, where it is no success
   * @throws {TransportError} Where no whole response came and the attempts ran out
   * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
   */
  delete(path: Path, options?: RawRequestOptions): Promise<Response>;
  /** Sends a DELETE request and parses the body of the response from JSON; an empty one gives null. */
  delete<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a DELETE request; its options tell what comes back only when it runs. */
  delete(path: Path, options?: RequestOptions): Promise<unknown>;
  delete(path: Path, options?: RequestOptions): Promise<unknown> {
    return this._req("DELETE", path, options);
  }

  /**
   * Sends a HEAD request.
   *
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response, which has no body
   * @throws {APIError} The class of the status, where it is no success
   * @throws {TransportError} Where no response came and the attempts ran out
   * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
   */
  head(path: Path, options?: RawRequestOptions): Promise<Response> {
    return this._req("HEAD", path, options) as Promise<Response>;
  }

  /**
   * Sends a request: every verb, of the session and of its endpoints, goes through here.
   *
   * @param method The HTTP method, in any case
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response, or what it is converted to
   */
  protected _req(method: string, path: Path, options: RequestOptions = {}): Promise<unknown> {
    return this.#engine.send({ method, path, options });
  }

  /**
   * Looks at each response with a success status, before it is converted; raises where it tells of
   * an error all the same.
   *
   * An override gets a response of its own to read. The toolkit's own does nothing.
   *
   * @param response The response
   * @param options The keywords of the request
   * @returns The response that the call goes on with
   */
  protected _respErrorCheck(
    response: Response,
    options: RequestOptions,
  ): Response | Promise<Response> {
    void options;
    return response;
  }

  /**
   * Looks at a response that led to a retry, after the wait and right before the next attempt.
   *
   * It is not called after a transport error, nor where no attempt follows. The toolkit's own
   * changes nothing.
   *
   * @param response The response, readable up to 1 MiB
   * @param retries The number of the retry that follows, from 1
   * @param options A copy of the keywords
   * @returns The keywords for all later attempts; undefined leaves them as they are
   */
  protected _retryRequest(
    response: Response,
    retries: number,
    options: RequestOptions,
  ): RequestOptions | undefined | Promise<RequestOptions | undefined> {
    void [response, retries];
    return options;
  }

  #face(userAgent: string | undefined): Face {
    const base = APISession.prototype;
    // deno-lint-ignore no-this-alias -- the getters below read this session, not the face
    const session = this;
    return {
      userAgent,
      get logger(): Logger {
        return session._log;
      },
      get respErrorCheck(): Face["respErrorCheck"] {
        if (session._respErrorCheck === base._respErrorCheck) return undefined;
        return (response, options) => session._respErrorCheck(response, options);
      },
      get retryRequest(): Face["retryRequest"] {
        if (session._retryRequest === base._retryRequest) return undefined;
        return (response, retries, options) => session._retryRequest(response, retries, options);
      },
    };
  }
}

/** The integration's part of the User-Agent, checked. */
function integrationOf(
  options: SessionOptions,
  defaults: typeof APISession,
): Parameters<typeof userAgent>[0] {
  const { vendor = defaults.vendor, product = defaults.product, build = defaults.build } = options;
  const { libName, libVersion } = defaults;
  const parts = { vendor, product, build, libName, libVersion };
  for (const [name, value] of Object.entries(parts)) checkedHeaderText(name, value);
  return parts;
}
