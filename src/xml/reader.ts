/**
 * Reads XML with the parser of either edition: namespaces, depth, encodings, errors with places.
 */
import { xmlRecords } from "#xml";
import { checkedLimit } from "../base/checks.ts";
import { nameText } from "../errors/format_issue.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { XmlError } from "../errors/xml_error.ts";
import { withoutDoctype } from "./doctype.ts";
import type { XmlName } from "./name.ts";
import { isDeclaration, NamespaceFault, Namespaces } from "./namespaces.ts";
import { XmlFault, type XmlHandler, type XmlRecords } from "./port.ts";
import { type Position, Positions } from "./positions.ts";
import { EncodingFault, textOf, type XmlSource } from "./source.ts";

/** The parser of this edition. Its type is checked here, because each edition has its own. */
const readRecords: XmlRecords = xmlRecords;

/**
 * Options for reading XML.
 *
 * @category XML
 */
export interface XmlReadOptions {
  /**
   * The maximum depth of nested elements, including the root; null for no limit. Default: the setting
   * of the model, which is 500 unless you change it
   */
  readonly maxDepth?: number | null | undefined;
  /**
   * Set to `"refuse"` to reject a document type declaration, or to `"skip"` to ignore it. A
   * declaration is never applied: the entities that it declares are unknown. Default: the setting
   * of the model, which is `"refuse"` unless you change it
   */
  readonly doctype?: "refuse" | "skip" | undefined;
  /** The charset of the content type. It overrides the encoding in the XML declaration. */
  readonly charset?: string | undefined;
}

/** The default for the maximum depth of nested elements. */
const MAX_DEPTH = 500;

/**
 * The attributes of one element, without namespace declarations. A name and its value have the same
 * index.
 */
export interface XmlAttributes {
  readonly names: readonly XmlName[];
  readonly values: readonly string[];
}

/** A receiver of the content of a document. Names are resolved. The arrays are reused. */
export interface XmlContent {
  /** Handles the start of an element. {@linkcode XmlPlaces} can look up the offset. */
  open(name: XmlName, attributes: XmlAttributes, offset: number): void;
  /**
   * Handles text of the open element. Called several times in a row if the text comes in pieces.
   */
  text(text: string): void;
  /** Handles the end of the element that was opened last. */
  close(): void;
}

/** The namespaces that the open element can use. */
export type XmlNamespaces = Pick<Namespaces, "hasPrefixes" | "isDeclaring" | "lookup">;

/** The positions of offsets in the document. */
export interface XmlPlaces {
  /** Returns the line and column of an offset. */
  at(offset: number): Position;
  /** Removes the text so far. Earlier offsets cannot be looked up afterwards. */
  forget(): void;
}

/**
 * Parses XML and yields the records that are created from its content, those of a chunk together.
 *
 * This function handles everything that is common to both editions: namespaces, depth, document
 * type declarations, encodings, and errors with positions.
 *
 * @param source The text, the bytes, or chunks of either
 * @param contentOf Creates the receiver that handles the content and emits the records
 * @param options The limits, and the charset of the bytes
 * @param defaultNamespace The default namespace, if the document declares none
 * @throws {XmlError} If the source is not well-formed XML, or not allowed by the options
 */
export async function* readXml<T>(
  source: XmlSource,
  contentOf: (
    emit: (record: T) => void,
    places: XmlPlaces,
    namespaces: XmlNamespaces,
  ) => XmlContent,
  options: XmlReadOptions = {},
  defaultNamespace?: string,
): AsyncGenerator<readonly T[], void, undefined> {
  const positions = new Positions();
  // If a chunk has an error, the parser drops the records of that chunk. They are yielded all the
  // same.
  let ready: T[] = [];
  let reader: Reader | undefined;
  try {
    const records = readRecords<undefined>(
      withoutDoctype(chunksInto(positions, source, options.charset), options.doctype),
      (emit) => {
        const namespaces = new Namespaces(defaultNamespace);
        // The parser yields once for each chunk: each of its yields would take several promises.
        const emitRecord = (record: T) => {
          if (ready.push(record) === 1) emit(undefined);
        };
        const content = contentOf(emitRecord, positions, namespaces);
        return reader = new Reader(content, options, namespaces);
      },
    );
    for await (const _ of records) {
      const given = ready;
      ready = [];
      yield given;
    }
  } catch (error) {
    if (ready.length > 0) yield ready;
    if (!isFault(error)) throw error;
    const offset = error instanceof XmlFault
      ? error.offset
      : error instanceof EncodingFault
      ? positions.end
      : reader?.offset ?? 0;
    const place = { ...positions.at(offset), offset, path: reader?.path ?? "/" };
    const isParsers = error instanceof XmlFault;
    const message = isParsers ? withoutValues(error.message) : error.message;
    throw new XmlError(message, place, isParsers ? undefined : error.cause);
  }
}

