/** The base class of sessions and clients: their defaults, hooks, login, copies and requests. */
import type { BoxAttrs } from "../box/mod.ts";
import { checkedBoxAttrs } from "../box/box_attrs.ts";
import { checkedFlag, hasMethods, isPromise } from "../base/checks.ts";
import type { Clock } from "../base/clock.ts";
import type { ErrorFrom } from "../errors/error_from.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import { baseErrorMap, type ErrorMap } from "../errors/status_errors.ts";
import { SessionStateError } from "../errors/session_state_error.ts";
import { describedAs, UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import type { Generation } from "../options/generation.ts";
import { sleep } from "../http/abort.ts";
import { HttpSession } from "../http/http_session.ts";
import { DEFAULT_MAX_RESPONSE_BYTES } from "../http/incoming_response.ts";
import type { CertificateAuthorities, ClientCertificate } from "../http/transport/certificates.ts";
import type { Proxies } from "../http/transport/proxies.ts";
import type { Transport } from "../http/transport.ts";
import { type Path, withoutSlashes } from "../http/url.ts";
import {
  CLOSED,
  createLoginRequests,
  type LifecycleSteps,
  type LoginRequests,
  SessionLifecycle,
} from "./lifecycle.ts";
import type { Logger } from "../log/logger.ts";
import { type AuthOption, valueOfOption, withAuthOption } from "../options/auth_option.ts";
import { fieldsLikeStatics, likelyMilliseconds } from "../options/likely_mistakes.ts";
import { type AssignedClients, judgeAssignments } from "./assignments.ts";
import {
  credentialNames,
  ignoredOptions,
  rejectUnknownOptions,
} from "../options/unknown_options.ts";
import {
  checkedSession,
  derivedOptions,
  optionsForOtherOrigin,
  resolveClient,
  type ResolvedClient,
  type UrlBase,
} from "../options/resolve.ts";
import type { ClientBaseOptions, OptionChanges, ResultOptions } from "../options/client_options.ts";
import type { CallMiddleware, RequestOptions, RetryOptions } from "../options/request_options.ts";
import { urlOfCall } from "../call/build.ts";
import { type Caller, type CallHooks, makeCall } from "../call/call_run.ts";
import { makeCallThroughMiddleware } from "../call/call_middleware.ts";
import { CALL_CONTEXT, type OptionsWithContext } from "../call/call.ts";
import type { Middleware } from "../options/middleware.ts";
import type { ParamsStyle } from "../content/params.ts";
import type { FailedAttempt } from "../call/retry/hooks.ts";
import type { PollCall, PollOptions, PollRule } from "../polling/poll_rule.ts";
import { type AnyClient, RequestBase, type UrlOptions } from "./request_base.ts";
import type { APIPromise } from "../call/api_promise.ts";
import type { Declared, Results } from "../call/request_method.ts";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "../base/version.ts";

/** A session or client with any results. */
type AnyBase = ClientBase<boolean | undefined, boolean | undefined, BoxAttrs | undefined>;

/** The key of the {@linkcode Copying} in the options with which `withOptions` calls the constructor. */
const COPYING: unique symbol = Symbol("restwright.copying");

/** A call of `withOptions`. */
interface Copying {
  /** The session or client that is copied; undefined after the call, because options may be kept. */
  origin: AnyBase | undefined;
  /** The options that are changed. */
  readonly changes: OptionChanges;
}

/** The options of a copy. */
interface CopyOptions extends ClientBaseOptions {
  /** The call of `withOptions`. */
  readonly [COPYING]?: Copying;
}

/**
 * The base class of sessions and clients: defaults, hooks, login and requests.
 *
 * SDK authors extend {@linkcode APISession} or {@linkcode APIClient}. A subclass overrides a default
 * with `static override readonly`. Most defaults are options, too: the option of the same name
 * overrides the static for one instance.
 *
 * @typeParam B The option `box`, if it is set
 * @typeParam J The option `convJson`, if it is set
 * @typeParam A The option `boxAttrs`, if it is set
 *
 * @category Types
 */
export abstract class ClientBase<
  const B extends boolean | undefined = undefined,
  const J extends boolean | undefined = undefined,
  const A extends BoxAttrs | undefined = undefined,
> extends RequestBase {
  /** The number of retries before a request fails. Default: 3 */
  static readonly retries: number = 3;
  /** Seconds to wait before a retry, multiplied by its number, or a function. Default: 1 */
  static readonly backoff: number | ((retry: number) => number) = 1;
  /** The longest wait in seconds before a retry without Retry-After; null for none. Default: null */
  static readonly maxBackoff: number | null = null;
  /** The random part of the waits without Retry-After. Default: "none" */
  static readonly jitter: "none" | "full" | "equal" = "none";
  /** The methods that are retried after 501 to 504 and lost connections; null for all. Default: null */
  static readonly retryMethods: readonly string[] | null = null;
  /** The header for an idempotency key of each POST and PATCH; null for none. Default: null */
  static readonly idempotencyHeader: string | null = null;
  /** The methods that the runtime may repeat by itself; it concerns Deno. Default: "idempotent" */
  static readonly runtimeRetries: "idempotent" | "any" = "idempotent";
  /** True if the retries of all calls of the HTTP session share a budget. Default: false */
  static readonly retryBudget: boolean = false;
  /** Functions around each attempt, the first one outermost. Default: none */
  static readonly middleware: readonly Middleware[] = [];
  /** Functions around each call with all its attempts, the first one outermost. Default: none */
  static readonly callMiddleware: readonly CallMiddleware[] = [];
  /** The longest wait in seconds for Retry-After; null for no limit. Default: depends on the generation */
  static readonly maxRetryAfter: number | null = null;
  /** Also waits after the last failed attempt, or never. Default: after a transport error */
  static readonly finalWait: boolean | undefined;
  /** Seconds without data after which an attempt fails; null for no limit. Default: null */
  static readonly timeout: number | null = null;
  /** Seconds for a call with all its attempts and waits; null for no limit. Default: null */
  static readonly deadline: number | null = null;
  /** The longest body in bytes that the toolkit reads; null for no limit. Default: 256 MiB */
  static readonly maxResponseBytes: number | null = DEFAULT_MAX_RESPONSE_BYTES;
  /** True if redirects are followed. Default: depends on the generation */
  static readonly followRedirects: boolean = true;
  /** The maximum number of redirects of one attempt; null for no limit. Default: 30 */
  static readonly maxRedirects: number | null = 30;
  /** Other origins that get the session's credentials. Default: none */
  static readonly trustedOrigins: readonly string[] = [];
  /** "trusted" rejects full URLs of other origins than those that are trusted. Default: "any" */
  static readonly absoluteUrls: "any" | "trusted" = "any";
  /**
   * Names of other headers that go to origins that are not trusted. Never name one that holds a
   * secret. `Accept`, `Accept-*`, `Cache-Control`, `Content-Encoding`, `Content-Language`,
   * `Content-Type`, `If-Match`, `If-Modified-Since`, `If-None-Match`, `If-Range`,
   * `If-Unmodified-Since`, `Pragma`, `Range` and `User-Agent` always do. Default: none
   */
  static readonly crossOriginHeaders: readonly string[] = [];
  /** Proxies by protocol. Not supported in browsers. Default: none */
  static readonly proxies: Proxies | null | undefined;
  /** The client's certificate and key, as PEM or paths. Not supported in browsers. Default: none */
  static readonly cert: ClientCertificate | null | undefined;
  /** Authorities to trust in addition to the runtime's. Not supported in browsers. Default: none */
  static readonly ca: CertificateAuthorities | null | undefined;
  /** True if TLS is verified. Default: true */
  static readonly sslVerify: boolean = true;
  /** Returns the messages of errors from their responses. Default: the toolkit's own */
  static readonly errorFunc: ErrorFunction | undefined;
  /** The form of arrays and nested objects in queries, or a function. Default: arrays repeat keys */
  static readonly paramsStyle: ParamsStyle = {};
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
  /** Sends the requests below `adapterPath` instead of fetch. Default: none */
  static readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. Default: the base URL, a slash and the base path */
  static readonly adapterPath: string | undefined;
  /** The logger; null for none. Default: the one that is named `<libName>.<class name>` */
  static readonly logger: Logger | null | undefined;
  /**
   * Paths whose parameters and body are never logged. Upper and lower case, repeated slashes and
   * percent-encoding do not matter. Default: none
   */
  static readonly restrictedPaths: readonly string[] = [];
  /**
   * Names of fields whose values are never logged, in parameters, bodies and URLs, in any case.
   * `commonSecretFields` is a list to start with. Default: none
   */
  static readonly redactFields: readonly string[] = [];
  /** The text that replaces a redacted value. Default: REDACTED */
  static readonly redactValue: string = "REDACTED";
  /** Error classes by status, merged over the base error map. Default: none */
  static readonly errorMap: ErrorMap = {};
  /** The base error map. Overriding it removes all preset entries. Default: the contract's */
  static readonly baseErrorMap: ErrorMap = baseErrorMap;
  /** Chooses the error of a response by its content. Default: none, the status chooses its class */
  static readonly errorFrom: ErrorFrom | undefined;
  /** True if `errorFrom` is also asked about successes, and about the items of streams. Default: false */
  static readonly errorsInSuccess: boolean = false;
  /** The response header with the request id; null for none. Default: x-request-id */
  static readonly requestIdHeader: string | null = "x-request-id";
  /** True if the constructor rejects options that nobody declares. Default: false, it ignores them */
  static readonly errorOnUnexpectedInput: boolean = false;
  /** Names of the class's own options. Subclasses add to them. Default: none */
  static readonly optionNames: readonly string[] = [];
  /**
   * Names of the class's own options with credentials. They count as `optionNames`, and a copy with a
   * base URL of another origin does not take them along. Subclasses add to them. Default: none
   */
  static readonly credentialOptions: readonly string[] = [];
  /** An option of the class that becomes its `auth`, such as an API key. Default: none */
  static readonly authOption: AuthOption | undefined;

  /**
   * True if JSON is converted to a box, unless a request sets `box`. Default: false
   *
   * @example `override readonly _box = true`
   */
  readonly _box: B extends undefined ? boolean | undefined : NoInfer<B>;
  /**
   * The settings of boxes, unless a request sets `boxAttrs`. Default: empty
   *
   * @example `override readonly _boxAttrs = { camelCase: true } as const`
   */
  readonly _boxAttrs: A extends undefined ? BoxAttrs | undefined : NoInfer<A>;
  /**
   * True if bodies are parsed as JSON, unless a request sets `convJson`. Default: false
   *
   * @example `override readonly _convJson = true`
   */
  readonly _convJson: J extends undefined ? boolean | undefined : NoInfer<J>;

  /** The types of the request methods. Only the compiler sees this property. */
  declare readonly "~results": Results<
    Declared<this["_box"], false>,
    Declared<this["_convJson"], false>,
    Declared<this["_boxAttrs"], BoxAttrs>
  >;

  /** The generation of the interface. */
  protected readonly _generation: Generation;

  readonly #base: UrlBase;
  readonly #lifecycle: SessionLifecycle<AnyBase>;
  /** The session or client that this one is a copy of. They share the HTTP session and the login. */
  readonly #origin: AnyBase | undefined;
  #options!: ClientBaseOptions & ResultOptions<B, J, A>;
  #resolved!: ResolvedClient;
  /** The reason why the HTTP session cannot be built now. */
  #obstacle: string | undefined;
  /** The HTTP session that is closed with this one. It is created when it is first used. */
  #ownSession: HttpSession | undefined;
  /** The part that sends requests. It is created when the HTTP session is first used. */
  #caller: Caller | undefined;

  /**
   * Checks and stores the options. No request is sent.
   *
   * @param options The options
   * @param base The base of the URLs
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   */
  constructor(options: ClientBaseOptions & ResultOptions<B, J, A>, base: UrlBase) {
    super();
    const { generation } = base;
    const copying = (options as CopyOptions)[COPYING];
    const copied = copying?.origin;
    // The constructor of a subclass may pass its options on to a session of another class, too.
    const origin = copied?.constructor === new.target ? copied : undefined;
    this.#origin = origin;
    if (new.target.errorOnUnexpectedInput) {
      rejectUnknownOptions(options, { service: new.target, generation, statics: ClientBase });
    }
    const { box = false, boxAttrs = {}, convJson = false } = options;
    this._box = checkedFlag("box", box) as this["_box"];
    this._boxAttrs = checkedBoxAttrs(boxAttrs) as this["_boxAttrs"];
    this._convJson = checkedFlag("convJson", convJson) as this["_convJson"];
    this._generation = generation;
    this.#base = base;
    this.#resolve(options, origin && copying?.changes);
    const client: AnyBase = this as unknown as AnyBase;
    this.#lifecycle = new SessionLifecycle(ClientBase.#steps, client, origin && origin.#lifecycle);
    for (const name of credentialNames(new.target)) {
      if (name in this) continue;
      const isUsed = (_: AnyBase, value: unknown) => {
        const used = valueOfOption(options, name, new.target.authOption);
        return used === undefined || Object.is(value, used);
      };
      judgeAssignments(this, ClientBase.#assigned, { name, option: name, isUsed });
    }
  }

  /** The clients whose assignments are judged. */
  static readonly #assigned: AssignedClients<AnyBase> = {
    has: (object): object is AnyBase => #lifecycle in object,
    isBuilt: (client) => client.#lifecycle.isBuilt,
    warn: (client, message) => client._log.warn(message),
  };

  static {
    const isUsed = (client: AnyBase, value: unknown) =>
      value === client.#base.url ||
      withoutSlashes(String(value)) === client.#resolved.settings.base;
    for (const name of ["baseUrl", "baseURL"]) {
      // By its name, the class is undefined here in a bundle of esbuild.
      judgeAssignments(this.prototype, this.#assigned, { name, option: "baseUrl", isUsed });
    }
  }

  /** The steps of the lifecycle of each client. */
  static readonly #steps: LifecycleSteps<AnyBase> = {
    logIn: (client) => client.#logIn(),
    logOut: (client, isLoggedIn) => client.#logOut(isLoggedIn),
    warn: (client, message) => client._log.warn(message),
    clockOf: (client) => client._clock,
  };

  /**
   * Constructs a session and logs in: `await using api = await MyAPI.open(options)`.
   *
   * With `new`, the session logs in on its first request. `open()` logs in at once; if that fails, it
   * closes the session and rejects.
   *
   * @param args The parameters of the constructor
   * @returns The session, logged in
   */
  static async open<T extends AnyClient, A extends unknown[]>(
    this: new (...args: A) => T,
    ...args: A
  ): Promise<T> {
    const session = new this(...args);
    try {
      await session.ready;
      return session;
    } catch (error) {
      session.close().catch(() => {}); // the error of the login is the one to report
      throw error;
    }
  }

  /** Settles when the session has logged in, or when that failed. */
  get ready(): Promise<void> {
    return this.#lifecycle.open();
  }

  /**
   * The HTTP session, with default headers, authentication, cookies and transports.
   *
   * @throws {SessionStateError} In `_buildSession`, and if `close` came before that hook
   */
  get httpSession(): HttpSession {
    return this.#begin().http;
  }

  /** The logger: the option or static `logger`, or the logger named `<libName>.<class name>`. */
  protected get _log(): Logger {
    return this.#resolved.logger;
  }

  /** The clock: the option `clock`, or the runtime's own clock. */
  protected get _clock(): Clock {
    return this.#resolved.settings.clock;
  }

  /**
   * Returns a copy with some options changed. It is constructed by the same class, with its own
   * endpoints, and shares the HTTP session and the login.
   *
   * `auth`, `headers`, `cookies`, `fetch` and `adapters` apply only to the copy; headers and
   * parameters are merged by name. The hooks `_buildSession`, `_authenticate` and `_deauthenticate`
   * of the copy do not run, and closing it closes nothing else. Closing the original closes the copy.
   *
   * With a base URL of another origin, the copy shares nothing: it has its own HTTP session, login and
   * end, and takes no `auth`, cookies, headers and parameters along. Pass those that it needs.
   *
   * The constructor of a subclass has to pass all its options on, as in `super({ ...options })`.
   *
   * @param changes The options to change
   * @returns The copy
   * @throws {UnexpectedValueError} If an option is not valid, or if the constructor does not pass its
   * options on; the error names the first one
   *
   * @example
   * ```ts
   * import { APISession } from "@restwright/restwright";
   *
   * const session = new APISession({ url: "https://api.example.com", retries: 5 });
   * const hasty = session.withOptions({ retries: 0, timeout: 2 });
   * console.log(hasty.httpSession === session.httpSession); // true
   * ```
   */
  withOptions(changes: OptionChanges): this {
    // The hook may change the options.
    if (this._buildSession !== ClientBase.prototype._buildSession) this.#begin();
    const SameClass = this.constructor as new (options: ClientBaseOptions) => this;
    const copying: Copying = { origin: this as unknown as AnyBase, changes };
    const options: CopyOptions = { ...derivedOptions(this.#options, changes), [COPYING]: copying };
    let copy: this;
    try {
      copy = new SameClass(options);
    } finally {
      copying.origin = undefined;
    }
    const isLinked = copy.#origin !== undefined;
    if (isLinked && copy.#urlOrigin === this.#urlOrigin) {
      copy.#warn(likelyMilliseconds(changes), copy.#ignored(changes));
      return copy;
    }
    copy.close().catch(() => {}); // it must not log in
    if (!isLinked) throw notPassedOn(SameClass.name);
    return new SameClass(
      optionsForOtherOrigin(this.#options, changes, credentialNames(this.constructor)),
    );
  }

  /**
   * Logs out with the hook `_deauthenticate`, and closes the HTTP session unless it was passed in.
   * Later requests throw a `SessionStateError`. Calling `close` again does nothing.
   *
   * It waits for a login that is in progress. A session whose login failed, or that was never used,
   * does not log out.
   *
   * It neither waits for other calls nor ends them. To end them, abort the `signal` of the client.
   *
   * @throws The error of the hook
   */
  close(): Promise<void> {
    return this.#lifecycle.close();
  }

  /** Closes the session at the end of `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Sends a request. All request methods, also those of the endpoints, call `_req`, so that an
   * override handles every request.
   *
   * @param method The HTTP method. GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS can be in any
   * case; any other method is sent as passed
   * @param path The path below the base URL, or a full URL
   * @param options The request options
   * @returns The response, or the converted body
   */
  protected override _req(
    method: string,
    path: Path,
    options: RequestOptions = {},
  ): Promise<unknown> {
    try {
      const context = (options as OptionsWithContext | null)?.[CALL_CONTEXT];
      const login = this.#lifecycle.ready(context?.isLogin);
      if (login !== undefined) {
        // If building the HTTP session failed, the login rejects with the reason.
        if (!this.#canBegin()) {
          return login.then(() => ClientBase.prototype._req.call(this, method, path, options));
        }
        login.catch(() => {}); // a call that is not valid does not wait for the login
      }
      const caller = this.#caller ?? this.#begin();
      const input = { method, path, options, context };
      return caller.settings.callMiddleware.length === 0
        ? makeCall(caller, input, login)
        : makeCallThroughMiddleware(caller, input, login);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Returns the full URL that a call would have; without a path, the base URL. */
  protected override _urlOf(path?: Path, options: UrlOptions = {}): string {
    return urlOfCall(path, options, this.#resolved.settings);
  }

  /** Repeats a call until its result is final. */
  protected override async _poll<T, D extends T = T>(
    call: (state: PollCall) => Pick<APIPromise<T>, "withResponse">,
    options: PollOptions<T, D>,
  ): Promise<D> {
    const rule: PollRule | undefined = options?.interval;
    if (hasMethods(rule, ["start"])) {
      return await rule!.start(this.#resolved.settings, call, options);
    }
    const expected = "a rule of the entry point `polling`, such as every(5)";
    throw new UnexpectedValueError("interval", expected, rule);
  }

  /** Waits, by the clock of the session or client. */
  protected override _sleep(
    seconds: number,
    options: { readonly signal?: AbortSignal | null | undefined } = {},
  ): Promise<void> {
    const { clock, signal } = this.#resolved.settings;
    return sleep(seconds, clock, options.signal ?? undefined, signal);
  }

  /**
   * Creates the HTTP session, or sets up the one that was passed in: proxies, TLS settings,
   * certificate, adapter and User-Agent. It runs once, before `_authenticate`.
   *
   * An override calls this method with the options, or with changed ones, which then replace those of
   * the constructor, except the base URL and the base path. It may change the HTTP session that this
   * method returns.
   *
   * @param options The options of the constructor
   * @returns The HTTP session
   */
  protected _buildSession(options: ClientBaseOptions): HttpSession {
    if (options !== this.#options) this.#resolve(options);
    const { adapter, adapterPath, connection } = this.#resolved;
    const http = options.session ?? (this.#ownSession ??= new HttpSession(this.#resolved.http));
    const { sslVerify } = http;
    http.setConnection(connection);
    // Each session that shares an HTTP session decides on its own if TLS is verified.
    if (http === options.session && connection.sslVerify !== undefined) http.sslVerify = sslVerify;
    if (adapter !== undefined) http.mount(adapterPath, adapter);
    return http;
  }

  /**
   * Logs in. It runs once, after `_buildSession`: on the first request, on `ready` or `open`, or right
   * after the construction. Every other request waits for it. By default it does nothing.
   *
   * Send the requests of the login through `login`, because those of the session wait.
   *
   * @param options The options of the constructor
   * @param login The request methods for the login
   */
  protected _authenticate(
    options: ClientBaseOptions,
    login: LoginRequests<this>,
  ): void | Promise<void> {
    void [options, login];
  }

  /**
   * Logs out. It runs once, when the session is closed, if the login has not failed. By default it
   * does nothing.
   *
   * @param options The options of the constructor
   */
  protected _deauthenticate(options: ClientBaseOptions): void | Promise<void> {
    void options;
  }

  /**
   * Checks each response with a success status before it is converted. Throw an error if the response
   * reports one. The error is not retried. By default it returns the response.
   *
   * If the call returns the response itself, or a stream, the body is read only if the hook reads it.
   * The caller can read it again.
   *
   * @param response The response. The hook may read it
   * @param options The request options of the call, with those of its endpoint
   * @returns The response, or another one that replaces it
   */
  protected _respErrorCheck(
    response: Response,
    options: RequestOptions,
  ): Response | Promise<Response> {
    void options;
    return response;
  }

  /**
   * Changes the request before a retry that an error status caused. It runs after the wait, right
   * before the next attempt; not after a transport error, and not if no attempt follows. By default it
   * returns the options.
   *
   * @param response The response, readable up to 1 MiB
   * @param retries The number of the retry that follows, from 1
   * @param options A copy of the request options, with the headers as a mapping
   * @returns The options for all later attempts; undefined does not change them
   */
  protected _retryRequest(
    response: Response,
    retries: number,
    options: RetryOptions,
  ): RequestOptions | undefined | Promise<RequestOptions | undefined> {
    void [response, retries];
    return options;
  }

  /**
   * Decides if a request is retried after an attempt failed, by its status or without a response. It is
   * not asked after the last attempt. True takes precedence over `retryMethods`, but not over a body that
   * can be sent only once, the deadline and the budget. By default it returns undefined.
   *
   * @param failed The attempt, its response and its error
   * @returns True or false; undefined for the rule of the contract and the options
   *
   * @example A 403 that is a rate limit
   * ```ts
   * import { APIClient, type FailedAttempt } from "@restwright/restwright";
   *
   * class Forge extends APIClient {
   *   static override readonly baseUrl: string = "https://forge.example.com";
   *
   *   protected override _shouldRetry({ response }: FailedAttempt): boolean | undefined {
   *     const isLimit = response?.headers.get("x-ratelimit-remaining") === "0";
   *     return response?.status === 403 && isLimit ? true : undefined;
   *   }
   * }
   * new Forge();
   * ```
   */
  protected _shouldRetry(
    failed: FailedAttempt,
  ): boolean | undefined | Promise<boolean | undefined> {
    void failed;
    return undefined;
  }

  /**
   * Returns the seconds to wait before a retry. It runs after `_shouldRetry`, if the request is
   * retried. `maxRetryAfter`, `maxBackoff` and `jitter` do not change its result. If it is more than a
   * year, the error is thrown at once. By default it returns undefined.
   *
   * @param failed The attempt, its response and its error
   * @returns Seconds of at least 0; undefined for Retry-After or the backoff
   */
  protected _retryWait(failed: FailedAttempt): number | undefined | Promise<number | undefined> {
    void failed;
    return undefined;
  }

  /**
   * Checks the options and keeps a copy, so that later changes by the caller have no effect.
   *
   * @param options The options
   * @param changes The options that are changed, if this is a copy
   */
  #resolve(options: ClientBaseOptions & ResultOptions<B, J, A>, changes?: OptionChanges): void {
    const origin = this.#origin;
    const statics = this.constructor as typeof ClientBase;
    const all = withAuthOption(options, statics.authOption, changes);
    this.#resolved = resolveClient(all, statics, this.#base, origin && origin.#resolved);
    this.#ownSession = undefined;
    const copies = Object.entries(options).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value] : value,
    ]);
    this.#options = Object.freeze(Object.fromEntries(copies));
  }

  /** Logs in. A copy has the login of its original. */
  #logIn(): void | Promise<void> {
    if (this.#origin !== undefined) return;
    if (!this.#isBuiltLate) this.#begin();
    this.#warnOfMistakes();
    if (this._authenticate === defaultHooks._authenticate) return;
    const login = createLoginRequests<LoginRequests<this>>(
      { isLogin: true },
      (method, path, options) => this._req(method, path, options),
    );
    return this._authenticate(this.#options, login);
  }

  /** The origin of the base URL. */
  get #urlOrigin(): string {
    return new URL(this.#resolved.settings.base).origin;
  }

  /** Logs out, and closes its own HTTP session. */
  async #logOut(isLoggedIn: boolean): Promise<void> {
    if (this.#origin !== undefined) return;
    try {
      if (isLoggedIn) await this._deauthenticate(this.#options);
    } finally {
      // Nothing would close an HTTP session that is built from here on.
      if (this.#isBuiltLate) this.#begin();
      this.#obstacle = CLOSED;
      // The logout needs the HTTP session. A scheme is closed, too, if that was not used or is shared.
      await (this.#ownSession ?? this.#resolved.auth)?.close?.();
    }
  }

  /** Returns the warnings about options that the constructor ignores. */
  #ignored(options: object): string[] {
    const { constructor: service, _generation: generation } = this;
    return ignoredOptions(options, { service, generation, statics: ClientBase }, service.name);
  }

  /** Logs warnings about likely mistakes in the class and in the options. */
  #warnOfMistakes(): void {
    const { settings } = this.#resolved;
    const http = this.#caller?.http;
    this.#warn(
      fieldsLikeStatics(this, ClientBase),
      likelyMilliseconds(settings),
      http && settings.timeout === undefined ? likelyMilliseconds(http, ["timeout"]) : [],
      this.#ignored(this.#options),
    );
  }

  #warn(...warnings: readonly string[][]): void {
    for (const text of warnings.flat()) this._log.warn(text);
  }

  /** True if the HTTP session is built when it is first used, since no code of the program takes part. */
  get #isBuiltLate(): boolean {
    return this._buildSession === defaultHooks._buildSession &&
      this._authenticate === defaultHooks._authenticate && this.#options.session === undefined;
  }

  /** Returns true if the HTTP session has been built, or can be built at any time. */
  #canBegin(): boolean {
    return this.#origin === undefined
      ? this.#caller !== undefined || this.#isBuiltLate
      : this.#origin.#canBegin();
  }

  /** Builds the HTTP session when it is first used. */
  #begin(): Caller {
    if (this.#caller !== undefined) return this.#caller;
    if (this.#obstacle !== undefined) throw new SessionStateError(this.#obstacle);
    this.#obstacle = IS_BUILDING;
    try {
      const origin = this.#origin;
      const http = origin !== undefined
        ? origin.#begin().http
        : builtSession(this._buildSession(this.#options));
      const hooks = new ClientHooks(this as unknown as AnyBase, this.#options);
      return this.#caller = { settings: this.#resolved.settings, hooks, http };
    } finally {
      if (this.#obstacle === IS_BUILDING) this.#obstacle = undefined;
    }
  }
}

/** The error for a hook `_buildSession` that reads `httpSession`. */
const IS_BUILDING =
  "`httpSession` is not available inside _buildSession(): use the HttpSession that " +
  "super._buildSession() returns";

/** Returns the error for a class that would lose the changes of `withOptions`. */
export function notPassedOn(className: string): UnexpectedValueError {
  return new UnexpectedValueError(
    `constructor of ${className}`,
    "a function that passes all its options on, as in super({ ...options }), because withOptions() " +
      "calls it with those of the copy",
    describedAs("one that passes only some of them on"),
  );
}

/** Checks the result of the hook `_buildSession`. */
function builtSession(built: unknown): HttpSession {
  let actual = built;
  if (isPromise(built)) {
    built.then(undefined, () => {}); // the error below is the one to report
    actual = withHint(built, "Remove async, and move what must be awaited to _authenticate()");
  } else if (built === undefined) {
    actual = withHint(built, "Return what super._buildSession(options) returns");
  }
  return checkedSession("_buildSession", "a hook that returns an HttpSession", actual);
}

/** The options of a client that decide what its results are. */
type AnyResultOptions = ResultOptions<
  boolean | undefined,
  boolean | undefined,
  BoxAttrs | undefined
>;

/** The fields and hooks of a client. They are read at each call, since an SDK may set them late. */
class ClientHooks implements CallHooks {
  readonly #client: AnyBase;
  readonly #options: AnyResultOptions;

  constructor(client: AnyBase, options: AnyResultOptions) {
    this.#client = client;
    this.#options = options;
  }

  get box(): boolean | undefined {
    return this.#options.box ?? this.#client._box;
  }

  get boxAttrs(): BoxAttrs | undefined {
    return this.#options.boxAttrs ?? this.#client._boxAttrs;
  }

  get convJson(): boolean | undefined {
    return this.#options.convJson ?? this.#client._convJson;
  }

  get logger(): Logger {
    return this.#client["_log"];
  }

  get respErrorCheck(): CallHooks["respErrorCheck"] {
    const client = this.#client;
    return overridden(client, client["_respErrorCheck"], defaultHooks["_respErrorCheck"]);
  }

  get retryRequest(): CallHooks["retryRequest"] {
    const client = this.#client;
    return overridden(client, client["_retryRequest"], defaultHooks["_retryRequest"]);
  }

  get shouldRetry(): CallHooks["shouldRetry"] {
    const client = this.#client;
    return overridden(client, client["_shouldRetry"], defaultHooks["_shouldRetry"]);
  }

  get retryWait(): CallHooks["retryWait"] {
    const client = this.#client;
    return overridden(client, client["_retryWait"], defaultHooks["_retryWait"]);
  }
}

const defaultHooks: AnyBase = ClientBase.prototype;

/** Returns a hook of a client; undefined for the default one, which is not called. */
function overridden<Hook extends (...args: never[]) => unknown>(
  client: AnyBase,
  hook: Hook,
  normal: Hook,
): Hook | undefined {
  return hook === normal ? undefined : hook.bind(client) as Hook;
}
