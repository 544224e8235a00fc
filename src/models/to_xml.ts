import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { encodeXml, type XmlWriteOptions } from "./encode_xml.ts";
import { isModelInstance, type ModelInstance } from "./model_instance.ts";

// A file of its own: a module that is also imported lazily would be in every bundle with models otherwise.

/**
 * Writes an instance as a text of XML. Namespaces are declared once, at the root.
 *
 * It is no method, so that programs that write no XML do not bring it along.
 *
 * @example
 * ```ts
 * import { attr, element, model, string, toXml } from "@restwright/restwright/models";
 *
 * class Slide extends model("slide", { title: element(string), kind: attr(string) }) {}
 * const slide = Slide.of({ title: "Looms & dyes", kind: "all" });
 * console.log(toXml(slide, { declaration: false }));
 * // <slide kind="all"><title>Looms &amp; dyes</title></slide>
 * ```
 *
 * @param instance The instance
 * @param options How it is written
 * @throws {ModelError} Where a value is not what its field says: with every issue
 * @throws {UnexpectedValueError} Where it is no instance of a model, or an option is not what was
 * expected
 */
export function toXml(instance: ModelInstance, options: XmlWriteOptions = {}): string {
  if (!isModelInstance(instance)) {
    throw new UnexpectedValueError("instance", "an instance of a model", instance);
  }
  return encodeXml(instance, options);
}
