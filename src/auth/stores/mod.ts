/**
 * Stores for tokens that several processes share: in Redis or Valkey, in files, or in a Keyv instance or
 * a `Map`. Pass one as the option `store` of an OAuth scheme or of `SessionTokenAuth`.
 *
 * It is a separate entry point, so that other programs do not load it. It loads no client of Redis: you
 * pass a function that sends a command.
 *
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { fileStore } from "@restwright/restwright/stores";
 *
 * // A folder for this example. Yours is one that stays, which only your service can read.
 * const store = fileStore(await mkdtemp(`${tmpdir()}/orders-`));
 * await store.save({ accessToken: "a-1", refreshToken: "r-1" });
 * console.log((await store.load())?.refreshToken); // r-1
 * ```
 *
 * @module
 */

export type { ReleaseLock, TokenStore } from "../token_store.ts";
export { fileStore } from "./file_store.ts";
export { keyedStore, type KeyedTokens } from "./keyed_store.ts";
export { redisStore, type SendRedisCommand } from "./redis_store.ts";
export type { SharedTokenStore } from "./shared_token_store.ts";
