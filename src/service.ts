import { getLogger } from "#log";
import type { BoxAttrs } from "./box/mod.ts";
import { checkedBoxAttrs } from "./box/box_attrs.ts";
import { checkedFlag, checkedLogger } from "./checks.ts";
import { type Caller, type CallHooks, sendWithRetries } from "./request/attempts.ts";
import { contextOf } from "./request/call.ts";
import type { Path } from "./http/url.ts";
import { SessionStateError } from "./errors/session_state_error.ts";
import type { Generation } from "./generation.ts";
import type { HttpSession } from "./http/http_session.ts";
import { SessionLifecycle } from "./lifecycle.ts";
import type { Logger } from "./log/logger.ts";
import { loginHandle } from "./login.ts";
import { ServiceHooks } from "./hooks.ts";
import {
  type BaseOptions,
  checkedSession,
  derivedOptions,
  rejectUnknownOptions,
  resolveClient,
  type ResolvedClient,
} from "./options/resolve.ts";
import type {
  OptionChanges,
  RequestOptions,
  ResultOptions,
  ServiceOptions,
} from "./options/types.ts";
import { ServiceStatics } from "./service_statics.ts";
import type { AnyClient } from "./request_base.ts";
import type { Declared, ResultFlag, Results } from "./request_method.ts";

/** The one that a session or client is being derived from, while `withOptions` constructs it. */
let deriving: AnyService | undefined;

/** A session or client, whatever its calls give. */
type AnyService = APIService<ResultFlag, ResultFlag, BoxAttrs | undefined>;

/**
 * What sessions and clients have in common: settings, life, hooks and the engine.
 *
 * The author of an SDK derives from {@linkcode APISession} or {@linkcode APIClient}. Every static
 * that is an option too can be overridden for one instance by the option of the same name.
 *
 * @typeParam B The option `box`, where it is given
 * @typeParam J The option `convJson`, where it is given
 * @typeParam A The option `boxAttrs`, where it is given
 *
 * @category Types
 */
export abstract class APIService<
  const B extends ResultFlag = undefined,
  const J extends ResultFlag = undefined,
  const A extends BoxAttrs | undefined = undefined,
