/** The token that a store keeps, the default store in memory, and the check of other stores. */
import { isHeaderText } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";

/**
 * A token that a token endpoint has issued. It consists of JSON values, so a store can save it.
 *
 * @category Authentication
 */
export interface OAuthToken {
  /** The access token, which requests to the API carry. */
  readonly accessToken: string;
  /**
   * The time at which the access token expires, in milliseconds since 1970 UTC; undefined if the
   * server did not name it.
   */
  readonly expiresAt?: number | undefined;
  /** The refresh token, if there is one. */
  readonly refreshToken?: string | undefined;
}

/**
 * A place that keeps a token, so that it survives a restart, or is shared by several processes.
 *
 * The token is a secret: keep it as safe as a password.
 *
 * @example A file that only its owner can read
 * ```ts
 * import { readFile, rm, writeFile } from "node:fs/promises";
 * import type { TokenStore } from "@restwright/restwright/oauth";
 *
 * const path = ".token-example.json";
 * const store: TokenStore = {
 *   async load() {
 *     const text = await readFile(path, "utf8").catch(() => "null"); // no file yet
 *     return JSON.parse(text);
 *   },
 *   save: (token) => writeFile(path, JSON.stringify(token), { mode: 0o600 }),
 * };
 *
 * await store.save({ accessToken: "a-1" });
 * console.log(await store.load()); // { accessToken: "a-1" }
 * await rm(path);
 * ```
 *
 * @category Authentication
 */
export interface TokenStore {
  /**
   * Returns the last token that was saved; null or undefined if there is none. It is called before
   * each token request. If another process has saved a newer token, that one is used instead.
   */
  load(): OAuthToken | null | undefined | Promise<OAuthToken | null | undefined>;
  /**
   * Saves a new token. If it fails, the requests that wait for the token fail with its error, and
   * the next one saves the same token again.
   *
   * @param token The token
   */
  save(token: OAuthToken): unknown;
}

/** Returns a store in memory. */
export function memoryStore(): TokenStore {
  let saved: OAuthToken | undefined;
  return {
    load: () => saved,
    save: (token) => {
      saved = token;
    },
  };
}

/**
 * Checks the token that a store returned, because the store is the user's own.
 *
 * @throws {UnexpectedValueError} If it is neither a token nor null or undefined
 */
export function checkedToken(token: OAuthToken | null | undefined): OAuthToken | undefined {
  if (token === null || token === undefined) return undefined;
  const { accessToken, expiresAt, refreshToken } = token;
  const isToken = isTokenText(accessToken) &&
    (expiresAt === undefined || Number.isFinite(expiresAt)) &&
    (refreshToken === undefined || typeof refreshToken === "string" && refreshToken !== "");
  if (isToken) return token;
  const expected = "a token as it was passed to store.save(), or null";
  throw new UnexpectedValueError("store.load()", expected, token);
}

/** Reports if a value can be sent as an access token. */
export function isTokenText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && isHeaderText(value);
}
