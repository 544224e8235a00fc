/** The functions that box and unbox JSON, and recognise a box. */
import type { Box, Unboxed, UnknownBox } from "./box.ts";
import { type BoxAttrs, checkedBoxAttrs } from "./box_attrs.ts";
import { BoxKind } from "./box_kind.ts";
import { originalOf, withoutBoxes } from "./original.ts";

const plainKind = /* @__PURE__ */ new BoxKind({});

/**
 * Boxes JSON. Returns a box for an object, an array of boxes for an array, and scalars and null as
 * they are.
 *
 * A box does not copy the value: it reads from the value, and writes to the box change the value.
 * Nested boxes are created when they are read, and are the same each time. Instances of a class (a
 * `Date`, a `Map`) are returned as they are. A box that is passed in is boxed again with the new
 * attributes.
 *
 * @param value The value that `JSON.parse` returned
 * @param attrs The attributes of the box and of all boxes in it. Default: none
 * @throws {UnexpectedValueError} If an attribute is unknown or has an invalid value
 *
 * @example
 * ```ts
 * import { toBox } from "@restwright/restwright/box";
 *
 * const user = toBox({ first_name: "Ada", roles: [{ name: "author" }] }, { camelCase: true });
 * console.log(user.firstName, user.roles[0]?.name); // Ada author
 * console.log(JSON.stringify(user)); // {"first_name":"Ada","roles":[{"name":"author"}]}
 * ```
 *
 * @category Responses
 */
export function toBox<T, const A extends BoxAttrs = BoxAttrs>(
  value: T,
  attrs?: A,
): Box<T, A>;
export function toBox(value: unknown, attrs?: BoxAttrs): unknown {
  return boxer(attrs)(value);
}

/**
 * Checks the attributes once, and returns a function that boxes with them.
 *
 * @throws {UnexpectedValueError} If an attribute is unknown or has an invalid value
 */
export function boxer(attrs?: BoxAttrs): (value: unknown) => unknown {
  const kind = attrs === undefined ? plainKind : new BoxKind(checkedBoxAttrs(attrs));
  return (value) => kind.boxed(originalOf(value) ?? value);
}

/**
 * Returns the plain original of a box: the same object that was boxed, including later writes.
 *
 * For a plain object or array, such as a filtered list or a spread box, returns a copy in which
 * boxes are replaced by their originals. Returns anything else as it is.
 *
 * @example
 * ```ts
 * import { toBox, unbox } from "@restwright/restwright/box";
 *
 * const box = toBox({ users: [{ id: 1 }, { id: 2 }] });
 * const copy = structuredClone(unbox(box)); // a box itself cannot be cloned
 * const odd = unbox(box.users.filter((user) => user.id % 2 === 1));
 * console.log(copy.users.length, odd); // 2 [{"id":1}]
 * ```
 *
 * @category Responses
 */
export function unbox<T>(box: T): Unboxed<T>;
export function unbox(box: unknown): unknown {
  return withoutBoxes(box);
}

/**
 * Reports if a value is a box of an object. Arrays in boxes are arrays, not boxes.
 *
 * @example
 * ```ts
 * import { isBox, toBox } from "@restwright/restwright/box";
 *
 * console.log(isBox(toBox({})), isBox({}), isBox(toBox([]))); // true false false
 * ```
 *
 * @category Responses
 */
export function isBox(value: unknown): value is UnknownBox {
  return !Array.isArray(value) && originalOf(value) !== undefined;
}
