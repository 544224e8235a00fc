/** The token that a store keeps, the default store in memory, and the checks of other stores. */
import { type Check, check, fieldsCheck, hasMethods, isHeaderText } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

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
  /**
   * The version of a stored token, which its store sets and no other token of the store has. Only
   * stores with the method `replace` have it.
   */
  readonly version?: string | number | undefined;
}

/**
 * A place that keeps a token, so that it survives a restart, or is shared by several processes.
 *
 * The token is a secret: keep it as safe as a password.
 *
 * @example A file that only its owner can read
 * ```ts
 * import { readFile, rm, writeFile } from "node:fs/promises";
 * import type { TokenStore } from "@restwright/restwright/stores";
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
  /**
   * Tries once to lock the store for other processes, so that only one of them requests a new token.
   * The others try again several times a second, for two lifetimes at most. Default: only this process is
   * protected
   *
   * @param seconds The lifetime: after so many seconds the lock is free, whatever became of its holder
   * @returns A function that frees the lock, if this process still has it; null if another one has it
   */
  lock?(seconds: number): ReleaseLock | null | Promise<ReleaseLock | null>;
  /**
   * Saves a new token if the stored one still has a version, and gives it a version that was never
   * used. The comparison and the writing must be one step. If a store has this method, `save` is not
   * called. Default: `save`, which may overwrite a newer token
   *
   * @param token The token
   * @param version The version of the token that is replaced; undefined if nothing was stored
   * @returns True if the token was saved; false if the stored one has another version
   */
  replace?(token: OAuthToken, version: string | number | undefined): boolean | Promise<boolean>;
}

/**
 * A function that frees the lock of a {@linkcode TokenStore}. It does nothing if another process has the
 * lock by now.
 *
 * @category Authentication
 */
export type ReleaseLock = () => unknown;

/** Checks that a value is a store. */
export const checkedStore: Check<TokenStore> = (option, value) => {
  const store = checkedMethods<TokenStore>(option, value);
  for (const name of ["lock", "replace"] as const) {
    if (store[name] === undefined || typeof store[name] === "function") continue;
    throw new UnexpectedValueError(`${option}.${name}`, "a method, or left out", store[name]);
  }
  return store;
};

const checkedMethods: <T>(option: string, value: unknown) => T = check(
  "an object with the methods load and save",
  (value) => hasMethods(value, ["load", "save"]),
);

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
 * @throws {UnexpectedValueError} If it is neither a token nor null or undefined; the error names the
 * field that is wrong
 */
export function checkedToken(token: OAuthToken | null | undefined): OAuthToken | undefined {
  return token === null || token === undefined
    ? undefined
    : checkedFields<OAuthToken>("store.load()", token);
}

const checkedFields: <T>(option: string, value: unknown) => T = fieldsCheck(
  "a token as it was passed to store.save(), or null",
  {
    accessToken: check("a string that is not empty and that a header can carry", isTokenText),
    expiresAt: check(
      "a time in milliseconds since 1970, or left out",
      (value) => value === undefined || Number.isFinite(value),
    ),
    refreshToken: check(
      "a string that is not empty, or left out",
      (value) => value === undefined || typeof value === "string" && value !== "",
    ),
    version: check(
      "a string or a number, or left out",
      (value) => value === undefined || typeof value === "string" || typeof value === "number",
    ),
  },
);

/** Reports if a value can be sent as an access token. */
export function isTokenText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && isHeaderText(value);
}
