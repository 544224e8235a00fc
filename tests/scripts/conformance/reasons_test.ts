import { assertEquals, describe, it } from "#test";
import type { Difference } from "../../../scripts/conformance/comparison.ts";
import { reasonFor } from "../../../scripts/conformance/reasons.ts";

/** Creates a difference of a document, in UTF-8 or as the bytes of its characters. */
function difference(
  kind: Difference["kind"],
  document: string | Uint8Array,
  rest: Partial<Omit<Difference, "of"> & Difference["of"]> = {},
): Difference {
  const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
  const of: Difference["of"] = {
    id: "a",
    type: kind === "accepted" ? "not-wf" : "valid",
    path: "a.xml",
    outputPath: undefined,
    needsExternals: false,
    isFifthEdition: rest.isFifthEdition ?? true,
    allowsNamespaces: rest.allowsNamespaces ?? true,
  };
  const { actual = "", expected } = rest;
  return { of, kind, document: bytes, actual, ...(expected === undefined ? {} : { expected }) };
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** UTF-16 with a byte-order mark. */
function utf16(text: string): Uint8Array {
  return latin1(
    [..."\ufeff" + text].flatMap((char) => {
      const code = char.charCodeAt(0);
      return [String.fromCharCode(code >> 8), String.fromCharCode(code & 0xff)];
    }).join(""),
  );
}

const entity = "<!DOCTYPE a [<!ENTITY b 'c'>]>";
const attribute = "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>";
const mistake = "<!DOCTYPE a [<!ELEMENT>]>";

/** Differences, each with the beginning of its reason. It is undefined if there is none. */
const differences: readonly (readonly [name: string, Difference, reason?: string])[] = [
  ["a document in XML 1.1", difference("accepted", "<?xml version='1.1'?><a/>"), "XML 1.1"],
  ["such a document in UTF-16", difference("rejected", utf16('<?xml version="1.1"?>')), "XML 1.1"],
  ["a document in XML 1.0", difference("accepted", "<?xml version='1.0'?><a/>")],
  ["a later declaration", difference("accepted", "<a/><?xml version='1.1'?>")],

  [
    "a name of the fifth edition",
    difference("accepted", "<a/>", { isFifthEdition: false }),
    "Names",
  ],
  ["the same name, rejected", difference("rejected", "<a/>", { isFifthEdition: false })],

  ["a colon in a name", difference("rejected", "<:/>", { allowsNamespaces: false }), "Namespaces"],
  ["a rejected name with namespaces", difference("rejected", "<:/>")],

  ["an entity in text", difference("rejected", `${entity}<a>&b;</a>`), "Entities"],
  ["an entity in UTF-16", difference("rejected", utf16(`${entity}<a>&b;</a>`)), "Entities"],
  ["an entity in an attribute", difference("rejected", `${entity}<a b='&b;'/>`), "Entities"],
  [
    "an entity of an external subset",
    difference("rejected", "<!DOCTYPE a SYSTEM 'b'><a>&b;</a>"),
    "Entities",
  ],
  [
    "an entity after a CDATA section",
    difference("rejected", `${entity}<a><![CDATA[]]>&b;</a>`),
    "Ent",
  ],
  ["an accepted entity", difference("accepted", `${entity}<a>&b;</a>`)],
  ["an entity without a declaration", difference("rejected", "<a>&b;</a>")],
  [
    "an entity in the declaration only",
    difference("rejected", "<!DOCTYPE a [<!ENTITY b '&c;'>]><a/>"),
  ],
  ["a predefined entity", difference("rejected", `${entity}<a>&lt;&#65;</a>`)],

  [
    "a default of an attribute",
    difference("content", attribute, { actual: "<a></a>", expected: '<a b="c"></a>' }),
    "Types",
  ],
  [
    "the spaces of a type",
    difference("content", attribute, { actual: '<a b=" c  d "></a>', expected: '<a b="c d"></a>' }),
    "Types",
  ],
  [
    "a default without a declaration",
    difference("content", "<a/>", { actual: "<a></a>", expected: '<a b="c"></a>' }),
  ],
  [
    "another value",
    difference("content", attribute, { actual: '<a b="d"></a>', expected: '<a b="c"></a>' }),
  ],
  [
    "a surplus attribute",
    difference("content", attribute, { actual: '<a b="c"></a>', expected: "<a></a>" }),
  ],
  ["other text", difference("content", attribute, { actual: "<a>b</a>", expected: "<a>c</a>" })],
  [
    "a missing element",
    difference("content", attribute, { actual: "<a></a>", expected: "<a><b></b></a>" }),
  ],
  [
    "another name",
    difference("content", attribute, { actual: "<a></a>", expected: '<b b="c"></b>' }),
  ],

  ["a mistake in a declaration", difference("accepted", `${mistake}<a></a>`), "Mistakes"],
  [
    "the same before other content",
    difference("accepted", `${mistake}\n<!--x--><a b='"'><b/>x<!-- - --><c d = "e" /></a >\n`),
    "Mistakes",
  ],
  ...[
    ...["<a>", "<a></b>", "<a/><a/>", "<a/>x", "x<a/>", "<a b=c/>", "<a b='<'/>", "<a b/>", ""],
    ...["<a>&</a>", "<a>]]></a>", "<a><!-- -- --></a>", "<a><!-- ---></a>", "<a", "<1/>", "< a/>"],
    ...[
      "<a!/>",
      "<a 1='b'/>",
      "</a>",
      "<a b='1' b='2'/>",
      "<a>\u0001</a>",
      "<a></a></a>",
      "<a b='1'c='2'/>",
    ],
  ].map((content) =>
    [
      `the mistake in ${JSON.stringify(content)} after a declaration`,
      difference("accepted", entity + content),
    ] as const
  ),

  [
    "UTF-16 that is none",
    difference("accepted", "<?xml version='1.0' encoding='UTF-16'?><a/>"),
    "A byte-order mark",
  ],
  [
    "a mark of UTF-8 before another encoding",
    difference("accepted", "\ufeff<?xml version='1.0' encoding='iso-8859-1'?><a/>"),
    "A byte-order mark",
  ],
  [
    "a mark of UTF-16 before another encoding",
    difference("accepted", utf16("<?xml version='1.0' encoding='utf-8'?><a/>")),
    "A byte-order mark",
  ],
  ["the declared encoding", difference("accepted", "<?xml version='1.0' encoding='utf-8'?><a/>")],
  ["declared UTF-16", difference("accepted", utf16("<?xml version='1.0' encoding='UTF-16'?><a/>"))],

  [
    "a control character in ISO-8859-1",
    difference("content", latin1("<?xml version='1.0' encoding='ISO-8859-1'?><a>\x85</a>")),
    "ISO-8859-1",
  ],
  [
    "another character in ISO-8859-1",
    difference("content", latin1("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>")),
  ],
];

describe("the reason for a difference", () => {
  for (const [index, [name, each, reason]] of differences.entries()) {
    const found = reason === undefined ? "is missing" : "is found";
    it(`${found} for ${name.replace(/[<>&"]/g, "'")}, ${index + 1}`, () => {
      const text = reasonFor(each)?.text;
      assertEquals(text?.slice(0, reason?.length), reason, text);
    });
  }
});
