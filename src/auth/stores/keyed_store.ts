/** A token store in a Keyv instance, a `Map`, or anything else with keys. */
import { check, checkedText, hasMethods } from "../../base/checks.ts";
import type { OAuthToken, TokenStore } from "../token_store.ts";

/**
 * A place with keys, such as a `Map` or a Keyv instance.
 *
 * @category Authentication
 */
export interface KeyedTokens {
  /** Returns the token of a key; null or undefined if there is none. */
  get(key: string): OAuthToken | null | undefined | Promise<OAuthToken | null | undefined>;
  /** Stores the token of a key. */
  set(key: string, token: OAuthToken): unknown;
}

const checkedPlace: <T>(option: string, value: unknown) => T = check(
  "an object with the methods get and set, such as a Map or a Keyv instance",
  (value) => hasMethods(value, ["get", "set"]),
);

/**
 * Returns a token store in a Keyv instance or a `Map`.
 *
 * It has no lock and no versions, so it protects only this process: others with the same place may
 * request a token at the same time. For several processes, use {@linkcode redisStore} or
 * {@linkcode fileStore}.
 *
 * @param place The place with keys
 * @param key The key of the token
 *
 * @example
 * ```ts
 * import { keyedStore } from "@restwright/restwright/stores";
 *
 * const tokens = new Map();
 * const store = keyedStore(tokens, "ada");
 * store.save({ accessToken: "a-1" });
 * console.log(tokens.get("ada")); // { accessToken: "a-1" }
 * ```
 *
 * @throws {UnexpectedValueError} If an argument is not valid
 *
 * @category Authentication
 */
export function keyedStore(place: KeyedTokens, key: string): TokenStore {
  const { get, set } = checkedPlace<KeyedTokens>("place", place);
  checkedText("key", key);
  return { load: () => get.call(place, key), save: (token) => set.call(place, key, token) };
}