> extends ServiceStatics {
  /**
   * Whether JSON becomes a box, where a request does not say. Default: false
   *
   * @example `override readonly _box = true`
   */
  readonly _box: B extends undefined ? ResultFlag : NoInfer<B>;
  /**
   * How a box behaves, where a request does not say. Default: empty
   *
   * @example `override readonly _boxAttrs = { camelCase: true } as const`
   */
  readonly _boxAttrs: A extends undefined ? BoxAttrs | undefined : NoInfer<A>;
  /**
   * Whether bodies are parsed from JSON, where a request does not say. Default: false
   *
   * @example `override readonly _convJson = true`
   */
  readonly _convJson: J extends undefined ? ResultFlag : NoInfer<J>;

  /** The types of the request methods. Only the compiler sees this property. */
  declare readonly "~results": Results<
    Declared<this["_box"], false>,
    Declared<this["_convJson"], false>,
    Declared<this["_boxAttrs"], BoxAttrs>
  >;

  /** Where records go: the `logger` option, or the logger named `<libName>.<class name>`. */
  protected override get _log(): Logger {
    return this.#log;
  }

  /** Which generation of the interface it is of. */
  protected override readonly _generation: Generation;

  readonly #base: BaseOptions;
  #log!: Logger;
  #options!: ServiceOptions & ResultOptions<B, J, A>;
  #setup!: ResolvedClient;
  readonly #lifecycle: SessionLifecycle;
  /** The one that it was derived from, whose HTTP session and login it shares. */
  readonly #origin: AnyService | undefined;
  #isBuilding = false;
  /** What is closed with it: its HTTP session, once it is built, or what it laid over another's. */
  #own: HttpSession | undefined;
  #caller: Caller | undefined;

  /**
   * Checks and stores the options; no request is made.
   *
   * @param options What is set for this instance in place of the class's statics
   * @param base Where it begins
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  constructor(options: ServiceOptions & ResultOptions<B, J, A>, base: BaseOptions) {
    super();
    const defaults = new.target;
    const { generation } = base;
    // A constructor may make others of its own before this one.
    if (deriving?.constructor === defaults) {
      this.#origin = deriving;
      deriving = undefined;
    }
    if (defaults.errorOnUnexpectedInput) rejectUnknownOptions(options, defaults, generation);
    const { box = false, boxAttrs = {}, convJson = false } = options;
    this._box = checkedFlag("box", box) as this["_box"];
    this._boxAttrs = checkedBoxAttrs(boxAttrs) as this["_boxAttrs"];
    this._convJson = checkedFlag("convJson", convJson) as this["_convJson"];
    this.#base = base;
    this.#setUp(options);
    this._generation = generation;
    const origin = this.#origin;
    this.#lifecycle = new SessionLifecycle({
      logIn: () => this.#enter(),
      logOut: (isLoggedIn) => this.#leave(isLoggedIn),
      warn: (message) => this._log.warn(message),
      clock: this.#setup.settings.clock,
    }, origin && origin.#lifecycle);
  }

  /**
   * Constructs a session and logs in: `await using api = await MyAPI.open(options)`.
   *
   * A session that is constructed by `new` is logged in by its first request; to open it says when,
   * and fails where the login does: then it is closed.
   *
   * @param args What the constructor takes
   * @returns The session, ready
   */
  static async open<T extends AnyClient, A extends unknown[]>(
    this: new (...args: A) => T,
    ...args: A
  ): Promise<T> {
    const opened = new this(...args);
    try {
      await opened.ready;
      return opened;
    } catch (error) {
      // Nobody else has it.
      opened.close().catch(() => {});
      throw error;
    }
  }

  /** Settles when the session has been built and logged in, or when that has failed. */
  get ready(): Promise<void> {
    return this.#lifecycle.open();
  }

  /**
   * Gives another of its kind, with some options changed: constructed anew by the same class, with
   * endpoints of its own, on the same HTTP session and with the same login.
   *
   * Options for what lies beneath (`auth`, `headers`, `cookies`, `fetch`, `adapters`) are laid over
   * the shared HTTP session; headers and parameters one by one. Its hooks `_buildSession`,
   * `_authenticate` and `_deauthenticate` do not run, and to close it closes nothing: it ends with
   * the one that it was derived from.
   *
   * @param changes The options to change
   * @returns The other one
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   *
   * @example
   * ```ts
   * import { APISession } from "@restwright/restwright";
   *
   * const session = new APISession({ url: "https://api.example.com", retries: 5 });
   * const hasty = session.withOptions({ retries: 0, timeout: 2 });
   * console.log(hasty.session === session.session); // true
   * ```
   */
  withOptions(changes: OptionChanges): this {
    // The hook may change the options that the other one has, too.
    if (this._buildSession !== APIService.prototype._buildSession) this.#begin();
    const options = derivedOptions(this.#options, changes);
    const made = this.constructor as new (options: ServiceOptions) => this;
    deriving = this as unknown as AnyService;
    try {
      return new made(options);
    } finally {
      deriving = undefined;
    }
  }

  /**
   * Logs out, once, by the hook `_deauthenticate`, and closes the HTTP session, unless it was passed
   * in; later requests raise a `SessionStateError`, and closing it again does nothing.
   *
   * It waits for a login that is under way; a session whose login failed, or that never did
   * anything, does not log out.
   *
   * @throws What the hook throws
   */
  close(): Promise<void> {
    return this.#lifecycle.close();
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
   * @param method The HTTP method: GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS in any case, any
   * other as it is to be sent
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response, or what it is converted to
   */
  protected override _req(
    method: string,
    path: Path,
    options: RequestOptions = {},
  ): Promise<unknown> {
    try {
      const login = this.#lifecycle.ready(contextOf(options)?.isLogin);
      // If there is no HTTP session, the login says why.
      if (login && !this.#isBegun()) {
        return login.then(() => sendWithRetries(this.#begin(), method, path, options, undefined));
      }
      login?.catch(() => {}); // a call that is not valid does not wait for it
      return sendWithRetries(this.#begin(), method, path, options, login);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Makes the HTTP session beneath, or adopts the one that was passed in: proxies, TLS settings,
   * certificate, adapter and User-Agent are applied here. It runs once, before `_authenticate`.
   *
   * An override calls this one, with the options or with changed ones, which then hold in place of
   * the constructor's for all but the base URL and the base path, and may go on with what it gives.
   *
   * @param options The options of the constructor
   * @returns The HTTP session
   */
  protected _buildSession(options: ServiceOptions): HttpSession {
    if (options !== this.#options) this.#setUp(options);
    const { adapter, adapterPath, connection, http: own } = this.#setup;
    const http = options.session ?? (this.#own = own);
    if (http !== own) {
      const { sslVerify } = http;
      http.setConnection(connection);
      // Checked by that; but each session that shares it verifies TLS as it says itself.
      if (connection.sslVerify !== undefined) http.sslVerify = sslVerify;
    }
    if (adapter !== undefined) http.mount(adapterPath, adapter);
    return http;
  }

  /** Checks the options and keeps a copy: what becomes of the caller's object does not matter. */
  #setUp(options: ServiceOptions & ResultOptions<B, J, A>): void {
    const origin = this.#origin;
    const defaults = this.constructor as typeof APIService;
    this.#setup = resolveClient(options, defaults, this.#base, origin && origin.#setup);
    this.#own = options.session && this.#setup.http;
    this.#log = checkedLogger("logger", options.logger) ??
      getLogger(`${defaults.libName}.${defaults.name}`);
    this.#options = Object.freeze({ ...options });
  }

  /** Makes what lies beneath and logs in; one that is derived has the login of its origin. */
  #enter(): void | Promise<void> {
    this.#begin();
    if (this.#origin !== undefined) return;
    const login = loginHandle((method, path, options) => {
      // It does not wait for the login that it is part of, and goes through an override of _req.
      contextOf(options)!.isLogin = true;
      return this._req(method, path, options);
    });
    return this._authenticate(this.#options, login);
  }

  /** Logs out and closes what is its own. */
  async #leave(isLoggedIn: boolean): Promise<void> {
    try {
      if (isLoggedIn && this.#origin === undefined) await this._deauthenticate(this.#options);
    } finally {
      await this.#own?.close(); // what gives back a token makes a request, too
    }
  }

  /** Whether there is something beneath, its own or of the one that it was derived from. */
  #isBegun(): boolean {
    return this.#origin === undefined ? this.#caller !== undefined : this.#origin.#isBegun();
  }

  /** What sends its calls, made at the first look at it with what lies beneath. */
  #begin(): Caller {
    if (this.#caller !== undefined) return this.#caller;
    if (this.#isBuilding) {
      throw new SessionStateError(
        "`session` is not available inside _buildSession(): use the HttpSession that " +
          "super._buildSession() returns",
      );
    }
    this.#isBuilding = true;
    try {
      const http = this.#origin?.session ??
        checkedSession(
          "_buildSession",
          "a hook that returns an HttpSession",
          this._buildSession(this.#options),
        );
      return this.#caller = {
        settings: this.#setup.settings,
        hooks: hooksOf(this, this.#options),
        http,
      };
    } finally {
      this.#isBuilding = false;
    }
  }
}

/** Returns the fields and hooks of a client. They are read at each call: an SDK may set them late. */
function hooksOf(
  client: ServiceHooks,
  options: ResultOptions<ResultFlag, ResultFlag, BoxAttrs | undefined>,
): CallHooks {
  const { _respErrorCheck, _retryRequest } = ServiceHooks.prototype as unknown as Hooks;
  return {
    get box() {
      return options.box ?? client._box;
    },
    get boxAttrs() {
      return options.boxAttrs ?? client._boxAttrs;
    },
    get convJson() {
      return options.convJson ?? client._convJson;
    },
    get logger() {
      return client["_log"];
    },
    // The toolkit's own hooks do nothing.
    get respErrorCheck() {
      const hook = client["_respErrorCheck"];
      return hook === _respErrorCheck ? undefined : hook.bind(client);
    },
    get retryRequest() {
      const hook = client["_retryRequest"];
      return hook === _retryRequest ? undefined : hook.bind(client);
    },
  };
}

/** The hooks of a call, which are protected. */
interface Hooks {
  readonly _respErrorCheck: unknown;
  readonly _retryRequest: unknown;
}
