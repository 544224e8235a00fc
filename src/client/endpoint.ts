/**
 * The base class for a part of an API: joins its path with that of a call, and adds its defaults.
 */
import { isOfCopy } from "../base/foreign_objects.ts";
import type { BoxAttrs } from "../box/mod.ts";
import type { ClientBase } from "./client_base.ts";
import type { PollCall, PollOptions } from "../polling/poll_rule.ts";
import { type AnyClient, type AnyEndpoint, RequestBase, type UrlOptions } from "./request_base.ts";
import type { ErrorFrom } from "../errors/error_from.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { pathWatch } from "../content/path.ts";
import { methods } from "../call/call.ts";
import { isFullUri, joinPaths, type Path, pathText } from "../http/url.ts";
import type { APIPromise } from "../call/api_promise.ts";
import type { Declared, Results } from "../call/request_method.ts";

/**
 * The base class for a part of an API: the paths below one prefix, or a logical group of paths.
 *
 * An endpoint belongs to a session or client and sends its requests through it. Its request methods
 * are protected and start with `_`, so that the SDK author can choose the public names (`get`,
 * `list`, `delete` …). An endpoint can also belong to another endpoint: then its path follows that of
 * the other one.
 *
 * @typeParam S The session or client. Default: any that declares none of `_box`, `_boxAttrs` and
 * `_convJson`
 * @typeParam P The parent: the session or client, or the endpoint that this one belongs to
 *
 * @example
 * ```ts
 * import { APIEndpoint, APISession } from "@restwright/restwright";
 *
 * class Notes extends APIEndpoint<Notebook> {
 *   protected override readonly _path: string = "notes";
 *
 *   async add(text: string): Promise<void> {
 *     await this._post({ json: { text } }); // POST <base>/notes
 *   }
 *   async remove(id: number): Promise<void> {
 *     await this._delete(id); // DELETE <base>/notes/<id>
 *   }
 * }
 *
 * class Notebook extends APISession {
 *   static override readonly url: string = "https://notes.example.com";
 *   readonly notes: Notes = new Notes(this);
 * }
 * const adapter = () => Promise.resolve(new Response(null, { status: 204 }));
 * await new Notebook({ adapter }).notes.remove(7);
 * ```
 *
 * @category Endpoints
 */
export class APIEndpoint<
  S extends AnyClient = Pick<ClientBase, keyof AnyClient>,
  P extends S | AnyEndpoint<S> = S,
