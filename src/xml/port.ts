/**
 * What the toolkit asks of an XML parser: events from chunks of text, names as they are written.
 *
 * Namespaces, depth, DOCTYPE and positions are decided above the port, so that both editions agree.
 */
export interface XmlHandler {
  /**
   * An element opens. `attributes` are names and values in turn, entities resolved; the array is
   * used again for the next element. `offset` is where its `<` stands in the text.
   */
  open(name: string, attributes: readonly string[], offset: number): void;
  /** The element that was opened last closes. */
  close(): void;
  /** Text, blanks around the root among it, or a CDATA section; several may follow one another. */
  text(text: string): void;
}

/** Text that is not well-formed XML, or not allowed here. The toolkit's reader makes an error of it. */
export class XmlFault extends Error {
  /** Where in the text it was noticed. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * The port `#xml`: reads chunks and gives out the records that the handler makes of them.
 *
 * What a handler throws is thrown as it is; what is not well-formed throws an {@linkcode XmlFault}.
 * Line breaks in the chunks are line feeds alone, the first chunk does not start with a byte-order
 * mark, no chunk ends within a surrogate pair, and there is no document type declaration before the
 * root.
 */
export type XmlRecords = <T>(
  chunks: AsyncIterable<string>,
  handlerOf: (emit: (record: T) => void) => XmlHandler,
) => AsyncGenerator<T, void, undefined>;
