import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  document,
  element,
  elements,
  integer,
  list,
  model,
  nullable,
  record,
  string,
  text,
  toXml,
} from "../../src/models/mod.ts";

import { decodeTarget } from "../support/decode_target.ts";

const none = { declaration: false } as const;

describe("the namespaces of a model", () => {
  class Author extends model("author", { name: element(string) }) {}
  class Entry extends model("entry", {
    lang: attr(string, { namespace: "http://www.w3.org/XML/1998/namespace", optional: true }),
    id: attr(string, { namespace: "urn:ids", optional: true }),
    title: element(string),
    creator: element(string, { namespace: "urn:dc", optional: true }),
    authors: elements(Author),
  }, { namespace: "urn:entry", prefixes: { dc: "urn:dc" } }) {}
  const entry = Entry.of({
    lang: "en",
    id: "7",
    title: "One",
    creator: "Ada",
    authors: [Author.of({ name: "Ada" })],
  });

  it("are matched by their URI, whatever the prefixes are", async () => {
    const xml =
      `<e:entry xmlns:e="urn:entry" xmlns:x="urn:dc" xmlns:i="urn:ids" xml:lang="en" i:id="7">
      <e:title>One</e:title><x:creator>Ada</x:creator>
      <author xmlns="urn:entry"><name>Ada</name></author></e:entry>`;
    assertEquals(await Entry.fromXml(xml), entry);
  });

  it("are declared once at the root, and attributes have a prefix", async () => {
    const xml = toXml(entry, none);
    assertEquals(
      xml,
      '<entry xmlns="urn:entry" xmlns:dc="urn:dc" xmlns:ns1="urn:ids" xml:lang="en" ns1:id="7">' +
        "<title>One</title><dc:creator>Ada</dc:creator><author><name>Ada</name></author></entry>",
    );
    assertEquals(await Entry.fromXml(xml), entry);
  });

  it("must match, and the error for the root shows both", async () => {
    const error = await assertRejects(() => Entry.fromXml("<entry><title/></entry>"), ModelError);
    assertEquals(error.issues.length, 1);
    assert(error.message.includes("in the namespace urn:entry, but it is <entry> in no namespace"));
    const other = "<entry xmlns='urn:entry'><title xmlns='urn:other'>x</title></entry>";
    await assertRejects(() => Entry.fromXml(other), ModelError, "/entry/title");
  });

  it("are not the default namespace if some elements have none", async () => {
    class Fault extends model("Fault", {
      code: element(string, { tag: "faultcode", namespace: "" }),
    }, { namespace: "urn:soap", prefixes: { soap: "urn:soap" } }) {}
    class Bare extends model("Bare", { code: element(string, { namespace: "" }) }, {
      namespace: "urn:soap",
    }) {}
    const fault = Fault.of({ code: "x" });
    assertEquals(
      toXml(fault, none),
      '<soap:Fault xmlns:soap="urn:soap"><faultcode>x</faultcode></soap:Fault>',
    );
    assertEquals(await Fault.fromXml(toXml(fault)), fault);
    const bare = Bare.of({ code: "x" });
    assertEquals(toXml(bare, none), '<ns1:Bare xmlns:ns1="urn:soap"><code>x</code></ns1:Bare>');
    assertEquals(await Bare.fromXml(toXml(bare)), bare);
  });
});

describe("fields with a path of elements (within)", () => {
  class Page extends model("page", {
    total: element(integer, { within: "meta" }),
    next: attr(string, { within: "meta/link", tag: "href", optional: true }),
    items: elements(string, { tag: "item", within: "body/items" }),
  }) {}
  const xml =
    '<page><meta><total>2</total><link href="/2"/></meta><body><items><item>a</item><item>b</item></items></body></page>';

  it("are read, and are written with shared outer elements", async () => {
    const page = await Page.fromXml(xml);
    assertEquals(page, Page.of({ total: 2, next: "/2", items: ["a", "b"] }));
    assertEquals(toXml(page, none), xml);
    assertEquals(page.toJsonString(), '{"total":2,"next":"/2","items":["a","b"]}');
  });

  it("are omitted with their outer elements if they are missing", () => {
    assertEquals(
      toXml(Page.of({ total: 0 }), none),
      "<page><meta><total>0</total></meta></page>",
    );
  });

  it("have their full path in errors", async () => {
    const error = await assertRejects(
      () => Page.fromXml("<page><body><items><item/><item><b/></item></items></body></page>"),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), [
      "/page/body/items/item[2]/b",
      "/page/meta/total",
    ]);
  });
});

