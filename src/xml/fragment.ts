/**
 * The parser for small pieces of XML. It replaces the edition's parser, because writing is
 * synchronous, and programs that only write XML should not load that parser.
 */
import { nameText } from "../errors/format_issue.ts";
import { quotedText } from "../errors/message_text.ts";
import {
  addNamespace,
  addText,
  type XmlAttribute,
  type XmlContentNodes,
  type XmlElement,
} from "./content.ts";
import { isXmlText } from "./escape.ts";
import { isXmlName, type XmlName } from "./name.ts";
import { isDeclaration, Namespaces } from "./namespaces.ts";
import { possiblePrefixes } from "./value_prefixes.ts";

/** A start tag: its name, its attributes, and the slash of an empty element. */
const START =
  /<([^ \t\n<>/!?&"'=]+)((?:[ \t\n]+[^ \t\n<>/&"'=]+[ \t\n]*=[ \t\n]*(?:"[^<"]*"|'[^<']*'))*)[ \t\n]*(\/?)>/y;

const END = /<\/([^ \t\n<>/]+)[ \t\n]*>/y;

const ATTRIBUTE = /(?<![^ \t\n=])([^ \t\n=]+)[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)')/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "lt": "<",
  "gt": ">",
  "amp": "&",
  "apos": "'",
  "quot": '"',
};

/**
 * Parses the content of an element: texts and elements, which declare all their namespaces.
 *
 * @throws {Error} If the content is not well-formed
 */
export function parseFragment(xml: string): XmlContentNodes {
  if (!isXmlText(xml)) throw new SyntaxError("it has a character that XML does not allow");
  return new FragmentParser(xml.replace(/\r\n?/g, "\n")).parse();
}

/** Texts and elements that are being collected. */
type MutableNodes = (string | XmlElement)[];

interface OpenElement {
  readonly raw: string;
  readonly content: MutableNodes;
  /** The element; undefined around the content. */
  readonly element: XmlElement | undefined;
}

