import { onDemand } from "../on_demand.ts";
import type { XmlReadOptions } from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import type { ModelClass } from "./model_class.ts";
import type { XmlTarget } from "./xml_target.ts";

/** What reads XML. */
type XmlReading = typeof import("./decode_xml.ts");

/** What reads XML, with the parser: a program that reads none does not bring it along. */
export const xmlReading: () => XmlReading | Promise<XmlReading> = onDemand(() =>
  import("./decode_xml.ts")
);

/**
 * Reads instances from XML as their elements close.
 *
 * @throws {XmlError} Where it is not XML, or not what is allowed
 * @throws {ModelError} At the first that does not fit, with every issue of it
 */
export function streamXml<T>(
  model: ModelClass<T>,
  source: XmlSource,
  target: XmlTarget,
  options: XmlReadOptions,
): AsyncGenerator<T, void, undefined> {
  const part = xmlReading();
  // Passing on what another generator yields costs a wait for each of them.
  if (!(part instanceof Promise)) return part.decodeXml(model, source, target, options);
  return streamWhenLoaded(part, model, source, target, options);
}

async function* streamWhenLoaded<T>(
  part: Promise<XmlReading>,
  model: ModelClass<T>,
  source: XmlSource,
  target: XmlTarget,
  options: XmlReadOptions,
): AsyncGenerator<T, void, undefined> {
  yield* (await part).decodeXml(model, source, target, options);
}