> extends RequestBase {
  /** True if parsed JSON is converted to a box. Default: the setting of the parent */
  readonly _box: boolean | undefined = undefined;
  /** The settings of boxes. Default: the setting of the parent */
  readonly _boxAttrs: BoxAttrs | undefined = undefined;
  /** True if the body is parsed as JSON. Default: the setting of the parent */
  readonly _convJson: boolean | undefined = undefined;

  /** The path prefix of every request of this endpoint, below the path of its parent. Default: empty */
  protected readonly _path: string = "";

  /**
   * Chooses the error of a response by its content, and has the model of its data, as of `errorsBy`; used
   * for calls without an `errorFrom` of their own. Default: the setting of the parent
   */
  protected readonly _errorFrom: ErrorFrom | undefined = undefined;

  /** The session that the endpoint belongs to (generation 1). */
  protected readonly _api: S;
  /** The client that the endpoint belongs to (generation 2); the same as `_api`. */
  protected get _client(): S {
    return this._api;
  }

  /** The path that the constructor got, before `_path`; empty for none. */
  readonly #start: string;
  /** The endpoint that this one belongs to; undefined if it belongs to a session. */
  readonly #parent: APIEndpoint<S> | undefined;

  /**
   * Attaches the endpoint to a session or client, or to another endpoint.
   *
   * The requests of an endpoint in another one go through the `_req` of that one, which puts its own
   * path before them and adds its settings for results.
   *
   * @param parent The session, client or endpoint that sends the endpoint's requests
   * @param path A path that is put before `_path`, for an endpoint of one resource. Default: empty
   * @throws {UnexpectedValueError} If the parent is not an object, or the path neither a string nor a
   * finite number
   *
   * @example The issues of one repository
   * ```ts
   * import { APIClient, APIEndpoint, path } from "@restwright/restwright";
   *
   * class Issues extends APIEndpoint<Forge> {
   *   protected override readonly _path: string = "/issues";
   *
   *   list(): Promise<string[]> {
   *     return this._get<string[]>({ convJson: true });
   *   }
   * }
   * class Forge extends APIClient {
   *   static override readonly baseUrl: string = "https://forge.example.com";
   *
   *   issues(owner: string, name: string): Issues {
   *     return new Issues(this, path`/repos/${owner}/${name}`);
   *   }
   * }
   * const forge = new Forge({ fetch: (url) => Promise.resolve(Response.json([url])) });
   * console.log(await forge.issues("ada", "engine").list());
   * // [ "https://forge.example.com/repos/ada/engine/issues" ]
   * ```
   */
  constructor(parent: P, path: Path = "") {
    super();
    this.#start = pathText(path);
    if (typeof parent !== "object" || parent === null) {
      const { name } = new.target;
      const expected =
        `the session, client or endpoint that it belongs to, as in new ${name}(this)`;
      throw new UnexpectedValueError(`parent of ${name}`, expected, parent);
    }
    if (parent instanceof APIEndpoint || isOfCopy(parent, "APIEndpoint", ["_api", "_req"])) {
      this.#parent = parent as unknown as APIEndpoint<S>;
      this._api = this.#parent._api;
    } else this._api = parent as S;
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "APIEndpoint";
  }

  /** The session or client. Only the compiler sees this property. */
  declare readonly "~api": S;

  /** The types of the request methods. Only the compiler sees this property. */
  declare readonly "~results": Results<
    Declared<this["_box"], P["~results"]["box"]>,
    Declared<this["_convJson"], P["~results"]["convJson"]>,
    Declared<this["_boxAttrs"], P["~results"]["boxAttrs"]>
  >;

  /** Sends a GET request to a path below the endpoint's path, by default to the endpoint's path. */
  declare protected readonly _get: this["~results"]["optionalPath"];
  /**
   * Sends a POST request to a path below the endpoint's path, by default to the endpoint's path.
   */
  declare protected readonly _post: this["~results"]["optionalPath"];
  /** Sends a PUT request to a path below the endpoint's path, by default to the endpoint's path. */
  declare protected readonly _put: this["~results"]["optionalPath"];
  /**
   * Sends a PATCH request to a path below the endpoint's path, by default to the endpoint's path.
   */
  declare protected readonly _patch: this["~results"]["optionalPath"];
  /**
   * Sends a DELETE request to a path below the endpoint's path, by default to the endpoint's path. A
   * path of undefined throws.
   */
  declare protected readonly _delete: this["~results"]["optionalPath"];
  /**
   * Sends a HEAD request to a path below the endpoint's path, by default to the endpoint's path.
   *
   * The response has no body. If the body is converted, the result is therefore null. Pass
   * `convJson: false` to get the response.
   */
  declare protected readonly _head: this["~results"]["optionalPath"];
  /**
   * Sends an OPTIONS request to a path below the endpoint's path, by default to the endpoint's
   * path.
   */
  declare protected readonly _options: this["~results"]["optionalPath"];

  static {
    this.defineMethods("_", methods, "");
  }

  /**
   * Sends a request to a path below the endpoint's path through its session, or through the endpoint
   * that it belongs to. All request methods call `_req`, so an override handles every request of the
   * endpoint and of the endpoints in it.
   *
   * A path of undefined throws, so that a forgotten id cannot delete the whole collection.
   *
   * @param method The HTTP method. GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS can be in any
   * case; any other method is sent as passed
   * @param path The path after the endpoint's path and a slash; empty for the endpoint's path
   * itself. A full URL replaces the endpoint's path
   * @param options The request options
   * @returns The response, or the converted body
   * @throws {UnexpectedValueError} If the path is neither a string nor a finite number, or if it
   * resolves to the endpoint's path or above it through `.` or `..`. Also rejects with any error of
   * the session
   */
  protected override async _req(
    method: string,
    path: Path,
    options?: RequestOptions,
  ): Promise<unknown> {
    return await this.#parentBase["_req"](method, this.#joined(path), this.#shaped(options));
  }

  /** Returns the full URL that a call would have; without a path, that of the endpoint. */
  protected override _urlOf(path: Path = "", options: UrlOptions = {}): string {
    return this.#parentBase["_urlOf"](this.#joined(path), options);
  }

  /** The session, client or endpoint that sends the requests. */
  get #parentBase(): RequestBase {
    return this.#parent ?? this.#client;
  }

  /** The session or client, with its protected members. */
  get #client(): ClientBase {
    return this._api as unknown as ClientBase;
  }

  /** Puts the path of the endpoint before that of a call, unless that is a full URL. */
  #joined(path: Path): string {
    const text = pathText(path);
    if (this._path === "" && "_path" in this.constructor) throw staticPath(this.constructor);
    const join = (prefix: string, suffix: string) =>
      joinPaths(this.#client["_generation"], prefix, suffix);
    const start = this.#start;
    const own = start === "" ? this._path : join(start, this._path);
    if (own !== this._path) pathWatch.onJoin?.(own, start, this._path, join);
    const full = isFullUri(text) ? text : join(own, text);
    if (full !== path) pathWatch.onJoin?.(full, own, path, join);
    return full;
  }

  /** Repeats a call until its result is final, by the `_poll` of the session or client. */
  protected override _poll<T, D extends T = T>(
    call: (state: PollCall) => Pick<APIPromise<T>, "withResponse">,
    options: PollOptions<T, D>,
  ): Promise<D> {
    return (this._api as unknown as ClientBase)["_poll"](call, options);
  }

  /** Waits, by the `_sleep` of the session or client. */
  protected override _sleep(
    seconds: number,
    options?: { readonly signal?: AbortSignal | null | undefined },
  ): Promise<void> {
    return (this._api as unknown as ClientBase)["_sleep"](seconds, options);
  }

  /** Adds the endpoint's settings for results to the request options that do not set them. */
  #shaped(options: RequestOptions = {}): RequestOptions {
    const { _box: box, _boxAttrs: boxAttrs, _convJson: convJson } = this;
    let shaped = options;
    if (box !== undefined && options.box === undefined) shaped = { ...shaped, box };
    if (boxAttrs !== undefined && options.boxAttrs === undefined) shaped = { ...shaped, boxAttrs };
    if (convJson !== undefined && options.convJson === undefined) shaped = { ...shaped, convJson };
    const errorFrom = this._errorFrom;
    if (errorFrom !== undefined && options.errorFrom === undefined) {
      shaped = { ...shaped, errorFrom };
    }
    return shaped;
  }
}

/** Returns the error for a class whose path is a static, where it has no effect. */
function staticPath({ name }: { readonly name: string }): UnexpectedValueError {
  const expected = 'a field, as in "protected override readonly _path: string = …"';
  return new UnexpectedValueError(`${name}._path`, expected, describedAs("a static"));
}
