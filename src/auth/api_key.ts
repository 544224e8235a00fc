/** The scheme that sends an API key with every request, in a header, in the query or in a cookie. */
import { checkedHeaderText, checkedOptions, checkedText } from "../base/checks.ts";
import { namedCookies } from "../http/cookie_storage.ts";
import { checkedHeaderName } from "../http/headers.ts";
import type { Auth, AuthRequest, AuthSend } from "../http/auth.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * A scheme that sends an API key with every request, in a header, in the query or in a cookie.
 *
 * Prefer a header if the API accepts one: a key in the query ends up in the logs of the servers and
 * proxies that handle the request. The toolkit itself does not log the key.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ApiKeyAuth } from "@restwright/restwright/auth";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.httpSession.auth = new ApiKeyAuth("k-123"); // X-API-Key: k-123
 * api.httpSession.auth = new ApiKeyAuth("k-123", { query: "api_key" });
 * ```
 *
 * @category Authentication
 */
export class ApiKeyAuth implements Auth {
  readonly #key: string;
  readonly #header: string;
  readonly #query: string | undefined;
  readonly #cookies: Readonly<Record<string, string>> | undefined;

  /**
   * Stores the key. No request is sent.
   *
   * @param key The key
   * @param options The place of the key: a `header`, by default `X-API-Key`, or in its stead a `query`
   * parameter or a `cookie`, which has no effect in browsers
   * @throws {UnexpectedValueError} If the key or the name of its place cannot be sent, or if there are
   * two places
   */
  constructor(key: string, options: {
    /** The header that carries the key. It is not used if `query` or `cookie` is set. Default: "X-API-Key" */
    readonly header?: string | undefined;
    /** The query parameter that carries the key instead of a header. Default: none */
    readonly query?: string | undefined;
    /** The cookie that carries the key instead of a header. It has no effect in browsers. Default: none */
    readonly cookie?: string | undefined;
  } = {}) {
    const { header = "X-API-Key", query, cookie } = checkedOptions(options, [
      "header",
      "query",
      "cookie",
    ]);
    if (query !== undefined && cookie !== undefined) {
      throw new UnexpectedValueError("cookie", "left out if query is passed", cookie);
    }
    this.#key = query === undefined ? checkedHeaderText("key", key) : checkedText("key", key);
    this.#header = checkedHeaderName("header", header);
    this.#query = query === undefined ? undefined : checkedText("query", query);
    if (cookie !== undefined) {
      this.#cookies = { [checkedText("cookie", cookie)]: key };
      namedCookies("cookie", this.#cookies);
    }
  }

  /** Sends the request with the key. */
  authenticate({ url }: AuthRequest, send: AuthSend): Promise<Response> {
    if (this.#cookies !== undefined) return send({ cookies: this.#cookies });
    if (this.#query === undefined) return send({ headers: { [this.#header]: this.#key } });
    // The rest of the query is not rewritten, because a signature may depend on it.
    const keyed = new URL(url);
    const pair = new URLSearchParams([[this.#query, this.#key]]).toString();
    if (keyed.searchParams.has(this.#query)) keyed.searchParams.set(this.#query, this.#key);
    else keyed.search = keyed.search === "" ? pair : `${keyed.search}&${pair}`;
    return send({ url: keyed.href });
  }
}
