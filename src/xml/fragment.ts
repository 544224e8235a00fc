// A parser for small pieces of XML. It is used instead of the XML parser of the edition, because
// writing is synchronous, and programs that only write XML should not load that parser.

import { addText, type XmlAttribute, type XmlContentNodes, type XmlElement } from "./content.ts";
import { isXmlText } from "./escape.ts";
import { isDeclaration, Namespaces } from "./namespaces.ts";

/** One comment, CDATA section, processing instruction, end tag, start tag or text. */
const TOKEN = new RegExp(
  [
    "<!--(?:(?!--)[^])*-->",
    "<!\\[CDATA\\[(?<cdata>[^]*?)\\]\\]>",
    "<\\?(?<target>[^\\s?<>]+)(?:\\s[^]*?)?\\?>",
    "</(?<end>[^\\s<>/]+)\\s*>",
    "<(?<start>[^\\s<>/!?&\"'=]+)(?<attributes>(?:\\s+[^\\s<>/&\"'=]+\\s*=\\s*(?:\"[^<\"]*\"|'[^<']*'))*)" +
    "\\s*(?<slash>/?)>",
    "(?<text>[^<]+)",
  ].join("|"),
  "y",
);

const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** A name with at most one prefix. Characters are those of "Namespaces in XML 1.0". */
const NAME =
  /^[\p{L}_][-.\p{L}\p{N}\p{M}_\u00b7\u203f\u2040]*(?::[\p{L}_][-.\p{L}\p{N}\p{M}_\u00b7\u203f\u2040]*)?$/u;

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
 * @throws {SyntaxError} If the content is not well-formed
 */
export function parseFragment(xml: string): XmlContentNodes {
  if (!isXmlText(xml)) throw new SyntaxError("it has a character that XML does not allow");
  const source = xml.replace(/\r\n?/g, "\n");
  const namespaces = new Namespaces();
  const root: (string | XmlElement)[] = [];
  const open: { readonly raw: string; readonly content: (string | XmlElement)[] }[] = [
    { raw: "", content: root },
  ];
  for (let index = 0; index < source.length;) {
    TOKEN.lastIndex = index;
    const match = TOKEN.exec(source);
    if (match === null) throw new SyntaxError(`invalid markup at offset ${index}`);
    index = TOKEN.lastIndex;
    const { cdata, target, end, start, attributes = "", slash, text } = match.groups!;
    const { content } = open.at(-1)!;
    if (text !== undefined) addText(content, textOf(text));
    else if (cdata !== undefined) addText(content, cdata);
    else if (target !== undefined) checkTarget(target);
    else if (end !== undefined) {
      const { raw } = open.pop()!;
      if (raw !== end) throw new SyntaxError(`</${end}> without a start tag before it`);
      namespaces.leave();
    } else if (start !== undefined) {
      const element = elementOf(start, attributes, namespaces);
      content.push(element);
      if (slash === "/") namespaces.leave();
      else open.push({ raw: start, content: element.children });
    }
  }
  if (open.length > 1) throw new SyntaxError(`<${open.at(-1)!.raw}> without an end tag`);
  return root;
}

function elementOf(
  raw: string,
  source: string,
  namespaces: Namespaces,
): XmlElement & { readonly children: (string | XmlElement)[] } {
  const pairs = [...source.matchAll(ATTRIBUTE)].flatMap(([, name = "", double, single]) => {
    checkName(name);
    return [name, valueOf(double ?? single ?? "")];
  });
  checkName(raw);
  namespaces.enter(pairs);
  const { local, uri } = namespaces.element(raw);
  const attributes: XmlAttribute[] = [];
  const keys = new Set<string>();
  for (let index = 0; index < pairs.length; index += 2) {
    const isOther = isDeclaration(pairs[index]!);
    const { key, local, uri } = isOther
      ? { key: pairs[index]!, local: "", uri: "" }
      : namespaces.attribute(pairs[index]!);
    if (keys.has(key)) throw new SyntaxError(`<${raw}> has the attribute ${pairs[index]} twice`);
    keys.add(key);
    if (!isOther) attributes.push({ name: local, namespace: uri, value: pairs[index + 1]! });
  }
  return { tag: local, namespace: uri, attributes, children: [] };
}

function checkName(name: string): void {
  if (!NAME.test(name)) throw new SyntaxError(`"${name}" is not a valid name`);
}

function checkTarget(target: string): void {
  checkName(target);
  if (target.includes(":") || /^xml$/i.test(target)) {
    throw new SyntaxError(`"${target}" is not allowed as the name of a processing instruction`);
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
    throw new SyntaxError(`"${token}" is not a reference that XML knows`);
  });
}
