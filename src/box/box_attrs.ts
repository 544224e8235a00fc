/**
 * The attributes of boxes, such as other names and the value of missing fields, and their check.
 */
import { type Check, check, checkedFlag, checkedOptions, isPlain } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * The attributes of a box (the contract's `box_attrs`). They apply to nested boxes too.
 *
 * @example
 * ```ts
 * import { toBox } from "@restwright/restwright/box";
 *
 * const user = toBox({ first_name: "Ada", links: [{ href: "/ada" }] }, {
 *   frozen: true,
 *   default: null,
 *   camelCase: true,
 *   dots: true,
 * });
 * console.log(user.firstName, user["links[0].href"]); // Ada /ada
 * ```
 *
 * @category Responses
 */
export interface BoxAttrs {
  /**
   * If true, a write throws a TypeError. This protects the box, not its original.
   *
   * @default {false}
   */
  readonly frozen?: boolean | undefined;
  /**
   * The value of a field that the JSON does not have: a string, a number, a boolean, null, or a plain
   * object or array, which is boxed and frozen. A key whose value is null is not missing. `in`,
   * `Object.keys` and `JSON.stringify` ignore the default, and it does not apply to the elements of
   * arrays. Default: undefined
   *
   * @example `{ default: {} }` makes `box.user.address.city` a box if any part of that path is
   * missing
   */
  readonly default?: unknown;
  /**
   * If true, `box.firstName` reads, writes and deletes the key `first_name` when there is no key
   * `firstName`. `Object.keys` and JSON keep the original keys. A new key is created as written.
   *
   * @default {false}
   */
  readonly camelCase?: boolean | undefined;
  /**
   * If true, `box.first_name` reads, writes and deletes the key `firstName` when there is no key
   * `first_name`. This is python-box's `camel_killer_box`, except that `Object.keys` and JSON keep
   * the original keys and that a new key is created as written. It can be combined with
   * `camelCase`.
   *
   * @default {false}
   *
   * @example `{ snakeCase: true }` finds `HTTPServer` as `box.http_server`
   */
  readonly snakeCase?: boolean | undefined;
  /**
   * If true, `box["links[0].href"]` and `box["links.0.href"]` read, write and delete nested fields
   * when there is no such key.
   *
   * @default {false}
   */
  readonly dots?: boolean | undefined;
}

const checks: Readonly<Record<string, Check<unknown>>> = {
  camelCase: checkedFlag,
  default: check(
    "a string, a number, a boolean, null, a plain object or an array",
    (value) => value === null || /^(?:string|number|boolean)$/.test(typeof value) || isPlain(value),
  ),
  dots: checkedFlag,
  frozen: checkedFlag,
  snakeCase: checkedFlag,
} satisfies Record<keyof BoxAttrs, Check<unknown>>;

/**
 * Checks the attributes of a box.
 *
 * @throws {UnexpectedValueError} If an attribute is unknown or has an invalid value
 */
export function checkedBoxAttrs(attrs: unknown): BoxAttrs {
  if (!isPlain(attrs) || Array.isArray(attrs)) {
    throw new UnexpectedValueError("boxAttrs", "a mapping of attributes", attrs);
  }
  checkedOptions(attrs, Object.keys(checks), "boxAttrs.");
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== undefined) checks[name]!(`boxAttrs.${name}`, value);
  }
  return attrs;
}
