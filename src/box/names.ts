/** Converts keys to camelCase and snake_case, as values and as types, and reads paths of keys. */

/**
 * A key in camelCase, as {@linkcode camelCase} writes it: `CamelCase<"first_name">` is `"firstName"`.
 *
 * @internal
 */
export type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? Head extends "" ? `_${CamelCase<Tail>}`
  : Tail extends "" | `_${string}` ? `${Head}_${CamelCase<Tail>}`
  : `${Head}${CamelCase<Capitalize<Tail>>}`
  : Key;

/**
 * A key in snake_case, as {@linkcode snakeCase} writes it: `SnakeCase<"firstName">` is `"first_name"`.
 *
 * @typeParam Key The key
 * @typeParam Rest The part that is not yet converted
 * @typeParam Written The part that is converted
 * @typeParam Last The last converted character, as it is in the key
 *
 * @internal
 */
export type SnakeCase<
  Key extends string,
  Rest extends string = Key,
  Written extends string = "",
  Last extends string = "",
> = Rest extends `${infer Char}${infer Next}` ? SnakeCase<
    Key,
    Next,
    Char extends "_" ? WithUnderscore<Written>
      : `${StartsWord<Last, Char, Next> extends true ? WithUnderscore<Written>
        : Written}${Lowercase<Char>}`,
    Char
  >
  : Rest extends "" ? Written
  : Key;

/**
 * A text with an underscore at the end. The underscore replaces spaces there, and is not added
 * after another one.
 *
 * @internal
 */
export type WithUnderscore<Written extends string> = Written extends `${string}_` ? Written
  : Written extends `${infer Head} ` ? WithUnderscore<Head>
  : `${Written}_`;

/**
 * True if the character Char starts a word within a name in camelCase.
 *
 * @internal
 */
export type StartsWord<Last extends string, Char extends string, Next extends string> = Last extends
  "" ? false
  : Char extends Uppercase<LowerCaseLetter> ? Last extends LowerCaseLetter | `${bigint}` ? true
    : Next extends `${LowerCaseLetter}${string}` ? true
    : false
  : false;

/**
 * A letter from a to z.
 *
 * @internal
 */
export type LowerCaseLetter =
  | ("a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m")
  | ("n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z");

/**
 * Returns a key in camelCase: `first_name` becomes `firstName`. Leading, final and double
 * underscores stay.
 */
export function camelCase(key: string): string {
  return key.replace(/(?<=[^_])_([^_])/g, (_, next: string) => next.toUpperCase());
}

/**
 * Returns a key in snake_case, as python-box's `camel_killer_box` writes it: `firstName` becomes
 * `first_name`, `HTTPServer` becomes `http_server`. Several underscores become one.
 */
export function snakeCase(key: string): string {
  return key
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])/gs, "_")
    .toLowerCase()
    .replace(/(?<! ) *_+/g, "_"); // not `/ *_+/g`, which takes quadratic time for many spaces
}

/** Returns the keys of a path such as `links[0].href`; undefined if the name is not a path. */
export function pathOf(name: string): readonly string[] | undefined {
  const isPath = /^(?:[^.[\]]+|\[\d+\])(?:\.[^.[\]]+|\[\d+\])*$/.test(name);
  return isPath ? name.match(/[^.[\]]+/g)! : undefined;
}
