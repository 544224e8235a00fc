import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  attr,
  element,
  elements,
  integer,
  model,
  nullable,
  record,
  string,
  text,
  toXml,
  unknownContentOf,
} from "../../src/models/mod.ts";
import { canonical, parseTree, type Tree } from "../support/xml_tree.ts";

// The property tests are in generated_documents_test.ts.

const none = { declaration: false } as const;
const keep = { unknown: "keep" } as const;
const optional = { optional: true } as const;

describe("content that a model does not have", () => {
  const of = (unknown: "ignore" | "refuse" | "keep") =>
    class Known extends model("known", { a: element(string, { optional: true }) }, { unknown }) {};

  it("is ignored with unknown: ignore", async () => {
    assertEquals({ ...of("ignore").fromJson({ a: "x", b: 1 }) }, { a: "x" });
    const xml = '<known z="1">text<b><a>no</a></b><a>x</a></known>';
    assertEquals({ ...(await of("ignore").fromXml(xml)) }, { a: "x" });
  });

  it("is rejected with unknown: refuse, with an issue for each part", async () => {
    const json = assertThrows(() => of("refuse").fromJson({ b: 1, c: 2 }), ModelError);
    assertEquals(json.issues.map(({ where }) => where), ["b", "c"]);
    const xml = '<known z="1" xmlns:p="u" p:y="2">text<b><c/></b></known>';
    const error = await assertRejects(() => of("refuse").fromXml(xml), ModelError);
    assertEquals(error.issues.map(({ where }) => where), [
      "/known/@z",
      "/known/@p:y",
      "/known",
      "/known/b",
    ]);
    await of("refuse").fromXml("<known>\n <!-- c --> </known>");
    const lost = await assertRejects(
      () => of("refuse").fromXml("<known><a b='1'/></known>"),
      ModelError,
    );
    assertEquals(lost.issues.map(({ where }) => where), ["/known/a/@b"]);
  });

  it("is kept and written back with unknown: keep", async () => {
    const json = '{"a":"x","b":{"c":[1,null]}}';
    assertEquals(of("keep").fromJson(json).toJsonString(), json);
    const xml =
      '<known xmlns:p="urn:p" z="1" p:y="2"><a>x</a><b q="&lt;">t<p:c/>u</b><p:d xmlns="urn:d"><e/></p:d></known>';
    const once = await of("keep").fromXml(xml);
    const twice = await of("keep").fromXml(toXml(once));
    assertEquals(toXml(twice), toXml(once));
    assert(toXml(once).includes('<b q="&lt;">t<c xmlns="urn:p"/>u</b>'), toXml(once));
    assert(toXml(once).includes('<d xmlns="urn:p"><e xmlns="urn:d"/></d>'), toXml(once));
    assert(toXml(once).includes('xmlns:ns1="urn:p" ns1:y="2"'), toXml(once));
  });
});

