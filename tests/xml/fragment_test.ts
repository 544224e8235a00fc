/** Compares the parser for pieces of XML, which the writer uses, with the parser of documents. */
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import fc from "fast-check";
import { XmlError } from "../../src/errors/xml_error.ts";
import { parseFragment } from "../../src/xml/fragment.ts";
import type { XmlContentNodes } from "../../src/xml/content.ts";
import { assertLinearTime } from "../support/linear_time.ts";
import { holds, stringOf } from "../support/property.ts";
import { parseTree, type TreeNode } from "../support/xml_tree.ts";

/** Parses content with the parser of documents; undefined if it is not well-formed. */
async function byDocument(content: string): Promise<readonly TreeNode[] | undefined> {
  try {
    return (await parseTree(`<r>${content}</r>`)).children;
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** Parses content with the parser for pieces, in the form of the other. */
function byFragment(content: string): readonly TreeNode[] | undefined {
  if (!isParsed(content)) return undefined;
  const treeOf = (nodes: XmlContentNodes): TreeNode[] =>
    nodes.map((each) => {
      if (typeof each === "string") return each;
      const { tag, namespace: uri, attributes, children } = each;
      const written = attributes.map(({ name, namespace, value }) => ({
        uri: namespace,
        name,
        value,
      }));
      return { uri, tag, attributes: written, children: treeOf(children) };
    });
  return treeOf(parseFragment(content));
}

/** Parses content with the parser for pieces. Fails if it uses up the stack. */
function isParsed(content: string): boolean {
  try {
    return parseFragment(content) !== undefined;
  } catch (error) {
    assert(error instanceof Error && !/call stack/.test(error.message), String(error));
    return false;
  }
}

/** Characters with different roles in names, some of which are letters only in Unicode, or only in XML. */
const nameParts = [
  "a",
  "b",
  "xml",
  "xmlns",
  ":",
  "1",
  "-",
  ".",
  "_",
  "\u00e9",
  "\u00aa",
  "\u20ac",
  "\u00b7",
];
const names = stringOf(...nameParts, "\u0301", "\u2070", "\u{10400}", "p:", "p:a", "q:a");
const spaces = fc.constantFrom(
  " ",
  " ",
  "\n",
  "\t",
  "\r\n",
  "",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "\u0085",
);

const words = stringOf(
  ...[
    "x",
    " ",
    "\n",
    "\r",
    "&",
    ";",
    "&amp;",
    "&apos;",
    "&lt",
    "&nbsp;",
    "&#65;",
    "&#x41;",
    "&#X41;",
  ],
  ...[
    "&#0;",
    "&#x110000;",
    "&#xd800;",
    "&#;",
    "&#9;",
    "&constructor;",
    "]]>",
    "]]",
    ">",
    "<",
    "'",
    '"',
  ],
  ...["\u{1f600}", "\ud800", "\u0000", "\u0001", "\u007f", "\u0085", "\ufeff", "\ufffe", "\uffff"],
);

const attribute = fc.tuple(
  spaces,
  fc.oneof(names, fc.constantFrom("a", "b", "p:a", "xmlns", "xmlns:p", "xmlns:q", "xml:lang")),
  fc.constantFrom(
    "='u'",
    "='u'",
    '="v"',
    " = 'u'",
    "=",
    "='",
    "=''",
    "=u",
    "\u00a0='u'",
    "\t=\n'u'",
  ),
).map((parts) => parts.join(""));

const startTag = fc.tuple(
  fc.oneof(names, fc.constantFrom("a", "b", "p:a")),
  fc.array(attribute, { maxLength: 3 }),
  fc.constantFrom("", "", " ", "\n", "\u00a0"),
).map(([name, attributes, end]) => `${name}${attributes.join("")}${end}`);

const piece: fc.Arbitrary<string> = fc.letrec<{ piece: string; content: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    words,
    startTag.map((tag) => `<${tag}/>`),
    fc.tuple(
      fc.constantFrom("a", "b", "\u00e9"),
      attribute,
      tie("content"),
      fc.constantFrom("", "", " ", "x"),
    )
      .map(([name, attribute, content, end]) => `<${name}${attribute}>${content}</${name}${end}>`),
    words.map((text) => `<![CDATA[${text}]]>`),
    stringOf("-", "--", ">", "x", "\u0000").map((text) => `<!--${text}-->`),
    fc.tuple(names, words).map(([name, text]) => `<?${name}${text}?>`),
    fc.constantFrom(
      "<a>",
      "</a>",
      "<",
      "</",
      "<!DOCTYPE a>",
      "<!--",
      "<![CDATA[",
      "<?",
      "<?xml?>",
      "<?XmL a?>",
    ),
  ),
  content: fc.array(tie("piece"), { maxLength: 3 }).map((all) => all.join("")),
})).content;

