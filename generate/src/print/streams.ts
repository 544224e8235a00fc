/** Prints streams: the types of their items, and the formats of the toolkit that read them. */

import { referencesOf } from "../algebra/references.ts";
import type { Conversion, MethodStream } from "../model/mod.ts";
import { modelImportsOf, printDocument } from "./conversion_code.ts";
import type { Imports } from "./imports.ts";
import { call, type Layout, object, property } from "./layout.ts";
import { objectKey, quoted } from "./literals.ts";
import { printType, type TypePlace } from "./types.ts";

/** The file of a stream. */
interface Place {
  readonly toolkit: string;
  readonly imports: Imports;
}

/** The data that ends a stream of events. */
const END = `until: ${quoted("[DONE]")}`;

/**
 * Returns the option `format` of a call that is read as a stream.
 *
 * @param stream The stream
 * @param place The file
 * @param own Further options of a stream of events. Default: none
 */
export function streamLayout(
  stream: MethodStream,
  place: Place,
  own: readonly string[] = [],
): Layout {
  const { toolkit, imports } = place;
  imports.value(`${toolkit}/streams`, stream.format === "lines" ? "ndjson" : "sse");
  return property(
    "format",
    stream.format === "lines" ? lines(stream, place) : events(stream, place, own),
  );
}

function lines({ item, conversion, accept }: MethodStream, place: Place): Layout {
  const format = conversion === undefined
    ? `ndjson<${printType(item, { indent: 6 })}>()`
    : `ndjson(${modelOf(conversion, place)})`;
  return accept === undefined
    ? format
    : object([`...${format}`, property("accept", quoted(accept))]);
}

function events(stream: MethodStream, place: Place, own: readonly string[]): Layout {
  const { item, isText, conversion, events = [], eventsType, errorEvent } = stream;
  const end = [
    ...errorEvent === undefined ? [] : [`errorEvent: ${quoted(errorEvent)}`],
    END,
    ...own,
  ];
  if (events.length > 0) {
    if (events.some((each) => each.conversion !== undefined)) {
      const models = events.map((each) =>
        property(objectKey(each.name), modelOf(each.conversion!, place))
      );
      return call("sse", [object([object(models, "events: "), ...end])]);
    }
    const names = `events: [${events.map(({ name }) => quoted(name)).join(", ")}]`;
    return isText
      ? call("sse", [object([names, ...end])])
      : call(`sse<${eventsType}>`, [object(["json: true", names, ...end])]);
  }
  if (isText) return call("sse", [object(end)]);
  return conversion === undefined
    ? call(`sse<${printType(item, { indent: 6 })}>`, [object(["json: true", ...end])])
    : call("sse", [modelOf(conversion, place), object(end)]);
}

/** Returns a conversion as a model. Brackets stand for a list. */
export function modelOf(
  conversion: Conversion,
  { toolkit, imports }: Place,
  place: TypePlace = { indent: 6, used: 30 },
): string {
  const isList = conversion.kind === "list" && conversion.of.kind === "reference";
  const used = isList ? conversion.of : conversion;
  for (const name of modelImportsOf([used])) imports.value(`${toolkit}/models`, name);
  for (const name of referencesOf(used)) imports.value("../models.ts", name);
  const text = printDocument(used, place);
  return isList ? `[${text}]` : text;
}