describe("the unknown content of an XML document", () => {
  class Page extends model("page", {
    total: element(integer, { ...optional, within: "meta" }),
    items: elements(string, { tag: "item", within: "meta/items" }),
    title: element(string, optional),
    props: element(record(string), optional),
    count: element(integer, { ...optional, emptyAsAbsent: true }),
  }, keep) {}
  class Note extends model("note", {
    id: attr(string, optional),
    said: text(string),
    bold: elements(string, { tag: "b" }),
  }, keep) {}

  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const documents: readonly (readonly [string, string])[] = [
    ["attributes of an element around fields", '<page><meta z="1"><total>2</total></meta></page>'],
    ["elements in an element around fields", "<page><meta><x/><total>2</total><y/></meta></page>"],
    ["text in an element around fields", "<page><meta>a<total>2</total>b</meta></page>"],
    ["an element around fields that is empty", "<page><meta/><title>x</title></page>"],
    [
      "an element around fields that occurs twice",
      "<page><meta/><x/><meta><total>1</total></meta></page>",
    ],
    [
      "a nested element around fields",
      '<page><meta><items z="1"><x/><item>a</item></items></meta></page>',
    ],
    ["attributes of a text", '<page><title lang="en">x</title></page>'],
    [
      "attributes of one of several texts",
      '<page><meta><items><item>a</item><item z="1">b</item></items></meta></page>',
    ],
    [
      "attributes of a record and its members",
      '<page><props z="1"><a y="2">x</a><b>y</b></props></page>',
    ],
    ["stray text", "<page>one<title>x</title>two <x/> <y/>three</page>"],
    [
      "elements before, between and after fields",
      "<page><x/><meta><total>1</total></meta><y/><title>x</title><z/></page>",
    ],
    [
      "the order of declared elements",
      "<page><title>x</title><meta><total>1</total></meta></page>",
    ],
    [
      "attributes of XML Schema",
      `<page ${xsi} xsi:schemaLocation="a b" xsi:type="page"><title xsi:nil="false">x</title></page>`,
    ],
    [
      "attributes of the prefix xml",
      '<page xml:lang="en"><title xml:space="preserve"> </title></page>',
    ],
    ["an attribute and an element of one name", '<page x="1"><x>2</x></page>'],
    ["an empty element that counts as absent", '<page><count z="1"/><x/></page>'],
    ["the same without unknown content", "<page><count/></page>"],
    ["whitespace in unknown elements", "<page><x> <y/>\n</x><title>x</title></page>"],
  ];
  for (const [name, xml] of documents) {
    it(`stays in its place: ${name}`, async () => {
      const page = await Page.fromXml(xml);
      assertEquals(canonical(await parseTree(toXml(page))), canonical(await parseTree(xml)));
      assertEquals(
        canonical(await parseTree(toXml(page, { indent: true }))),
        canonical(await parseTree(xml)),
      );
      assertEquals(await Page.fromXml(toXml(page)), page);
    });
  }

  const notes: readonly (readonly [string, string])[] = [
    ["elements in the text", "<note>one <x/>two <b>three</b> four</note>"],
    ["declared elements in the text", "<note>one <b>two</b> three</note>"],
    ["elements before the text", '<note id="1"><x/>one</note>'],
    ["spaces in the text", "<note> <b>a</b> <x/> </note>"],
  ];
  for (const [name, xml] of notes) {
    it(`stays in its place in mixed content: ${name}`, async () => {
      const note = await Note.fromXml(xml);
      assertEquals(toXml(note, none), xml);
      assertEquals(toXml(note, { ...none, indent: true }).trimEnd(), xml);
    });
  }

  it("stays where it was if the text changes, which is then in one piece", async () => {
    const note = await Note.fromXml("<note><x/>one <b>two</b> three<y/></note>");
    assertEquals(
      toXml(Note.of({ ...note, said: "new" }), none),
      "<note><x/>new<b>two</b><y/></note>",
    );
  });

  it("is not written twice for two prefixes of one namespace, or of one name", async () => {
    const xml =
      '<page xmlns:p="urn:p" xmlns:q="urn:q" xmlns:r="urn:p" p:a="1" q:a="2" r:b="3" a="4"/>';
    const written = toXml(await Page.fromXml(xml), none);
    assertEquals(
      written,
      '<page xmlns:ns1="urn:p" ns1:a="1" xmlns:ns2="urn:q" ns2:a="2" ns1:b="3" a="4"/>',
    );
    assertEquals(canonical(await parseTree(written)), canonical(await parseTree(xml)));
  });

  it("has its namespace although the model uses the prefix for another one", async () => {
    class Entry
      extends model("entry", { by: element(string, { namespace: "urn:dc", optional: true }) }, {
        ...keep,
        namespace: "urn:entry",
        prefixes: { dc: "urn:dc", ns1: "urn:one", xsi: "urn:two" },
      }) {}
    const xml =
      '<dc:entry xmlns:dc="urn:entry" xmlns:ns1="urn:dc" xmlns:xsi="urn:x" ns1:a="1" xsi:a="2">' +
      `<ns1:by/><bare><xsi:x/></bare><xsi:nil xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/></dc:entry>`;
    const entry = await Entry.fromXml(xml);
    for (const indent of [false, true]) {
      const written = toXml(entry, { ...none, indent });
      assertEquals(canonical(await parseTree(written)), canonical(await parseTree(xml)));
      assertEquals(await Entry.fromXml(written), entry);
    }
  });

  it("without a namespace stays without one inside of a default namespace", async () => {
    class Entry
      extends model("entry", { id: element(string) }, { ...keep, namespace: "urn:entry" }) {}
    const xml = '<entry xmlns="urn:entry"><id>1</id><x xmlns=""><id/></x></entry>';
    assertEquals(toXml(await Entry.fromXml(xml), none), xml);
  });

  it("of an instance in another is written although its model is in another namespace", async () => {
    class Part extends model("part", { name: element(string, { within: "names" }) }, keep) {}
    class One extends model("one", { part: element(Part) }, { namespace: "urn:one" }) {}
    class Two extends model("two", { part: element(Part) }, { namespace: "urn:two" }) {}
    const xml =
      '<one xmlns="urn:one"><part z="1"><x/><names y="2"><name>a</name><x/></names></part></one>';
    const { part } = await One.fromXml(xml);
    const two = toXml(Two.of({ part }), none);
    const child = (await parseTree(two)).children[0] as Tree;
    assertEquals((child.children as Tree[]).map(({ tag, uri }) => [tag, uri]), [
      ["x", "urn:one"],
      ["names", "urn:two"],
    ]);
    assertEquals((await Two.fromXml(two)).part.name, "a");
    assertEquals(
      toXml(part, none),
      xml.replace(/<\/?one[^>]*>/g, "").replace("<part", '<part xmlns="urn:one"'),
    );
    assert(toXml(Part.of({ ...part }), none).includes('<names y="2"><name>a</name>'));
  });

  it("is not in what unknownContentOf returns if a field declares it", async () => {
    const page = await Page.fromXml(
      '<page z="1">one<title y="2">x</title><meta><x/></meta><w><v/></w></page>',
    );
    const { attributes, elements, texts, json } = unknownContentOf(page);
    assertEquals(attributes, [{ name: "z", namespace: "", value: "1" }]);
    assertEquals(elements.map(({ tag, children }) => [tag, children.length]), [["w", 1]]);
    assertEquals([texts, json.size], [["one"], 0]);
    const empty = unknownContentOf(Page.of({ total: 1 }));
    assertEquals([empty.attributes, empty.elements, empty.texts], [[], [], []]);
  });

  it("ends with the text that the program sets to null or undefined", async () => {
    class User extends model("user", {
      nick: element(nullable(string), optional),
      age: element(nullable(integer), optional),
    }, keep) {}
    const xml =
      `<user ${xsi}><nick xsi:nil="false" z="1">x</nick><age xsi:nil="true" y="2"/><q/></user>`;
    const user = await User.fromXml(xml);
    assertEquals([user.nick, user.age], ["x", null]);
    const changed = User.of({ ...user, nick: null, age: 7 });
    assertEquals(
      toXml(changed, none),
      `<user ${xsi}><nick xsi:nil="true" z="1"/><age y="2">7</age><q/></user>`,
    );
    assertEquals(toXml(User.of({ ...user, nick: undefined }), none).includes("<nick"), false);
  });

  it("ends with an empty element that counts as absent, if it gets a value", async () => {
    const page = await Page.fromXml('<page><count z="1"/><x/></page>');
    assertEquals(page.count, undefined);
    const counted = Page.of({ ...page, count: 5 });
    assertEquals(toXml(counted, none), '<page><count z="1">5</count><x/></page>');
    const empty = Page.of({ ...await Page.fromXml(toXml(counted)), count: undefined });
    assertEquals(toXml(empty, none), "<page><x/></page>");
  });

  it("is left out with the option only, and stays with omitDefaults", async () => {
    const page = await Page.fromXml('<page z="1"><x/><title>a</title></page>');
    assertEquals(toXml(page, { ...none, only: ["title"] }), "<page><title>a</title></page>");
    assertEquals(
      toXml(page, { ...none, omitDefaults: true }),
      '<page z="1"><x/><title>a</title></page>',
    );
  });

  it("can be an empty CDATA section", async () => {
    const page = await Page.fromXml("<page><![CDATA[]]><x><![CDATA[]]></x></page>");
    assertEquals(toXml(page, none), "<page><x/></page>");
    assertEquals(await Page.fromXml(toXml(page)), page);
  });
});