describe("a piece of XML", () => {
  it("is well-formed exactly if the parser of documents accepts it as content", async () => {
    let accepted = 0;
    await holds(
      fc.asyncProperty(piece, async (content) => {
        // The parser of documents accepts a question mark right after the target.
        if (/<\?[^\s?]*\?(?!>)/.test(content)) return;
        const expected = await byDocument(content);
        if (expected !== undefined) accepted++;
        assertEquals(byFragment(content), expected);
      }),
      4000,
    );
    assert(accepted > 200, `only ${accepted} pieces are well-formed`);
  });

  it("may have each character in names that XML allows there, and no other", async () => {
    const names: string[] = [];
    for (let code = 0x21; code < 0x11000; code++) {
      const character = String.fromCodePoint(code);
      if (!/[\s<>/&="'!?:]/.test(character)) names.push(character, `a${character}`);
    }
    const isAccepted = (name: string) => isParsed(`<${name}/>`);
    // One document for many names is fast. The few others are read one by one.
    for (let start = 0; start < names.length; start += 256) {
      const some = names.slice(start, start + 256);
      const accepted = some.filter(isAccepted);
      const document = await byDocument(accepted.map((name) => `<${name}/>`).join(""));
      assertEquals(document?.length, accepted.length);
    }
    const refused = names.filter((name) => !isAccepted(name) && !/[\ud800-\udfff]/.test(name));
    for (const name of refused.filter((_, index) => index % 50 === 0)) {
      assertEquals(await byDocument(`<${name}/>`), undefined);
    }
  });

  const faults: readonly (readonly [string, string])[] = [
    ["<b>", "<b> has no end tag"],
    ["</b>", "</b> has no start tag before it"],
    ["<a><b></a></b>", "</a> has no start tag before it"],
    ["a & b", '"&" is not a reference that XML knows'],
    ["&nbsp;", '"&nbsp;" is not a reference that XML knows'],
    ["x<b a=1/>", "the markup at offset 1 is not valid"],
    ["<b a='1' a='2'/>", "<b> has the attribute a twice"],
    ["<p:b/>", 'the prefix of "p:b" is not declared'],
    ["<1/>", '"1" is not a valid name'],
    ["]]>", '"]]>" is not allowed in text'],
    ["<!DOCTYPE a>", "the markup at offset 0 is not valid"],
    ["\u0000", "it has a character that XML does not allow"],
  ];
  for (const [content, message] of faults) {
    it(`is refused with the reason: ${JSON.stringify(content).replace(/["<&]/g, "_")}`, () => {
      assertThrows(() => parseFragment(content), Error, message);
    });
  }

  const long: readonly (readonly [string, (length: number) => string])[] = [
    ["comment", (length) => `<!--${"-x".repeat(length / 2)}-->`],
    ["CDATA section", (length) => `<![CDATA[${"]".repeat(length)}]]>`],
    ["processing instruction", (length) => `<?a ${"?".repeat(length)}?>`],
    [
      "list of attributes",
      (length) =>
        `<a ${Array.from({ length: length / 10 }, (_, index) => `a${index}='1'`).join(" ")}/>`,
    ],
    ["attribute", (length) => `<a b='${"x".repeat(length)}'/>`],
    ["depth", (length) => "<a>".repeat(length / 10) + "</a>".repeat(length / 10)],
    ["start tag without an end", (length) => `<a ${"b='' ".repeat(length / 5)}`],
    ["series of opened comments", (length) => "<!--".repeat(length / 4)],
    ["series of opened sections", (length) => "<![CDATA[".repeat(length / 9)],
    ["series of spaces in a tag", (length) => `<a${" ".repeat(length)}x`],
    ["text", (length) => "]]&gt;".repeat(length / 6)],
  ];
  for (const [name, contentOf] of long) {
    it(`is parsed in linear time, without using up the stack: a long ${name}`, () => {
      assertLinearTime((length) => isParsed(contentOf(length)));
      isParsed(contentOf(2_000_000));
    });
  }
});
