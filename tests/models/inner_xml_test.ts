import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import fc from "fast-check";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  attr,
  element,
  elements,
  innerXml,
  model,
  nullable,
  oneOf,
  record,
  string,
  text,
  textContent,
  toXml,
} from "../../src/models/mod.ts";
import { holds } from "../support/property.ts";
import { parseTree, spelling, unknownElement, writeTree } from "../support/xml_tree.ts";

const none = { declaration: false } as const;
const optional = { optional: true } as const;

describe("the text of an element with inline markup (textContent)", () => {
  class Entry extends model("entry", { title: element(textContent) }) {}

  it("has all texts, without tags, comments and processing instructions", async () => {
    const titles: readonly (readonly [string, string])[] = [
      ["A <b>bold</b> title", "A bold title"],
      ["<a>1<b>2<c/>3</b></a>4", "1234"],
      [" <b> x </b>\n", "  x \n"],
      ["a&lt;<![CDATA[<&]]><!-- no --><?no no?>&#233;", "a<<&é"],
      ["<br/>", ""],
      ["", ""],
    ];
    for (const [xml, title] of titles) {
      const entry = await Entry.fromXml(`<entry><title>${xml}</title></entry>`);
      assertEquals(entry.title, title);
      assertEquals(await Entry.fromXml(toXml(entry)), entry);
    }
  });

  it("is written as text, and is a string in JSON", async () => {
    const entry = Entry.of({ title: "<b>&" });
    assertEquals(toXml(entry, none), "<entry><title>&lt;b&gt;&amp;</title></entry>");
    assertEquals(entry.toJsonString(), '{"title":"<b>&"}');
    assertEquals(await Entry.fromXml(toXml(entry)), entry);
    assertThrows(() => toXml(Entry.of({ title: "\0" })), ModelError, "without control characters");
  });

  it("can be the text of an element with attributes", async () => {
    class Link extends model("a", { href: attr(string), label: text(textContent) }) {}
    const link = await Link.fromXml('<a href="/">one <b>two</b> three</a>');
    assertEquals({ ...link }, { href: "/", label: "one two three" });
    assertEquals(toXml(link, none), '<a href="/">one two three</a>');
  });
});

describe("the content of an element as XML (innerXml)", () => {
  class Entry extends model("entry", { content: element(innerXml) }) {}

  const contents: readonly (readonly [string, string])[] = [
    ["A <b>bold</b> title", "A <b>bold</b> title"],
    ["  <b> </b>\n", "  <b> </b>\n"],
    ["<![CDATA[<&]]>&amp;&#65;", "&lt;&amp;&amp;A"],
    ["a\r\nb\rc&#13;", "a\nb\nc&#13;"],
    ["<!-- no --><?no no?>", ""],
    ["<b/><b></b>", "<b/><b/>"],
    ['<b c="&lt;&quot;&#10;\n"/>', '<b c="&lt;&quot;&#10; "/>'],
    ['<p:b xmlns:p="u" p:a="1" a="2"/>', '<b xmlns="u" xmlns:ns1="u" ns1:a="1" a="2"/>'],
    ['<b xmlns="u"><c xmlns=""/><d/></b>', '<b xmlns="u"><c xmlns=""/><d/></b>'],
    ['<b xml:lang="en"/>', '<b xml:lang="en"/>'],
    ["", ""],
  ];
  for (const [xml, content] of contents) {
    it(`is read and written: ${JSON.stringify(xml).replace(/["<&]/g, "_")}`, async () => {
      const entry = await Entry.fromXml(`<entry><content>${xml}</content></entry>`);
      assertEquals(entry.content, content);
      assertEquals(await Entry.fromXml(toXml(entry)), entry);
      assertEquals(await Entry.fromXml(toXml(entry, { indent: true })), entry);
      assertEquals(Entry.fromJson(entry.toJsonString()), entry);
    });
  }

  it("declares the namespaces that the document declares outside of it", async () => {
    class Page extends model("page", { body: element(innerXml) }, {
      namespace: "urn:page",
      prefixes: { h: "urn:html" },
    }) {}
    const page = await Page.fromXml(
      '<n:page xmlns:n="urn:page" xmlns:q="urn:html" xmlns="urn:d"><n:body><q:b q:z="1"><d/></q:b><n:e/></n:body></n:page>',
    );
    assertEquals(
      page.body,
      '<b xmlns="urn:html" xmlns:ns1="urn:html" ns1:z="1"><d xmlns="urn:d"/></b><e xmlns="urn:page"/>',
    );
    const xml = toXml(page, none);
    // Written XML uses the prefixes of the model.
    assertEquals(
      xml,
      '<page xmlns="urn:page"><body><h:b xmlns:h="urn:html" h:z="1"><d xmlns="urn:d"/></h:b><e/></body></page>',
    );
    assertEquals(await Page.fromXml(xml), page);
  });

  it("is the same after it is written and read for any content", async () => {
    const content = fc.array(unknownElement, { maxLength: 3 });
    await holds(
      fc.asyncProperty(content, spelling, async (children, choices) => {
        const tree = { uri: "", tag: "content", attributes: [], children };
        const xml = writeTree({ uri: "", tag: "entry", attributes: [], children: [tree] }, choices);
        const entry = await Entry.fromXml(xml);
        assertEquals(await Entry.fromXml(toXml(entry)), entry);
        assertEquals(await parseTree(toXml(entry)), await parseTree(xml));
        // The text can stand alone.
        await parseTree(`<alone>${entry.content}</alone>`);
      }),
      100,
    );
  });

  const malformed: readonly (readonly [string, string])[] = [
    ["a & b", '"&" is not a reference that XML knows'],
    ["<b>", "<b> has no end tag"],
    ["</content><x>", "</content> has no start tag before it"],
    ["<p:b/>", 'the prefix of "p:b" is not declared'],
    ["<b a='1' a='2'/>", "<b> has the attribute a twice"],
    ["<!DOCTYPE b>", "the markup at offset 0 is not valid"],
    ["&nbsp;", '"&nbsp;" is not a reference that XML knows'],
  ];
  for (const [content, reason] of malformed) {
    it(`is refused if it is malformed when it is written: ${content.replace(/[<&]/g, "_")}`, () => {
      const error = assertThrows(() => toXml(Entry.of({ content })), ModelError);
      assertEquals(error.issues.map(({ code, where }) => [code, where]), [[
        "type",
        "/entry/content",
      ]]);
      const message = `expected well-formed XML content, but it is not well-formed: ${reason}`;
      assertEquals(error.issues[0]!.message.startsWith(message), true, error.message);
    });
  }

  it("is refused if it is not a string", () => {
    const error = assertThrows(() => toXml(Entry.of({ content: null as never })), ModelError);
    assertEquals(error.issues[0]?.message, "expected well-formed XML content, but it is null");
    assertThrows(
      () => Entry.fromJson({ content: 7 }),
      ModelError,
      "expected well-formed XML content, but it is 7",
    );
  });

  it("can repeat, be null, and be in a record", async () => {
    class Page extends model("page", {
      parts: elements(nullable(innerXml), { tag: "part" }),
      map: element(record(innerXml), optional),
    }) {}
    const page = Page.of({ parts: ["1<b/>", null, ""], map: { a: "<c>2</c>", b: "&amp;" } });
    assertEquals(await Page.fromXml(toXml(page, { indent: true })), page);
    assertEquals(Page.fromJson(page.toJsonString()), page);
    const error = assertThrows(
      () => toXml(Page.of({ parts: ["<", "a"], map: { b: "<" } })),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), ["/page/part[1]", "/page/map/b"]);
  });
});

