import { xmlRecords } from "#xml";
import { checkedLimit } from "../checks.ts";
import { nameText } from "../errors/format_issue.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { XmlError } from "../errors/xml_error.ts";
import { withoutDoctype } from "./doctype.ts";
import type { XmlName } from "./name.ts";
import { isDeclaration, NamespaceFault, Namespaces } from "./namespaces.ts";
import { XmlFault, type XmlHandler } from "./port.ts";
import { type Position, Positions } from "./positions.ts";
import { EncodingFault, textOf, type XmlSource } from "./source.ts";

/** What XML is allowed to be, and how its bytes are read. */
export interface XmlReadOptions {
  /**
   * How many elements may be nested, the root counted.
   *
   * @default {500}
   */
  readonly maxDepth?: number | undefined;
  /**
   * Whether a document type declaration is refused, or passed over. None is ever obeyed: entities
   * that it declares are not known. Default: what the model says, which is `"refuse"` unless it was
   * told otherwise
   */
  readonly doctype?: "refuse" | "skip" | undefined;
  /** The charset of the content type; it goes before what the XML declaration says. */
  readonly charset?: string | undefined;
}

/** How many elements may be nested where nothing else is said. */
const MAX_DEPTH = 500;

/** Attributes of one element, without declarations of namespaces: name and value at one index. */
export interface XmlAttributes {
  readonly names: readonly XmlName[];
  readonly values: readonly string[];
}

/** What becomes of the content of a document; names are resolved, the arrays are used again. */
export interface XmlContent {
  /** An element opens, at an offset that {@linkcode XmlPlaces} knows. */
  open(name: XmlName, attributes: XmlAttributes, offset: number): void;
  /** Text of the element that is open; several pieces may follow one another. */
  text(text: string): void;
  /** The element that opened last closes. */
  close(): void;
}

/** Where offsets are. */
export interface XmlPlaces {
  /** The line and column of an offset. */
  at(offset: number): Position;
  /** Lets go of the text so far: no offset before the last one will be asked for. */
  forget(): void;
}

/**
 * Reads XML and gives out the records that are made of its content.
 *
 * The policy is here, for both editions: namespaces, depth, document type declarations, encodings,
 * and an error that says where.
 *
 * @param source The text, the bytes, or their chunks
 * @param contentOf Makes what takes the content and emits the records
 * @param options What is allowed
 * @throws {XmlError} Where it is not XML, or not what is allowed
 */
export async function* readXml<T>(
  source: XmlSource,
  contentOf: (emit: (record: T) => void, places: XmlPlaces) => XmlContent,
  options: XmlReadOptions = {},
): AsyncGenerator<T, void, undefined> {
  const positions = new Positions();
  // A parser drops the records of a chunk in which it fails: those are given out all the same.
  let ready: T[] = [];
  let reader: Reader | undefined;
  try {
    const records = xmlRecords<undefined>(
      withoutDoctype(chunksInto(positions, source, options.charset), options.doctype),
      (emit) => {
        const content = contentOf((record) => {
          ready.push(record);
          emit(undefined);
        }, positions);
        return reader = new Reader(content, options);
      },
    );
    for await (const _ of records) {
      const given = ready;
      ready = [];
      yield* given;
    }
  } catch (error) {
    yield* ready;
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
 * Returns what a parser says without the values of the document that it quotes: namespaces,
 * references, and what the XML declaration holds. Names of elements and attributes stay.
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

/** Something that is allowed by XML, and not here. */
class PolicyFault extends Error {}

function isFault(error: unknown): error is Error {
  return error instanceof XmlFault || error instanceof NamespaceFault ||
    error instanceof PolicyFault || error instanceof EncodingFault;
}

/** Between the parser and the content: what holds for every document. */
class Reader implements XmlHandler {
  readonly #content: XmlContent;
  readonly #maxDepth: number;
  readonly #namespaces = new Namespaces();
  /** The names of the elements that are open. */
  readonly #open: string[] = [];
  readonly #names: XmlName[] = [];
  readonly #values: string[] = [];
  readonly #attributes: XmlAttributes = { names: this.#names, values: this.#values };
  /** Where the element that opened last begins. */
  offset = 0;

  constructor(content: XmlContent, options: XmlReadOptions) {
    this.#content = content;
    const { maxDepth = MAX_DEPTH, doctype = "refuse" } = options;
    this.#maxDepth = checkedLimit("maxDepth", maxDepth);
    if (doctype !== "refuse" && doctype !== "skip") {
      throw new UnexpectedValueError("doctype", '"refuse" or "skip"', doctype);
    }
  }

  /** The elements that are open, as a path; long paths and long names are shortened. */
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
        `elements are nested deeper than ${this.#maxDepth} levels: allow more with maxDepth`,
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
    // Blanks around the root are no content.
    if (this.#open.length > 0) this.#content.text(text);
  }
}

/** Two prefixes of one namespace can hide that an attribute is there twice. */
function refuseDuplicates(names: readonly XmlName[]): void {
  const keys = new Set<string>();
  for (const { key, raw } of names) {
    if (keys.has(key)) {
      const reason = "another prefix of the same namespace has the same name";
      throw new NamespaceFault(`the attribute ${nameText(raw)} is there twice: ${reason}`);
    }
    keys.add(key);
  }
}
