/** The error of text that cannot be read as XML, with its line and column. */
import { brand, RestwrightError, showInJson } from "./base_error.ts";
import { messageText } from "./message_text.ts";

/**
 * A place in an XML document.
 *
 * @internal
 */
export interface XmlPlace {
  /** The line, starting at 1. */
  readonly line: number;
  /** The column, starting at 1, in UTF-16 code units. */
  readonly column: number;
  /** The index in the text. Every line break counts as one character. */
  readonly offset: number;
  /**
   * The path of open elements, such as `/rss/channel/item`; `/` outside the root element. Long
   * paths and long names are shortened.
   */
  readonly path: string;
}

/**
 * The error for text that the toolkit cannot read as XML: it is not well-formed, uses a prefix that
 * is not declared, is nested too deeply, has a document type declaration that is not allowed, or is
 * not in the encoding that it declares.
 *
 * The message names the place and the open elements. It does not show values of the document, such
 * as namespaces, encodings and entities.
 *
 * @example
 * ```ts
 * import { XmlError } from "@restwright/restwright/errors";
 * import { element, model, string } from "@restwright/restwright/models";
 *
 * class Note extends model("note", { to: element(string) }) {}
 * try {
 *   await Note.fromXml("<note>\n  <to>&eve;</to>\n</note>");
 * } catch (error) {
 *   if (!(error instanceof XmlError)) throw error;
 *   console.log(error.line, error.path); // 2 /note/to
 * }
 * ```
 *
 * @category Errors
 */
export class XmlError extends RestwrightError implements XmlPlace {
  static {
    brand("XmlError", this);
    showInJson(this, "line", "column", "offset", "path");
  }

  /** The line, starting at 1. */
  readonly line: number;
  /** The column, starting at 1, in UTF-16 code units. */
  readonly column: number;
  /** The index in the text. Every line break counts as one character. */
  readonly offset: number;
  /**
   * The path of open elements, such as `/rss/channel/item`; `/` outside the root element. Long
   * paths and long names are shortened.
   */
  readonly path: string;

  /**
   * Builds the error.
   *
   * @param message The problem, and what to do about it
   * @param place The place in the document
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
}
