/** The `#xml` import of the JSR edition, which uses @std/xml. */
import { parseXmlRecords } from "@std/xml/parse-records";
import { type XmlEventCallbacks, XmlSyntaxError } from "@std/xml/types";
import { isXmlText } from "./escape.ts";
import { XmlFault, type XmlHandler } from "./port.ts";
import { slicesOf } from "./slices.ts";
import { UnknownEntities } from "./unknown_entities.ts";

/** Parses chunks of XML, and yields the records of each chunk after it has been parsed. */
export async function* xmlRecords<T>(
  chunks: AsyncIterable<string>,
  handlerOf: (emit: (record: T) => void) => XmlHandler,
): AsyncGenerator<T, void, undefined> {
  const place: Place = { offset: 0, end: 0, chunk: "", entities: new UnknownEntities() };
  /** Errors that the source or the handler threw, not the parser. */
  const faults = new Set<unknown>();
  try {
    yield* parseXmlRecords<T>(
      slicesOf(watched(chunks, place, faults)),
      (emit) => callbacksOf(handlerOf(emit), place, faults),
      { trackPosition: true },
    );
  } catch (error) {
    if (faults.has(error) || error instanceof XmlFault || !(error instanceof Error)) throw error;
    if (error instanceof XmlSyntaxError) {
      const message = error.message.replace(/ at line \d+, column \d+$/, "");
      // If there is no root, the error has no position. The mistake is then at the end.
      throw new XmlFault(message, error.line === 0 ? place.end : error.offset);
    }
    // The parser throws a plain Error without a position for a reference that it cannot resolve.
    if (error.constructor !== Error) throw error;
    throw new XmlFault(error.message, offsetOfReference(place));
  }
}

/** The position of the parser. */
interface Place {
  /** The offset of the last event. */
  offset: number;
  /** The offset of the end of the last chunk. */
  end: number;
  chunk: string;
  /** The unknown references that the parser would wrongly resolve. */
  readonly entities: UnknownEntities;
}

async function* watched(
  chunks: AsyncIterable<string>,
  place: Place,
  faults: Set<unknown>,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const chunk of chunks) {
      place.chunk = chunk;
      place.end += chunk.length;
      place.entities.read(chunk);
      yield chunk;
    }
  } catch (error) {
    faults.add(error);
    throw error;
  }
}

function callbacksOf(
  handler: XmlHandler,
  place: Place,
  faults: Set<unknown>,
): XmlEventCallbacks {
  const attributes: string[] = [];
  /** Marks an error as one of the handler, not of the parser. */
  const refused = (error: unknown): never => {
    faults.add(error);
    throw error;
  };
  const textOf = (text: string): void => {
    try {
      handler.text(text);
    } catch (error) {
      refused(error);
    }
  };
  return {
    onStartElement(name, _colon, _uri, given, _isSelfClosing, _line, _column, offset) {
      attributes.length = 0;
      for (let index = 0; index < given.count; index++) {
        const value = given.getValue(index);
        // The parser checks only text for such characters, not attributes.
        if (!isXmlText(value)) {
          throw new XmlFault(
            `the attribute ${given.getName(index)} contains a character that XML does not allow`,
            offset,
          );
        }
        attributes.push(given.getName(index), value);
      }
      place.offset = offset;
      try {
        handler.open(name, attributes, offset);
      } catch (error) {
        refused(error);
      }
      refuseEntity(place.entities.after(offset));
    },
    onEndElement(_name, _colon, _uri, _line, _column, offset) {
      place.offset = offset;
      try {
        handler.close();
      } catch (error) {
        refused(error);
      }
    },
    onText(text, _line, _column, offset) {
      refuseEntity(place.entities.after(offset));
      place.offset = offset;
      textOf(text);
    },
    onCData(text, _line, _column, offset) {
      place.offset = offset;
      textOf(text);
    },
  };
}

function refuseEntity(offset: number | undefined): void {
  if (offset === undefined) return;
  throw new XmlFault("Unknown entity: expected lt, gt, amp, apos or quot", offset);
}

/**
 * Returns the offset of the first `&` after the last event that does not start a known reference.
 * If there is none, returns the offset of the event.
 */
function offsetOfReference({ offset, end, chunk }: Place): number {
  const start = end - chunk.length;
  const from = Math.max(0, offset - start);
  const found = chunk.slice(from).search(/&(?!(?:lt|gt|amp|apos|quot);)/);
  return found < 0 ? offset : start + from + found;
}