class FragmentParser {
  readonly #xml: string;
  readonly #namespaces = new Namespaces();
  readonly #open: OpenElement[] = [{ raw: "", content: [], element: undefined }];
  #index = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  parse(): XmlContentNodes {
    while (this.#index < this.#xml.length) this.#next();
    const { raw, content } = this.#open.at(-1)!;
    if (this.#open.length > 1) throw new SyntaxError(`<${nameText(raw)}> has no end tag`);
    return content;
  }

  /** Parses a text, a tag, a comment, a CDATA section or a processing instruction. */
  #next(): void {
    const xml = this.#xml;
    const start = this.#index;
    const { content } = this.#open.at(-1)!;
    if (xml[start] !== "<") {
      const end = xml.indexOf("<", start);
      this.#index = end < 0 ? xml.length : end;
      addText(content, textOf(xml.slice(start, this.#index)));
    } else if (xml.startsWith("<!--", start)) {
      // A comment must not contain "--".
      this.#until("--", 4);
      if (xml[this.#index++] !== ">") throw invalidAt(start);
    } else if (xml.startsWith("<![CDATA[", start)) {
      addText(content, this.#until("]]>", 9));
    } else if (xml.startsWith("<?", start)) {
      checkTarget(/^[^ \t\n]*/.exec(this.#until("?>", 2))![0]);
    } else if (xml[start + 1] === "/") {
      const [raw = ""] = this.#match(END);
      if (this.#open.at(-1)!.raw !== raw) {
        throw new SyntaxError(`</${nameText(raw)}> has no start tag before it`);
      }
      this.#close();
    } else {
      const [raw = "", attributes = "", slash] = this.#match(START);
      const { element, names } = elementOf(raw, attributes, this.#namespaces);
      content.push(element);
      this.#open.push({ raw, content: element.children, element });
      for (const [index, { value }] of element.attributes.entries()) {
        this.#keepNamespaces(possiblePrefixes(value, names[index]));
      }
      if (slash === "/") this.#close();
    }
  }

  #close(): void {
    for (const node of this.#open.at(-1)!.content) {
      if (typeof node === "string") this.#keepNamespaces(possiblePrefixes(node));
    }
    this.#open.pop();
    this.#namespaces.leave();
  }

  /** Keeps the declarations of prefixes that a value may use, on the elements that declare them. */
  #keepNamespaces(prefixes: readonly string[]): void {
    for (const prefix of prefixes) {
      const binding = this.#namespaces.lookup(prefix);
      if (binding === undefined || prefix === "xml") continue;
      const { element } = prefix === "" ? this.#open.at(-1)! : this.#open[binding.depth + 1]!;
      if (element !== undefined) addNamespace(element, prefix, binding.uri);
    }
  }

  /** Returns the text up to an end, and moves behind the end. */
  #until(end: string, skipped: number): string {
    const start = this.#index + skipped;
    const found = this.#xml.indexOf(end, start);
    if (found < 0) throw invalidAt(this.#index);
    this.#index = found + end.length;
    return this.#xml.slice(start, found);
  }

  /** Returns the groups of a pattern that must match here, and moves behind it. */
  #match(pattern: RegExp): string[] {
    pattern.lastIndex = this.#index;
    const match = pattern.exec(this.#xml);
    if (match === null) throw invalidAt(this.#index);
    this.#index = pattern.lastIndex;
    return match.slice(1);
  }
}

function invalidAt(offset: number): SyntaxError {
  return new SyntaxError(`the markup at offset ${offset} is not valid`);
}

function elementOf(
  raw: string,
  source: string,
  namespaces: Namespaces,
): {
  readonly element: XmlElement & { readonly children: MutableNodes };
  readonly names: readonly XmlName[];
} {
  checkName(raw);
  const pairs: string[] = [];
  const raws = new Set<string>();
  for (const [, name = "", double, single] of source.matchAll(ATTRIBUTE)) {
    checkName(name);
    if (raws.has(name)) throw twice(raw, name);
    raws.add(name);
    pairs.push(name, valueOf(double ?? single ?? ""));
  }
  namespaces.enter(pairs);
  const { local, uri } = namespaces.element(raw);
  const attributes: XmlAttribute[] = [];
  const names: XmlName[] = [];
  const keys = new Set<string>();
  for (let index = 0; index < pairs.length; index += 2) {
    const name = pairs[index]!;
    if (isDeclaration(name)) continue;
    const attribute = namespaces.attribute(name);
    const { key, local, uri } = attribute;
    names.push(attribute);
    if (keys.has(key)) throw twice(raw, name);
    keys.add(key);
    attributes.push({ name: local, namespace: uri, value: pairs[index + 1]! });
  }
  return { element: { tag: local, namespace: uri, attributes, children: [] }, names };
}

function twice(raw: string, attribute: string): SyntaxError {
  return new SyntaxError(`<${nameText(raw)}> has the attribute ${nameText(attribute)} twice`);
}

/** Checks a name with at most one prefix. */
function checkName(name: string): void {
  const parts = name.split(":");
  if (parts.length > 2 || !parts.every(isXmlName)) {
    throw new SyntaxError(`${quotedText(name)} is not a valid name`);
  }
}

function checkTarget(target: string): void {
  if (!isXmlName(target) || /^xml$/i.test(target)) {
    const name = quotedText(target);
    throw new SyntaxError(`${name} is not allowed as the name of a processing instruction`);
  }
}

function textOf(text: string): string {
  if (text.includes("]]>")) throw new SyntaxError('"]]>" is not allowed in text');
  return resolve(text);
}

/** Returns the value of an attribute. Line breaks and tabs are read as spaces (XML 1.0, §3.3.3). */
function valueOf(text: string): string {
  return resolve(text.replace(/[\t\n]/g, " "));
}

/** Resolves the references in a text. */
function resolve(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));|&/g, (token, decimal, hex, name) => {
    if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
    const code = decimal !== undefined ? Number(decimal) : parseInt(hex, 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : "";
    if (character !== "" && isXmlText(character)) return character;
    throw new SyntaxError(`${quotedText(token)} is not a reference that XML knows`);
  });
}
