/** The reasons for which the toolkit's reader differs from the XML specification. */
import type { Difference } from "./comparison.ts";

/** A reason for differences, and the rule that decides which ones it explains. */
export interface Reason {
  /** The reason as a sentence, as docs/project/reliability.md has it. */
  readonly text: string;
  explains(difference: Difference): boolean;
}

/** All reasons. The first one that explains a difference counts. */
export const REASONS: readonly Reason[] = [
  {
    text: "XML 1.1 is read as XML 1.0",
    explains: ({ document }) => /^<\?xml\s+version\s*=\s*["']1\.1["']/.test(asciiOf(document)),
  },
  {
    text: "Names are those of the fifth edition of XML 1.0",
    explains: ({ of, kind }) => kind === "accepted" && !of.isFifthEdition,
  },
  {
    text: "Namespaces are always resolved, so a colon in a name is a prefix",
    explains: ({ of, kind }) => kind === "rejected" && !of.allowsNamespaces,
  },
  {
    text: "Entities that a document declares are unknown",
    explains: ({ kind, document }) =>
      kind === "rejected" && hasDoctype(document) && OWN_ENTITY.test(contentOf(document)),
  },
  {
    text: "Types and defaults that a document declares for attributes are not applied",
    explains: ({ kind, document, actual, expected = "" }) =>
      kind === "content" && hasDoctype(document) && differsByDeclarations(actual, expected),
  },
  {
    text: "Mistakes in a document type declaration are only noticed if its end cannot be found",
    explains: ({ kind, document }) =>
      kind === "accepted" && hasDoctype(document) && isPlain(contentOf(document)),
  },
  {
    text: "A byte-order mark, or bytes that cannot be UTF-16, override the declared encoding",
    explains: ({ kind, document }) => kind === "accepted" && contradictsEncoding(document),
  },
  {
    text: "ISO-8859-1 is read as windows-1252, as by TextDecoder in all runtimes",
    explains: ({ kind, document }) =>
      kind === "content" && declaredEncoding(document) === "iso-8859-1" &&
      document.some((byte) => byte >= 0x80 && byte <= 0x9f),
  },
];

/** Returns the reason for a difference; undefined if none explains it. */
export function reasonFor(difference: Difference): Reason | undefined {
  return REASONS.find((reason) => reason.explains(difference));
}

/** Returns the text of a document so that its markup can be searched, in any of its encodings. */
function asciiOf(document: Uint8Array): string {
  const bytes = document.filter((byte) => byte !== 0);
  return new TextDecoder("latin1").decode(bytes).replace(/^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/, "");
}

function hasDoctype(document: Uint8Array): boolean {
  return asciiOf(document).includes("<!DOCTYPE");
}

/**
 * Returns the part after the document type declaration, or an empty text if its end is not clear.
 * Its declarations may be malformed, so the end is the first one that a start tag can follow.
 */
function contentOf(document: Uint8Array): string {
  const text = asciiOf(document);
  const rest = text.slice(text.indexOf("<!DOCTYPE"));
  const { 1: content } = AFTER_HEAD.exec(rest) ?? AFTER_SUBSET.exec(rest) ?? [];
  return content ?? "";
}

const AFTER_HEAD = /^[^[>]*>([^]*)$/;
const AFTER_SUBSET = /\]\s*>((?:\s|<!--[^]*?-->|<\?[^]*?\?>)*<[^!?][^]*)$/;

/** Matches a reference to an entity that XML does not predefine. */
const OWN_ENTITY = /&(?!(?:lt|gt|amp|apos|quot);)[^#\s;][^\s;]*;/;

/**
 * Checks that content is well-formed, if it has only simple markup. This does not use the toolkit's
 * parsers, so that it cannot share their mistakes.
 */
function isPlain(content: string): boolean {
  const open: string[] = [];
  let roots = 0;
  let end = 0;
  if ([...content].some((char) => char < " " && !"\t\r\n".includes(char))) return false;
  for (const { 0: token, index, groups } of content.matchAll(TOKEN)) {
    if (index !== end || hasDuplicates(token)) return false;
    end += token.length;
    const { start, close, text, empty } = groups ?? {};
    if (start !== undefined) {
      if (open.length === 0) roots++;
      if (empty === "") open.push(start);
    } else if (close !== undefined) {
      if (open.pop() !== close) return false;
    } else if (text !== undefined && open.length === 0 && text.trim() !== "") {
      return false;
    }
  }
  return end === content.length && roots === 1 && open.length === 0;
}

function hasDuplicates(tag: string): boolean {
  const names = [...tag.matchAll(new RegExp(ATTRIBUTE, "g"))].map(([, name]) => name);
  return new Set(names).size < names.length;
}

// Bytes beyond ASCII are taken for parts of names.
const NAME = String.raw`[A-Za-z_:\x80-\uffff][\w:.\-\x80-\uffff]*`;
const ATTRIBUTE = String.raw`\s+(${NAME})\s*=\s*(?:"[^"<&]*"|'[^'<&]*')`;
const TOKEN = new RegExp(
  [
    `<(?<start>${NAME})(?:${ATTRIBUTE})*\\s*(?<empty>/?)>`,
    `</(?<close>${NAME})\\s*>`,
    "<!--(?:-?[^-])*-->",
    "(?<text>[^<&\\]]+)",
  ].join("|"),
  "g",
);

/** Checks that two canonical forms only differ in defaults and white space of attributes. */
function differsByDeclarations(actual: string, expected: string): boolean {
  const tokens = (form: string): string[] => form.match(/<[^>]*>|[^<]+/g) ?? [];
  const others = tokens(expected);
  return tokens(actual).length === others.length &&
    tokens(actual).every((token, index) => token === others[index] || adds(others[index]!, token));
}

/** Checks that a start tag has all attributes of another, whose values may have more spaces. */
function adds(tag: string, to: string): boolean {
  const [name, attributes] = readTag(tag);
  const [otherName, others] = readTag(to);
  return name === otherName &&
    [...others].every(([key, value]) => attributes.get(key) === value.trim().replace(/ +/g, " "));
}

function readTag(tag: string): [name: string, attributes: Map<string, string>] {
  const attributes = [...tag.matchAll(/ ([^\s="]+)="([^"]*)"/g)];
  return [tag.split(/[ >]/, 1)[0]!, new Map(attributes.map(([, name, value]) => [name!, value!]))];
}

function declaredEncoding(document: Uint8Array): string | undefined {
  const [, name] = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)/.exec(asciiOf(document)) ?? [];
  return name?.toLowerCase();
}

function contradictsEncoding(document: Uint8Array): boolean {
  const declared = declaredEncoding(document);
  if (declared === undefined) return false;
  const isWide = document.subarray(0, 2).every((byte) => byte >= 0xfe) || document.includes(0);
  const hasMark = document[0] === 0xef && document[1] === 0xbb && document[2] === 0xbf;
  return isWide !== declared.startsWith("utf-16") || (hasMark && declared !== "utf-8");
}
