import type {
  JsonRequestOptions,
  RawRequestOptions,
  RequestOptions,
} from "./engine/request_options.ts";
import { type Path, pathText, placeBelow } from "./engine/url.ts";
import { isFullUri } from "./http/full_url.ts";
import type { APISession } from "./session.ts";

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
export class APIEndpoint<S extends APISession = APISession> {
  /** Stands before the path of every call of this endpoint. Default: empty */
  protected readonly _path: string = "";

  /** The session that it belongs to. */
  protected readonly _api: S;

  /**
   * Attaches the endpoint to a session.
   *
   * @param api The session that it belongs to
   */
  constructor(api: S) {
    this._api = api;
  }

  /**
   * Sends a GET request to a path below the endpoint's.
   *
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response
   * @throws What the session's `get` throws
   */
  protected _get(
    path?: Path,
    options?: RawRequestOptions,
  ): Promise<Response>;
  /** Sends a GET request and parses the body of the response from JSON; an empty one gives null. */
  protected _get<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a GET request; its options tell what comes back only when it runs. */
  protected _get(path?: Path, options?: RequestOptions): Promise<unknown>;
  protected _get(...given: [path?: Path, options?: RequestOptions]): Promise<unknown> {
    return this.#send("GET", ...given);
  }

  /**
   * Sends a POST request to a path below the endpoint's.
   *
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response
   * @throws What the session's `post` throws
   */
  protected _post(
    path?: Path,
    options?: RawRequestOptions,
  ): Promise<Response>;
  /** Sends a POST request and parses the body of the response from JSON; an empty one gives null. */
  protected _post<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a POST request; its options tell what comes back only when it runs. */
  protected _post(path?: Path, options?: RequestOptions): Promise<unknown>;
  protected _post(...given: [path?: Path, options?: RequestOptions]): Promise<unknown> {
    return this.#send("POST", ...given);
  }

  /**
   * Sends a PUT request to a path below the endpoint's.
   *
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response
   * @throws What the session's `put` throws
   */
  protected _put(
    path: Path,
    options?: RawRequestOptions,
  ): Promise<Response>;
  /** Sends a PUT request and parses the body of the response from JSON; an empty one gives null. */
  protected _put<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a PUT request; its options tell what comes back only when it runs. */
  protected _put(path: Path, options?: RequestOptions): Promise<unknown>;
  protected _put(path: Path, options?: RequestOptions): Promise<unknown> {
    return this.#send("PUT", path, options);
  }

  /**
   * Sends a PATCH request to a path below the endpoint's.
   *
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response
   * @throws What the session's `patch` throws
   */
  protected _patch(
    path: Path,
    options?: RawRequestOptions,
  ): Promise<Response>;
  /** Sends a PATCH request and parses the body of the response from JSON; an empty one gives null. */
  protected _patch<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a PATCH request; its options tell what comes back only when it runs. */
  protected _patch(path: Path, options?: RequestOptions): Promise<unknown>;
  protected _patch(path: Path, options?: RequestOptions): Promise<unknown> {
    return this.#send("PATCH", path, options);
  }

  /**
   * Sends a DELETE request to a path below the endpoint's.
   *
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response
   * @throws What the session's `delete` throws
   */
  protected _delete(
    path: Path,
    options?: RawRequestOptions,
  ): Promise<Response>;
  /** Sends a DELETE request and parses the body of the response from JSON; an empty one gives null. */
  protected _delete<T = unknown>(path: Path, options: JsonRequestOptions): Promise<T>;
  /** Sends a DELETE request; its options tell what comes back only when it runs. */
  protected _delete(path: Path, options?: RequestOptions): Promise<unknown>;
  protected _delete(path: Path, options?: RequestOptions): Promise<unknown> {
    return this.#send("DELETE", path, options);
  }

  /**
   * Sends a HEAD request to a path below the endpoint's.
   *
   * @param path What follows the endpoint's path, after a slash; empty for the path itself
   * @param options The keywords of this request
   * @returns The response, which has no body
   * @throws What the session's `head` throws
   */
  protected _head(path: Path, options?: RawRequestOptions): Promise<Response> {
    return this.#send("HEAD", path, options) as Promise<Response>;
  }

  /**
   * Sends a request to a path below the endpoint's. A path that was given as undefined is refused:
   * an id that somebody forgot must not delete the whole collection.
   */
  async #send(method: string, ...given: [path?: Path, options?: RequestOptions]): Promise<unknown> {
    const path = given.length === 0 ? "" : pathText(given[0]);
    return await this._api["_req"](method, this.#fullPath(path), given[1]);
  }

  /** The endpoint's path and what follows it, joined by a slash; a full URI stays as it is. */
  #fullPath(path: string): string {
    if (path === "") return this._path;
    if (this._path === "" || isFullUri(path)) return path;
    return placeBelow(this._path.replace(/\/+$/, ""), path);
  }
}