/**
 * Returns the message of a parser without the values that it quotes from the document: namespaces,
 * references, and the contents of the XML declaration. Names of elements and attributes stay.
 */
function withoutValues(message: string): string {
  const quoted =
    /((?:encoding name|version|standalone value|entity|reference|prefix to|expanded attribute name) )'[^]*'/;
  return message.replace(quoted, "$1'…'");
}

async function* chunksInto(
  positions: Positions,
  source: XmlSource,
  charset: string | undefined,
): AsyncGenerator<string, void, undefined> {
  for await (const text of textOf(source, charset)) {
    positions.add(text);
    yield text;
  }
}

/** An error for a document that is well-formed XML, but exceeds a limit. */
class PolicyFault extends Error {}

function isFault(error: unknown): error is Error {
  return error instanceof XmlFault || error instanceof NamespaceFault ||
    error instanceof PolicyFault || error instanceof EncodingFault;
}

/**
 * The handler between the parser and the content. It checks the depth and resolves the namespaces.
 */
class Reader implements XmlHandler {
  readonly #content: XmlContent;
  readonly #maxDepth: number;
  readonly #namespaces: Namespaces;
  /** The names of the elements that are open. */
  readonly #open: string[] = [];
  readonly #names: XmlName[] = [];
  readonly #values: string[] = [];
  readonly #attributes: XmlAttributes = { names: this.#names, values: this.#values };
  /** The offset of the element that was opened last. */
  offset = 0;

  constructor(content: XmlContent, options: XmlReadOptions, namespaces: Namespaces) {
    this.#content = content;
    this.#namespaces = namespaces;
    const { maxDepth = MAX_DEPTH, doctype = "refuse" } = options;
    this.#maxDepth = checkedLimit("maxDepth", maxDepth) ?? Infinity;
    if (doctype !== "refuse" && doctype !== "skip") {
      throw new UnexpectedValueError("doctype", '"refuse" or "skip"', doctype);
    }
  }

  /** The open elements as a path. Long paths and long names are shortened. */
  get path(): string {
    const names = this.#open.length <= 20
      ? this.#open
      : [...this.#open.slice(0, 10), "…", ...this.#open.slice(-5)];
    return `/${names.map(nameText).join("/")}`;
  }

  open(raw: string, attributes: readonly string[], offset: number): void {
    this.offset = offset;
    if (this.#open.length >= this.#maxDepth) {
      throw new PolicyFault(
        `elements are nested deeper than ${this.#maxDepth} levels: set maxDepth to allow more`,
      );
    }
    this.#open.push(raw);
    this.#namespaces.enter(attributes);
    const name = this.#namespaces.element(raw);
    this.#names.length = 0;
    this.#values.length = 0;
    let prefixed = 0;
    for (let index = 0; index < attributes.length; index += 2) {
      const each = attributes[index]!;
      if (isDeclaration(each)) continue;
      const attribute = this.#namespaces.attribute(each);
      if (attribute.uri !== "") prefixed++;
      this.#names.push(attribute);
      this.#values.push(attributes[index + 1]!);
    }
    if (prefixed > 1) refuseDuplicates(this.#names);
    this.#content.open(name, this.#attributes, offset);
  }

  close(): void {
    this.#content.close();
    this.#namespaces.leave();
    this.#open.pop();
  }

  text(text: string): void {
    // Whitespace around the root is not content.
    if (this.#open.length > 0) this.#content.text(text);
  }
}

/**
 * Rejects an attribute that occurs twice under different prefixes of the same namespace. The parser
 * does not notice these.
 */
function refuseDuplicates(names: readonly XmlName[]): void {
  const keys = new Set<string>();
  for (const { key, raw } of names) {
    if (keys.has(key)) {
      const reason = "its name is the same with another prefix of the same namespace";
      throw new NamespaceFault(`duplicate attribute ${nameText(raw)}: ${reason}`);
    }
    keys.add(key);
  }
}
