import { getLogger } from "#log";
import type { BoxAttrs } from "./box/mod.ts";
import { checkedLogger } from "./checks.ts";
import { Engine } from "./engine/engine.ts";
import type { Face } from "./engine/face.ts";
import type { RequestOptions } from "./engine/request_options.ts";
import type { Call } from "./engine/request.ts";
import type { Path } from "./engine/url.ts";
import type { ErrorFunction } from "./errors/api_error.ts";
import { baseErrorMap, type ErrorMap } from "./errors/by_status.ts";
import { SessionStateError } from "./errors/session_state_error.ts";
import { HttpSession } from "./http/http_session.ts";
import type { Authorities, ClientCertificate } from "./http/transport/certificates.ts";
import type { Proxies } from "./http/transport/proxies.ts";
import type { Transport } from "./http/transport.ts";
import { Life } from "./life.ts";
import type { Logger } from "./log/logger.ts";
import {
  builtSession,
  checkedResults,
  refuseLeftovers,
  type ResultOptions,
  type SessionOptions,
} from "./session_options.ts";
import { readSetup, type Setup } from "./session_setup.ts";
import { SessionVerbs } from "./session_verbs.ts";
import type { CallerResults, RawResults, ResultFlag, Verb } from "./verb.ts";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "./version.ts";

/**
 * The verbs of a session, for the requests that log in.
 *
 * @typeParam S The session, which a hook of a class that declares what its calls give names
 */
export type Login<S extends CallerResults = RawResults> = Readonly<
  Record<"get" | "post" | "put" | "patch" | "delete" | "head", Verb<S>>
>;

/** What a class or the option of an instance says of its results; where neither does, a subclass may. */
export type Declared<O, Undeclared> = [O] extends [undefined] ? Undeclared : Exclude<O, undefined>;

/** What can be opened. */
export interface Opened {
  /** Settles when it is open. */
  readonly ready: Promise<void>;
}

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
export class APISession<
  const B extends ResultFlag = undefined,
  const J extends ResultFlag = undefined,
  const A extends BoxAttrs | undefined = undefined,
