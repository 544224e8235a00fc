import { type Check, check, checkedFlag, isPlain } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * How a box behaves (the contract's `box_attrs`). All of it holds for what is nested, too.
 *
 * @example
 * ```ts
 * import { toBox } from "@restwright/restwright";
 *
 * const user = toBox({ first_name: "Ada", links: [{ href: "/ada" }] }, {
 *   frozen: true,
 *   default: null,
 *   camelCase: true,
 *   dots: true,
 * });
 * console.log(user.firstName, user["links[0].href"]); // Ada /ada
 * ```
 */
export interface BoxAttrs {
  /**
   * Whether a write raises a TypeError. It guards the box, not the original beneath.
   *
   * @default {false}
   */
  readonly frozen?: boolean | undefined;
  /**
   * What a name gives that the JSON does not have: a text, a number, a boolean, null, or a plain
   * object or array, which is boxed and frozen. A key whose value is null is not missing. `in`,
   * `Object.keys` and JSON know nothing of it, and it is not for the elements of arrays.
   * Default: undefined
   *
   * @example `{ default: {} }` lets `box.user.address.city` end in a box wherever it breaks off
   */
  readonly default?: unknown;
  /**
   * Whether `box.firstName` reads, writes and deletes the key `first_name`, where there is no key
   * `firstName`. Keys stay as they are for `Object.keys` and JSON; a new key is made as written.
   *
   * @default {false}
   */
  readonly camelCase?: boolean | undefined;
  /**
   * If true, `box.first_name` reads, writes and deletes the key `firstName`, where there is no key
   * `first_name`. This is python-box's `camel_killer_box`, but keys stay as they are for
   * `Object.keys` and JSON, and a new key is made as written. May be given together with `camelCase`.
   *
   * @default {false}
   *
   * @example `{ snakeCase: true }` finds `HTTPServer` as `box.http_server`
   */
  readonly snakeCase?: boolean | undefined;
  /**
   * Whether `box["links[0].href"]` and `box["links.0.href"]` read, write and delete what is
   * nested, where there is no such key.
   *
   * @default {false}
   */
  readonly dots?: boolean | undefined;
}

const checks: Readonly<Record<string, Check<unknown>>> = {
  camelCase: checkedFlag,
  default: check(
    "a text, a number, a boolean, null, a plain object or an array",
    (value) => value === null || /^(?:string|number|boolean)$/.test(typeof value) || isPlain(value),
  ),
  dots: checkedFlag,
  frozen: checkedFlag,
  snakeCase: checkedFlag,
} satisfies Record<keyof BoxAttrs, Check<unknown>>;

/**
 * Checks the attributes of a box.
 *
 * @throws {UnexpectedValueError} Where one of them is not known, or not what was expected
 */
export function checkedBoxAttrs(attrs: unknown): BoxAttrs {
  if (!isPlain(attrs) || Array.isArray(attrs)) {
    throw new UnexpectedValueError("boxAttrs", "a mapping of attributes", attrs);
  }
  const known = Object.keys(checks);
  for (const [name, value] of Object.entries(attrs)) {
    const option = `boxAttrs.${name}`;
    if (!known.includes(name)) throw new UnexpectedValueError(option, `one of ${known.join(", ")}`);
    if (value !== undefined) checks[name]!(option, value);
  }
  return attrs;
}
