/** The interface of the port `#xml`: the functions and the error of an edition's XML parser. */

/**
 * A receiver of the events of an XML parser. Names are passed as they are written.
 *
 * The code that uses the port handles namespaces, depth, DOCTYPE and positions, so that both
 * editions behave alike.
 */
export interface XmlHandler {
  /**
   * Handles the start of an element. `attributes` holds names and values in turn, with entities
   * resolved. The array is reused for the next element. `offset` is the position of its `<` in the
   * text.
   */
  open(name: string, attributes: readonly string[], offset: number): void;
  /** Handles the end of the element that was opened last. */
  close(): void;
  /**
   * Handles text or a CDATA section. Called several times in a row if the text comes in pieces, and
   * also for whitespace around the root.
   */
  text(text: string): void;
}

/**
 * An error for text that is not well-formed XML, or not allowed here. The reader turns it into an
 * XmlError.
 */
export class XmlFault extends Error {
  /** The offset in the text at which the parser noticed it. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * A function that parses chunks and yields the records that the handler creates from them. It is
 * the port `#xml`.
 *
 * An error of a handler is thrown as it is. Text that is not well-formed causes an
 * {@linkcode XmlFault}. The caller ensures that all line breaks are line feeds, that the first chunk
 * does not start with a byte-order mark, that no chunk ends within a surrogate pair, and that
 * the document has no document type declaration.
 */
export type XmlRecords = <T>(
  chunks: AsyncIterable<string>,
  handlerOf: (emit: (record: T) => void) => XmlHandler,
) => AsyncGenerator<T, void, undefined>;
