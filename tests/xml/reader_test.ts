import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { XmlError } from "../../src/errors/xml_error.ts";
import { readXml, type XmlContent, type XmlReadOptions } from "../../src/xml/reader.ts";
import type { XmlSource } from "../../src/xml/source.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";

/** Returns the events of a document, one string each: `<name attribute=value`, `text`, `>`. */
async function eventsOf(source: XmlSource, options: XmlReadOptions = {}): Promise<string[]> {
  const events: string[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") events.push(text);
    text = "";
  };
  const content: XmlContent = {
    open(name, { names, values }) {
      flush();
      const attributes = names.map(({ key }, index) => ` ${key}=${values[index]}`);
      events.push(`<${name.key}${attributes.join("")}`);
    },
    text(piece) {
      text += piece;
    },
    close() {
      flush();
      events.push(">");
    },
  };
  for await (const _ of readXml<never>(source, () => content, options)) assert(false);
  flush();
  return events;
}

/** Splits a text into chunks: into two at each position, and into pieces of several small sizes. */
function cutsOf(text: string): string[][] {
  const places = Array.from({ length: text.length - 1 }, (_, index) => index + 1);
  const inTwo = places.map((place) => [text.slice(0, place), text.slice(place)]);
  const inMany = [1, 2, 3, 7].map((size) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []);
  return [...inTwo, ...inMany];
}

