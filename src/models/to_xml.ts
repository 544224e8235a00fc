/** The function `toXml`, apart from the models, so that bundles that write no XML leave it out. */
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isModelInstance, type ModelInstance } from "./model_class.ts";
import { encodeXml, type XmlWriteOptions } from "./xml/encode.ts";

// This is a file of its own, because a module that is also imported lazily would otherwise be in
// every bundle with models.

/**
 * Writes an instance, or a list of instances, as XML text. The root declares all namespaces.
 *
 * This is not a method, so that bundlers can leave it out of programs that write no XML.
 *
 * @example
 * ```ts
 * import { attr, element, model, string, toXml } from "@restwright/restwright/models";
 *
 * class Slide extends model("slide", { title: element(string), kind: attr(string) }) {}
 * const slide = Slide.of({ title: "Looms & dyes", kind: "all" });
 * console.log(toXml(slide, { declaration: false }));
 * // <slide kind="all"><title>Looms &amp; dyes</title></slide>
 * console.log(toXml([slide], { root: "slides", only: ["title"], declaration: false }));
 * // <slides><slide kind="all"><title>Looms &amp; dyes</title></slide></slides>
 * ```
 *
 * @param instance The instance, or a list of instances
 * @param options The format of the text, and the part to write
 * @throws {ModelError} With all issues, if a value does not match its field
 * @throws {UnexpectedValueError} If the value is not an instance of a model, or an option is invalid
 *
 * @category XML
 */
export function toXml(
  instance: ModelInstance | readonly ModelInstance[],
  options: XmlWriteOptions = {},
): string {
  if (!isModelInstance(instance) && !Array.isArray(instance)) {
    throw new UnexpectedValueError(
      "instance",
      "an instance of a model, or a list of them",
      instance,
    );
  }
  return encodeXml(instance, options);
}