> extends SessionVerbs {
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
  /** Proxies by protocol. Not in browsers. Default: none */
  static readonly proxies: Proxies | null | undefined = undefined;
  /** The client's certificate and its key, as PEM or as paths. Not in browsers. Default: none */
  static readonly cert: ClientCertificate | null | undefined = undefined;
  /** Authorities that are trusted beside the runtime's. Not in browsers. Default: none */
  static readonly ca: Authorities | null | undefined = undefined;
  /** Whether TLS is verified. Default: true */
  static readonly sslVerify: boolean = true;
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

  /**
   * Whether JSON becomes a box, where a request does not say. Default: false
   *
   * @example `override readonly _box = true as const`
   */
  readonly _box: Declared<B, ResultFlag>;
  /**
   * How a box behaves, where a request does not say. Default: empty
   *
   * @example `override readonly _boxAttrs = { camelCase: true } as const`
   */
  readonly _boxAttrs: Declared<A, BoxAttrs | undefined>;
  /**
   * Whether bodies are parsed from JSON, where a request does not say. Default: false
   *
   * @example `override readonly _convJson = true as const`
   */
  readonly _convJson: Declared<J, ResultFlag>;

  /** Where records go: the `logger` option, or the logger named `<libName>.<class name>`. */
  protected readonly _log: Logger;

  readonly #options: SessionOptions & ResultOptions<B, J, A>;
  readonly #setup: Setup;
  readonly #life: Life;
  #isBuilding = false;
  /** The HTTP session that this one made for itself. */
  #own: HttpSession | undefined;
  #begun: { readonly http: HttpSession; readonly engine: Engine } | undefined;

  /**
   * Checks and stores the options; no request is made.
   *
   * @param options What is set for this session in place of the class's statics
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  constructor(options: SessionOptions & ResultOptions<B, J, A> = {}) {
    super();
    const defaults = new.target;
    if (defaults.errorOnUnexpectedInput) refuseLeftovers(options, defaults);
    this.#setup = readSetup(options, defaults);
    this._log = checkedLogger("logger", options.logger) ??
      getLogger(`${defaults.libName}.${defaults.name}`);
    this.#life = new Life({
      build: () => void this.#begin(),
      authenticate: () => this._authenticate(options, this.#login),
      deauthenticate: () => this._deauthenticate(options),
      release: () => this.#own?.close(),
      warn: (message) => this._log.warn(message),
      clock: this.#setup.settings.clock,
    });
    this.#options = options;
    const { box = false, boxAttrs = {}, convJson = false } = checkedResults(options);
    this._box = box as Declared<B, ResultFlag>;
    this._boxAttrs = boxAttrs as Declared<A, BoxAttrs | undefined>;
    this._convJson = convJson as Declared<J, ResultFlag>;
  }

  /** Constructs a session of this very class, and opens it. */
  static open<
    const B extends ResultFlag = undefined,
    const J extends ResultFlag = undefined,
    const A extends BoxAttrs | undefined = undefined,
  >(
    this: typeof APISession,
    options?: SessionOptions & ResultOptions<B, J, A>,
  ): Promise<APISession<B, J, A>>;
  /**
   * Constructs a session and logs in: `await using api = await MyAPI.open(options)`.
   *
   * A session that is constructed by `new` is logged in by its first request; to open it says when,
   * and fails where the login does.
   *
   * @param args What the constructor takes
   * @returns The session, ready
   */
  static open<T extends Opened, A extends unknown[]>(
    this: new (...args: A) => T,
    ...args: A
  ): Promise<T>;
  static async open(this: new (...args: never[]) => Opened, ...args: unknown[]): Promise<unknown> {
    const session = new this(...args as never[]);
    await session.ready;
    return session;
  }

  /** Settles when the session has been built and logged in, or when that has failed. */
  get ready(): Promise<void> {
    return this.#life.open();
  }

  /**
   * Logs out, once, by the hook `_deauthenticate`, and closes what the session opened; later
   * requests raise a `SessionStateError`.
   *
   * It waits for a login that is under way; a session whose login failed, or that never did
   * anything, does not log out.
   *
   * @throws What the hook throws
   */
  close(): Promise<void> {
    return this.#life.close();
  }

  /** What leaving a context with `await using` does: the same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** What lies beneath: default headers, authentication, cookies, transports. */
  get session(): HttpSession {
    return this.#begin().http;
  }

  /**
   * Sends a request: every verb, of the session and of its endpoints, goes through here.
   *
   * @param method The HTTP method, in any case
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response, or what it is converted to
   */
  protected override _req(
    method: string,
    path: Path,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const call = { method, path, options };
    try {
      const gate = this.#life.gate();
      if (gate === undefined) return this.#send(call);
      return gate.then(() => this.#send(call));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Makes the HTTP session beneath, or adopts the one that was passed in: proxies, TLS settings,
   * certificate, adapter and User-Agent are applied here. It runs once, before `_authenticate`.
   *
   * An override calls this one and may go on with what it gives.
   *
   * @param options The options of the constructor
   * @returns The HTTP session
   */
  protected _buildSession(options: SessionOptions): HttpSession {
    const { adapter, adapterPath, agent, connection } = this.#setup;
    const http = options.session ?? (this.#own = new HttpSession());
    http.setConnection(connection);
    // One that was passed in may be shared: its headers stay as they are, and the agent of each
    // session goes beneath its own requests.
    if (options.session === undefined) http.headers.set("user-agent", agent);
    if (adapter !== undefined) http.mount(adapterPath, adapter);
    return http;
  }

  /**
   * Logs in. It runs once, after `_buildSession`: at the first request, at `ready` or `open`, or
   * right after the construction; every other request waits for it.
   *
   * Its own requests go through the login handle, since those of the session wait. The toolkit's
   * own does nothing.
   *
   * @param options The options of the constructor
   * @param login The verbs of the session, for the requests that log in
   */
  protected _authenticate(options: SessionOptions, login: Login<this>): void | Promise<void> {
    void [options, login];
  }

  /**
   * Logs out. It runs once, when a context is left or by `close`, if the login has not failed. The
   * toolkit's own does nothing.
   *
   * @param options The options of the constructor
   */
  protected _deauthenticate(options: SessionOptions): void | Promise<void> {
    void options;
  }

  #send(call: Call): Promise<unknown> {
    return this.#begin().engine.send(call);
  }

  /** What lies beneath, made at the first look at it. */
  #begin(): { readonly http: HttpSession; readonly engine: Engine } {
    if (this.#isBuilding) {
      throw new SessionStateError(
        "_buildSession is making what it asks for: go on with what super._buildSession gives",
      );
    }
    if (this.#begun === undefined) {
      this.#isBuilding = true;
      const { settings, agent } = this.#setup;
      let http: HttpSession;
      try {
        http = builtSession(this._buildSession(this.#options));
      } finally {
        this.#isBuilding = false;
      }
      const face = this.#face(this.#options.session === undefined ? undefined : agent);
      this.#begun = { http, engine: new Engine(settings, face, http) };
    }
    return this.#begun;
  }

  /** The verbs of the session as the login uses them: they do not wait for it. */
  get #login(): Login<this> {
    const verb = (method: string) => (path: Path, options: RequestOptions = {}) =>
      this.#send({ method, path, options });
    return {
      get: verb("GET"),
      post: verb("POST"),
      put: verb("PUT"),
      patch: verb("PATCH"),
      delete: verb("DELETE"),
      head: verb("HEAD"),
    } as unknown as Login<this>;
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
    const { box, boxAttrs, convJson } = this.#options;
    return {
      userAgent,
      results: {
        get box() {
          return box === undefined ? session._box : box;
        },
        get boxAttrs() {
          return boxAttrs === undefined ? session._boxAttrs : boxAttrs;
        },
        get convJson() {
          return convJson === undefined ? session._convJson : convJson;
        },
      },
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
