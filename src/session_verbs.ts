import type {
  JsonRequestOptions,
  RawRequestOptions,
  RequestOptions,
} from "./engine/request_options.ts";
import type { Path } from "./engine/url.ts";

/** The verbs of a session, each the method of HTTP of its name. */
export abstract class SessionVerbs {
  /**
   * Sends a request: every verb, of the session and of its endpoints, goes through here.
   *
   * @param method The HTTP method, in any case
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response, or what it is converted to
   */
  protected abstract _req(method: string, path: Path, options?: RequestOptions): Promise<unknown>;

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
}
