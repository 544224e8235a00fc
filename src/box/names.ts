/**
 * A key in camelCase, as {@linkcode camelCase} writes it.
 *
 * @example
 * ```ts
 * import type { CamelCase } from "@restwright/restwright";
 *
 * const name: CamelCase<"first_name"> = "firstName";
 * ```
 */
export type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? Head extends "" ? `_${CamelCase<Tail>}`
  : Tail extends "" | `_${string}` ? `${Head}_${CamelCase<Tail>}`
  : `${Head}${CamelCase<Capitalize<Tail>>}`
  : Key;

/** A key in camelCase: `first_name` is `firstName`; leading, final and double underscores stay. */
export function camelCase(key: string): string {
  return key.replace(/(?<=[^_])_([^_])/g, (_, next: string) => next.toUpperCase());
}

/** The keys along a path such as `links[0].href`; undefined where a name is not one. */
export function pathOf(name: string): readonly string[] | undefined {
  const isPath = /^(?:[^.[\]]+|\[\d+\])(?:\.[^.[\]]+|\[\d+\])*$/.test(name);
  return isPath ? name.match(/[^.[\]]+/g)! : undefined;
}
