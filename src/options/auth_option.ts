/** The option of an SDK that becomes its scheme, such as an API key. */
import { type Check, check, checkedFunction, checkedText } from "../base/checks.ts";
import { readEnv } from "../base/environment.ts";
import { UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import type { AuthInput } from "../http/auth.ts";
import type { ClientBaseOptions } from "./client_options.ts";

/**
 * An option of an SDK that becomes its `auth`, such as an API key: the static `authOption` of a class.
 *
 * @example
 * ```ts
 * import { APIClient, type ClientOptions } from "@restwright/restwright";
 * import { type AuthOption, BearerAuth } from "@restwright/restwright/auth";
 *
 * interface LibraryOptions extends ClientOptions {
 *   readonly apiKey: string;
 * }
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://library.example.com";
 *   static override readonly authOption: AuthOption = {
 *     name: "apiKey",
 *     scheme: (key) => new BearerAuth(key),
 *   };
 *   constructor(options: LibraryOptions) {
 *     super(options);
 *   }
 * }
 * new Library({ apiKey: "k-123" });
 * ```
 *
 * @category Authentication
 */
export interface AuthOption {
  /** The name of the option. It does not have to be in `optionNames`. */
  readonly name: string;
  /**
   * Returns the scheme. It runs in the constructor, and for a copy if `withOptions` changes the option.
   *
   * @param value The value of the option, which is not empty
   */
  readonly scheme: (value: string) => AuthInput;
  /**
   * The environment variable that has the value if the option is left out. A copy does not read it
   * again. On Deno, it needs the permission `--allow-env` for this variable. Default: none
   */
  readonly env?: string | undefined;
  /**
   * True if the class works without the option. Otherwise, the constructor throws an error if the
   * option and the variable are missing, and neither `auth` nor `session` is passed.
   *
   * @default {false}
   */
  readonly optional?: boolean | undefined;
}

const checkedKey: Check<string> = check(
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
);

/**
 * Returns options whose `auth` is the scheme of the class's option, unless the options have an `auth`.
 *
 * @param options The options of the constructor
 * @param authOption The option of the class, if it has one
 * @param changes The options that `withOptions` changes; undefined if there is no original. The
 * scheme of an original is shared, and not made again
 * @throws {UnexpectedValueError} If the value is empty or missing
 */
export function withAuthOption<O extends ClientBaseOptions>(
  options: O,
  authOption: AuthOption | undefined,
  changes: object | undefined,
): O {
  if (authOption === undefined || options.auth !== undefined) return options;
  const { name, scheme, env, optional = false } = authOption;
  checkedText("authOption.name", name);
  checkedFunction("authOption.scheme", scheme ?? null);
  if (changes !== undefined && Reflect.get(changes, name) === undefined) return options;
  const value = valueOfOption(options, name, authOption);
  if (value === undefined) {
    if (optional || options.session !== undefined) return options;
    throw missing(name, env);
  }
  const auth: unknown = scheme(checkedKey(name, value));
  if (auth !== undefined) return { ...options, auth };
  throw new UnexpectedValueError(
    "authOption.scheme",
    "a function that returns a scheme, such as (key) => new BearerAuth(key)",
    auth,
  );
}

/** Returns the value of an option with a credential: the one that was passed, or that of the variable. */
export function valueOfOption(
  options: object,
  name: string,
  authOption: AuthOption | undefined,
): unknown {
  const given: unknown = Reflect.get(options, name);
  const env = authOption?.name === name ? authOption.env : undefined;
  return given === undefined && env !== undefined ? readEnv(env) : given;
}

/** Returns the error for an option that is missing. */
function missing(name: string, env: string | undefined): UnexpectedValueError {
  if (env === undefined) return new UnexpectedValueError(name, "set", undefined);
  const actual = "Deno" in globalThis
    ? withHint(undefined, `On Deno, the variable needs the permission --allow-env=${env}`)
    : undefined;
  const expected = `set, as an option or as the environment variable ${env}`;
  return new UnexpectedValueError(name, expected, actual);
}
