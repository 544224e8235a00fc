import type { Box, BoxValue, Unboxed } from "./box.ts";
import { type BoxAttrs, checkedBoxAttrs } from "./box_attrs.ts";
import { BoxKind } from "./box_kind.ts";
import { originalOf, withoutBoxes } from "./original.ts";

const plainKind = new BoxKind({});

/**
 * Boxes JSON: gives a box for an object, an array of boxes for an array, a scalar and null as they
 * are.
 *
 * The box stands before the value and copies nothing: it reads from the value, and what is written
 * to the box is written to the value. Boxes for what is nested are made when it is read, and are
 * the same each time. Objects of a class (a `Date`, a `Map`) are given as they are. A box given is
 * boxed anew.
 *
 * @param value What JSON.parse gave
 * @param attrs The attributes of the box and of all in it. Default: none
 * @throws {UnexpectedValueError} Where an attribute is not known, or not what was expected
 *
 * @example
 * ```ts
 * import { toBox } from "@restwright/restwright";
 *
 * const user = toBox({ first_name: "Ada", roles: [{ name: "author" }] }, { camelCase: true });
 * console.log(user.firstName, user.roles[0]?.name); // Ada author
 * console.log(JSON.stringify(user)); // {"first_name":"Ada","roles":[{"name":"author"}]}
 * ```
 */
export function toBox<T, const A extends BoxAttrs = BoxAttrs>(
  value: T,
  attrs?: A,
): 0 extends 1 & T ? Box<T, A> : unknown extends T ? BoxValue<A> : Box<T, A>;
export function toBox(value: unknown, attrs?: BoxAttrs): unknown {
  return boxer(attrs)(value);
}

/**
 * Checks attributes once and gives the function that boxes with them.
 *
 * @throws {UnexpectedValueError} Where an attribute is not known, or not what was expected
 */
export function boxer(attrs?: BoxAttrs): (value: unknown) => unknown {
  const kind = attrs === undefined ? plainKind : new BoxKind(checkedBoxAttrs(attrs));
  return (value) => kind.boxed(originalOf(value) ?? value);
}

/**
 * Gives the plain original of a box: the very value that was boxed, with what has been written.
 *
 * A plain object or array gives a copy in which boxes are replaced by their originals, as a
 * filtered list or a spread box holds them. Anything else is given as it is.
 *
 * @example
 * ```ts
 * import { toBox, unbox } from "@restwright/restwright";
 *
 * const box = toBox({ users: [{ id: 1 }, { id: 2 }] });
 * const copy = structuredClone(unbox(box)); // a box itself cannot be cloned
 * const odd = unbox(box.users.filter((user) => user.id % 2 === 1));
 * console.log(copy.users.length, odd); // 2 [ { id: 1 } ]
 * ```
 */
export function unbox<T>(box: T): Unboxed<T>;
export function unbox(box: unknown): unknown {
  return withoutBoxes(box);
}

/**
 * Whether a value is a box of an object; arrays in boxes are arrays.
 *
 * @example
 * ```ts
 * import { isBox, toBox } from "@restwright/restwright";
 *
 * console.log(isBox(toBox({})), isBox({}), isBox(toBox([]))); // true false false
 * ```
 */
export function isBox(value: unknown): value is Box {
  return !Array.isArray(value) && originalOf(value) !== undefined;
}
