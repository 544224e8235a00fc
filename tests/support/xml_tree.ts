/** XML documents as trees: parsed by the toolkit's reader, written in any spelling, and generated. */
import fc from "fast-check";
import { addText } from "../../src/xml/content.ts";
import { readXml } from "../../src/xml/reader.ts";

/** An element, with its attributes and content. */
export interface Tree {
  readonly uri: string;
  readonly tag: string;
  readonly attributes: readonly TreeAttribute[];
  readonly children: readonly TreeNode[];
}

export type TreeNode = Tree | string;

export interface TreeAttribute {
  readonly uri: string;
  readonly name: string;
  readonly value: string;
}

export const XML = "http://www.w3.org/XML/1998/namespace";
export const XSI = "http://www.w3.org/2001/XMLSchema-instance";

/** Parses a document. Throws if it is not well-formed. */
export async function parseTree(xml: string): Promise<Tree> {
  const root: TreeNode[] = [];
  const open: TreeNode[][] = [root];
  const reading = readXml<never>(xml, () => ({
    open(name, { names, values }) {
      const children: TreeNode[] = [];
      const attributes = names.map(({ uri, local }, index) => ({
        uri,
        name: local,
        value: values[index]!,
      }));
      open.at(-1)!.push({ uri: name.uri, tag: name.local, attributes, children });
      open.push(children);
    },
    text: (text) => addText(open.at(-1)!, text),
    close: () => void open.pop(),
  }), { maxDepth: Infinity });
  for await (const _ of reading);
  return root[0] as Tree;
}

const isBlank = (node: TreeNode) => typeof node === "string" && /^[ \t\r\n]*$/.test(node);

/**
 * Returns a tree in a form that can be compared: sorted attributes, adjacent texts joined, and without
 * the whitespace of elements that have no other text.
 */
export function canonical({ uri, tag, attributes, children }: Tree): Tree {
  const joined: TreeNode[] = [];
  for (const child of children) {
    if (typeof child !== "string") joined.push(canonical(child));
    else if (child !== "") addText(joined, child);
  }
  const isFormatted = joined.length > 1 &&
    joined.every((each) => typeof each !== "string" || isBlank(each));
  const key = (each: TreeAttribute) => `{${each.uri}}${each.name}`;
  return {
    uri,
    tag,
    attributes: attributes.toSorted((one, other) => key(one) < key(other) ? -1 : 1),
    children: isFormatted ? joined.filter((each) => !isBlank(each)) : joined,
  };
}

/**
 * Generates the choices that a document leaves to its writer: prefixes, CDATA sections, comments,
 * spaces.
 */
export const spelling: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(11), {
  minLength: 7,
  maxLength: 7,
});

/** Prefixes that are all used for all namespaces, and that a program may declare, too. */
const PREFIXES = ["a", "dc", "ns1", "ns2", "xsi", "m"];

/** Writes a tree. Each element declares the prefixes that it needs, so that the same ones clash. */
export function writeTree(tree: Tree, choices: readonly number[]): string {
  let at = 0;
  const choose = (count: number) => choices[at++ % choices.length]! % count;
  const write = ({ uri, tag, attributes, children }: Tree, around: string): string => {
    let declarations = "";
    const prefixes = new Map<string, string>([[XML, "xml:"], ["", ""]]);
    const prefixOf = (namespace: string): string => {
      const known = prefixes.get(namespace);
      if (known !== undefined) return known;
      const free = PREFIXES.filter((prefix) => ![...prefixes.values()].includes(`${prefix}:`));
      const prefix = free[choose(free.length)]!;
      prefixes.set(namespace, `${prefix}:`);
      declarations += ` xmlns:${prefix}="${namespace}"`;
      return `${prefix}:`;
    };
    let inside = around;
    let name = tag;
    if (uri !== around && (uri === "" || choose(2) === 0)) {
      declarations += ` xmlns="${uri}"`;
      inside = uri;
    } else if (uri !== around) name = `${prefixOf(uri)}${tag}`;
    const texts = attributes.map((each) =>
      ` ${prefixOf(each.uri)}${each.name}="${attributeValue(each.value)}"`
    );
    const content = children.map((child) =>
      (choose(8) === 0 ? "<!-- a comment -->" : "") +
      (typeof child === "string" ? textContent(child, choose(3) === 0) : write(child, inside))
    ).join("");
    const start = `<${name}${declarations}${texts.join("")}`;
    return content === "" && choose(2) === 0 ? `${start}/>` : `${start}>${content}</${name}>`;
  };
  return write(tree, "");
}

function textContent(text: string, isCdata: boolean): string {
  if (isCdata && !/\]\]>|\r/.test(text)) return `<![CDATA[${text}]]>`;
  return text.replace(/[&<>\r]/g, (each) => `&#${each.charCodeAt(0)};`);
}

function attributeValue(text: string): string {
  return text.replace(/[&<"\t\r\n]/g, (each) => `&#${each.charCodeAt(0)};`);
}

/** Texts with everything that has to be escaped. They are not blank. */
export const filledText: fc.Arbitrary<string> = fc.array(
  fc.constantFrom(
    "b",
    "1",
    " ",
    "\n",
    "\r",
    "\t",
    "&",
    "<",
    ">",
    "]]>",
    '"',
    "'",
    "é",
    "\u{1f600}",
  ),
  { maxLength: 4 },
).map((parts) => `t${parts.join("")}`);

/** Any texts. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("", " ", "\n  "),
  filledText,
);

/** Generates values of attributes with a name, or none. */
export const attribute = (
  name: string,
  value: fc.Arbitrary<string> = anyText,
  uri = "",
): fc.Arbitrary<readonly TreeAttribute[]> =>
  fc.option(value, { nil: undefined }).map((each) =>
    each === undefined ? [] : [{ uri, name, value: each }]
  );

/** Generates attributes that no model declares. */
export const unknownAttributes: fc.Arbitrary<readonly TreeAttribute[]> = fc.uniqueArray(
  fc.record({
    uri: fc.constantFrom("", "urn:x", "urn:y", "urn:main", XSI, XML),
    name: fc.constantFrom("x", "y", "lang", "type", "z"),
    value: anyText,
  }),
  { maxLength: 3, selector: ({ uri, name }) => `{${uri}}${name}` },
);

/** Generates elements that no model declares, with any content. */
export const unknownElement: fc.Arbitrary<Tree> = fc.letrec<{ element: Tree; node: TreeNode }>(
  (tie) => ({
    element: fc.record({
      uri: fc.constantFrom("", "urn:x", "urn:y", "urn:other", "urn:main"),
      tag: fc.constantFrom("x", "y", "Item-2.b"),
      attributes: unknownAttributes,
      children: fc.array(tie("node"), { maxLength: 3, depthIdentifier: "unknown" }),
    }),
    node: fc.oneof({ depthIdentifier: "unknown", maxDepth: 3 }, anyText, tie("element")),
  }),
).element;
