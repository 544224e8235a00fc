/** Loads the code that reads XML, with its parser, when it is first used. */
import { lazyImport } from "../../base/lazy_import.ts";
import type { XmlSource } from "../../xml/source.ts";
import type { ModelClass } from "../model_class.ts";
import type { XmlStreamOptions } from "./target.ts";

/** The code that reads XML. */
type XmlReader = typeof import("./decode.ts");

/** The code that reads XML, with the parser. Programs that read none do not load it. */
export const xmlReader: () => XmlReader | Promise<XmlReader> = lazyImport(() =>
  import("./decode.ts")
);

/**
 * Reads instances from XML as their elements end, those of a chunk together.
 *
 * @throws {XmlError} If the input is not well-formed XML, or not allowed by the limits
 * @throws {ModelError} With all issues of the first instance that does not match
 */
export async function* streamXmlBatches<T>(
  model: ModelClass<T>,
  source: XmlSource,
  options: XmlStreamOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const { streamXmlInstances } = await xmlReader();
  yield* streamXmlInstances(model, source, options);
}
