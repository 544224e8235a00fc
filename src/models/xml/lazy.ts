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

/** The parameters of {@linkcode streamXml}. */
type StreamParameters<T> = [model: ModelClass<T>, source: XmlSource, options: XmlStreamOptions];

/**
 * Reads instances from XML as their elements end.
 *
 * @throws {XmlError} If the input is not well-formed XML, or not allowed by the limits
 * @throws {ModelError} With all issues of the first instance that does not match
 */
export function streamXml<T>(
  ...parameters: StreamParameters<T>
): AsyncGenerator<T, void, undefined> {
  const reader = xmlReader();
  // Delegating to another generator would cost a wait for each instance.
  return reader instanceof Promise
    ? streamWhenLoaded(reader, parameters)
    : reader.streamXmlInstances(...parameters);
}

async function* streamWhenLoaded<T>(
  reader: Promise<XmlReader>,
  parameters: StreamParameters<T>,
): AsyncGenerator<T, void, undefined> {
  yield* (await reader).streamXmlInstances(...parameters);
}
