import type { BoxAttrs } from "./box/mod.ts";
import type { OptionChanges } from "./options/types.ts";
import { methods } from "./request/call.ts";
import { secondGeneration } from "./generation.ts";
import type { AnyClient } from "./request_base.ts";
import { ClientBase } from "./client_base.ts";
import type { ResultOptions, ServiceOptions } from "./options/types.ts";
import type { ResultFlag } from "./request_method.ts";

/**
 * The options of an {@linkcode APIClient}: each overrides the class's static of the same name.
 *
 * @category Sessions and clients
 */
export interface ClientOptions extends ServiceOptions {
  /**
   * The root URL of all endpoints; a path in it is kept. Default: none, it has to be given here or
   * by the class
   *
   * Credentials in it are taken out and sent as Basic authentication (RFC 7617).
   *
   * @example `{ baseUrl: "https://api.example.com/v2" }`
   */
  readonly baseUrl?: string | undefined;
}

/**
 * A client of an API (generation 2): base URL, endpoints, typed models, retries, errors by status.
 *
 * The author of an SDK derives a class from it, sets the statics, and adds endpoints as fields. Its
 * verbs are protected: the public names are the author's, all but `session`, `ready`, `close`,
 * `withOptions` and the static `open`. Every static that is an option too can be
 * overridden for one client by the option of the same name.
 *
 * @typeParam B The option `box`, where it is given
 * @typeParam J The option `convJson`, where it is given
 * @typeParam A The option `boxAttrs`, where it is given
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
  const B extends ResultFlag = undefined,
  const J extends ResultFlag = undefined,
  const A extends BoxAttrs | undefined = undefined,
> extends ClientBase<B, J, A> {
  /** The root URL of all endpoints; a path in it is kept. Default: none */
  static readonly baseUrl: string = "";
  /** Whether redirects are followed. Default: false */
  static override readonly followRedirects: boolean = secondGeneration.followRedirects;

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
   * Sends a HEAD request. Its response has no body, which a conversion makes null: where the class
   * converts, `convJson: false` gives the response.
   */
  declare protected readonly _head: this["~results"]["givenPath"];
  /** Sends an OPTIONS request. */
  declare protected readonly _options: this["~results"]["givenPath"];

  static {
    this.defineMethods("_", methods);
  }

  /**
   * Checks and stores the options; no request is made.
   *
   * @param options What is set for this client in place of the class's statics
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  constructor(options: ClientOptions & ResultOptions<B, J, A> = {}) {
    const { baseUrl = new.target.baseUrl } = options;
    super(options, { generation: secondGeneration, url: baseUrl, basePath: "" });
  }

  /** Constructs a client of this very class, and opens it. */
  static override open<
    const B extends ResultFlag = undefined,
    const J extends ResultFlag = undefined,
    const A extends BoxAttrs | undefined = undefined,
  >(
    this: typeof APIClient,
    options?: ClientOptions & ResultOptions<B, J, A>,
  ): Promise<APIClient<B, J, A>>;
  /**
   * Constructs a client and logs in: `await using client = await MyClient.open(options)`.
   *
   * A client that is constructed by `new` is logged in by its first request; to open it says when,
   * and fails where the login does: then it is closed.
   *
   * @param args What the constructor takes
   * @returns The client, ready
   */
  static override open<T extends AnyClient, A extends unknown[]>(
    this: new (...args: A) => T,
    ...args: A
  ): Promise<T>;
  static override open(...args: never[]): Promise<unknown> {
    return super.open.call(this as never, ...args);
  }

  /**
   * Gives another client of its class with some options changed, on the same HTTP session and with the
   * same login; see {@linkcode ClientBase.withOptions}.
   *
   * @param changes The options to change
   * @returns The other client
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  override withOptions(changes: OptionChanges & Pick<ClientOptions, "baseUrl">): this {
    return super.withOptions(changes);
  }
}
