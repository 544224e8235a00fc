/**
 * The rules of XML 1.0 (fifth edition) for documents without a document type declaration, by their
 * numbers in the specification. `deno task conformance` reads the documents of the W3C's suite.
 */
import { assertEquals, describe, it } from "#test";
import { readDocument } from "../../scripts/conformance/read_document.ts";
import { isJsrEdition } from "../support/edition.ts";

/** Documents that a rule allows, each with its canonical form, and documents that it forbids. */
interface Rule {
  readonly name: string;
  readonly allowed: readonly (readonly [xml: string, canonical: string])[];
  readonly forbidden: readonly string[];
}

const rules: readonly Rule[] = [
  {
    name: "1, a document has one element",
    allowed: [["<r/>", "<r></r>"], ["<!--a--><r/><?a?>\n", "<r></r>"]],
    forbidden: ["<!--a-->", "<?a?>", "<r/><r/>", "<r/>&#32;", "<r/><![CDATA[]]>", "&#60;r/>"],
  },
  {
    name: "2, a character is not a control character, a surrogate or the end of a plane",
    allowed: [
      [
        "<r>\t\n \u007f\u0080\ud7ff\ue000\ufdd0\ufffd\u{10ffff}</r>",
        "<r>&#9;&#10; \u007f\u0080\ud7ff\ue000\ufdd0\ufffd\u{10ffff}</r>",
      ],
      ["<r><![CDATA[\u{1fffe}]]></r>", "<r>\u{1fffe}</r>"],
    ],
    forbidden: [
      ...["\0", "\u0008", "\u000b", "\u000c", "\u000e", "\u001f", "\ufffe", "\uffff"].flatMap(
        (char) => [
          `<r>${char}</r>`,
          `<r a='${char}'/>`,
          `<r><!--${char}--></r>`,
          `<r><?p ${char}?></r>`,
          `<r><![CDATA[${char}]]></r>`,
        ],
      ),
    ],
  },
  {
    name: "3, white space is a space, a tab or a line break",
    allowed: [["<r\n\t a\r\n=\r'b' ></r\t>", '<r a="b"></r>']],
    forbidden: ["<r\u00a0a='b'/>", "<r\u2028a='b'/>", "<r\u0085a='b'/>", "< r/>", "<r></ r>"],
  },
  {
    name: "4 and 5, a name begins with a letter, an underscore or another of the listed characters",
    allowed: [
      ["<_-.0·/>", "<_-.0·></_-.0·>"],
      ["<é‿\u0300⁰豈\u{10000}/>", "<é‿\u0300⁰豈\u{10000}></é‿\u0300⁰豈\u{10000}>"],
      [
        "<\u{effff} \u0370='1' a\u{effff}='2'/>",
        '<\u{effff} a\u{effff}="2" \u0370="1"></\u{effff}>',
      ],
    ],
    forbidden: [
      ...["-a", ".a", "0a", "·a", "\u0300a", "‿a", "\u037e", "×", "÷", "\u2000", "\u{f0000}", "a!"]
        .flatMap((name) => [`<${name}/>`, `<r ${name}='1'/>`]),
    ],
  },
  {
    name: "10, the value of an attribute is quoted and has no less-than sign",
    allowed: [
      [`<r a="'" b='"' c=">"/>`, `<r a="'" b="&quot;" c="&gt;"></r>`],
      ["<r a='&lt;&amp;'/>", '<r a="&lt;&amp;"></r>'],
    ],
    forbidden: ["<r a=b/>", "<r a='b\"/>", "<r a='<'/>", "<r a='&'/>", "<r a=''b=''/>"],
  },
  {
    name: "14, text has no less-than sign, no ampersand, and no end of a CDATA section",
    allowed: [["<r>]] > ]&#93;> \"'</r>", "<r>]] &gt; ]]&gt; &quot;'</r>"]],
    forbidden: ["<r><</r>", "<r>&</r>", "<r>a]]>b</r>", "<r>]]]></r>"],
  },
  {
    name: "15, a comment has no two hyphens and does not end with one",
    allowed: [["<r><!----><!-- <r> & ]]> - --><!-->--><!--->--></r>", "<r></r>"]],
    forbidden: ["<r><!-- -- --></r>", "<r><!-- ---></r>", "<r><!--></r>", "<r><! -- --></r>"],
  },
  {
    name: "16 and 17, a processing instruction has a name other than xml",
    allowed: [["<r><?p?><?p  <&?><?xml-p?><?p ? > ?></r>", "<r></r>"]],
    forbidden: [
      ...["<r><??></r>", "<r><? p?></r>", "<r><?p</r>", "<r><?p></r>", "<r><?p!a?></r>"],
      ...["<r><?xml?></r>", "<r><?XML a?></r>", "<r/><?Xml?>"],
    ],
  },
  {
    name: "18 to 21, a CDATA section ends with the first two brackets and a greater-than sign",
    allowed: [["<r><![CDATA[<&]]]]><![CDATA[>]]>]]</r>", "<r>&lt;&amp;]]&gt;]]</r>"]],
    forbidden: [
      ...["<r><![CDATA[</r>", "<r><![CDATA]></r>", "<r><![cdata[]]></r>", "<r><![CDATA []]></r>"],
      ...["<r><![CDATA[]]]]></r><", "<r><![CDATA[a]] ></r>"],
    ],
  },
  {
    name: "22 to 26, the XML declaration is the first thing in a document and has a version 1.x",
    allowed: [
      ["<?xml version='1.0'?><r/>", "<r></r>"],
      ['<?xml\tversion = "1.0" ?>\n<r/>', "<r></r>"],
      ["<?xml version='1.9'?><r/>", "<r></r>"],
    ],
    forbidden: [
      ...["<?xml?><r/>", "<?xml ?><r/>", "<?xml version=1.0?><r/>", "<?xml version='1.0\"?><r/>"],
      ...["<?xml version='2.0'?><r/>", "<?xml version='1.'?><r/>", "<?xml version=''?><r/>"],
      ...["<?XML version='1.0'?><r/>", "<?xml VERSION='1.0'?><r/>", "<?xml version='1.0'><r/>"],
      ...[" <?xml version='1.0'?><r/>", "<!----><?xml version='1.0'?><r/>"],
      "<?xml version='1.0'?><?xml version='1.0'?><r/>",
      "<?xml version='1.0' a='b'?><r/>",
    ],
  },
  {
    name: "32, standalone is yes or no, and comes last",
    allowed: [
      ["<?xml version='1.0' standalone='yes'?><r/>", "<r></r>"],
      ["<?xml version='1.0' encoding='utf-8' standalone='no'?><r/>", "<r></r>"],
    ],
    forbidden: [
      "<?xml version='1.0' standalone='YES'?><r/>",
      "<?xml version='1.0' standalone=''?><r/>",
      "<?xml version='1.0' standalone='no' encoding='utf-8'?><r/>",
      "<?xml standalone='no' version='1.0'?><r/>",
      "<?xml version='1.0'standalone='no'?><r/>",
    ],
  },
  {
    name: "39 to 44, an element ends with its own name, and tags do not overlap",
    allowed: [
      ["<r><a></a ><b/><a>b</a></r>", "<r><a></a><b></b><a>b</a></r>"],
      ["<r a='1' A='2'/>", '<r A="2" a="1"></r>'],
    ],
    forbidden: [
      ...["<r>", "<r></R>", "<r></r a='b'>", "<r><a></r></a>", "<r></r/>", "</r>", "<r/ >"],
      ...["<r a='1' a='1'/>", "<r a/>", "<r a=/>", "<r ='1'/>", "<r/a='1'>", "<>", "<r", "<r/"],
    ],
  },
  {
    name: "66, a reference to a character is a number in digits, and of an allowed character",
    allowed: [
      ["<r a='&#9;&#xA;'>&#0065;&#x00041;&#x10FFFF;</r>", '<r a="&#9;&#10;">AA\u{10ffff}</r>'],
    ],
    forbidden: [
      ...["&#;", "&#x;", "&#X41;", "&#a;", "&#65", "&# 65;", "&#65 ;", "&#x4g;", "&#-65;"],
      ...["&#0;", "&#8;", "&#xD800;", "&#xFFFE;", "&#x110000;", "&#99999999999;"],
    ].flatMap((reference) => [`<r>${reference}</r>`, `<r a='${reference}'/>`]),
  },
  {
    name: "68, a reference to an entity has a name that XML predefines",
    allowed: [["<r>&lt;&gt;&amp;&apos;&quot;</r>", "<r>&lt;&gt;&amp;'&quot;</r>"]],
    forbidden: [
      ...["&nbsp;", "&LT;", "&lt", "&lt ;", "& lt;", "&;", "&lt&gt;", "%lt;x&"],
    ].flatMap((reference) => [`<r>${reference}</r>`, `<r a='${reference}'/>`]),
  },
  {
    name: "80 and 81, the name of an encoding begins with a letter",
    allowed: [["<?xml version='1.0' encoding='UTF-8'?><r>é</r>", "<r>é</r>"]],
    forbidden: [
      ...["", "-utf-8", "8utf", "utf 8", " utf-8", "utf:8", "\u00fctf-8"].map((name) =>
        `<?xml version='1.0' encoding='${name}'?><r/>`
      ),
      "<?xml version='1.0' encoding=utf-8?><r/>",
      "<?xml encoding='utf-8'?><r/>",
    ],
  },
  {
    name: "2.11, line breaks become line feeds",
    allowed: [["<r>a\r\nb\rc\n\rd&#13;e</r>", "<r>a&#10;b&#10;c&#10;&#10;d&#13;e</r>"]],
    forbidden: [],
  },
  {
    name: "3.3.3, white space in attributes becomes spaces, references to it do not",
    allowed: [["<r a='b\r\nc\td\ne&#10;f&#x9;g'/>", '<r a="b c d e&#10;f&#9;g"></r>']],
    forbidden: [],
  },
];

describe("the XML specification", () => {
  const encoder = new TextEncoder();
  for (const { name, allowed, forbidden } of rules) {
    it(`rule ${name}`, async () => {
      for (const [xml, canonical] of allowed) {
        assertEquals([xml, await readDocument(encoder.encode(xml))], [xml, { canonical }]);
      }
      for (const xml of forbidden) {
        const isRejected = "error" in await readDocument(encoder.encode(xml));
        assertEquals([xml, isRejected], [xml, true]);
      }
    });
  }

  it("allows names beyond the first plane, which @std/xml partly rejects", async () => {
    const documents: readonly (readonly [xml: string, canonical: string])[] = [
      ["<r \u{10000}='1'/>", '<r \u{10000}="1"></r>'],
      ["<r><?\u{10000}?></r>", "<r></r>"],
    ];
    for (const [xml, canonical] of documents) {
      const reading = await readDocument(encoder.encode(xml));
      assertEquals([xml, "error" in reading], [xml, isJsrEdition]);
      if (!isJsrEdition) assertEquals(reading, { canonical });
    }
  });
});