describe("a path of elements over several namespaces", () => {
  class Envelope extends model("Envelope", {
    id: element(string, { within: "Header/{urn:app}meta/{}plain" }),
    title: element(string, { within: "{urn:app}book" }),
    lang: attr(string, { within: "{urn:app}book" }),
    notes: elements(string, { tag: "note", within: "{urn:app}book/notes", namespace: "urn:note" }),
  }, { namespace: "urn:soap", prefixes: { s: "urn:soap", a: "urn:app" } }) {}
  const envelope = Envelope.of({ id: "1", title: "T", lang: "en", notes: ["x"] });
  const xml = '<s:Envelope xmlns:s="urn:soap" xmlns:a="urn:app" xmlns:ns1="urn:note">' +
    "<s:Header><a:meta><plain><s:id>1</s:id></plain></a:meta></s:Header>" +
    '<a:book lang="en"><s:title>T</s:title><s:notes><ns1:note>x</ns1:note></s:notes></a:book></s:Envelope>';

  it("has names in braces after their namespace, and others in that of the model", async () => {
    assertEquals(toXml(envelope, none), xml);
    assertEquals(await Envelope.fromXml(xml), envelope);
    const other = xml.replace("<plain>", '<plain xmlns="urn:soap">').replace(
      "</plain>",
      "</plain>",
    );
    const error = await assertRejects(() => Envelope.fromXml(other), ModelError);
    assertEquals(error.issues.map(({ where }) => where), ["/s:Envelope/Header/meta/plain/id"]);
  });

  it("is the same path for several fields only if the namespaces are the same", async () => {
    class Both extends model("both", {
      one: element(string, { within: "w" }),
      two: element(string, { within: "{urn:two}w" }),
    }) {}
    const both = Both.of({ one: "1", two: "2" });
    assertEquals(
      toXml(both, none),
      '<both xmlns:ns1="urn:two"><w><one>1</one></w><ns1:w><two>2</two></ns1:w></both>',
    );
    assertEquals(await Both.fromXml(toXml(both)), both);
  });

  it("may occur twice in a document, but not with two values for one field", async () => {
    class Page extends model("page", {
      size: attr(integer, { within: "w", optional: true }),
      items: elements(string, { tag: "item", within: "w" }),
      one: element(string, { within: "w", optional: true }),
    }) {}
    const page = await Page.fromXml(
      "<page><w><item>1</item></w><w size='2'><item>2</item><one/></w></page>",
    );
    assertEquals({ ...page }, { size: 2, items: ["1", "2"], one: "" });
    const error = await assertRejects(
      () => Page.fromXml("<page><w size='1'><one/></w><w size='2'><one/></w></page>"),
      ModelError,
    );
    assertEquals(error.issues.map(({ code, where }) => [code, where]), [
      ["duplicate", "/page/w/@size"],
      ["duplicate", "/page/w/one[2]"],
    ]);
    class Said extends model("said", { text: text(string, { within: "w" }) }) {}
    const twice = await assertRejects(
      () => Said.fromXml("<said><w>a</w><w>b</w></said>"),
      ModelError,
    );
    assertEquals(twice.issues.map(({ code, where }) => [code, where]), [[
      "duplicate",
      "/said/w[2]",
    ]]);
  });
});