describe("an element whose text field has markup", () => {
  const kind = oneOf("text", "html", "xhtml");
  class Text extends model("content", {
    type: attr(kind, { default: "text" }),
    body: text(innerXml),
  }, { unknown: "keep" }) {}

  it("is a text construct of Atom, with attributes beside the content", async () => {
    const xml =
      '<content type="xhtml" xml:lang="en"><div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b></div></content>';
    const content = await Text.fromXml(xml);
    assertEquals(content.type, "xhtml");
    assertEquals(content.body, '<div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b></div>');
    assertEquals(toXml(content, none), xml);
    assertEquals(await Text.fromXml(toXml(content, { indent: true })), content);
    const changed = Text.of({ ...content, body: "x &amp; y" });
    assertEquals(toXml(changed, none), '<content type="xhtml" xml:lang="en">x &amp; y</content>');
  });

  it("reports malformed content with its path", () => {
    const error = assertThrows(() => toXml(Text.of({ body: "<" })), ModelError);
    assertEquals(error.issues.map(({ where }) => where), ["/content/text()"]);
  });

  it("may be absent, as other texts", async () => {
    class Note extends model("note", { body: text(innerXml, optional) }) {}
    class Default extends model("note", { body: text(innerXml, { default: "<x/>" }) }) {}
    class Null extends model("note", { body: text(nullable(innerXml)) }) {}
    class Empty
      extends model("note", { body: text(innerXml, { default: "d", emptyAsAbsent: true }) }) {}
    assertEquals((await Note.fromXml("<note/>")).body, undefined);
    assertEquals((await Note.fromXml("<note> </note>")).body, " ");
    assertEquals((await Note.fromXml("<note><b/></note>")).body, "<b/>");
    assertEquals((await Default.fromXml("<note/>")).body, "");
    assertEquals((await Null.fromXml("<note/>")).body, null);
    assertEquals(toXml(Null.of({ body: null }), none), "<note/>");
    assertEquals((await Empty.fromXml("<note> <!-- c --></note>")).body, "d");
    assertEquals((await Empty.fromXml("<note> <b/></note>")).body, " <b/>");
  });

  it("is not skipped where content is ignored or refused", async () => {
    for (const unknown of ["ignore", "refuse"] as const) {
      class Note extends model("note", { body: text(innerXml) }, { unknown }) {}
      assertEquals((await Note.fromXml("<note>a<b/></note>")).body, "a<b/>");
    }
    await assertRejects(
      () =>
        model("note", { body: text(string) }, { unknown: "refuse" }).fromXml("<note>a<b/></note>"),
      ModelError,
    );
  });
});
