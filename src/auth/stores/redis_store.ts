/** A token store in Redis or Valkey, over the client that the program has. */
import { checkedFunction, checkedOptions, checkedText } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { type SharedTokenStore, tokenIn, tokenText } from "./shared_token_store.ts";

/**
 * A function that sends one command to Redis or Valkey, and returns the reply: strings, whole numbers,
 * null, and arrays of these.
 *
 * | client                   | function                                                   |
 * | ------------------------ | ---------------------------------------------------------- |
 * | `redis`, `@redis/client` | `(...command) => client.sendCommand(command)`              |
 * | its `createCluster`      | `(...command) => cluster.sendCommand(key, false, command)` |
 * | `ioredis`, `iovalkey`    | `(name, ...args) => client.call(name, ...args)`            |
 * | `@valkey/valkey-glide`   | `(...command) => client.customCommand(command)`            |
 * | `Bun.RedisClient`        | `(name, ...args) => client.send(name, args)`               |
 *
 * The function must ask the primary server, and not a replica, which may have an older token.
 *
 * @category Authentication
 */
export type SendRedisCommand = (name: string, ...args: string[]) => Promise<unknown>;

/** Frees the lock, if it is that of its holder. */
const RELEASE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** Writes a token, if the stored one has a version. HGET returns false if there is none. */
const REPLACE = "if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[1] then return 0 end " +
  "redis.call('HSET', KEYS[1], 'version', ARGV[2], 'token', ARGV[3]) return 1";

/**
 * Returns a token store in Redis or Valkey, with a lock and with versions. It needs Redis 4 or later, or
 * any Valkey, and no modules.
 *
 * The lock is a key with a time to live (`SET NX PX`), which only its holder removes. A token is compared
 * and written by one script, so that a process that has lost its lock cannot overwrite a newer token.
 * Each command has one key, so a cluster works, too.
 *
 * @param send Sends a command with the client of the program
 * @param options `key` is the key of the token. The lock has the same key with `:lock` at its end. With
 * `createCluster` of `redis`, write the key in braces, such as `{tokens:ada}`: both are then on the same
 * server
 *
 * @example With `redis` or `@redis/client`
 * ```ts
 * import { redisStore, type SendRedisCommand } from "@restwright/restwright/stores";
 *
 * // In a program: const client = await createClient().connect();
 * const client = { sendCommand: (_command: string[]) => Promise.resolve([null, null]) };
 *
 * const send: SendRedisCommand = (...command) => client.sendCommand(command);
 * const store = redisStore(send, { key: "tokens:ada" });
 * console.log(await store.load()); // null
 * ```
 *
 * @throws {UnexpectedValueError} If an argument is not valid
 *
 * @category Authentication
 */
export function redisStore(
  send: SendRedisCommand,
  options: { readonly key: string },
): SharedTokenStore {
  checkedFunction("send", send ?? null);
  const { key } = checkedOptions(options, ["key"]);
  if (checkedText("key", key) === "") throw new UnexpectedValueError("key", "not empty", key);
  return {
    async load() {
      const reply = await send("HMGET", key, "token", "version");
      const [token, version] = Array.isArray(reply) ? reply : [];
      if (token === null && version === null) return null;
      if (typeof token === "string" && typeof version === "string") {
        return tokenIn(token, version, `the key ${key}`);
      }
      const expected = "the token and its version as strings, as the reply of Redis has them";
      throw new UnexpectedValueError("the result of send()", expected, reply);
    },
    async save(token) {
      await send("HSET", key, "version", crypto.randomUUID(), "token", tokenText(token));
    },
    async lock(seconds) {
      const holder = crypto.randomUUID();
      const lifetime = String(Math.ceil(seconds * 1000));
      const reply = await send("SET", `${key}:lock`, holder, "NX", "PX", lifetime);
      return reply === null ? null : () => send("EVAL", RELEASE, "1", `${key}:lock`, holder);
    },
    async replace(token, version = "") {
      const values = [String(version), crypto.randomUUID(), tokenText(token)];
      return Number(await send("EVAL", REPLACE, "1", key, ...values)) === 1;
    },
  };
}
