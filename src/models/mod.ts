/**
 * Typed models: classes with one descriptor for JSON and for XML, both ways.
 *
 * @example
 * ```ts
 * import { attr, element, elements, model, string, toXml } from "@restwright/restwright/models";
 *
 * class Slide extends model("slide", {
 *   title: element(string),
 *   items: elements(string, { tag: "item" }),
 *   kind: attr(string, { tag: "type", default: "all" }),
 * }) {
 *   isEmpty(): boolean {
 *     return this.items.length === 0;
 *   }
 * }
 *
 * const slide = Slide.fromJson('{"title":"One","items":["a"]}');
 * console.log(slide.isEmpty()); // false
 * console.log(toXml(slide).endsWith("<title>One</title><item>a</item></slide>")); // true
 * ```
 *
 * @module
 */

export type { XmlAttribute, XmlContentNodes, XmlElement } from "../xml/content.ts";
export type { XmlReadOptions } from "../xml/reader.ts";
export type { XmlSource } from "../xml/source.ts";
export { anyOf, openEnum } from "./any_of.ts";
export { constrain, type Constraints, refine } from "./constraints.ts";
export { date, dateOnly, lenientDate, unixMilliseconds, unixSeconds } from "./dates.ts";
export { type Document, document } from "./document.ts";
export {
  attr,
  type DefaultFieldOptions,
  element,
  elements,
  type Field,
  type FieldMap,
  type FieldOptions,
  type Fields,
  type OptionalFieldOptions,
  text,
} from "./field.ts";
export {
  type AllFields,
  type ExtendedModel,
  type InferredModel,
  type InputOf,
  model,
  type ModelOptions,
  type PropertiesOf,
  type ReplacedFields,
} from "./inferred.ts";
export { innerXml, textContent } from "./inner_xml.ts";
export type { JsonWriteOptions } from "./json_text.ts";
export type { WriteOptions } from "./json_walker.ts";
export { type ConvertedMembers, looseObject } from "./loose_object.ts";
export { tuple } from "./tuple.ts";
export { Model, type Values } from "./model.ts";
export type {
  BodyFormat,
  modelBrand,
  ModelClass,
  RenameRule,
  UnknownPolicy,
} from "./model_class.ts";
export { object, type ObjectOf, rest } from "./object.ts";
export { bigint, boolean, integer, literal, number, oneOf, scalar, string } from "./scalars.ts";
export { schema } from "./schema.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "../base/standard_schema.ts";
export { json, type JsonValue, list, nullable, record } from "./structures.ts";
export { toXml } from "./to_xml.ts";
export { union } from "./union.ts";
export { type UnknownContent, unknownContentOf } from "./unknown_content.ts";
export type { TypeInput, ValueType } from "./value_type.ts";
export type { XmlWriteOptions } from "./xml/encode.ts";
export type { XmlStreamOptions } from "./xml/target.ts";
