/** The base class for SDKs of the first generation, whose request methods are public. */
import type { BoxAttrs } from "../box/mod.ts";
import type { OptionChanges } from "../options/client_options.ts";
import { contractMethods } from "../call/call.ts";
import { checkedBasePath } from "../options/resolve.ts";
import { firstGeneration } from "../options/generation.ts";
import type { AnyClient } from "./request_base.ts";
import { ClientBase } from "./client_base.ts";
import type { ClientBaseOptions, ResultOptions } from "../options/client_options.ts";

/**
 * The options of an {@linkcode APISession}. Each overrides the class's static of the same name.
 *
 * @category Sessions and clients
 */
export interface SessionOptions extends ClientBaseOptions {
  /**
   * The base URL, joined to request paths by a single slash. Required here or as a static of the
   * class
   *
   * Credentials in it are removed and sent as Basic authentication (RFC 7617).
   *
   * @example `{ url: "https://api.example.com/v2" }`
   */
  readonly url?: string | undefined;
  /**
   * A path between the base URL and the request's path.
   *
   * @default {""}
   *
   * @example `{ basePath: "rest" }`
   */
  readonly basePath?: string | undefined;
}

/**
 * A session with an API (generation 1): base URL, retries, errors by status, logging.
 *
 * Extend it, set the statics, and add endpoints as fields. An option overrides the static of the same
 * name for one session.
 *
 * @typeParam B The option `box`, if it is set
 * @typeParam J The option `convJson`, if it is set
 * @typeParam A The option `boxAttrs`, if it is set
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
 * class Users extends APIEndpoint<Directory> {
 *   protected override readonly _path: string = "users";
 *   override readonly _convJson = true;
 *
 *   get(id: number): Promise<User> {
 *     return this._get<User>(id);
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
 *
 * @category Sessions and clients
 */
export class APISession<
  const B extends boolean | undefined = undefined,
  const J extends boolean | undefined = undefined,
  const A extends BoxAttrs | undefined = undefined,
> extends ClientBase<B, J, A> {
  /** Base URL. It is joined to request paths by a single slash. Default: none */
  static readonly url: string = "";
  /** A path between the base URL and the request's path. Default: empty */
  static readonly basePath: string = "";
  /** True if redirects are followed. Default: true */
  static override readonly followRedirects: boolean = firstGeneration.followRedirects;
  /** The longest wait in seconds for Retry-After; null for no limit. Default: null */
  static override readonly maxRetryAfter: number | null = firstGeneration.maxRetryAfter;

  /** Sends a GET request. */
  declare readonly get: this["~results"]["givenPath"];
  /** Sends a POST request. */
  declare readonly post: this["~results"]["givenPath"];
  /** Sends a PUT request. */
  declare readonly put: this["~results"]["givenPath"];
  /** Sends a PATCH request. */
  declare readonly patch: this["~results"]["givenPath"];
  /** Sends a DELETE request. */
  declare readonly delete: this["~results"]["givenPath"];
  /**
   * Sends a HEAD request. Its response has no body. If the body is converted (rule 10), the result is
   * therefore null. Pass `convJson: false` to get the response.
   */
  declare readonly head: this["~results"]["givenPath"];

  static {
    this.defineMethods("", contractMethods);
  }

  /**
   * Checks and stores the options. No request is sent.
   *
   * @param options The options
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   */
  constructor(options: SessionOptions & ResultOptions<B, J, A> = {}) {
    const { url = new.target.url, basePath = new.target.basePath } = options;
    super(options, { generation: firstGeneration, url, basePath: checkedBasePath(basePath) });
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "APISession";
  }

  /** Constructs an instance of this class itself, and logs in. */
  static override open<
    const B extends boolean | undefined = undefined,
    const J extends boolean | undefined = undefined,
    const A extends BoxAttrs | undefined = undefined,
  >(
    this: typeof APISession,
    options?: SessionOptions & ResultOptions<B, J, A>,
  ): Promise<APISession<B, J, A>>;
  /**
   * Constructs a session and logs in: `await using api = await MyAPI.open(options)`.
   *
   * With `new`, the session logs in on its first request. `open()` logs in at once; if that fails, it
   * closes the session and rejects.
   *
   * @param args The parameters of the constructor
   * @returns The session, logged in
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
  override withOptions(
    changes: Omit<OptionChanges, "baseUrl"> & Pick<SessionOptions, "url" | "basePath">,
  ): this {
    return super.withOptions(changes);
  }
}
