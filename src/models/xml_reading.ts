import { lazyImport } from "../lazy_import.ts";
import type { XmlReadOptions } from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import type { ModelClass } from "./model_class.ts";
import type { XmlTarget } from "./xml_target.ts";

/** What reads XML. */
type XmlReading = typeof import("./decode_xml.ts");

/** What reads XML, with the parser: a program that reads none does not bring it along. */
export const xmlReading: () => XmlReading | Promise<XmlReading> = lazyImport(() =>
  import("./decode_xml.ts")
);

/** What instances are read from, and how. */
type Reading<T> = [
  model: ModelClass<T>,
  source: XmlSource,
  target: XmlTarget,
  options: XmlReadOptions,
];

/**
 * Reads instances from XML as their elements close.
 *
 * @throws {XmlError} Where it is not XML, or not what is allowed
 * @throws {ModelError} At the first that does not fit, with every issue of it
 */
export function streamXml<T>(...reading: Reading<T>): AsyncGenerator<T, void, undefined> {
  const part = xmlReading();
  // Passing on what another generator yields costs a wait for each of them.
  return part instanceof Promise ? streamWhenLoaded(part, reading) : part.decodeXml(...reading);
}

async function* streamWhenLoaded<T>(
  part: Promise<XmlReading>,
  reading: Reading<T>,
): AsyncGenerator<T, void, undefined> {
  yield* (await part).decodeXml(...reading);
}
