/** The base class for SDKs of the second generation, whose request methods are protected. */
import type { BoxAttrs } from "../box/mod.ts";
import type { OptionChanges } from "../options/client_options.ts";
import { methods } from "../call/call.ts";
import { secondGeneration } from "../options/generation.ts";
import type { AnyClient } from "./request_base.ts";
import { ClientBase } from "./client_base.ts";
import type { ClientBaseOptions, ResultOptions } from "../options/client_options.ts";

/**
 * The options of an {@linkcode APIClient}. Each overrides the class's static of the same name.
 *
 * @category Sessions and clients
 */
export interface ClientOptions extends ClientBaseOptions {
  /**
   * The root URL of all endpoints, which may have a path. Required here or as a static of the class
   *
   * Credentials in it are removed and sent as Basic authentication (RFC 7617).
   *
   * @example `{ baseUrl: "https://api.example.com/v2" }`
   */
  readonly baseUrl?: string | undefined;
}

/**
 * The defaults that a class computes for a client from its options.
 *
 * @category Sessions and clients
 */
export interface ClientDefaults {
  /**
   * The base URL, unless the option `baseUrl` sets it. If it is undefined, the option is required.
   * Default: the static `baseUrl` of the class
   */
  readonly baseUrl?: string | undefined;
  /** Other origins that get the credentials, unless the option sets them. Default: the static */
  readonly trustedOrigins?: readonly string[] | undefined;
}

/**
 * A client of an API (generation 2): base URL, endpoints, typed models, retries, errors by status.
 *
 * Extend it, set the statics, and add endpoints as fields. Its request methods are protected, so that
 * you choose the public names, except `httpSession`, `ready`, `close`, `withOptions` and the static
 * `open`. An option overrides the static of the same name for one client.
 *
 * @typeParam B The option `box`, if it is set
 * @typeParam J The option `convJson`, if it is set
 * @typeParam A The option `boxAttrs`, if it is set
 *
 * @example An SDK in a few lines
 * ```ts
 * import { APIClient, APIEndpoint, path } from "@restwright/restwright";
 *
 * interface User {
 *   readonly id: number;
 *   readonly name: string;
 * }
 *
 * class Users extends APIEndpoint<Directory> {
 *   protected override readonly _path: string = "/users";
 *   override readonly _convJson = true;
 *
 *   get(id: number): Promise<User> {
 *     return this._get<User>(path`/${id}`);
 *   }
 * }
 *
 * class Directory extends APIClient {
 *   static override readonly baseUrl: string = "https://directory.example.com/v1";
 *   static override readonly libName: string = "directory-sdk";
 *   readonly users: Users = new Users(this);
 * }
 *
 * const fetch = () => Promise.resolve(Response.json({ id: 7, name: "Ada" }));
 * const directory = new Directory({ fetch });
 * console.log((await directory.users.get(7)).name); // Ada
 * ```
 *
 * @category Sessions and clients
 */
export class APIClient<
  const B extends boolean | undefined = undefined,
  const J extends boolean | undefined = undefined,
  const A extends BoxAttrs | undefined = undefined,
> extends ClientBase<B, J, A> {
  /** The root URL of all endpoints, which may have a path. Default: none */
  static readonly baseUrl: string = "";
  /** True if redirects are followed. Default: false */
  static override readonly followRedirects: boolean = secondGeneration.followRedirects;
  /** The longest wait in seconds for Retry-After; null for no limit. Default: 3600, an hour */
  static override readonly maxRetryAfter: number | null = secondGeneration.maxRetryAfter;

  /** Sends a GET request. */
  declare protected readonly _get: this["~results"]["givenPath"];
  /** Sends a POST request. */
  declare protected readonly _post: this["~results"]["givenPath"];
  /** Sends a PUT request. */
  declare protected readonly _put: this["~results"]["givenPath"];
  /** Sends a PATCH request. */
  declare protected readonly _patch: this["~results"]["givenPath"];
  /** Sends a DELETE request. */
  declare protected readonly _delete: this["~results"]["givenPath"];
  /**
   * Sends a HEAD request. Its response has no body. If the body is converted, the result is therefore
   * null. Pass `convJson: false` to get the response.
   */
  declare protected readonly _head: this["~results"]["givenPath"];
  /** Sends an OPTIONS request. */
  declare protected readonly _options: this["~results"]["givenPath"];

  static {
    this.defineMethods("_", methods);
  }

  /**
   * Checks and stores the options. No request is sent.
   *
   * @param options The options
   * @param defaults Defaults that the class computes from its own options, such as a base URL by region.
   * A copy by `withOptions` computes them anew. Default: the statics
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   */
  constructor(options: ClientOptions & ResultOptions<B, J, A> = {}, defaults: ClientDefaults = {}) {
    // A class that computes a base URL, and has none for these options, must not use another one.
    const { baseUrl: normal } = "baseUrl" in defaults ? defaults : new.target;
    const { baseUrl = normal } = options;
    super(options, {
      generation: secondGeneration,
      url: baseUrl,
      basePath: "",
      trustedOrigins: defaults.trustedOrigins,
    });
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "APIClient";
  }

  /** Constructs an instance of this class itself, and logs in. */
  static override open<
    const B extends boolean | undefined = undefined,
    const J extends boolean | undefined = undefined,
    const A extends BoxAttrs | undefined = undefined,
  >(
    this: typeof APIClient,
    options?: ClientOptions & ResultOptions<B, J, A>,
  ): Promise<APIClient<B, J, A>>;
  /**
   * Constructs a client and logs in: `await using client = await MyClient.open(options)`.
   *
   * With `new`, the client logs in on its first request. `open()` logs in at once; if that fails, it
   * closes the client and rejects.
   *
   * @param args The parameters of the constructor
   * @returns The client, logged in
   */
  static override open<T extends AnyClient, A extends unknown[]>(
    this: new (...args: A) => T,
    ...args: A
  ): Promise<T>;
  static override open(...args: never[]): Promise<unknown> {
    return super.open.call(this as never, ...args);
  }

  /**
   * Returns a copy with some options changed, which shares the HTTP session and the login; see
   * {@linkcode ClientBase.withOptions}.
   *
   * @param changes The options to change
   * @returns The copy
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   */
  override withOptions(changes: OptionChanges): this {
    return super.withOptions(changes);
  }
}
