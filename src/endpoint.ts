import type { BoxAttrs } from "./box/mod.ts";
import { type ClientBase, RequestBase } from "./request_base.ts";
import type { RequestOptions } from "./engine/request_options.ts";
import type { ResponseModel } from "./engine/response_model.ts";
import { type Path, pathText } from "./engine/url.ts";
import { joinPaths } from "./generation.ts";
import { isFullUri } from "./http/full_url.ts";
import type { APIService } from "./service.ts";
import type { OptionalPath, RequestMethod, ResultFlag } from "./request_method.ts";

/**
 * A part of an API: one path prefix, or a logical group of paths.
 *
 * It is attached to a session and calls it. Its verbs are protected, so that the public names
 * (`get`, `list`, `delete` …) are the SDK author's.
 *
 * @example
 * ```ts
 * import { APIEndpoint, APISession } from "@restwright/restwright";
 *
 * class Notes extends APIEndpoint {
 *   protected override readonly _path: string = "notes";
 *
 *   async add(text: string): Promise<void> {
 *     await this._post("", { json: { text } }); // POST <base>/notes
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
 */
export class APIEndpoint<S extends ClientBase = APIService> extends RequestBase {
  /** Whether JSON becomes a box. Default: as the session has it */
  readonly _box: ResultFlag = undefined;
  /** How a box behaves. Default: as the session has it */
  readonly _boxAttrs: BoxAttrs | undefined = undefined;
  /** Whether the body is parsed from JSON. Default: as the session has it */
  readonly _convJson: ResultFlag = undefined;

  /** Stands before the path of every call of this endpoint. Default: empty */
  protected readonly _path: string = "";

  /** What the bodies of error responses are decoded to, as `error.data`. Default: as the session has it */
  protected readonly _errorModel: ResponseModel | undefined = undefined;

  /** The session that it belongs to (generation 1). */
  protected readonly _api: S;
  /** The client that it belongs to (generation 2); the same as `_api`. */
  protected get _client(): S {
    return this._api;
  }

  /**
   * Attaches the endpoint to a session or client.
   *
   * @param api The session or client that it belongs to
   */
  constructor(api: S) {
    super();
    this._api = api;
  }

  /** Sends a GET request to a path below the endpoint's; without one, to the endpoint's own. */
  declare protected readonly _get: RequestMethod<S, OptionalPath>;
  /** Sends a POST request to a path below the endpoint's; without one, to the endpoint's own. */
  declare protected readonly _post: RequestMethod<S, OptionalPath>;
  /** Sends a PUT request to a path below the endpoint's. */
  declare protected readonly _put: RequestMethod<S>;
  /** Sends a PATCH request to a path below the endpoint's. */
  declare protected readonly _patch: RequestMethod<S>;
  /** Sends a DELETE request to a path below the endpoint's. */
  declare protected readonly _delete: RequestMethod<S>;
  /**
   * Sends a HEAD request to a path below the endpoint's. Its response has no body, which a
   * conversion makes null: where calls convert, `convJson: false` gives the response.
   */
  declare protected readonly _head: RequestMethod<S>;
  /** Sends an OPTIONS request to a path below the endpoint's; without one, to the endpoint's own. */
  declare protected readonly _options: RequestMethod<S, OptionalPath>;

  static {
    this.defineMethods("_", ["GET", "POST", "OPTIONS"], "");
    this.defineMethods("_", ["PUT", "PATCH", "DELETE", "HEAD"]);
  }

  /**
   * Sends a request to a path below the endpoint's, by way of its session: every verb goes through
   * here, and so an override sees every call of the endpoint.
   *
   * A path that is undefined is refused: an id that somebody forgot must not delete the whole
   * collection.
   *
   * @param method The HTTP method: GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS in any case, any
   * other as it is to be sent
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response, or what it is converted to
   * @throws What the session throws
   */
  protected override async _req(
    method: string,
    path: Path,
    options?: RequestOptions,
  ): Promise<unknown> {
    const text = pathText(path);
    const full = isFullUri(text) ? text : joinPaths(this._api["_generation"], this._path, text);
    return await this._api["_req"](method, full, this.#shaped(options));
  }

  /** The keywords, and what the endpoint declares of results where they do not say. */
  #shaped(options: RequestOptions = {}): RequestOptions {
    const { _box: box, _boxAttrs: boxAttrs, _convJson: convJson } = this;
    let shaped = options;
    if (box !== undefined && options.box === undefined) shaped = { ...shaped, box };
    if (boxAttrs !== undefined && options.boxAttrs === undefined) shaped = { ...shaped, boxAttrs };
    if (convJson !== undefined && options.convJson === undefined) shaped = { ...shaped, convJson };
    const errorModel = this._errorModel;
    if (errorModel !== undefined && options.errorModel === undefined) {
      shaped = { ...shaped, errorModel };
    }
    return shaped;
  }
}
