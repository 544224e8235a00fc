/** The types of boxes: which attributes a JSON type has in a box, also in the other case styles. */
import type { BoxAttrs } from "./box_attrs.ts";
import type { CamelCase, SnakeCase } from "./names.ts";
import type { boxOriginal } from "./original.ts";

/**
 * The type of a boxed JSON value: objects become boxes, arrays hold boxes, scalars stay.
 *
 * Fields are read as attributes. A name that the JSON does not have returns undefined, even
 * `constructor` and `__proto__`: a box has no methods that a key could collide with. A value of
 * unknown type is a {@linkcode BoxValue}: test it with `typeof`, `Array.isArray` or `isBox`. The
 * box of `any` has fields of any name.
 *
 * @typeParam T The type of the JSON
 * @typeParam A The attributes of the box, as constants
 *
 * @example
 * ```ts
 * import { type Box, toBox } from "@restwright/restwright/box";
 *
 * interface User {
 *   first_name: string;
 *   links: { href: string }[];
 * }
 * const user: Box<User> = toBox<User>(JSON.parse('{"first_name":"Ada","links":[{"href":"/ada"}]}'));
 * console.log(user.first_name, user.links[0]?.href); // Ada /ada
 * ```
 *
 * @category Responses
 */
export type Box<T = unknown, A extends BoxAttrs = BoxAttrs> = unknown extends T
  ? 0 extends 1 & T ? UnknownBox<A> : BoxValue<A>
  : T extends string | number | bigint | boolean | symbol | null | undefined ? T
  : T extends (...args: never[]) => unknown ? T
  : T extends readonly unknown[]
    ? A extends { readonly frozen: true } ? { readonly [K in keyof T]: Box<T[K], A> }
    : { [K in keyof T]: Box<T[K], A> }
  : A extends { readonly frozen: true } ? Readonly<BoxFields<T, A>>
  : BoxFields<T, A>;

/**
 * A box of JSON whose type is unknown. Any name may be read.
 *
 * @category Responses
 */
export type UnknownBox<A extends BoxAttrs = BoxAttrs> = A extends { readonly frozen: true }
  ? { readonly [name: string]: BoxValue<A> | MissingField<A> }
  : { [name: string]: BoxValue<A> | MissingField<A> };

/**
 * A value in a box whose type is unknown.
 *
 * @example
 * ```ts
 * import { type BoxValue, isBox, toBox } from "@restwright/restwright/box";
 *
 * const answer: unknown = JSON.parse('{"user":{"name":"Ada"}}');
 * const box: BoxValue = toBox(answer);
 * if (isBox(box) && isBox(box.user)) console.log(box.user.name); // Ada
 * ```
 *
 * @category Responses
 */
export type BoxValue<A extends BoxAttrs = BoxAttrs> =
  | string
  | number
  | boolean
  | null
  | UnknownBox<A>
  | (A extends { readonly frozen: true } ? readonly BoxValue<A>[] : BoxValue<A>[]);

/**
 * The type of a missing field. If the default is an object, a missing field of the default returns
 * the default again.
 *
 * @internal
 */
export type MissingField<A extends BoxAttrs> = A extends { readonly default: infer D }
  ? D extends object ? D extends readonly unknown[] ? Box<D, A & { readonly frozen: true }>
    : Box<D, A & { readonly frozen: true }> & MissingFields<A>
  : D
  : undefined;

/**
 * The missing fields of a default that is an object.
 *
 * @internal
 */
export interface MissingFields<A extends BoxAttrs> {
  /** The default again. */
  readonly [name: string]: MissingField<A>;
}

/**
 * The fields of a boxed object. For `unbox`, they also carry the type of the original.
 *
 * @internal
 */
export type BoxFields<T, A extends BoxAttrs> =
  & { readonly [boxOriginal]?: T }
  & (A extends { readonly default: unknown } ? {
      [K in keyof T as BoxName<K, keyof T, A>]-?:
        | Box<Exclude<T[K], undefined>, A>
        | (undefined extends T[K] ? MissingField<A> : never);
    }
    : { [K in keyof T as BoxName<K, keyof T, A>]: Box<T[K], A> })
  & (A extends { readonly dots: true } ? {
      [path: `${string}.${string}` | `${string}[${number}]`]: BoxValue<A> | MissingField<A>;
    }
    : unknown);

/**
 * The names that read a key: the key itself and its names in the other case styles.
 *
 * @internal
 */
export type BoxName<K extends PropertyKey, All extends PropertyKey, A extends BoxAttrs> = A extends
  { readonly camelCase: true } | { readonly snakeCase: true }
  ? K extends string ? K | Exclude<OtherBoxName<K, A>, All> : K
  : K;

/**
 * The names that read a key besides the key itself.
 *
 * @internal
 */
export type OtherBoxName<K extends string, A extends BoxAttrs> =
  | (A extends { readonly camelCase: true } ? CamelCase<K> : never)
  | (A extends { readonly snakeCase: true } ? SnakeCase<K> : never);

/**
 * The type that `unbox` returns for a value: each box is replaced by its original.
 *
 * @internal
 */
export type Unboxed<V> = V extends string | number | bigint | boolean | symbol | null | undefined
  ? V
  : V extends readonly unknown[] ? { [K in keyof V]: Unboxed<V[K]> }
  : typeof boxOriginal extends keyof V ? Exclude<V[typeof boxOriginal], undefined>
  : V;