describe("the namespaces of models in models", () => {
  class Part extends model("part", { name: element(string, { within: "names" }) }) {}
  class Top extends model("top", { part: element(Part) }, { namespace: "urn:top" }) {}

  it("are written if a part that was read becomes a root", async () => {
    const xml = '<top xmlns="urn:top"><part><names><name>a</name></names></part></top>';
    const { part } = await Top.fromXml(xml);
    assertEquals(toXml(part, none), '<part xmlns="urn:top"><names><name>a</name></names></part>');
    assertEquals(toXml(Part.of({ name: "a" }), none), "<part><names><name>a</name></names></part>");
    // In an instance of another model, it is in the namespace of that one.
    class Other extends model("other", { part: element(Part) }, { namespace: "urn:other" }) {}
    assertEquals(
      toXml(Other.of({ part }), none),
      '<other xmlns="urn:other"><part><names><name>a</name></names></part></other>',
    );
  });

  it("have the prefixes that the inner models name, unless an outer model names them first", () => {
    const prefixes = { i: "urn:in", q: "urn:q" };
    class In extends model("in", { q: attr(string, { namespace: "urn:q" }) }, {
      namespace: "urn:in",
      prefixes,
    }) {}
    class Free extends model("out", { in: element(In) }) {}
    class Taken extends model("out", { in: element(In) }, { prefixes: { q: "urn:other" } }) {}
    const inner = In.of({ q: "1" });
    assertEquals(
      toXml(Free.of({ in: inner }), none),
      '<out xmlns:i="urn:in" xmlns:q="urn:q"><i:in q:q="1"/></out>',
    );
    assertEquals(
      toXml(Taken.of({ in: inner }), none),
      '<out xmlns:i="urn:in" xmlns:ns1="urn:q"><i:in ns1:q="1"/></out>',
    );
  });

  it("are declared at the root for lists, records, null and paths at any depth", async () => {
    class Leaf extends model("leaf", { v: element(nullable(string)) }, { namespace: "urn:leaf" }) {}
    class Mid extends model("mid", {
      leaves: elements(Leaf, { within: "{urn:w}all" }),
      map: element(record(Leaf)),
    }, { namespace: "urn:mid" }) {}
    class Root extends model("root", { mids: elements(Mid) }, { namespace: "urn:root" }) {}
    const leaf = Leaf.of({ v: null });
    const root = Root.of({ mids: [Mid.of({ leaves: [leaf], map: { a: leaf } })] });
    const xml = toXml(root);
    assertEquals(xml.match(/ xmlns/g)?.length, 5);
    assertEquals(/^<\?xml[^>]*><root( xmlns[^=]*="[^"]*"){5}>/.test(xml), true, xml);
    assertEquals(await Root.fromXml(xml), root);
  });
});

describe("a model with assumeNamespace", () => {
  class Part extends model("part", { name: element(string, { within: "names" }) }) {}
  class Listing extends model("listing", {
    name: element(string),
    part: element(Part, { optional: true }),
    map: element(record(string), { optional: true }),
  }, { namespace: "urn:listing", assumeNamespace: true, unknown: "refuse" }) {}

  it("reads documents that leave the namespace out, and writes it", async () => {
    const xml =
      "<listing><name>a</name><part><names><name>b</name></names></part><map><x>1</x></map></listing>";
    const listing = await Listing.fromXml(xml);
    assertEquals({ ...listing }, { name: "a", part: Part.of({ name: "b" }), map: { x: "1" } });
    const written = toXml(listing, none);
    assertEquals(written, xml.replace("<listing", '<listing xmlns="urn:listing"'));
    assertEquals(await Listing.fromXml(written), listing);
    const prefixed = "<p:listing xmlns:p='urn:listing'><p:name>a</p:name></p:listing>";
    assertEquals((await Listing.fromXml(prefixed)).name, "a");
  });

  it("reads such lists, streams and responses, too", async () => {
    const xml = "<all><listing><name>a</name></listing></all>";
    const [listing] = await document(list(Listing)).fromXml(xml);
    assertEquals(listing?.name, "a");
    for await (const { name } of Listing.streamXml(xml, { at: "all/listing" })) {
      assertEquals(name, "a");
    }
    for await (const { name } of Listing.streamXml(xml)) assertEquals(name, "a");
    const [decoded] = await decodeTarget([Listing], xml, "application/xml");
    assertEquals(decoded?.name, "a");
  });

  it("refuses another namespace, and an explicit lack of one", async () => {
    for (const uri of ["urn:other", ""]) {
      const xml = `<listing xmlns="${uri}"><name>a</name></listing>`;
      await assertRejects(
        () => Listing.fromXml(xml),
        ModelError,
        "in the namespace urn:listing, but it is",
      );
    }
  });

  it("needs a namespace", async () => {
    const Bare = model("bare", {}, { assumeNamespace: true });
    const error = await assertRejects(() => Bare.fromXml("<bare/>"), UnexpectedValueError);
    assertEquals(error.option, "bare.assumeNamespace");
  });
});
