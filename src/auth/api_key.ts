import { checkedHeaderText, checkedText } from "../checks.ts";
import { checkedHeaderName } from "../http/headers.ts";
import type { Auth, AuthRequest, AuthSend } from "../http/auth.ts";

/** Where an API key is put. */
export interface ApiKeyOptions {
  /**
   * The header that carries it.
   *
   * @default {"X-API-Key"}
   */
  readonly header?: string | undefined;
  /** The query parameter that carries it, in place of a header. Default: none */
  readonly query?: string | undefined;
}

/**
 * An API key with every request, in a header or in the query.
 *
 * A key in the query ends up in the logs of servers on the way: use a header where the API has one.
 * The toolkit itself never shows it: the key is added below what is logged.
 *
 * @example
 * ```ts
 * import { APISession, ApiKeyAuth } from "@restwright/restwright";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.session.auth = new ApiKeyAuth("k-123"); // X-API-Key: k-123
 * api.session.auth = new ApiKeyAuth("k-123", { query: "api_key" });
 * ```
 */
export class ApiKeyAuth implements Auth {
  readonly #key: string;
  readonly #header: string;
  readonly #query: string | undefined;

  /**
   * Keeps the key.
   *
   * @param key The key
   * @param options Where it is put
   * @throws {UnexpectedValueError} Where the key cannot be sent
   */
  constructor(key: string, options: ApiKeyOptions = {}) {
    const { header = "X-API-Key", query } = options;
    this.#key = query === undefined ? checkedHeaderText("key", key) : checkedText("key", key);
    this.#header = checkedHeaderName("header", header);
    this.#query = query === undefined ? undefined : checkedText("query", query);
  }

  /** Sends the request with the key. */
  authenticate({ url }: AuthRequest, send: AuthSend): Promise<Response> {
    if (this.#query === undefined) return send({ headers: { [this.#header]: this.#key } });
    // The rest of the query stays as it is written: a signature may depend on it.
    const keyed = new URL(url);
    const pair = new URLSearchParams([[this.#query, this.#key]]).toString();
    if (keyed.searchParams.has(this.#query)) keyed.searchParams.set(this.#query, this.#key);
    else keyed.search = keyed.search === "" ? pair : `${keyed.search}&${pair}`;
    return send({ url: keyed.href });
  }
}
