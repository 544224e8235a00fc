/**
 * Boxes: attribute access to JSON, without sessions and clients.
 *
 * @example
 * ```ts
 * import { toBox } from "@restwright/restwright/box";
 *
 * const user = toBox({ first_name: "Ada" }, { camelCase: true });
 * console.log(user.firstName); // Ada
 * ```
 *
 * @module
 */

export type { BoxAttrs } from "./box_attrs.ts";
export type { Box, BoxFields, BoxValue, MissingFields, Unboxed, UnknownBox } from "./box.ts";
export { isBox, toBox, unbox } from "./to_box.ts";
