import { brand, RestwrightError } from "./base_error.ts";
import { messageText } from "./message_text.ts";

/** Where in an XML document something is. */
export interface XmlPlace {
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1 in UTF-16 code units, as JavaScript counts. */
  readonly column: number;
  /** The index in the text, line breaks counted as one character. */
  readonly offset: number;
  /**
   * The elements that were open, such as `/rss/channel/item`; `/` outside of the root. Long paths and
   * long names are shortened.
   */
  readonly path: string;
}

/**
 * A text is not XML that the toolkit reads: it is not well-formed, its prefixes are not bound, it is
 * nested too deep, has a document type declaration, or is not in the encoding that it says.
 *
 * The message names the place and elements. Values of the document, such as namespaces, encodings and
 * entities, are not shown.
 *
 * @example
 * ```ts
 * import { XmlError } from "@restwright/restwright";
 * import { element, model, string } from "@restwright/restwright/models";
 *
 * class Note extends model("note", { to: element(string) }) {}
 * try {
 *   await Note.fromXml("<note>\n  <to>Ada</from>\n</note>");
 * } catch (error) {
 *   if (!(error instanceof XmlError)) throw error;
 *   console.log(error.line, error.path); // 2 /note/to
 * }
 * ```
 */
export class XmlError extends RestwrightError implements XmlPlace {
  static {
    brand("XmlError", this);
  }

  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1 in UTF-16 code units, as JavaScript counts. */
  readonly column: number;
  /** The index in the text, line breaks counted as one character. */
  readonly offset: number;
  /**
   * The elements that were open, such as `/rss/channel/item`; `/` outside of the root. Long paths and
   * long names are shortened.
   */
  readonly path: string;

  /**
   * Builds the error.
   *
   * @param message What is wrong, and what to do
   * @param place Where
   * @param cause The parser's error, if any
   */
  constructor(message: string, place: XmlPlace, cause?: unknown) {
    const { line, column, offset, path } = place;
    super(
      `XML, line ${line}, column ${column}, in ${messageText(path, 500)}: ${
        messageText(message, 500)
      }`,
      { cause },
    );
    this.line = line;
    this.column = column;
    this.offset = offset;
    this.path = path;
  }

  /** What `JSON.stringify` shows. */
  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      line: this.line,
      column: this.column,
      offset: this.offset,
      path: this.path,
    };
  }
}
