/**
 * Boxes: attribute access to JSON.
 *
 * @module
 */

export type { BoxAttrs } from "./box_attrs.ts";
export type {
  Box,
  BoxFields,
  BoxName,
  BoxValue,
  Held,
  MissingField,
  MissingFields,
  Unboxed,
  UnknownBox,
} from "./box.ts";
export type { CamelCase } from "./names.ts";
export type { boxOriginal } from "./original.ts";
export { isBox, toBox, unbox } from "./to_box.ts";