async function* chunksOf(parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

/** Checks that a document is read correctly, however it is split into chunks. */
async function assertEvents(
  xml: string,
  events: readonly string[],
  options?: XmlReadOptions,
): Promise<void> {
  for (const parts of cutsOf(xml)) {
    assertEquals([parts, await eventsOf(chunksOf(parts), options)], [parts, [...events]]);
  }
}

/** Checks that a document is rejected, however it is split into chunks. */
async function assertRejected(xml: string, options?: XmlReadOptions): Promise<void> {
  for (const parts of cutsOf(xml)) {
    const reading = () => eventsOf(chunksOf(parts), options);
    await assertRejects(reading, XmlError, "XML", `in chunks: ${JSON.stringify(parts)}`);
  }
}

const documents: readonly (readonly [name: string, xml: string, events: readonly string[]])[] = [
  ["a single element", "<a/>", ["<a", ">"]],
  ["a byte-order mark before the declaration", '\ufeff<?xml version="1.0"?><a/>', ["<a", ">"]],
  ["text", "<a>one</a>", ["<a", "one", ">"]],
  ["text around comments", "<a>o<!-- x -->n<?pi x?>e</a>", ["<a", "one", ">"]],
  ["CDATA sections", "<a>1<![CDATA[<&>]]>2</a>", ["<a", "1<&>2", ">"]],
  ["brackets in a CDATA section", "<a><![CDATA[a]b]]c]]]></a>", ["<a", "a]b]]c]", ">"]],
  ["brackets in text", "<a>a]b]]c]</a>", ["<a", "a]b]]c]", ">"]],
  ["dashes and question marks", "<a><!-- -a- ? --><?p ?a?? - ?>-?</a>", ["<a", "-?", ">"]],
  ["two CDATA sections", "<a><![CDATA[x]]]]><![CDATA[>]]></a>", ["<a", "x]]>", ">"]],
  ["the five entities", "<a>&lt;&gt;&amp;&apos;&quot;</a>", ["<a", "<>&'\"", ">"]],
  ["character references", "<a>&#65;&#x1F600;&#xA;</a>", ["<a", "A\u{1f600}\n", ">"]],
  [
    "text like an entity in a CDATA section, a comment and an instruction",
    "<a><![CDATA[&toString;]]><!-- &toString; --><?p &toString;?></a>",
    ["<a", "&toString;", ">"],
  ],
  ["entities in attributes", "<a b='&lt;&#10;\"'/>", ['<a b=<\n"', ">"]],
  ["white space in attributes, which becomes spaces", "<a b='x\ny\tz'/>", ["<a b=x y z", ">"]],
  ["line breaks, which become line feeds", "<a>1\r\n2\r3\n4</a>", ["<a", "1\n2\n3\n4", ">"]],
  ["white space in tags", "<a\n\tb = '1'\n></a >", ["<a b=1", ">"]],
  ["letters of other scripts", "<größe>日本</größe>", ["<größe", "日本", ">"]],
  ["characters beyond the first plane", "<a b='\u{1f600}'>\u{1f600}</a>", [
    "<a b=\u{1f600}",
    "\u{1f600}",
    ">",
  ]],
  ["names of object members", "<__proto__ constructor='1'/>", ["<__proto__ constructor=1", ">"]],
  ["the default namespace, for elements only", "<a xmlns='u' b='1'><c/></a>", [
    "<{u}a b=1",
    "<{u}c",
    ">",
    ">",
  ]],
  ["a default namespace that is removed", "<a xmlns='u'><b xmlns=''><c/></b><d/></a>", [
    "<{u}a",
    "<b",
    "<c",
    ">",
    ">",
    "<{u}d",
    ">",
    ">",
  ]],
  ["prefixes, for elements and attributes", "<p:a xmlns:p='u' p:b='1' c='2'/>", [
    "<{u}a {u}b=1 c=2",
    ">",
  ]],
  ["a prefix that is declared again inside", "<p:a xmlns:p='u'><p:b xmlns:p='v'/><p:c/></p:a>", [
    "<{u}a",
    "<{v}b",
    ">",
    "<{u}c",
    ">",
    ">",
  ]],
  ["a prefix that is declared after its use", "<a p:b='1' xmlns:p='u'/>", ["<a {u}b=1", ">"]],
  ["the prefix xml without a declaration", "<a xml:lang='en'/>", [
    "<a {http://www.w3.org/XML/1998/namespace}lang=en",
    ">",
  ]],
  ["names that begin with xmlns and declare nothing", "<a xmlnsx='1'/>", ["<a xmlnsx=1", ">"]],
  ["comments and instructions around the root", "\n<?x?>\n<!-- a --> <a/>\n<!-- b -->\n", [
    "<a",
    ">",
  ]],
];

const rejected: readonly (readonly [name: string, xml: string, line: number])[] = [
  ["an empty document", "", 1],
  ["white space only", " \n ", 0],
  ["text only", "text", 1],
  ["JSON", '{"a":1}', 1],
  ["an element that is not closed", "<a>\n<b></b>", 0],
  ["overlapping elements", "<a>\n<b></a></b>", 2],
  ["an end tag without a start tag", "</a>", 1],
  ["two roots", "<a/>\n<b/>", 2],
  ["text after the root", "<a/>\nx", 0],
  ["a tag that is cut off", "<a>\n<b", 0],
  ["an attribute without quotes", "<a>\n<b c=1/></a>", 2],
  ["an attribute without a value", "<a>\n<b c/></a>", 2],
  ["an attribute that is cut off", "<a b='1", 1],
  ["a less-than sign in an attribute", "<a>\n<b c='<'/></a>", 2],
  ["a duplicate attribute", "<a>\n<b c='1' c='2'/></a>", 2],
  [
    "a duplicate attribute of a namespace",
    "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>",
    1,
  ],
  ["an unknown entity", "<a>\n&nope;</a>", 2],
  ["an unknown entity in an attribute", "<a>\n<b c='&nope;'/></a>", 2],
  ...["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"].flatMap((name) =>
    [
      [`an entity named like a member of objects: ${name}`, `<a>\n<b/>&${name};</a>`, 2],
      [
        `an entity in an attribute named like a member of objects: ${name}`,
        `<a>\n<b c='>&${name};'/></a>`,
        2,
      ],
      [
        `an entity after a comment named like a member of objects: ${name}`,
        `<a>\n<!-- < -->x&${name};y</a>`,
        2,
      ],
    ] as const
  ),
  ["a single ampersand", "<a>\n1 & 2</a>", 0],
  ["a reference to a character that XML does not allow", "<a>\n&#0;</a>", 2],
  ["a control character", "<a>\n\u0001</a>", 2],
  ["a control character in an attribute", "<a>\n<b c='\u0001'/></a>", 2],
  ["a code point that is not a character", "<a>\n\ufffe</a>", 2],
  ["a code point in an attribute that is not a character", "<a>\n<b c='\ufffe'/></a>", 2],
  ["the end of a CDATA section without its start", "<a>\n]]></a>", 2],
  ["a CDATA section that is cut off", "<a>\n<![CDATA[x</a>", 0],
  ["two hyphens in a comment", "<a>\n<!-- a -- b --></a>", 2],
  ["a control character after a dash in a comment", "<a>\n<!-- -\u0001 --></a>", 2],
  ["a control character after a question mark in an instruction", "<a>\n<?p ?\u0001 ?></a>", 2],
  ["a comment that is cut off", "<a>\n<!-- a", 0],
  ["a declaration that is not at the start", "\n<?xml version='1.0'?><a/>", 2],
  ["a name that begins with a digit", "<a>\n<1/></a>", 2],
  ["a prefix that is not declared", "<a>\n<p:b/></a>", 2],
  ["a prefix of an attribute that is not declared", "<a>\n<b p:c='1'/></a>", 2],
  ["a prefix with an empty namespace", "<a>\n<b xmlns:p=''/></a>", 2],
  ["a declaration of the prefix xmlns", "<a>\n<b xmlns:xmlns='u'/></a>", 2],
  ["the prefix xml with another namespace", "<a>\n<b xmlns:xml='u'/></a>", 2],
  [
    "another prefix for the namespace of xml",
    "<a>\n<b xmlns:p='http://www.w3.org/XML/1998/namespace'/></a>",
    2,
  ],
  ["two byte-order marks", "\ufeff\ufeff<a/>", 1],
  ["three byte-order marks", "\ufeff\ufeff\ufeff<a/>", 1],
  ["half of a surrogate pair", "<a>\n\ud83d</a>", 0],
  ["the second half of a surrogate pair in an attribute", "<a b='\ude00'/>", 0],
  ["half of a surrogate pair at the end", "<a/>\ud83d", 0],
  ["an instruction whose name has a colon", "<a>\n<?b:c d?></a>", 2],
  ["a name with two colons", "<a xmlns:p='u'>\n<p:b:c/></a>", 2],
  ["a name that begins with a colon", "<a>\n<:b/></a>", 2],
  ["a name that ends with a colon", "<a xmlns:p='u'>\n<p:/></a>", 2],
  ["a document type declaration", "<!DOCTYPE a>\n<a/>", 1],
  ["entities that a document type declares", "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>", 1],
];

describe("the XML reader", () => {
  for (const [name, xml, events] of documents) {
    it(`reads ${name}`, async () => {
      assertEquals(await eventsOf(xml), [...events]);
    });

    it(`reads ${name}, in chunks of any size`, async () => {
      await assertEvents(xml, events);
    });
  }

  for (const [name, xml, line] of rejected) {
    it(`rejects ${name} with its position`, async () => {
      const error = await assertRejects(() => eventsOf(xml), XmlError);
      // If markup is cut off, the parsers differ: one reports its start and the other its end.
      if (line > 0) assertEquals(error.line, line);
      assert(
        error.line >= 1 && error.column >= 1 && error.offset >= 0 && error.offset <= xml.length,
      );
      assert(error.message.includes(`line ${error.line}, column ${error.column}`), error.message);
    });

    it(`rejects ${name}, in chunks of any size`, async () => {
      await assertRejected(xml);
    });
  }

  it("reports the open elements as the path of the error", async () => {
    const xml = "<a>\n  <b><c/></b>\n</a>";
    const error = await assertRejects(() => eventsOf(xml, { maxDepth: 2 }), XmlError);
    assertEquals([error.path, error.line, error.column, error.offset], ["/a/b", 2, 6, 9]);
    assertEquals(JSON.parse(JSON.stringify(error)).path, "/a/b");
  });

  it("passes on an error of the content handlers unchanged", async () => {
    for (const event of ["open", "text", "close"] as const) {
      const error = new Error("mine");
      const thrown = () => {
        throw error;
      };
      const none = () => {};
      const content: XmlContent = { open: none, text: none, close: none, [event]: thrown };
      const reading = async () => {
        for await (const _ of readXml<never>("<a>x</a>", () => content));
      };
      assert(await assertRejects(reading, Error, "mine") === error);
    }
  });

  it("passes on an error of the source unchanged", async () => {
    const error = new Error("the connection was lost");
    async function* source(): AsyncGenerator<string> {
      yield "<a><b>";
      throw error;
    }
    assert(await assertRejects(() => eventsOf(source())) === error);
  });

  it("reads a stream that is not iterable", async () => {
    const stream = new Response("<a>x</a>").body!;
    const bare = { getReader: () => stream.getReader() };
    assertEquals(await eventsOf(bare as unknown as XmlSource), ["<a", "x", ">"]);
    assert(!stream.locked);
  });

  it("yields the records of a chunk together, and those before an error", async () => {
    const found: (readonly string[])[] = [];
    async function* chunks() {
      for (const chunk of ["<a><b/>", "<c/><d/></nope>"]) yield chunk;
    }
    const reading = async () => {
      const records = readXml<string>(chunks(), (emit) => ({
        open: ({ local }) => emit(local),
        text: () => {},
        close: () => {},
      }));
      for await (const batch of records) found.push(batch);
    };
    await assertRejects(reading, XmlError);
    assertEquals(found, [["a", "b"], ["c", "d"]]);
  });

  it("closes the source if the consumer stops early", async () => {
    let isEnded = false;
    async function* source() {
      try {
        for (const part of ["<a>", "<b/>", "<c/></a>"]) yield part;
      } finally {
        isEnded = true;
      }
    }
    const records = readXml<string>(source(), (emit) => ({
      open: ({ local }) => emit(local),
      text: () => {},
      close: () => {},
    }));
    for await (const batch of records) if (batch.includes("b")) break;
    assert(isEnded);
  });
});

/** Document type declarations before `<a/>`. */
const doctypes: readonly (readonly [name: string, doctype: string])[] = [
  ["a name only", "<!DOCTYPE a>"],
  ["a name with white space around it", "<!DOCTYPE\n\ta >"],
  ["a system identifier", "<!DOCTYPE a SYSTEM 'x'>"],
  ["a system identifier that contains markup characters", '<!DOCTYPE a SYSTEM "]>\'<a[">'],
  ["a public identifier", "<!DOCTYPE a PUBLIC '-//X//Y' \"http://x.example/y\" >"],
  ["an empty internal subset", "<!DOCTYPE a []>"],
  ["a system identifier and an internal subset", "<!DOCTYPE a SYSTEM 'x' [ ] >"],
  ["entities", "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY % d \"]>\"> %d;]>"],
  ["elements and attributes", "<!DOCTYPE a [<!ELEMENT a (b|c)*>\n<!ATTLIST a b CDATA '>'>]>"],
  ["comments and instructions", "<!DOCTYPE a [<!-- ]> ' - --><?p ]> ' ? ?>]>"],
  ["an entity that contains a reference", "<!DOCTYPE a [<!ENTITY x '&toString;'>]>"],
  ["comments around it", "<!-- <!DOCTYPE b> --><!DOCTYPE a><!---> <!DOCTYPE b> -->"],
  ["instructions around it", "<?p <!DOCTYPE b>?>\n<!DOCTYPE a>\n<?p <!DOCTYPE b>?>"],
  ["a declaration before it", "<?xml version='1.0'?>\n<!DOCTYPE a>"],
  ["a byte-order mark before it", "\ufeff<!DOCTYPE a>"],
  ["characters beyond the first plane", "<!DOCTYPE \u{20000} SYSTEM '\u{1f600}'>"],
];

/** Documents whose document type declaration is wrong. */
const wrongDoctypes: readonly (readonly [name: string, xml: string])[] = [
  ["after the root", "<a/><!DOCTYPE a>"],
  ["after a root with content", "<a>x</a>\n<!DOCTYPE a>"],
  ["inside the root", "<a><!DOCTYPE a></a>"],
  ["inside text", "<a>x<!DOCTYPE a>y</a>"],
  ["twice", "<!DOCTYPE a><!DOCTYPE a><a/>"],
  ["twice, with a comment between", "<!DOCTYPE a>\n<!-- x -->\n<!DOCTYPE a><a/>"],
  ["before and after the root", "<!DOCTYPE a><a/><!DOCTYPE a>"],
  ["before the XML declaration", "<!DOCTYPE a><?xml version='1.0'?><a/>"],
  ["after text", "x<!DOCTYPE a><a/>"],
  ["before text", "<!DOCTYPE a>x<a/>"],
  ["without a name", "<!DOCTYPE><a/>"],
  ["without a space before the name", "<!DOCTYPEa><a/>"],
  ["in lower case", "<!doctype a><a/>"],
  ["misspelt", "<!DOCTYPO a><a/>"],
  ["with two names", "<!DOCTYPE a b><a/>"],
  ["with a literal only", "<!DOCTYPE a 'x'><a/>"],
  ["with a keyword only", "<!DOCTYPE a SYSTEM><a/>"],
  ["with a public identifier only", "<!DOCTYPE a PUBLIC 'x'><a/>"],
  ["with characters that a public identifier cannot have", "<!DOCTYPE a PUBLIC '\u00e9' 'x'><a/>"],
  ["with text in the internal subset", "<!DOCTYPE a [x]><a/>"],
  ["with a tag in the internal subset", "<!DOCTYPE a [<b>]><a/>"],
  ["with an unknown declaration", "<!DOCTYPE a [<!THING b>]><a/>"],
  ["with a declaration that is not closed", "<!DOCTYPE a [<!ENTITY b 'c' <!ENTITY d 'e'>]><a/>"],
  ["with two hyphens in a comment", "<!DOCTYPE a [<!-- b -- c -->]><a/>"],
  ["with a single hyphen", "<!DOCTYPE a [<!-b-->]><a/>"],
  ["with something after the internal subset", "<!DOCTYPE a [] b><a/>"],
  ["with a control character", "<!DOCTYPE a SYSTEM '\u0001'><a/>"],
  ["that is cut off in its keyword", "<!DOCTYPE"],
  ["that is cut off at its start", "<!"],
  ["that is cut off in a literal", "<!DOCTYPE a SYSTEM 'x><a/>"],
  ["that is cut off in the internal subset", "<!DOCTYPE a [<a/>"],
  ["that declares an entity which is used", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"],
];

describe("a document type declaration", () => {
  for (const [name, doctype] of doctypes) {
    it(`is skipped with { doctype: 'skip' }: ${name}`, async () => {
      await assertEvents(`${doctype}<a/>`, ["<a", ">"], { doctype: "skip" });
    });

    it(`is rejected by default: ${name}`, async () => {
      await assertRejected(`${doctype}<a/>`);
    });
  }

  for (const [name, xml] of wrongDoctypes) {
    it(`is rejected if it is wrong, with and without skipping: ${name}`, async () => {
      await assertRejects(() => eventsOf(xml, { doctype: "skip" }), XmlError);
      await assertRejected(xml, { doctype: "skip" });
      await assertRejected(xml);
    });
  }

  it("is rejected with its position and the option that skips it", async () => {
    const error = await assertRejects(() => eventsOf("<!-- x -->\n<!DOCTYPE a><a/>"), XmlError);

    assertEquals([error.line, error.column, error.offset, error.path], [2, 1, 11, "/"]);
    assert(error.message.includes('{ doctype: "skip" }'), error.message);
  });

  it("does not change later positions if it is skipped", async () => {
    const xml = "<!DOCTYPE a [\n]>\n<a>\n  <p:b/></a>";
    const error = await assertRejects(() => eventsOf(xml, { doctype: "skip" }), XmlError);

    assertEquals([error.line, error.column, error.offset], [4, 3, xml.indexOf("<p:b")]);
  });

  it("is read in linear time", async () => {
    const subset = (count: number) => `<!DOCTYPE a [${"<!ENTITY b 'c'>".repeat(count)}]><a/>`;
    const reading = (count: number) => eventsOf(subset(count), { doctype: "skip" });

    await assertLinearGrowth(reading, 10_000, 100_000);
  });
});

describe("the depth of XML", () => {
  it("is limited to 500, including the root", async () => {
    const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);
    assertEquals((await eventsOf(nested(500))).length, 1000);
    const error = await assertRejects(() => eventsOf(nested(501)), XmlError, "maxDepth");
    assertEquals(error.offset, 1500);
    assertEquals((await eventsOf(nested(501), { maxDepth: 501 })).length, 1002);
    const leaf = "<a>".repeat(500) + "<a/>" + "</a>".repeat(500);
    await assertRejects(() => eventsOf(leaf), XmlError, "maxDepth");
  });
});

describe("bytes of XML", () => {
  const utf16 = (text: string, isBig: boolean) => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < text.length; index++) {
      view.setUint16(index * 2, text.charCodeAt(index), !isBig);
    }
    return bytes;
  };
  const latin1 = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const events = ["<a", "é€", ">"];
  const tables: readonly (readonly [string, Uint8Array, string | undefined])[] = [
    ["UTF-8", utf8("<a>é€</a>"), undefined],
    ["UTF-8 with a byte-order mark", utf8("\ufeff<a>é€</a>"), undefined],
    ["UTF-8 with a byte-order mark, by the content type", utf8("\ufeff<a>é€</a>"), "utf-8"],
    ["UTF-16 LE with a byte-order mark", utf16("\ufeff<a>é€</a>", false), undefined],
    ["UTF-16 BE with a byte-order mark", utf16("\ufeff<a>é€</a>", true), undefined],
    ["UTF-16 LE without a byte-order mark", utf16("<a>é€</a>", false), undefined],
    ["UTF-16 BE without a byte-order mark", utf16("<a>é€</a>", true), undefined],
    [
      "UTF-16 with a declaration",
      utf16('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é€</a>', false),
      undefined,
    ],
    [
      "UTF-8 despite a declaration of UTF-16",
      utf8('<?xml version="1.0" encoding="utf-16"?><a>é€</a>'),
      undefined,
    ],
    [
      "windows-1252 by its declaration",
      latin1("<?xml version='1.0' encoding='windows-1252'?><a>\xe9\x80</a>"),
      undefined,
    ],
    ["windows-1252 by the content type", latin1("<a>\xe9\x80</a>"), "windows-1252"],
    [
      "UTF-8 by the content type, despite another encoding in the declaration",
      utf8("<?xml version='1.0' encoding='iso-8859-1'?><a>é€</a>"),
      "utf-8",
    ],
    [
      "UTF-8 by the byte-order mark, despite another charset in the content type",
      utf8("\ufeff<a>é€</a>"),
      "iso-8859-1",
    ],
  ];
  for (const [name, bytes, charset] of tables) {
    it(`are read as ${name}`, async () => {
      assertEquals(await eventsOf(bytes, { charset }), events);
    });

    it(`are read as ${name}, byte by byte`, async () => {
      async function* single() {
        for (const byte of bytes) yield Uint8Array.of(byte);
      }
      assertEquals(await eventsOf(single(), { charset }), events);
    });
  }

  it("are read as ISO-8859-1 by their declaration", async () => {
    const bytes = latin1("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>");
    assertEquals(await eventsOf(bytes), ["<a", "é", ">"]);
  });

  it("are read from the body of a response", async () => {
    assertEquals(await eventsOf(new Response("<a>é€</a>").body!), events);
  });

  it("are rejected if they are not valid in their encoding", async () => {
    await assertRejects(() => eventsOf(latin1("<a>\xe9</a>")), XmlError, "utf-8");
    await assertRejects(
      () => eventsOf(utf16("\ufeff<a/>", false).subarray(0, 9)),
      XmlError,
      "utf-16",
    );
  });

  for (
    const [name, bytes] of [
      ["UTF-8", utf8("\ufeff\ufeff<a/>")],
      ["UTF-16", utf16("\ufeff\ufeff<a/>", true)],
    ] as const
  ) {
    it(`are rejected with two byte-order marks: ${name}`, async () => {
      async function* single() {
        for (const byte of bytes) yield Uint8Array.of(byte);
      }
      await assertRejects(() => eventsOf(bytes), XmlError, "byte-order mark");
      await assertRejects(() => eventsOf(single()), XmlError, "byte-order mark");
    });
  }

  it("are rejected in an unknown encoding, with an error that lists the known ones", async () => {
    const bytes = utf8('<?xml version="1.0" encoding="klingon"?><a/>');
    const error = await assertRejects(() => eventsOf(bytes), XmlError, "UTF-16");
    assert(!error.message.includes("klingon"), error.message);
    await assertRejects(() => eventsOf(utf8("<a/>"), { charset: "klingon" }), XmlError, "UTF-16");
  });

  it("are read completely if they are longer than the part that determines the encoding", async () => {
    const text = "é€".repeat(1000);
    async function* parts() {
      const bytes = utf8(`<a>${text}</a>`);
      for (let index = 0; index < bytes.length; index += 700) {
        yield bytes.subarray(index, index + 700);
      }
    }
    assertEquals(await eventsOf(parts()), ["<a", text, ">"]);
  });
});
